"""Everything that lies on the table, laid out for the size of the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from racko_core.events import Discarded, Drew, Placed
from racko_core.rules import SLOTS, Seat
from racko_core.seating import News, TableInfo
from racko_core.view import View
from racko_tui.glyphs import glyphs
from racko_tui.i18n import _
from racko_tui.scores import Scorecard
from racko_tui.table import staging
from racko_tui.table.decision import Decision
from racko_tui.table.hint import Hinted
from racko_tui.table.motion import Flight, Landing
from racko_tui.table.narration import Narrator
from racko_tui.widgets.heading import Heading
from racko_tui.widgets.key_bar import KeyBar
from racko_tui.widgets.picture import Span
from racko_tui.widgets.piles import Piles
from racko_tui.widgets.plot import Plot
from racko_tui.widgets.rack import Rack
from racko_tui.widgets.sheet import Sheet
from racko_tui.widgets.speech import Told, Words, broken, fits, legible

_NORMAL: Final = 80
"""Columns from which opponents' racks have space around their labels."""
_WIDE: Final = 120
"""Columns from which the scorecard and the log stand beside the racks."""
_BROAD: Final = 160
"""Columns from which they have a plot of the totals between them."""
_USUAL: Final = 24
"""Rows from which there is room for more than one line about the others."""
_PEOPLE: Final = 3
_LINES: Final = 80
"""Lines of the log that are at hand; the log's own screen has them all."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be shown."""

    info: TableInfo
    view: View | None
    decision: Decision
    first: Seat | None
    """The seat whose rack stands first, and larger than the others: one's own. None for who only
    watches."""
    log: Sequence[str]
    pinned: Sequence[str]
    """Lines of the log that the player has to see."""
    word: Span | None
    """What is to be said to the player."""
    key_names: Mapping[str, str]
    """How the keys are called, by what they do."""
    hint: Hinted | None
    hints: bool
    """Whether one can be asked for."""
    in_flight: frozenset[Landing]
    """Where cards are still on their way to."""
    left: float | None
    """Seconds left for the turn; None without a clock."""
    memory_aid: bool
    connected: bool
    """Whether what is asked now reaches the table."""
    people: Sequence[Span] | None
    """What there is to know about the others at the table; None where nobody else reads a screen
    of their own."""


