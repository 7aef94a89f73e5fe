"""The chance to win over the decisions of a round, or of a game, with the slips below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from racko_core.coach import Label
from racko_net.text import cut
from racko_tui.glyphs import glyphs
from racko_tui.i18n import _
from racko_tui.review.chart import Chart, Point
from racko_tui.widgets.plot import MARKS, Cells, apart, row_of, spans_of

if TYPE_CHECKING:
    from racko_core.coach import Decision

_AXIS: Final = 8
"""Columns in front of the picture: a chance, and a line."""
_BELOW: Final = 2
"""Rows below the curves: the slips, and the numbers."""
_LONGEST_NAME: Final = 12
_SLIPS: Final = (Label.INACCURACY, Label.MISTAKE, Label.BLUNDER)
_LOUD: Final = ("$quiet", "$warning", "bold $warning")

Row = list[tuple[str, str]]


class ChancePlot(Widget):
    """One line a seat."""

    LEAST: Final = 3 + _BELOW
    """Rows that it needs."""

    @dataclass
    class Picked(Message):
        """A decision was clicked."""

        decision: Decision

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.chart: Chart | None = None
        self.ascii_only = ascii_only

    @property
    def _enter(self) -> str:
        return ">" if self.ascii_only else "⏎"

    def show(self, chart: Chart) -> None:
        """Show this from now on."""
        if chart != self.chart:
            self.chart = chart
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Say which decision was clicked."""
        chart, place = self.chart, event.get_content_offset(self)
        if chart is None or place is None:
            return
        columns = self._columns(chart, self.content_size.width)
        near = [
            (abs(_column(step, chart, columns) - (place.x - _AXIS)), step)
            for step, decision in enumerate(chart.decisions)
            if decision is not None
        ]
        if near and (decision := chart.decisions[min(near)[1]]) is not None:
            self.post_message(self.Picked(decision))

    def render(self) -> Content:  # noqa: D102
        if self.chart is None:
            return Content("")
        width, height = self.content_size
        return Content("\n").join(self.lines(self.chart, width, height))

    def lines(self, chart: Chart, width: int, height: int) -> list[Content]:
        """The picture, `height` lines of `width` columns; none where there is no room."""
        columns, rows = self._columns(chart, width), height - _BELOW
        if columns < 10 or rows < self.LEAST - _BELOW:
            return []
        cells: Cells = [[(" ", "")] * (width - _AXIS) for _row in range(rows)]
        if chart.at is not None:
            for row in cells:
                row[_column(chart.at, chart, columns)] = ("╎", "$quiet")
        cells[row_of(0.5, 1, rows)][:columns] = [
            cell if cell[0] != " " else ("╌", "$line")
            for cell in cells[row_of(0.5, 1, rows)][:columns]
        ]
        for curve in chart.curves:
            for points in curve.rounds:
                self._draw(cells, curve.seat, points, chart, columns)
        self._spot(cells, chart, columns)
        self._names(cells, chart, columns)
        _say_what(cells[0], columns)
        axis = {0: "100 %", row_of(0.5, 1, rows): "50 %", rows - 1: "0 %"}
        lines = [
            Content.assemble(
                (f"{axis.get(number, ''):>{_AXIS - 2}} ", "$quiet"),
                ("│", "$line"),
                *spans_of(row),
            )
            for number, row in enumerate(cells)
        ]
        for below in (self._marks(chart, columns), self._numbers(chart, columns, width)):
            lines.append(Content.assemble(" " * _AXIS, *spans_of(below)))
        return lines

    @staticmethod
    def _columns(chart: Chart, width: int) -> int:
        """Columns of the curves; their names stand behind them."""
        names = max((cell_len(curve.name) for curve in chart.curves), default=0)
        return width - _AXIS - 3 - max(min(names, _LONGEST_NAME), cell_len(chart.unit))

    def _draw(
        self, cells: Cells, seat: int, points: Sequence[Point], chart: Chart, columns: int
    ) -> None:
        """A line that turns with round corners, or a row of letters."""
        style, before = f"$side-{seat + 1}", None
        at = [(_column(step, chart, columns), chance) for step, chance in points]
        for place, (column, chance) in enumerate(at):
            row = row_of(chance, 1, len(cells))
            end = at[place + 1][0] if place + 1 < len(at) else column + 1
            for x in range(column, end):
                cells[row][x] = (MARKS[seat] if self.ascii_only else "─", style)
            if end > column and before not in (None, row) and not self.ascii_only:
                _join(cells, column, before, row, style)
            if end > column:
                before = row

    @staticmethod
    def _spot(cells: Cells, chart: Chart, columns: int) -> None:
        """Where the decision that is looked at left its player; that curve is the last one."""
        chances = [
            chance
            for points in (chart.curves[-1].rounds if chart.curves else ())
            for step, chance in points
            if step == chart.at
        ]
        if chart.at is not None and chances:
            column = _column(chart.at, chart, columns)
            cells[row_of(chances[-1], 1, len(cells))][column] = ("●", "bold $foreground")

    def _names(self, cells: Cells, chart: Chart, columns: int) -> None:
        """The names where the curves end, one in a row at most."""
        ends = [
            (row_of(points[-1][1], 1, len(cells)), curve)
            for curve in chart.curves
            if (points := next((one for one in reversed(curve.rounds) if one), None))
        ]
        ends.sort(key=lambda end: (end[0], end[1].seat))
        rows = apart([row for row, _curve in ends], len(cells))
        for row, (_row, curve) in zip(rows, ends, strict=True):
            mark = MARKS[curve.seat] if self.ascii_only else "╶"
            room = len(cells[row]) - columns
            text = set_cell_size(f"{mark} {cut(curve.name, _LONGEST_NAME)}", room)
            cells[row][columns:] = [(text, f"bold $side-{curve.seat + 1}")]

    def _marks(self, chart: Chart, columns: int) -> Row:
        """The slips, each below its decision in a cell; where they share one, the worst of them."""
        worst: dict[int, int] = {}
        for mark in chart.marks:
            column = _column(mark.step, chart, columns)
            worst[column] = max(worst.get(column, 0), _SLIPS.index(mark.label))
        row: Row = [(" ", "")] * (columns + 1)
        for column, degree in worst.items():
            row[column] = glyphs(self.ascii_only).slips[degree], _LOUD[degree]
        return row

    def _numbers(self, chart: Chart, columns: int, width: int) -> Row:
        """What is counted below the picture, which decision is looked at, and where Enter leads."""
        row: Row = [(" ", "")] * (width - _AXIS)
        taken = -1
        for step, text in chart.numbers:
            column = _column(step, chart, columns)
            if column > taken and column + len(text) <= columns:
                row[column : column + len(text)] = [(char, "$quiet") for char in text]
                taken = column + len(text)
        unit = set_cell_size(chart.unit, len(row) - columns - 1)
        row[columns + 1 :] = [(unit, "$quiet")]
        if chart.next is not None:
            column = _column(chart.next, chart, columns)
            while row[column][0].isdigit():  # the number stays; only the unit stands behind them
                column += 1
            row[column] = (self._enter, "bold $accent")
        if chart.at is not None:
            row[_column(chart.at, chart, columns)] = ("▲", "bold $foreground")
        return row


def _column(step: int, chart: Chart, columns: int) -> int:
    return round(step * (columns - 1) / max(1, chart.steps - 1))


def _say_what(row: Row, columns: int) -> None:
    """What the curves show, at the top where none of them passes."""
    text = _("chance to win the round").join("  ")
    room = cell_len(text)
    for start in range(columns - room):
        if all(cell == " " for cell, _style in row[start : start + room]):
            row[start : start + room] = [(char, "$quiet") for char in text]
            return


def _join(cells: Cells, column: int, before: int, row: int, style: str) -> None:
    """The way up or down from one row to another."""
    up = row < before
    for between in range(min(row, before) + 1, max(row, before)):
        cells[between][column] = ("│", style)
    cells[before][column] = ("╯" if up else "╮", style)
    cells[row][column] = ("╭" if up else "╰", style)
