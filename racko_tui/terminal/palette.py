"""Colours by their numbers in xterm's palette: the same colours in a third fewer bytes.

The themes take their colours from that palette, whose numbers from 16 up mean the same colour on
every terminal. Where a terminal knows true colour, Textual would write each of them out as red,
green and blue, for the text and for the ground, at every change of style.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Ground
from textual.filter import LineFilter

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_NUMBERS: Final[dict[tuple[int, ...], int]] = {
    **{(grey, grey, grey): number for number, grey in enumerate(range(8, 248, 10), 232)},
    **{levels: number for number, levels in enumerate(product(_LEVELS, repeat=3), 16)},
}
_SLIP: Final = (0, 1, -1)
"""How far a channel may be off: Textual's arithmetic rounds."""


class ByNumber(LineFilter):
    """Names every colour of the palette by its number; others stay as they are."""

    def apply(self, segments: list[Segment], background: Ground) -> list[Segment]:  # noqa: D102
        return [
            Segment(text, None if style is None else _numbered(style), control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _numbered(style: Style) -> Style:
    return style + Style(color=_number(style.color), bgcolor=_number(style.bgcolor))


def _number(color: Color | None) -> Color | None:
    if color is None or color.triplet is None:
        return None
    number = _nearest(color.triplet)
    return None if number is None else Color.from_ansi(number)


def _nearest(triplet: ColorTriplet) -> int | None:
    for slip in product(_SLIP, repeat=3):
        number = _NUMBERS.get(tuple(map(sum, zip(triplet, slip, strict=True))))
        if number is not None:
            return number
    return None
