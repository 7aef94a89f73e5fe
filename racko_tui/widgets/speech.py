"""Sentences on the table: what is to be decided, what has been said, what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.geometry import Size

from racko_net.text import cut, wrapped
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
    the player, if anything. What is pinned stays in sight while other lines scroll away.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.happened: tuple[str, ...] = ()
        self.words: tuple[Span, ...] = ()
        self.pinned: frozenset[str] = frozenset()

    def show(
        self, happened: Sequence[str], words: Sequence[Span], pinned: Sequence[str] = ()
    ) -> None:
        """Show these from now on; `pinned` are some of what happened."""
        new = tuple(happened), tuple(words), frozenset(pinned)
        if new != (self.happened, self.words, self.pinned):
            self.happened, self.words, self.pinned = new
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        below = _beginning(broken(self.words, width), width, height)
        room = height - len(below)
        above: list[Line] = []
        owed = sum(len(lines) for lines, pinned in self._told(width) if pinned)
        full = False
        for lines, pinned in self._told(width):
            owed -= len(lines) if pinned else 0
            left = room - len(above) - (0 if pinned else owed)
            full = full or len(lines) + (owed if pinned else 0) > left
            if not full or pinned or not above:  # part of the newest is better than nothing
                above = _beginning(lines, width, left) + above
        return [*above, *([] for _ in range(room - len(above))), *below]

    def _told(self, width: int) -> Iterator[tuple[list[Line], bool]]:
        """What happened in lines, the newest first, and whether it is pinned."""
        for age, text in enumerate(reversed(self.happened)):
            pinned = text in self.pinned
            style = "warning" if pinned else "quiet" if age else "text"
            yield broken([(text, style)], width, indent="  "), pinned


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


def _beginning(lines: list[Line], width: int, room: int) -> list[Line]:
    """As many of the lines as there is room for; where some are left out, a mark says so."""
    if len(lines) <= room or room <= 0:
        return lines[: max(0, room)]
    *whole, last = lines[:room]
    text, style = last[-1]
    return [*whole, [*last[:-1], (cut(f"{text} …", width), style)]]


def broken(paragraphs: Sequence[Span], width: int, indent: str = "") -> list[Line]:
    """The paragraphs in lines of at most so many cells."""
    return [
        [(line, style)]
        for text, style in paragraphs
        for line in wrapped(text, max(8, width), indent=indent)
    ]
