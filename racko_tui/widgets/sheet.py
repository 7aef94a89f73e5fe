"""The scorecard in small: rounds down, players or teams across, the totals below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size

from racko_core.events import RoundEnded
from racko_core.rules import Rules
from racko_tui.i18n import _
from racko_tui.widgets.picture import Line, Picture

_FIRST: Final = 4
"""Cells for the number of the round."""
_WIDEST: Final = 14
_OTHER_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class SheetState:
    """What the scorecard shows."""

    rules: Rules
    names: Sequence[str]
    """By side."""
    sheet: Sequence[RoundEnded]
    totals: Sequence[int]
    """By side."""


class Sheet(Picture):
    """The last rounds as far as they fit, and how far everyone has come."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: SheetState | None = None

    def show(self, state: SheetState) -> None:
        """Show this from now on."""
        if state != self.state:
            self.state = state
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        state = self.state
        if state is None:
            return []
        room = width - 2 - _FIRST
        column = max(4, min(_WIDEST, room // len(state.names)))
        across = _FIRST + column * len(state.names)
        rule: Line = [(" " + self.glyphs.rule * across, "line")]
        best = max(state.totals)
        rows = max(1, height - _OTHER_LINES)
        lines: list[Line] = [
            [(" " * (1 + _FIRST), "text"), *(self._cell(n, column, "quiet") for n in state.names)],
            rule,
        ]
        lines += [self._round(ended, column) for ended in state.sheet[-rows:]]
        lines.append(rule)
        lines.append(
            [
                (" " * (1 + _FIRST), "text"),
                *(
                    self._cell(str(total), column, "strong" if total == best else "text")
                    for total in state.totals
                ),
            ]
        )
        lines.append(
            [
                (" " * (1 + _FIRST), "text"),
                *(
                    self._cell(_("−{points}").format(points=left), column, "quiet")
                    if (left := state.rules.target - total) > 0
                    else self._cell(_("there"), column, "quiet")
                    for total in state.totals
                ),
            ]
        )
        return lines

    def _round(self, ended: RoundEnded, column: int) -> Line:
        assert self.state is not None
        line: Line = [(f" {ended.round:>3} ", "quiet")]
        for side in self.state.rules.sides:
            points = sum(ended.scores[seat].points for seat in side)
            out = ended.went_out in side
            mark = self.glyphs.hint if out else " "
            line.append(self._cell(f"{mark}{points}", column, "accent" if out else "text"))
        return line

    @staticmethod
    def _cell(text: str, column: int, style: str) -> tuple[str, str]:
        if cell_len(text) >= column:
            text = set_cell_size(text, column - 1)
        return " " * (column - cell_len(text)) + text, style
