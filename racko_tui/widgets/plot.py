"""The totals of a game as lines that climb towards the target.

Drawn here and not with a library: on a scorecard every line must carry its name at its end, and
stay readable with ASCII alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from racko_tui.i18n import _

_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_FEWEST_ROUNDS: Final = 4  # so that the first rounds do not stretch over the whole width
_AXIS: Final = 6
_MARKS: Final = "ABCD"


class Plot(Widget):
    """One line a side; its height is given by whoever lays it out."""

    DEFAULT_CSS = """
    Plot { height: 8; width: 1fr; }
    """

    def __init__(
        self,
        history: Sequence[tuple[int, ...]],
        names: Sequence[str],
        target: int,
        *,
        ascii_only: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.history = list(history)
        self.names = list(names)
        self.target = target
        self.ascii_only = ascii_only

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: D102
        return container.width

    def render(self) -> Content:  # noqa: D102
        return Content("\n").join(self.lines(self.content_size.width, self.content_size.height))

    def lines(self, width: int, height: int) -> list[Content]:
        """The picture, `height` lines of `width` columns."""
        tag = min(18, 3 + max(cell_len(name) for name in self.names))
        columns, rows = width - _AXIS - tag, height - 1
        if columns < 8 or rows < 3:
            return []
        top = max(self.target, *(max(totals) for totals in self.history))
        draw = self._letters if self.ascii_only else self._braille
        cells: list[list[tuple[str, str]]] = [[(" ", "")] * columns for _ in range(rows)]
        goal = _row(self.target, top, rows)
        cells[goal] = [("╌", "$ink-line")] * columns
        for side in range(len(self.names)):
            draw(cells, side, top)
        tags = self._tags(rows, top, tag)
        lines = []
        for row in range(rows):
            value = {goal: self.target, rows - 1: 0}.get(row)
            axis = ("" if value is None else str(value)).rjust(_AXIS - 2)
            parts: list[str | tuple[str, str]] = [(f"{axis} ", "$ink-quiet"), ("│", "$ink-line")]
            lines.append(Content.assemble(*parts, *cells[row], tags[row]))
        lines.append(self._rounds(columns))
        return lines

    def _steps(self) -> int:
        return max(len(self.history) - 1, _FEWEST_ROUNDS)

    def _braille(self, cells: list[list[tuple[str, str]]], side: int, top: int) -> None:
        rows, columns = len(cells), len(cells[0])
        dots: dict[tuple[int, int], int] = {}
        wide, high = columns * 2 - 1, rows * 4 - 1
        for x, y in self._points(side, wide, high, top):
            place = (y // 4, x // 2)
            dots[place] = dots.get(place, 0) | _DOTS[y % 4][x % 2]
        for (row, column), pattern in dots.items():
            before = ord(cells[row][column][0])
            merged = pattern | (before - 0x2800 if 0x2800 <= before < 0x2900 else 0)
            cells[row][column] = (chr(0x2800 + merged), f"$ink-{side + 1}")

    def _letters(self, cells: list[list[tuple[str, str]]], side: int, top: int) -> None:
        rows, columns = len(cells), len(cells[0])
        for x, y in self._points(side, columns - 1, rows - 1, top):
            cells[y][x] = (_MARKS[side], f"$ink-{side + 1}")

    def _points(self, side: int, wide: int, high: int, top: int) -> list[tuple[int, int]]:
        """The dots of a line on a raster, 0..wide by 0..high, the origin at its lower left."""
        totals = [entry[side] for entry in self.history]
        places = [
            (round(step * wide / self._steps()), round(high - total * high / top))
            for step, total in enumerate(totals)
        ]
        points = [places[0]]
        for (x0, y0), (x1, y1) in pairwise(places):
            count = max(abs(x1 - x0), abs(y1 - y0), 1)
            points += [
                (round(x0 + (x1 - x0) * step / count), round(y0 + (y1 - y0) * step / count))
                for step in range(1, count + 1)
            ]
        return points

    def _tags(self, rows: int, top: int, width: int) -> list[Content]:
        """The names at the ends of their lines, one in a row at most."""
        tags = [Content(" " * width)] * rows
        wanted = sorted(
            range(len(self.names)), key=lambda side: self.history[-1][side], reverse=True
        )
        free = list(range(rows))
        for side in wanted:
            ideal = _row(self.history[-1][side], top, rows)
            row = min(free, key=lambda place: (abs(place - ideal), place < ideal))
            free.remove(row)
            mark = f"{_MARKS[side]} " if self.ascii_only else "╶ "
            text = set_cell_size(f"{mark}{self.names[side]}", width)
            tags[row] = Content.assemble((text, f"$ink-{side + 1} bold"))
        return tags

    def _rounds(self, columns: int) -> Content:
        """The numbers of the rounds below the picture."""
        line = [" "] * (columns + _AXIS + 1)
        taken = 0
        for step in range(1, self._steps() + 1):
            text = str(step)
            at = _AXIS + round(step * (columns - 1) / self._steps()) - len(text) + 1
            if at > taken:
                line[at : at + len(text)] = text
                taken = at + len(text)
        return Content.assemble(("".join(line), "$ink-quiet"), ("  " + _("rounds"), "$ink-quiet"))


def _row(total: int, top: int, rows: int) -> int:
    return round((rows - 1) - total * (rows - 1) / top)
