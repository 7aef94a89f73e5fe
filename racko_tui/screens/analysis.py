"""Looking back: every decision of a round or a game, what it cost, and what was luck."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from racko_core.errors import N_, RackoError
from racko_core.rules import SLOTS
from racko_tui import keys
from racko_tui.coaching import figures_in_words
from racko_tui.commands.assessment import legend
from racko_tui.glyphs import glyphs
from racko_tui.i18n import _, sentence
from racko_tui.review.chart import chart_of
from racko_tui.review.overview import overview
from racko_tui.review.walk import Walk
from racko_tui.review.words import heading, rack_shown, told
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.chance_plot import ChancePlot
from racko_tui.widgets.heading import Heading
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.rack import Rack
from racko_tui.widgets.speech import Words

if TYPE_CHECKING:
    from racko_core.coach import Analysis
    from racko_tui.tutor import Played

_log = logging.getLogger(__name__)

_AROUND: Final = 2
"""Rows above and below everything else: the heading, and the keys."""
_AIRY: Final = 28
"""Rows from which there is an empty one below the plot."""
_RIMS: Final = 2
_HIGHEST_PLOT: Final = 26
_USUAL_PLOT: Final = 9
"""Rows that a plot has before racks get higher."""
_GAP: Final = 3
"""Cells between two hints."""
_BAR: Final = 40
"""Cells of the bar that shows how far the coach is."""


def _acts(name: str, keys: str, action: str, word: str) -> Binding:
    return Binding(keys, action, word, show=False, id=f"analysis.{name}")


class AnalysisScreen(RackoScreen[None]):
    """Has the coach judge what was played, then leads from slip to slip."""

    CSS_PATH = "analysis.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        _acts("slip", "enter,space,n", "slip(1)", N_("next slip")),
        _acts("slip-before", "backspace,p", "slip(-1)", N_("previous slip")),
        _acts("forward", "right,l", "step(1)", N_("forward")),
        _acts("back", "left,h", "step(-1)", N_("back")),
        _acts("round", "pagedown", "page(1)", N_("next round")),
        _acts("round-before", "pageup", "page(-1)", N_("previous round")),
        _acts("player", "tab", "player(1)", N_("next player")),
        _acts("player-before", "shift+tab", "player(-1)", N_("previous player")),
        _acts("overview", "home,s", "overview", N_("overview")),
        _acts("up", "up,k", "scroll(-1)", N_("up")),
        _acts("down", "down,j", "scroll(1)", N_("down")),
        _acts("help", "question_mark", "help", N_("help")),
        _acts("leave", "escape,q", "back", N_("leave")),
    ]

    def __init__(self, played: Played) -> None:
        super().__init__()
        self.played = played
        self.walk: Walk | None = None
        """None until everything is judged."""

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Heading(id="heading")
        yield ChancePlot(id="plot", ascii_only=self.racko.ascii_only)
        with Horizontal(id="move"):
            yield Rack(id="rack")
            yield Words(id="told")
        with VerticalScroll(id="overview", can_focus=False):
            yield Static(id="figures", markup=False)
        with Vertical(id="waiting"):
            yield Static(_("The coach comes…"), id="progress", markup=False)
        yield Hints([("Esc", _("stop"))])

    def on_mount(self) -> None:
        """Begin to judge."""
        self._show()
        self._judge()

    def on_resize(self, event: events.Resize) -> None:
        """Share the rows between plot and rack."""
        self.call_after_refresh(self._share, event.size.height)

    def _share(self, height: int) -> None:
        airy = height >= _AIRY
        self.set_class(airy, "-airy")
        room = height - _AROUND - airy
        lines = max(1, min(3, (room - _USUAL_PLOT - _RIMS) // SLOTS))
        rack = SLOTS * lines + _RIMS
        plot = min(_HIGHEST_PLOT, room - rack)
        self.query_one("#move").styles.height = rack
        self.query_one(ChancePlot).styles.height = plot
        self._roomy = plot >= ChancePlot.LEAST
        self._show()

    _roomy = True
    """Whether there is room for the plot."""

    # Judging

    @work(exclusive=True, exit_on_error=False, group="judge")
    async def _judge(self) -> None:
        try:
            analysis = await self.racko.tutor.analyse(self.played, self._progress)
        except RackoError as trouble:
            self._cannot(sentence(trouble))
        except Exception:
            _log.exception("the coach has failed")
            self._cannot(_("The coach cannot judge this; go back and play on."))
        else:
            self._judged(analysis)

    def _progress(self, done: int, total: int) -> None:
        if not self.is_attached or not total:
            return
        full = done * _BAR // total
        text = _("Decision {done} of {total}").format(done=done, total=total)
        bar = Content.assemble(("█" * full, "$accent"), ("─" * (_BAR - full), "$line"))
        lines = [Content(_("The coach judges every decision.")), bar, Content(text)]
        self.query_one("#progress", Static).update(Content("\n").join(lines))

    def _cannot(self, why: str) -> None:
        self.query_one("#progress", Static).update(why)
        self.query_one(Hints).show([("Esc", _("back"))])

    def _judged(self, analysis: Analysis) -> None:
        if not any(part.decisions for part in analysis.rounds):
            self._cannot(_("There is no turn in this record that could be judged."))
            return
        self.walk = Walk(analysis, self.played.me)
        self._show()

    # Showing

    def _show(self) -> None:
        """Show what is looked at."""
        walk = self.walk
        decision = None if walk is None else walk.decision
        self.query_one("#waiting").display = walk is None
        self.query_one("#overview").display = walk is not None and decision is None
        self.query_one("#move").display = decision is not None
        self.query_one(ChancePlot).display = walk is not None and self._roomy
        if walk is None:
            self.query_one(Heading).show(_("Analysis"), "", "")
            return
        names = self.played.names
        self.query_one(Heading).show(_("Analysis"), *heading(walk, names))
        self.query_one(ChancePlot).show(chart_of(walk, names))
        show = glyphs(self.racko.ascii_only)
        if decision is None:
            width = self.size.width - 4
            marks = show.slips if self._roomy else ()
            text = "\n".join(overview(walk.analysis, names, width, marks))
            self.query_one("#figures", Static).update(text)
        else:
            name = names[decision.seat]
            self.query_one(Rack).show(rack_shown(decision, name, show))
            self.query_one(Words).show(told(decision, name, show))
        self.query_one(Hints).show(self._hints(walk))

    def _hints(self, walk: Walk) -> list[Hint]:
        """What can be pressed, as much of it as fits into a line; what matters most comes first."""
        back, ahead = walk.slips_around
        hints: list[Hint] = [("⏎", _("next slip"))] if ahead else []
        hints.append(("←→", _("step")))
        hints.append(("↑↓", _("scroll")) if walk.decision is None else ("s", _("overview")))
        hints.append(("Tab", _("player")))
        if back:
            hints.append(("p", _("previous one") if ahead else _("previous slip")))
        if len(walk.analysis.rounds) > 1:
            hints.append((keys.shown("pagedown"), _("next round")))
        always: list[Hint] = [("?", _("help")), ("Esc", _("back"))]
        while sum(_wide(hint) for hint in (*hints, *always)) - _GAP > self.size.width:
            hints.pop()
        return [*hints, *always]

    # Keys

    def _go(self, moved: bool, otherwise: str) -> None:
        self._show()
        if not moved and self.walk is not None:
            left, _right = heading(self.walk, self.played.names)
            self.query_one(Heading).show(_("Analysis"), left, otherwise)

    def action_slip(self, by: int) -> None:
        """Go to the next slip, or the one before."""
        if self.walk is not None:
            if not self.walk.slip_number[1]:
                otherwise = _("there were no slips")
            elif by > 0:
                otherwise = _("that was the last slip")
            else:
                otherwise = _("no slip before this")
            self._go(self.walk.slip(by), otherwise)

    def action_step(self, by: int) -> None:
        """Go to the next decision, or the one before."""
        if self.walk is not None:
            self._go(self.walk.step(by), _("this is the end") if by > 0 else "")

    def action_page(self, by: int) -> None:
        """Go to the next round, or the one before."""
        if self.walk is not None:
            self._go(self.walk.turn_page(by), _("this is the last round") if by > 0 else "")

    def action_player(self, by: int) -> None:
        """Look at the next player, at last at everybody."""
        if self.walk is not None:
            seats = [*range(len(self.played.names)), None]
            self.walk.follow(seats[(seats.index(self.walk.seat) + by) % len(seats)])
            self._show()

    def action_overview(self) -> None:
        """Show the figures."""
        if self.walk is not None:
            self.walk.begin()
            self._show()

    def action_scroll(self, by: int) -> None:
        """Move the figures."""
        self.query_one("#overview").scroll_relative(y=by, animate=False)

    def action_help(self) -> None:
        """Show keys, what the figures and the marks mean, and the rules."""
        from racko_tui.screens.help import HelpScreen

        if self.walk is not None:
            figures = [*legend(glyphs(self.racko.ascii_only).slips), figures_in_words()]
            self.app.push_screen(HelpScreen(self, self.walk.analysis.rules, figures))

    def on_chance_plot_picked(self, picked: ChancePlot.Picked) -> None:
        """Look at the decision that was clicked."""
        if self.walk is not None:
            self.walk.look_at(picked.decision)
            self._show()

    def action_back(self) -> None:
        """Leave; whatever is not judged yet stays so."""
        self.dismiss()


def _wide(hint: Hint) -> int:
    """Cells that a hint takes, with the gap beside it."""
    key, word = hint
    return cell_len(_(key)) + 1 + cell_len(word) + _GAP
