"""The sheet of paper: players across, rounds down, as one writes it by hand."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from racko_net.text import cut
from racko_tui.i18n import _, pgettext
from racko_tui.scores import Scorecard, how_it_ended, points_of

_ROUND: Final = 3
_NARROW: Final = 13
"""Columns of a cell: the dealer's mark, points in brackets, a space and the total."""
_WIDE: Final = 20
_HOW: Final = 18
"""Columns from which it is told how a round ended."""


class Columns:
    """How wide everything is on a sheet of so many columns."""

    def __init__(self, width: int, sides: int) -> None:
        self.cell = max(_NARROW, min(_WIDE, (width - _ROUND - 24) // sides))
        how = width - _ROUND - self.cell * sides - 2
        self.how = how if how >= _HOW else 0
        if not self.how:
            self.cell = max(_NARROW, min(_WIDE, (width - _ROUND) // sides))


class SheetHead(Widget):
    """Names above the columns, and a ruled line."""

    DEFAULT_CSS = """
    SheetHead { height: 2; width: 1fr; }
    """

    def __init__(self, card: Scorecard) -> None:
        super().__init__()
        self.card = card

    def render(self) -> Content:  # noqa: D102
        width = self.content_size.width
        columns = Columns(width, len(self.card.sides))
        parts: list[tuple[str, str]] = [(" " * _ROUND, "")]
        for side, name in enumerate(self.card.sides):
            text = cut(name, columns.cell - 1)
            pad = columns.cell - cell_len(text)
            parts.append((" " * pad + text, f"bold $ink-{side + 1}"))
        if columns.how:
            parts.append(("  " + set_cell_size(_("how it ended"), columns.how), "$ink-quiet"))
        return Content("\n").join([Content.assemble(*parts), _rule(width)])


class SheetRows(Widget):
    """One line for each round."""

    DEFAULT_CSS = """
    SheetRows { height: auto; width: 1fr; }
    """

    def __init__(self, card: Scorecard) -> None:
        super().__init__()
        self.card = card

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        return max(1, len(self.card.sheet))

    def render(self) -> Content:  # noqa: D102
        if not self.card.sheet:
            return Content()  # what stands below the sheet says so
        columns = Columns(self.content_size.width, len(self.card.sides))
        return Content("\n").join(
            self._row(index, columns) for index in range(len(self.card.sheet))
        )

    def _row(self, index: int, columns: Columns) -> Content:
        card, ended = self.card, self.card.sheet[index]
        parts: list[tuple[str, str]] = [(f"{ended.round:>{_ROUND}}", "$ink-quiet")]
        for side, seats in enumerate(card.rules.sides):
            base, bonus = points_of(ended, seats)
            points = f"{base}+{bonus}" if bonus else str(base)
            out = ended.went_out in seats
            points = f"({points})" if out else f"{points} "
            total = str(ended.totals[side])
            dealer = dealer_mark() if ended.dealer in seats else ""
            total = total.rjust(max(5, len(total) + 1))
            room = columns.cell - len(points) - len(total)
            mark = f"{dealer} "[: max(len(dealer), room)]  # it touches the points where it must
            parts.append((mark.rjust(room), "$ink-quiet"))
            parts.append((points, "bold $ink-red" if out else "$ink"))
            parts.append((total, "bold $ink"))
        if columns.how:
            how = cut(how_it_ended(ended, card.names), columns.how)
            parts.append(("  " + how, "$ink-quiet"))
        return Content.assemble(*parts)


class SheetFoot(Widget):
    """What the marks mean, and how far everybody has to go."""

    DEFAULT_CSS = """
    SheetFoot { height: 3; width: 1fr; }
    """

    def __init__(self, card: Scorecard) -> None:
        super().__init__()
        self.card = card

    def render(self) -> Content:  # noqa: D102
        card, width = self.card, self.content_size.width
        columns = Columns(width, len(card.sides))
        word = _("to go")
        parts: list[tuple[str, str]] = [(" " * _ROUND, "")]
        for total in card.totals:
            left = card.rules.target - total
            text = f"{word} {left}" if left > 0 else _("reached")
            if left > 0 and card.result is not None:
                text = ""  # nobody goes there any more
            parts.append((text.rjust(columns.cell), "$ink-quiet"))
        marks: list[str] = []
        if card.sheet:  # else there is nothing that could be marked
            marks.append(_("( ) went out   {dealer} dealt").format(dealer=dealer_mark()))
        if card.sheet and card.rules.bonus:
            marks.append(_("+ bonus for a run"))
        if any(card.hints):
            hints = ", ".join(
                f"{name} {count}"
                for name, count in zip(card.names, card.hints, strict=True)
                if count
            )
            marks.append(_("hints: {hints}").format(hints=hints))
        legend = Content.assemble((" " * _ROUND + "   ".join(marks), "$ink-quiet"))
        return Content("\n").join([_rule(width), Content.assemble(*parts), legend])


def dealer_mark() -> str:
    """The letter that marks the dealer of a round."""
    return pgettext("mark of the dealer, one letter", "d")


def _rule(width: int) -> Content:
    return Content.assemble(("─" * width, "$ink-line"))
