"""A widget drawn as lines of characters; only the cells that changed are painted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Self

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Size
from textual.markup import parse_style
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widget import Widget

from racko_tui.glyphs import Glyphs, glyphs

Span = tuple[str, str]
"""Text, and the name of its style: one of `PALETTE`."""
Line = list[Span]

PALETTE: Final = {
    # Bold, reverse and glyphs carry the meaning as well.
    "text": "$foreground",
    "strong": "bold $foreground",
    "quiet": "$quiet",
    "line": "$line",
    "accent": "bold $accent",
    "partner-line": "$success",
    "key": "bold $accent",
    "warning": "bold $warning",
    "face-plain": "$card-text on $card",
    "face-good": "bold $card-good-text on $card-good",
    "face-bad": "$card-bad-text on $card-bad",
    "face-run": "bold $card-run-text on $card-run",
    "face-hand": "bold $card-hand-text on $card-hand",
    "face-back": "$card-back-text on $card-back",
    "edge-plain": "$card",
    "edge-good": "$card-good",
    "edge-bad": "$card-bad",
    "edge-run": "$card-run",
    "edge-hand": "$card-hand",
    "edge-back": "$card-back",
    "ink": "$ink on $paper",
    "ink-strong": "bold $ink on $paper",
    "ink-quiet": "$ink-quiet on $paper",
    "ink-line": "$ink-line on $paper",
    "ink-red": "bold $ink-red on $paper",
}
"""What every style looks like in the colours of a theme.

These are not component classes, for which Textual keeps a node for each style in each widget: with
25 of them, more than a third of the memory of a table, and most of the work at a change of theme.
"""

_COLOURS: Final = tuple(
    sorted({word[1:] for style in PALETTE.values() for word in style.split() if word[0] == "$"})
)
"""The variables of a theme that the palette is mixed from."""


@lru_cache(64)
def _mixed(ground: Color, colours: tuple[str, ...]) -> Mapping[str, Style]:
    """The palette on a ground, in the values of `_COLOURS`: one for all widgets and players."""
    variables = dict(zip(_COLOURS, colours, strict=True))
    below = VisualStyle(ground if ground.a else None)
    return {
        name: (below + parse_style(style, variables)).rich_style for name, style in PALETTE.items()
    }


class Picture(Widget):
    """A widget that is a function of what it shows: `draw` gives its lines, `redraw` updates it."""

    DEFAULT_CSS = """
    Picture { height: auto; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._palette: Mapping[str, Style] | None = None
        self._drawn_for: Size | None = None

    @property
    def ascii_only(self) -> bool:
        """Whether the terminal shows ASCII characters only."""
        return bool(getattr(self.app, "ascii_only", False))

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return glyphs(self.ascii_only)

    def draw(self, width: int, height: int) -> Sequence[Line]:
        """The lines, from the top; what is missing to the size is filled up, the rest cut off."""
        raise AssertionError

    def redraw(self) -> None:
        """Show what has changed."""
        if not self.size.width or self._drawn_for != self.size:
            self._drawn_for = None
            self.refresh()
            return
        before, self._lines = self._lines, self._fitted()
        regions = [
            Region(x, y, end - x, 1)
            for y, (old, new) in enumerate(zip(before, self._lines, strict=True))
            if old != new
            for x, end in [changed(old, new)]
        ]
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:  # noqa: D102
        if self._drawn_for != self.size:
            self._lines = self._fitted()
            self._drawn_for = self.size
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        return Strip(self._segments(self._lines[y]), self.size.width)

    def _segments(self, line: Line) -> list[Segment]:
        """The line as few segments: on the wire, each costs ten times what its text does."""
        segments: list[tuple[str, Style]] = []
        for text, name in line:
            style = self._style(name)
            if segments:
                before, its = segments[-1]
                if its == style or (
                    text.isspace() and its.bgcolor == style.bgcolor and not its.underline
                ):
                    segments[-1] = (before + text, its)
                    continue
                if before.isspace() and its.bgcolor == style.bgcolor:
                    segments[-1] = (before + text, style)
                    continue
            segments.append((text, style))
        return [Segment(text, style) for text, style in segments]

    def _style(self, name: str) -> Style:
        if self._palette is None:
            _, ground = self.background_colors
            variables = self.app.theme_variables
            self._palette = _mixed(ground, tuple(variables[name] for name in _COLOURS))
        return self._palette[name]

    def refresh(  # noqa: D102
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        if not regions:  # another theme, perhaps
            self._palette = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _fitted(self) -> list[Line]:
        width, height = self.size
        lines = [fit(line, width) for line in self.draw(width, height)[:height]]
        return [*lines, *([(" " * width, "text")] for _ in range(height - len(lines)))]


def fit(line: Line, width: int) -> Line:
    """The line cut off or filled up to so many cells."""
    fitted: Line = []
    left = width
    for text, name in line:
        cells = cell_len(text)
        if cells > left:
            text, cells = set_cell_size(text, left), left
        if text:
            fitted.append((text, name))
        left -= cells
    if left > 0:
        fitted.append((" " * left, "text"))
    return fitted


def width_of(line: Line) -> int:
    """How many cells it takes."""
    return sum(cell_len(text) for text, _ in line)


def changed(old: Line, new: Line) -> tuple[int, int]:
    """The stretch of cells, first and one after the last, in which two lines differ."""
    before, after = _cells(old), _cells(new)
    differing = [x for x, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    return (differing[0], differing[-1] + 1) if differing else (0, 0)


def _cells(line: Line) -> list[tuple[str, str]]:
    cells = []
    for text, name in line:
        if cell_len(text) == len(text):
            cells += [(char, name) for char in text]
            continue
        widths = [cell_len(char) for char in text]
        if 0 in widths or sum(widths) != cell_len(text):
            cells += [(text, name)] * cell_len(text)  # characters that join are painted together
            continue
        for char, width in zip(text, widths, strict=True):
            cells.append((char, name))
            cells.extend([("", name)] * (width - 1))
    return cells
