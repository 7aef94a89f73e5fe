"""The scorecard of a game: rounds, totals, and how they climbed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.timer import Timer
from textual.widgets import Static

from racko_core.errors import N_
from racko_core.seating import TableInfo
from racko_core.view import View
from racko_tui.i18n import _
from racko_tui.scores import Scorecard, standing
from racko_tui.screens.base import RackoScreen
from racko_tui.screens.deliberate import Deliberate
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.plot import Plot
from racko_tui.widgets.scoresheet import SheetFoot, SheetHead, SheetRows
from racko_tui.words import preset_name, preset_of

if TYPE_CHECKING:
    from racko_tui.tutor import Played

_AROUND = 9  # lines of everything but rounds and plot
_LOW, _HIGH = 6, 14  # lines of a plot that is worth looking at


class CardScreen(RackoScreen[None]):
    """A sheet of paper with a plot below it."""

    CSS_PATH = "scorecard.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,s,space", "close", N_("go on"), show=False),
        Binding("a", "analyse", N_("analysis"), show=False),
        Binding("up,k", "scroll(-1)", N_("up"), show=False),
        Binding("down,j", "scroll(1)", N_("down"), show=False),
        Binding("pageup", "scroll(-8)", N_("up"), show=False),
        Binding("pagedown", "scroll(8)", N_("down"), show=False),
    ]

    def __init__(self, card: Scorecard, played: Played | None = None) -> None:
        """`played`: what the coach can look back on; None while it is still played."""
        super().__init__()
        self.card = card
        self.played = played

    def compose(self) -> ComposeResult:  # noqa: D102
        card = self.card
        with Vertical(id="paper"):
            yield Static(self.heading(), id="heading", markup=False)
            yield SheetHead(card)
            with VerticalScroll(id="rounds", can_focus=False):
                yield SheetRows(card)
            yield SheetFoot(card)
            yield Plot(
                card.history,
                card.sides,
                card.rules.target,
                ascii_only=self.racko.ascii_only,
            )
            yield Static(standing(card), id="standing", markup=False)
        yield Hints(self.hints())

    def heading(self) -> str:
        """What stands on top of the sheet."""
        rules = self.card.rules
        preset = preset_of(rules)
        words = [_("game to {target}").format(target=rules.target)]
        words.append(preset_name(preset) if preset else _("rules of your own"))
        return f"RACK-O  {' · '.join(words)}"

    def hints(self) -> list[Hint]:
        """What can be pressed."""
        looks_back: list[Hint] = [] if self.played is None else [("a", _("analysis"))]
        return [("⏎", _("go on")), ("↑↓", _("scroll")), *looks_back]

    def on_mount(self) -> None:
        """Begin at the newest round."""
        self.call_after_refresh(self.query_one("#rounds").scroll_end, animate=False)

    def on_resize(self, event: events.Resize) -> None:
        """Share the lines between the rounds and the plot."""
        room = event.size.height - _AROUND
        rounds = max(1, len(self.card.sheet))
        plot = self.query_one(Plot)
        height = min(_HIGH, max(_LOW, room - rounds))
        plot.display = bool(self.card.sheet) and room - height >= min(rounds, 3)
        plot.styles.height = height
        left = room - height if plot.display else room
        self.query_one("#rounds").styles.height = min(rounds, left)

    def action_scroll(self, by: int) -> None:
        """Move the rounds."""
        self.query_one("#rounds").scroll_relative(y=by, animate=False)

    def action_analyse(self) -> None:
        """Look back with the coach."""
        from racko_tui.screens.analysis import AnalysisScreen

        if self.played is not None:
            self.racko.push_screen(AnalysisScreen(self.played))

    def action_close(self) -> None:
        """Go on."""
        self.dismiss()


class ScorecardScreen(CardScreen):
    """The scorecard of a game at a table."""

    def __init__(self, view: View, info: TableInfo, played: Played | None = None) -> None:
        super().__init__(Scorecard.of_view(view, info), played)


class RoundCardScreen(ScorecardScreen):
    """The scorecard between two rounds. The next one is not dealt by the key that led here, held
    down or pressed twice: the card is there to be read.
    """

    QUIET: ClassVar[float] = 0.8
    """Seconds without such a key before the one that counts."""

    def on_mount(self, event: events.Mount) -> None:  # type: ignore[override]
        """From now on the player may go on."""
        super().on_mount()
        self._keys = Deliberate(self.QUIET, event.time)
        self._meant = True
        self._calm: Timer | None = None  # until it is calm again after a key that came too soon

    def on_key(self, event: events.Key) -> None:
        """Look at the keys that also lead here."""
        self._meant = event.key not in ("enter", "space", "escape") or self._keys.meant(event.time)
        if self._calm is not None:
            self._calm.reset()

    def action_close(self) -> None:
        """Go on, if that was meant."""
        if self._meant:
            super().action_close()
            return
        self._stand(_("That was too soon; press it again in a moment."))
        if self._calm is None:
            self._calm = self.set_timer(self.QUIET, self._settle)

    def _settle(self) -> None:
        self._calm = None
        self._stand(standing(self.card))

    def _stand(self, text: str) -> None:
        self.query_one("#standing", Static).update(text)
