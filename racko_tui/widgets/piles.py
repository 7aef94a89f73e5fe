"""The draw pile, the discard pile and the card in hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.geometry import Region
from textual.message import Message

from racko_core.rules import Card
from racko_tui.i18n import pgettext
from racko_tui.widgets.picture import Line, Picture, Span

Place = Literal["draw", "discard", "hand"]
PLACES: Final[tuple[Place, ...]] = ("draw", "discard", "hand")
_SIZES: Final = ((10, 5), (6, 3))
"""Cells and lines of a card, the larger kind first."""


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
        wide, high = self._card_size
        y = 1 + high // 2
        return Region(self.region.x + x + wide // 2 - 2, self.region.y + y, 4, 1)

    @property
    def _card_size(self) -> tuple[int, int]:
        """Cells and lines of a card."""
        large, small = _SIZES
        return large if self.size.height > large[1] else small

    @property
    def _column(self) -> int:
        return max(self._card_size[0] + 1, self.size.width // len(PLACES))

    @property
    def _indent(self) -> int:
        return max(0, (self._column - self._card_size[0]) // 2)

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        state = self.state
        names = {
            "draw": pgettext("a pile", "draw {count}").format(count=state.draw_count),
            "discard": pgettext("a pile", "discard"),
            "hand": pgettext("a pile", "hand"),
        }
        cards = [self._card(place) for place in PLACES]
        lines = [[self._heading(names[place], place) for place in PLACES]]
        wide, high = self._card_size
        pad = self._indent
        for row in range(high):
            line: Line = []
            for card in cards:
                line += [(" " * pad, "text"), card[row]]
                line.append((" " * (self._column - wide - pad), "text"))
            lines.append(line)
        return lines

    def _heading(self, name: str, place: Place) -> tuple[str, str]:
        room = self._column
        name = set_cell_size(name, room - 1) if cell_len(name) >= room else name
        pad = room - cell_len(name)
        before = max(1, pad // 2)  # nothing sticks to the edge of the window
        return " " * before + name + " " * (pad - before), (
            "accent" if place in self.state.lit else "quiet"
        )

    def _card(self, place: Place) -> list[Span]:
        state = self.state
        if place == "draw" and state.draw_count:
            return self._back()
        if place == "discard" and state.discard is not None:
            return self._face(state.discard, "face-plain")
        if place == "hand" and state.hand is not None:
            return self._face(state.hand, "face-hand")
        if place == "hand" and state.holds:
            return self._back()
        return self._framed(" ", "", "line")

    def _face(self, card: Card, face: str) -> list[Span]:
        return self._framed(" ", str(card), face)

    def _back(self) -> list[Span]:
        return self._framed(self.glyphs.back, "", "face-back")

    def _framed(self, ground: str, number: str, style: str) -> list[Span]:
        left, line, right, side, low_left, low_right = self.glyphs.frame
        wide, high = self._card_size
        inside = [ground * (wide - 2)] * (high - 2)
        inside[len(inside) // 2] = number.center(wide - 2, ground)
        lines = [left + line * (wide - 2) + right]
        lines += [side + row + side for row in inside]
        lines.append(low_left + line * (wide - 2) + low_right)
        return [(text, style) for text in lines]
