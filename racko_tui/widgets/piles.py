"""The draw pile, the discard pile and the card in hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.geometry import Region
from textual.message import Message

from racko_core.rules import Card
from racko_tui.i18n import _
from racko_tui.widgets.picture import Line, Picture

Place = Literal["draw", "discard", "hand"]
PLACES: Final[tuple[Place, ...]] = ("draw", "discard", "hand")
_CARD: Final = 6


@dataclass(frozen=True, slots=True)
class PilesState:
    """What lies on the table."""

    draw_count: int = 0
    discard: Card | None = None
    hand: Card | None = None
    holds: bool = False
    """Whether somebody holds a card; `hand` is None if one may not see it."""
    lit: frozenset[Place] = frozenset()
    """The places where something can be done now."""


class Piles(Picture):
    """Three places in a row, each with its name above it."""

    @dataclass
    class Picked(Message):
        """A place was clicked."""

        place: Place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = PilesState()

    def show(self, state: PilesState) -> None:
        """Show this from now on."""
        if state != self.state:
            self.state = state
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Say which place was clicked."""
        column = event.x // self._column
        if 0 <= column < len(PLACES):
            self.post_message(self.Picked(PLACES[column]))

    def where(self, place: Place) -> Region:
        """Where on the screen the card of a place lies."""
        x = PLACES.index(place) * self._column + self._indent
        return Region(self.region.x + x + 1, self.region.y + 2, _CARD - 2, 1)

    @property
    def _column(self) -> int:
        return max(_CARD + 1, self.size.width // len(PLACES))

    @property
    def _indent(self) -> int:
        return max(0, (self._column - _CARD) // 2)

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        state = self.state
        names = {
            "draw": _("draw {count}").format(count=state.draw_count),
            "discard": _("discard"),
            "hand": _("hand"),
        }
        cards = [self._card(place) for place in PLACES]
        lines = [[self._heading(names[place], place) for place in PLACES]]
        for row in range(3):
            line: Line = []
            for card in cards:
                pad = self._indent
                line += [(" " * pad, "text"), *card[row]]
                line.append((" " * (self._column - _CARD - pad), "text"))
            lines.append(line)
        return lines

    def _heading(self, name: str, place: Place) -> tuple[str, str]:
        room = self._column
        name = set_cell_size(name, room - 1) if cell_len(name) >= room else name
        pad = room - cell_len(name)
        before = pad // 2
        return " " * before + name + " " * (pad - before), (
            "accent" if place in self.state.lit else "quiet"
        )

    def _card(self, place: Place) -> list[Line]:
        state = self.state
        if place == "draw":
            return self._back() if state.draw_count else self._empty()
        if place == "discard":
            return self._empty() if state.discard is None else self._face(state.discard, "plain")
        if state.hand is not None:
            return self._face(state.hand, "hand")
        return self._back() if state.holds else self._empty()

    def _framed(self, middle: str, face: str) -> list[Line]:
        left, line, right, side, low_left, low_right = self.glyphs.frame
        rim = line * (_CARD - 2)
        return [
            [(left + rim + right, face)],
            [(side + middle + side, face)],
            [(low_left + rim + low_right, face)],
        ]

    def _face(self, card: Card, face: str) -> list[Line]:
        return self._framed(f"{card:^4}", f"face-{face}")

    def _back(self) -> list[Line]:
        return self._framed(self.glyphs.back * (_CARD - 2), "face-back")

    def _empty(self) -> list[Line]:
        return self._framed(" " * (_CARD - 2), "line")
