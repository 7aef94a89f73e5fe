"""The end of a round: all racks face up, points counted card by card, then the scorecard."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from racko_core.errors import N_
from racko_core.rack import breaks, longest_run
from racko_core.rules import SLOTS, Seat, Slot
from racko_core.seating import TableInfo
from racko_core.view import View
from racko_net.text import cut
from racko_tui.i18n import _
from racko_tui.scores import Scorecard, counted, round_headline, score_in_words, standing
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.rack import Rack, RackState

if TYPE_CHECKING:
    from racko_tui.tutor import Played

_TICK: Final = 0.09
"""Seconds from one step of the counting to the next."""
_OPEN: Final = 3
"""Ticks from one rack that opens to the next."""
_FLASHES: Final = 4
"""Ticks in which the break goes on and off."""
_NAME: Final = 8
"""Columns that a name keeps beside words that need more room than there is."""
_NARROW: Final = 16
"""Columns below which a rack has no room for marks beside its cards."""


class RoundEndScreen(RackoScreen[None]):
    """Counts a round; the result comes when the player goes on."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["round_end.tcss"]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-low"),
        (23, "-roomy"),
        (36, "-high"),
        (46, "-highest"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape", "go_on", N_("go on"), show=False),
        Binding("a", "analyse", N_("analysis"), show=False),
    ]

    def __init__(self, view: View, info: TableInfo, seats: tuple[Seat, ...] = ()) -> None:
        super().__init__()
        self.view = view
        self.info = info
        self.seats = seats
        self.card = Scorecard.of_view(view, info)
        self.ended = view.sheet[-1]
        players = len(self.ended.racks)
        self._last_tick = players * _OPEN + SLOTS + _FLASHES + 2
        self._tick = 0
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="sheet"):
            yield Static(round_headline(self.ended, self.card.names), id="headline", markup=False)
            with Horizontal(id="racks"):
                for seat in range(len(self.ended.racks)):
                    yield Rack(id=f"open-{seat}")
            yield Static(id="why")
            yield Static(id="standing", markup=False)
        yield Hints([], id="keys")

    def on_mount(self) -> None:
        """Begin to count, or show the result at once."""
        if self.racko.motion_allowed:
            self._timer = self.set_interval(_TICK, self._step)
            self.query_one(Hints).show([(_("any key"), _("count at once"))])
        else:
            self._tick = self._last_tick
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        """Marks need room."""
        self.call_after_refresh(self._show)

    # Counting

    @property
    def done(self) -> bool:
        """Whether everything is counted."""
        return self._tick >= self._last_tick

    def _step(self) -> None:
        self._tick += 1
        self._show()

    def _finish(self) -> None:
        self._tick = self._last_tick
        self._show()

    def _show(self) -> None:
        if not self.is_attached:
            return
        for seat in range(len(self.ended.racks)):
            self.query_one(f"#open-{seat}", Rack).show(self._rack(seat))
        if self.done:
            if self._timer is not None:
                self._timer.stop()
            self.query_one("#why", Static).update(self._why())
            self.query_one("#standing", Static).update(standing(self.card))
            word = _("scorecard") if self.view.result is None else _("the end of the game")
            self.query_one(Hints).show([("⏎", word), ("a", _("analysis"))])

    def _rack(self, seat: Seat) -> RackState:
        """One rack as far as it has been counted."""
        rules, rack, score = self.view.rules, self.ended.racks[seat], self.ended.scores[seat]
        players = len(self.ended.racks)
        if self._tick <= seat * _OPEN and not self.done:
            return RackState(name=self.card.names[seat], highest=rules.cards, cards=(None,) * SLOTS)
        slot = min(SLOTS, self._tick - players * _OPEN)
        flash = self._tick - players * _OPEN - SLOTS
        points = counted(score, rack, rules)[: max(0, slot)]
        broken: tuple[Slot, ...] = ()
        if not score.went_out and slot == SLOTS and (flash >= _FLASHES or flash % 2 == 0):
            broken = breaks(rack)[:1] if rules.scoring == "prefix" else breaks(rack)
        run: frozenset[Slot] = frozenset()
        if score.bonus and flash > _FLASHES:
            first, length = longest_run(rack)
            run = frozenset(range(first, first + length))
        base = score.points - score.bonus
        count = base if slot == SLOTS and flash > 0 else sum(points)
        return RackState(
            name=self.card.names[seat],
            points=f"{count}+{score.bonus}" if run else str(count),
            cards=rack,
            highest=rules.cards,
            mine=self.query_one(f"#open-{seat}").size.width >= _NARROW,
            turn=score.went_out,
            scoring=frozenset(index + 1 for index, value in enumerate(points) if value),
            breaks=frozenset(broken),
            run=run,
        )

    def _why(self) -> Content:
        names = self.card.names
        words = [score_in_words(self.ended, seat, self.view.rules) for seat in range(len(names))]
        digits = [len(text) - len(text.lstrip("0123456789")) for text in words]
        indents = [" " * (2 + max(digits) - count) for count in digits]
        words = [indent + text for indent, text in zip(indents, words, strict=True)]
        room = (self.query_one("#why").content_size.width or 80) - max(map(cell_len, words))
        column = min(max(map(cell_len, names)), max(_NAME, room))
        lines = []
        for seat, (name, text) in enumerate(zip(names, words, strict=True)):
            style = "bold $accent" if self.ended.went_out == seat else "bold"
            shown = cut(name, column)
            gap = " " * (column - cell_len(shown))
            lines.append(Content.assemble((shown, style), gap, text))
        return Content("\n").join(lines)

    # Keys

    def action_go_on(self) -> None:
        """Count at once; then to the scorecard, and from there back to the table."""
        if not self.done:
            self._finish()
        elif self.view.result is not None:
            self.dismiss()  # the end of the game shows the scorecard
        else:
            from racko_tui.screens.scorecard import RoundCardScreen

            card = RoundCardScreen(self.view, self.info, self._played())
            self.racko.push_screen(card, self._back)

    def action_analyse(self) -> None:
        """Count at once; then look back on the round with the coach."""
        if not self.done:
            self._finish()
            return
        from racko_tui.screens.analysis import AnalysisScreen

        self.racko.push_screen(AnalysisScreen(self._played()))

    def _played(self) -> Played:
        from racko_tui.tutor import Played

        me = self.seats[0] if len(self.seats) == 1 else None
        return Played.seen([self.view], self.card.names, me)

    def _back(self, _result: None) -> None:
        self.dismiss()

    def on_key(self, event: events.Key) -> None:
        """Any key finishes the counting."""
        if not self.done:
            event.stop()
            self._finish()

    def on_click(self, event: events.Click) -> None:
        """So does the mouse."""
        self.action_go_on()
