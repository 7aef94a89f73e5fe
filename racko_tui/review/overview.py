"""How everybody played, in figures: what an analysis shows first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from racko_net.text import cut
from racko_tui.commands.assessment import (
    explained,
    outcomes,
    players,
    report_cells,
    report_heads,
    result,
    table,
)

if TYPE_CHECKING:
    from racko_core.coach import Analysis

_LONGEST_NAME: Final = 12
_Row = Sequence[str]


def overview(
    analysis: Analysis, names: Sequence[str], width: int, marks: Sequence[str] = ()
) -> list[str]:
    """The lines, of at most so many cells. `marks`: those of the graph above, if there is one."""
    short = [cut(name, _LONGEST_NAME) for name in names]
    lines = [*_together(analysis, short, width), "", *explained(width, marks)]
    if len(analysis.rounds) > 1:
        lines += ["", *players(analysis, short, width)]
    return [cut(line, width) for line in lines]


def _together(analysis: Analysis, names: Sequence[str], width: int) -> list[str]:
    """How everybody played in all, and what came of it: beside that, if there is room and nobody
    has a partner.
    """
    rows: list[_Row] = [["", *report_heads()]]
    rows += [[names[one.seat], *report_cells(one)] for one in analysis.reports]
    if not any(part.ended for part in analysis.rounds):
        return table(rows, left=(0,))
    if not analysis.rules.teams:
        above = [""] * len(rows[0])
        beside = zip([above, *rows], outcomes(analysis), strict=True)
        lines = table([[*one, *other] for one, other in beside], left=(0,))
        if max(map(cell_len, lines)) <= width:
            return lines
    return [*table(rows, left=(0,)), "", *result(analysis, names, width)]
