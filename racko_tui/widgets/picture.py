"""A widget drawn as lines of characters; only the cells that changed are painted again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Self

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from racko_tui.glyphs import Glyphs, glyphs

Span = tuple[str, str]
"""Text, and the name of its style: one of `STYLES`."""
Line = list[Span]

STYLES: Final = (
    "text",
    "strong",
    "quiet",
    "line",
    "accent",
    "partner-line",
    "key",
    "warning",
    *(
        f"{part}-{face}"
        for face in ("plain", "good", "bad", "run", "hand", "back")
        for part in ("face", "edge")
    ),
    "ink",
    "ink-strong",
    "ink-quiet",
    "ink-line",
    "ink-red",
)


class Picture(Widget):
    """A widget that is a function of what it shows: `draw` gives its lines, `redraw` updates it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"picture--{name}" for name in STYLES}

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._styles_known: dict[str, Style] = {}
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
        style = self._styles_known.get(name)
        if style is None:
            style = self.get_component_rich_style(f"picture--{name}")
            self._styles_known[name] = style
        return style

    def refresh(  # noqa: D102
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        if not regions:  # another theme, perhaps; Textual forgets all styles at every refresh
            self._styles_known.clear()
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
