"""What is left out of the lines on their way to the terminal: colours, and all but ASCII."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from racko_tui.terminal import asciify

_DRAWN: Final = str.maketrans(
    {
        **dict.fromkeys("─━╌╍┄┅═▔▁╴╶╸╺", "-"),
        **dict.fromkeys("│┃╎╏┆┇║▏▕▎▍▌▐╵╷", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋", "+"),
        **dict.fromkeys("█▉▊▋▓▒░■▀▄▂▃▅▆▇", "#"),
        **dict.fromkeys("●◆★▪•∙⬤", "*"),
        **dict.fromkeys("○◇☆□▫", "o"),
        **dict.fromkeys("▸▶►›❯", ">"),
        **dict.fromkeys("◂◀◄‹❮", "<"),
        **dict.fromkeys("▴▲", "^"),
        **dict.fromkeys("▾▼", "v"),
        "⏎": "/",
    }
)


class AsciiOnly(LineFilter):
    """Spells every character with one of ASCII, so that the lay-out stays as it is."""

    def __init__(self) -> None:
        super().__init__()
        asciify.register()

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: D102
        return [
            segment if segment.text.isascii() else Segment(_spelt(segment.text), segment.style)
            for segment in segments
        ]


@lru_cache(4096)
def _spelt(text: str) -> str:
    return text.translate(_DRAWN).encode("ascii", asciify.ERRORS).decode()


class NoColours(LineFilter):
    """Takes every colour away; a ground that stood out from the rest is shown in reverse."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: D102
        return [
            Segment(segment.text, _without_colour(segment.style))
            if segment.style is not None
            else segment
            for segment in segments
        ]


@lru_cache(4096)
def _without_colour(style: Style) -> Style:
    ground = style.bgcolor.triplet if style.bgcolor is not None else None
    bright = ground is not None and sum(ground) > 3 * 96  # the theme for this is on black
    return Style(
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=bright != bool(style.reverse),
    )
