"""How everybody played, in figures: what an analysis shows first."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from racko_tui.commands.assessment import (
    legend,
    players,
    report_cells,
    report_heads,
    result,
    table,
)

if TYPE_CHECKING:
    from racko_core.coach import Analysis

_LONGEST_NAME: Final = 12
_SHORTEST_NAME: Final = 4
_Row = Sequence[str]


def overview(analysis: Analysis, names: Sequence[str], width: int) -> list[str]:
    """The lines, of at most so many cells."""
    short = [_cut(name, _LONGEST_NAME) for name in names]
    lines = _together(analysis, short)
    if any(part.ended for part in analysis.rounds):
        lines += ["", *result(analysis, short)]
    lines += ["", *(line for text in legend() for line in textwrap.wrap(text, width))]
    if len(analysis.rounds) > 1:
        lines += ["", *_rounds(analysis, short, width)]
    return [_cut(line, width) for line in lines]


def _rounds(analysis: Analysis, names: Sequence[str], width: int) -> list[str]:
    """Round by round; where there is little room, without who went out, and in shorter names."""
    lines = players(analysis, names)
    longest = _LONGEST_NAME
    while max(map(cell_len, lines)) > width and longest > _SHORTEST_NAME:
        lines = players(analysis, [_cut(name, longest) for name in names], outs=False)
        longest -= 1
    return lines


def _together(analysis: Analysis, names: Sequence[str]) -> list[str]:
    rows: list[_Row] = [["", *report_heads()]]
    rows += [[names[one.seat], *report_cells(one)] for one in analysis.reports]
    return table(rows, left=(0,))


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"
