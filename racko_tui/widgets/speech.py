"""Sentences on the table: what is to be decided, what has been said, what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size

from racko_net.text import wrapped
from racko_tui.widgets.picture import Line, Picture, Span


class Words(Picture):
    """Paragraphs, each in one style, broken into lines; the first ones matter most."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.paragraphs: tuple[Span, ...] = ()

    def show(self, paragraphs: Sequence[Span]) -> None:
        """Show these from now on."""
        if tuple(paragraphs) != self.paragraphs:
            self.paragraphs = tuple(paragraphs)
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        lines: list[Line] = []
        for paragraph in self.paragraphs:
            more = broken([paragraph], width)
            if lines and len(lines) + len(more) > height:
                break  # half of it would say nothing
            lines += more
        return lines


class Told(Picture):
    """The last things that happened, the newest last, and at the bottom what there is to say to
    the player, if anything.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.happened: tuple[str, ...] = ()
        self.words: tuple[Span, ...] = ()

    def show(self, happened: Sequence[str], words: Sequence[Span]) -> None:
        """Show these from now on."""
        new = tuple(happened), tuple(words)
        if new != (self.happened, self.words):
            self.happened, self.words = new
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        below = broken(self.words, width)[:height]
        room = height - len(below)
        above: list[Line] = []
        for age, text in enumerate(reversed(self.happened)):
            lines = broken([(text, "text" if age == 0 else "quiet")], width, indent="  ")
            if len(above) + len(lines) > room:
                break
            above = lines + above
        return [*above, *([] for _ in range(room - len(above))), *below]


def fits(paragraphs: Sequence[Span], size: Size) -> bool:
    """Whether all of them can be read in so much room."""
    return len(broken(paragraphs, size.width)) <= size.height


def legible(paragraphs: Sequence[Span], size: Size) -> Sequence[Span]:
    """The paragraphs, from the first on, that can be read to their ends in so much room."""
    return next(
        (
            paragraphs[:count]
            for count in range(len(paragraphs), 0, -1)
            if fits(paragraphs[:count], size)
        ),
        (),
    )


def broken(paragraphs: Sequence[Span], width: int, indent: str = "") -> list[Line]:
    """The paragraphs in lines of at most so many cells."""
    return [
        [(line, style)]
        for text, style in paragraphs
        for line in wrapped(text, max(8, width), indent=indent)
    ]
