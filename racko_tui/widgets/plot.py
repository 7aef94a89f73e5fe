"""The totals of a game as lines that climb towards the target.

Drawn here and not with a library: on a scorecard every line must carry its name at its end, and
stay readable with ASCII alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from racko_tui.i18n import _

_AXIS: Final = 6

Cells = list[list[tuple[str, str]]]
"""Rows of characters, each with its style."""
MARKS: Final = "ABCD"
"""The letters that lines are drawn with where there is only ASCII."""
_STEPS: Final = (25, 50, 100, 200)
"""What the picture reaches up to while every total is far below the target."""


class Plot(Widget):
    """One line a side; its height is given by whoever lays it out."""

    DEFAULT_CSS = """
    Plot { height: 8; width: 1fr; }
    """

    def __init__(
        self,
        history: Sequence[tuple[int, ...]] = (),
        names: Sequence[str] = (),
        target: int = 0,
        *,
        ascii_only: bool = False,
        id: str | None = None,
    ) -> None:
        """The totals after each round, the start as the first; blank before there is a round."""
        super().__init__(id=id)
        self.history, self.names, self.target = history, names, target
        self.ascii_only = ascii_only

    def show(self, history: Sequence[tuple[int, ...]], names: Sequence[str], target: int) -> None:
        """Show these from now on."""
        self.history, self.names, self.target = history, names, target
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: D102
        return container.width

    def render(self) -> Content:  # noqa: D102
        return Content("\n").join(self.lines(self.content_size.width, self.content_size.height))

    def lines(self, width: int, height: int) -> list[Content]:
        """The picture, `height` lines of `width` columns."""
        tag = min(18, 3 + max(map(cell_len, [*self.names, _("rounds")])))
        columns, rows = width - _AXIS - tag, height - 1
        if columns < 8 or rows < 3 or len(self.history) < 2:
            return []
        top = top_of(max(max(totals) for totals in self.history), self.target)
        draw = self._letters if self.ascii_only else self._line
        cells: Cells = [[(" ", "")] * (columns + tag) for _ in range(rows)]
        scale = {rows - 1: 0, 0: top}
        if self.target <= top:
            goal = row_of(self.target, top, rows)
            scale = {rows - 1: 0, goal: self.target}
            cells[goal][:columns] = [("╌", "$ink-line")] * columns
        else:
            goal_in_words = _("to {target}").format(target=self.target)
            words = f" {'^' if self.ascii_only else '↑'} {goal_in_words}"[:columns]
            cells[0][: len(words)] = [(letter, "$ink-quiet") for letter in words]
        for side in range(len(self.names)):
            draw(cells, side, self._heights(side, columns, rows, top))
        self._tags(cells, top, tag)
        lines = []
        for row in range(rows):
            value = scale.get(row)
            axis = ("" if value is None else str(value)).rjust(_AXIS - 2)
            parts: list[str | tuple[str, str]] = [(f"{axis} ", "$ink-quiet"), ("│", "$ink-line")]
            lines.append(Content.assemble(*parts, *spans_of(cells[row])))
        lines.append(self._rounds(columns))
        return lines

    def _steps(self) -> int:
        return max(len(self.history) - 1, 1)

    @staticmethod
    def _line(cells: Cells, side: int, heights: list[int]) -> None:
        """A line that turns with round corners."""
        style = f"$ink-{side + 1}"
        before: int | None = None
        for column, row in enumerate(heights):
            if before is None or row == before:
                cells[row][column] = ("─", style)
            else:
                for between in range(row + 1, before):
                    cells[between][column] = ("│", style)
                cells[before][column], cells[row][column] = ("╯", style), ("╭", style)
            before = row

    @staticmethod
    def _letters(cells: Cells, side: int, heights: list[int]) -> None:
        for column, row in enumerate(heights):
            cells[row][column] = (MARKS[side], f"$ink-{side + 1}")

    def _heights(self, side: int, columns: int, rows: int, top: int) -> list[int]:
        """The row of a side's total in every column up to the last round; totals only rise."""
        totals = [entry[side] for entry in self.history]
        width = (columns - 1) / self._steps()  # columns from round to round
        heights = []
        for column in range(self._end(columns) + 1):
            step = min(int(column / width), len(totals) - 2) if len(totals) > 1 else 0
            after = totals[min(step + 1, len(totals) - 1)]
            total = totals[step] + (after - totals[step]) * min(1.0, column / width - step)
            heights.append(row_of(total, top, rows))
        return heights

    def _tags(self, cells: Cells, top: int, width: int) -> None:
        """Write the names where their lines end, one in a row at most."""
        last = self.history[-1]
        end = self._end(len(cells[0]) - width) + 1
        order = sorted(range(len(last)), key=lambda side: last[side], reverse=True)
        rows = apart([row_of(last[side], top, len(cells)) for side in order], len(cells))
        for row, side in zip(rows, order, strict=True):
            mark = MARKS[side] if self.ascii_only else "╶"
            text = set_cell_size(f"{mark} {self.names[side]} ", width)
            cells[row][end : end + width] = [(text, f"bold $ink-{side + 1}")]

    def _end(self, columns: int) -> int:
        """The column in which the lines end."""
        return round((len(self.history) - 1) * (columns - 1) / self._steps())

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


def top_of(highest: int, target: int) -> int:
    """What the first row of a picture stands for, so that small totals are not a flat line."""
    steps = (step for step in _STEPS if highest <= step and 2 * step <= target)
    return next(steps, max(highest, target))


def apart(rows: Sequence[int], height: int) -> list[int]:
    """Rows from the top, moved as little as need be so that no two are the same."""
    moved = list(rows)
    for place in range(1, len(moved)):
        moved[place] = max(moved[place], moved[place - 1] + 1)
    lowest = height - 1
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], lowest)
        lowest = moved[place] - 1
    return moved


def spans_of(row: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The characters of a row, neighbours of one style together."""
    for style, cells in groupby(row, key=lambda cell: cell[1]):
        yield "".join(text for text, _ in cells), style


def row_of(total: float, top: float, rows: int) -> int:
    """The row, counted from the top, in which `total` stands if `top` stands in the first."""
    return round((rows - 1) - total * (rows - 1) / top)
