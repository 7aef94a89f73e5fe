"""The scorecard in small: rounds down, players or teams across, the totals below."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.geometry import Size

from racko_core.events import RoundEnded
from racko_tui.i18n import _
from racko_tui.scores import Scorecard
from racko_tui.widgets.picture import Line, Picture, Span

_FIRST: Final = 4
"""Cells for the number of the round."""
_WIDEST: Final = 20
_AROUND: Final = 5
"""Lines of everything but the rounds."""


class Sheet(Picture):
    """The last rounds as far as they fit, and how far everyone has come."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.card: Scorecard | None = None

    def show(self, card: Scorecard) -> None:
        """Show this from now on."""
        if card == self.card:
            return
        longer = self.card is None or len(self.card.sheet) != len(card.sheet)
        self.card = card
        if longer:
            self.refresh(layout=True)
        self.redraw()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        return _AROUND + max(1, len(self.card.sheet) if self.card else 0)

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        card = self.card
        if card is None:
            return []
        column = max(5, min(_WIDEST, (width - _FIRST) // len(card.sides)))
        across = _FIRST + column * len(card.sides)
        best = max(card.totals)
        rule: Line = [(self.glyphs.rule * across, "ink-line")]
        rounds = [self._one(ended, column) for ended in card.sheet[-max(1, height - _AROUND) :]]
        blank = " " * _FIRST
        totals = [
            _cell(str(total), column, "ink-strong" if total == best else "ink")
            for total in card.totals
        ]
        to_go = [
            _cell(_("{points} to go").format(points=max(0, card.rules.target - total)), column)
            for total in card.totals
        ]
        return [
            [(blank, "ink"), *(_cell(name, column, "ink-strong") for name in card.sides)],
            rule,
            *(rounds or [[(" " + _("the first round"), "ink-quiet")]]),
            rule,
            [(blank, "ink"), *totals],
            [(blank, "ink"), *to_go],
        ]

    def _one(self, ended: RoundEnded, column: int) -> Line:
        assert self.card is not None
        line: Line = [(f"{ended.round:>3} ", "ink-quiet")]
        for side in self.card.rules.sides:
            points = str(sum(ended.scores[seat].points for seat in side))
            if ended.went_out in side:
                line.append(_cell(f"{self.glyphs.hint} {points}", column, "ink-red"))
            else:
                line.append(_cell(points, column, "ink"))
        return line


def _cell(text: str, column: int, style: str = "ink-quiet") -> Span:
    if cell_len(text) >= column:
        text = set_cell_size(text, column - 1)
    return " " * (column - cell_len(text)) + text, style
