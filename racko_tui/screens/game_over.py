"""The end of a game: who has won, what the game was like, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from racko_core.errors import N_
from racko_core.seating import TableInfo
from racko_core.view import View
from racko_net.text import cut
from racko_tui.i18n import _, decimal, ngettext
from racko_tui.scores import Scorecard, standing, tally
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.logo import Logo
from racko_tui.widgets.menu import Item, Menu

if TYPE_CHECKING:
    from racko_tui.tutor import Played

_TICK: Final = 0.12
"""Seconds from one letter of the winner's name to the next."""
_LETTERS: Final = 9
"""Letters of a name that fit across 80 columns as cards."""
_ROOMY: Final = 23
"""Lines from which the winner's name is laid out in cards."""

After = Literal["rematch", "home"]


class GameOverScreen(RackoScreen[After]):
    """Shown when a game has ended; the result is what comes next."""

    CSS_PATH = "game_over.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "nothing", N_("stay"), show=False)]

    def __init__(
        self, view: View, info: TableInfo, played: Played, record: str | None = None
    ) -> None:
        """`played`: what of the game can be judged; `record`: None where only its host has it."""
        super().__init__()
        self.view = view
        self.info = info
        self.played = played
        self.record = record
        self.card = Scorecard.of_view(view, info)
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="sheet"):
            with Center(id="name"):
                yield Logo(self._winner(), flat=True)
            yield Static(standing(self.card), id="standing", markup=False)
            yield Static(id="tally")
            yield Menu(self._items(), id="next")
            yield Static(id="said", markup=False)
        yield Hints([("↑↓", _("choose")), ("⏎", _("open"))])

    def _items(self) -> list[Item]:
        here = self.record is not None and self.racko.owns_machine
        no_record = "" if here else _("the host keeps it")
        return [
            Item("rematch", "r", _("Rematch"), _("the same players and rules, new cards")),
            Item("card", "s", _("Scorecard"), _("all rounds, and how the totals climbed")),
            Item("analysis", "a", _("Analysis"), _("what decisions cost, and what was luck")),
            Item("export", "e", _("Record"), _("write it to a file here"), no_record),
            Item("home", "q", _("Home"), _("leave the table")),
        ]

    def _winner(self) -> str:
        """The word that is laid out in cards."""
        assert self.view.result is not None
        names = [self.card.sides[side] for side in self.view.result.winners]
        name = names[0].upper() if len(names) == 1 else ""
        fits = 0 < len(name) <= _LETTERS and cell_len(name) == len(name)
        return name if fits else "RACK-O"

    def on_mount(self) -> None:
        """Celebrate, shortly."""
        menu = self.query_one(Menu)
        menu.focus()
        menu.mark("card")  # Enter goes on from the screens before; held down it starts no rematch
        if self.racko.motion_allowed:
            self.query_one(Logo).shown = 0
            self._timer = self.set_interval(_TICK, self._lay_card)

    def on_resize(self, event: events.Resize) -> None:
        """A low terminal has no room for the cards."""
        self.query_one("#name").display = event.size.height >= _ROOMY
        self.call_after_refresh(self._show_tally)

    def _lay_card(self) -> None:
        logo = self.query_one(Logo)
        logo.shown += 1
        if logo.shown >= len(logo.text) and self._timer is not None:
            self._timer.stop()

    def on_key(self) -> None:
        """Any key ends the celebration, and does what it does."""
        if self._timer is not None:
            self._timer.stop()
            self.query_one(Logo).shown = 99

    # The game in figures

    def _show_tally(self) -> None:
        static = self.query_one("#tally", Static)
        static.update(self._tally(static.content_size.width))

    def _tally(self, width: int) -> Content:
        names = self.card.names
        figures = [tally(self.card, seat) for seat in range(len(names))]
        none = "–"
        rows: list[tuple[str, list[str]]] = [
            (_("Rounds ended with RACK-O"), [str(one.rackos) for one in figures]),
            (_("Fastest RACK-O, in turns"), [str(one.fastest or none) for one in figures]),
            (_("Points a round"), [decimal(f"{one.average:.1f}") for one in figures]),
            (_("Best round"), [str(one.best) for one in figures]),
            (_("Longest run"), [str(one.run) if one.run > 1 else none for one in figures]),
        ]
        if any(one.hints for one in figures):
            rows.append((_("Hints"), [str(one.hints or none) for one in figures]))
        if self.view.rules.teams:
            points = [sum(e.scores[seat].points for e in self.card.sheet) for seat in range(4)]
            rows.insert(0, (_("Points"), [str(total) for total in points]))
        else:
            rows.insert(0, (_("Points"), [str(total) for total in self.card.totals]))
        first = max(cell_len(title) for title, _cells in rows) + 2
        first = min(first, max(12, width - 8 * len(names)))
        column = max(6, min(16, (width - first) // len(names)))
        rounds = len(self.card.sheet)
        count = ngettext("{count} round", "{count} rounds", rounds).format(count=rounds)
        lines = [
            Content.assemble(
                (set_cell_size(count, first), "$quiet"),
                *((_right(name, column), "bold") for name in names),
            )
        ]
        for title, cells in rows:
            lines.append(
                Content.assemble(
                    (set_cell_size(title, first), "$quiet"), *(_right(c, column) for c in cells)
                )
            )
        return Content("\n").join(lines)

    # What comes next

    def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Do what was chosen."""
        match chosen.item.id:
            case "rematch":
                self.dismiss("rematch")
            case "home":
                self.dismiss("home")
            case "card":
                from racko_tui.screens.scorecard import ScorecardScreen

                self.racko.push_screen(ScorecardScreen(self.view, self.info, self.played))
            case "analysis":
                from racko_tui.screens.analysis import AnalysisScreen

                self.racko.push_screen(AnalysisScreen(self.played))
            case "export":
                self._export()

    def on_menu_refused(self, refused: Menu.Refused) -> None:
        """Say why not."""
        self._say(f"{refused.item.label}: {refused.item.why_not}.")

    def _export(self) -> None:
        from racko_tui.screens.history import written

        if self.record is not None:
            self._say(written(self.racko, self.record)[0])

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)

    def action_nothing(self) -> None:
        """Escape leaves nothing."""


def _right(text: str, column: int) -> str:
    text = cut(text, column - 1)
    return " " * (column - cell_len(text)) + text