class Board(Vertical):
    """Racks, piles, the decision, the log, the scorecard and the keys."""

    def __init__(self, info: TableInfo) -> None:
        super().__init__(classes=f"players-{len(info.chairs)}")
        self._players = len(info.chairs)
        self._first: Seat = 0

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Heading(id="heading")
        with Horizontal(id="room"):
            with Vertical(id="main"):
                with Horizontal(id="racks"):
                    for place in range(self._players):
                        yield Rack(id=f"rack-{place}", classes="other" if place else "first")
                with Horizontal(id="middle"):
                    yield Piles(id="piles")
                    yield Words(id="decision")
                yield Words(id="people")
                yield Told(id="told")
            with Vertical(id="side"):
                with Vertical(id="paper"):
                    yield Sheet(id="card")
                    yield Plot(id="plot")
                yield Told(id="log")
        yield KeyBar(id="keys")

    def on_resize(self, event: events.Resize) -> None:
        """Make the racks as high as the terminal allows."""
        width, height = event.size
        lines, roomy = staging.rack_lines(height, log_beside=width >= _WIDE)
        for name, holds in (
            ("narrow", width < _NORMAL),
            ("wide", width >= _WIDE),
            ("broad", width >= _BROAD),
            ("roomy", roomy),
        ):
            self.set_class(holds, f"-{name}")
        self.query_one("#racks").styles.height = SLOTS * lines + 2

    def show(self, scene: Scene) -> None:
        """Bring every part up to date; each repaints only what has changed."""
        info, view, decision = scene.info, scene.view, scene.decision
        self._first = scene.first or 0
        self.set_class(scene.first is None, "-watching")
        people = self._show_people(scene.people or ())
        beside = self.size.width >= _WIDE
        log = scene.log[-_LINES:]
        words = [scene.word] if scene.word else []
        elsewhere = decision.slot not in (None, scene.hint.slot if scene.hint else None)
        below, aside = self._hinted(scene.hint, words, elsewhere=elsewhere)
        above = scene.pinned if beside else _unsaid(log, below, people)
        self.query_one("#told", Told).show(above, below, scene.pinned)
        self.query_one("#log", Told).show(log if beside else (), ())
        names = [chair.name for chair in info.chairs]
        if view is None:
            self.query_one(Heading).show("RACK-O", ", ".join(filter(None, names)), "")
            return
        for seat in range(self._players):
            self.rack_of(seat).show(
                staging.rack_state(
                    view,
                    info,
                    seat,
                    decision,
                    glyphs(self._ascii_only),
                    hint=scene.hint.slot if scene.hint else None,
                    memory_aid=scene.memory_aid,
                    in_flight=scene.in_flight,
                )
            )
        self.query_one(Piles).show(staging.piles_state(view, decision, scene.in_flight))
        if beside:
            self._show_scores(Scorecard.of_view(view, info))
        if scene.in_flight:
            return  # nothing is asked before the cards lie where they go
        whose = ""
        if view.turn is not None:
            whose = Narrator(names, view.rules, view.seat).turn_of(view.turn)
        self.query_one("#decision", Words).show(
            staging.decision_words(view, info, decision, whose, scene.key_names, aside)
        )
        left, right = staging.heading(view, info, whose, scene.left)
        right = right if scene.connected else _("not connected")
        self.query_one(Heading).show("RACK-O", left, right)
        self.query_one(KeyBar).show(
            staging.keys(
                view,
                decision,
                scene.key_names,
                hint=scene.hints,
                chat=scene.people is not None,
            )
        )

    @property
    def _ascii_only(self) -> bool:
        return self.query_one(Piles).ascii_only

    def _hinted(
        self, hint: Hinted | None, words: Sequence[Span], *, elsewhere: bool
    ) -> tuple[Sequence[Span], Sequence[Span]]:
        """What is said below everything, `words` first, and what a hint says in the place of the
        decision. It is read from there on: what to do, then how good that is, then why.
        `elsewhere`: whether a slot is chosen that the hint does not mean, and what comes of that
        needs the room.
        """
        if hint is None:
            return words, []
        told, decision = self.query_one("#told").size, self.query_one("#decision").size
        marked = f"{glyphs(self._ascii_only).hint} {hint.move}"
        worths: list[Span] = [(worth, "quiet") for worth in hint.worth]
        why: Span = (hint.why, "text")
        for below in (
            [*words, (marked, "accent"), worths[0], why],
            [*words, (f"{marked} {hint.worth[0]}", "accent"), why],
        ):
            if fits(below, told):
                return below, []
        below = [*words, (hint.why, "accent")]
        if not fits(below, told):
            below = [*words]
        move: Span = (hint.move, "accent")
        if elsewhere:
            return below, [move]
        # What else can be done matters more than a few words.
        brief: Span = (hint.brief or hint.move, "accent")
        choices = [[one, worth] for one in (move, brief) for worth in worths[:-1]]
        return below, next((one for one in choices if fits(one, decision)), [move, worths[-1]])

    def _show_people(self, told: Sequence[Span]) -> Sequence[Span]:
        """As many lines as it takes, but no more than there is room for; what can be read there."""
        people = self.query_one("#people", Words)
        most = 1 if self.size.height < _USUAL else _PEOPLE
        width = self.query_one("#main").size.width - 2
        people.display = bool(told)
        people.styles.height = min(len(broken(told, width)), most)
        people.show(told)
        return legible(told, Size(width, most))

    def _show_scores(self, card: Scorecard) -> None:
        sheet, plot = self.query_one(Sheet), self.query_one(Plot)
        if card == sheet.card:
            return
        sheet.show(card)
        plot.ascii_only = sheet.ascii_only
        plot.show(card.history, card.sides, card.rules.target)

    def rack_of(self, seat: Seat) -> Rack:
        """The rack of a seat."""
        return self.query_one(f"#rack-{(seat - self._first) % self._players}", Rack)

    def flights(self, news: News, me: Seat | None) -> list[tuple[Flight, Landing]]:
        """The ways that cards took in what happened, as `me` saw it, and where they arrive."""
        piles = self.query_one(Piles)
        hand, discard = piles.where("hand"), piles.where("discard")
        match news:
            case Drew(seat, card):
                return [(Flight(piles.where("draw"), hand, card), ("hand", None))]
            case Discarded(_, card):
                return [(Flight(hand, discard, card), ("discard", None))]
            case Placed(seat, slot, card, source, out):
                rack = self.rack_of(seat)
                start = discard if source == "discard" and seat != me else hand
                return [
                    (Flight(start, rack.where(slot, card), card), (seat, slot)),
                    (Flight(rack.where(slot, out), discard, out), ("discard", None)),
                ]
        return []


def _unsaid(log: Sequence[str], words: Sequence[Span], people: Sequence[Span]) -> Sequence[str]:
    """The lines of the log that do not stand below it or above it as well.

    A word to the player may be several of them, one after the other.
    """
    above = {text for text, _style in people}
    return [
        line
        for line in log
        if line not in above and not any(line in text for text, _style in words)
    ]
