"""The line that says what can be pressed now."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from racko_tui.i18n import _

Hint = tuple[str, str]
"""A key as people write it, and what it does."""

_GAP = 3


class Hints(Widget):
    """Keys and what they do, in one line or as many as they need, centred."""

    DEFAULT_CSS = """
    Hints { height: auto; color: $quiet; text-align: center; }
    """

    def __init__(self, hints: Sequence[Hint], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints = list(hints)

    def show(self, hints: Sequence[Hint]) -> None:
        """Say something else."""
        self.hints = list(hints)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        return len(self._lines(width))

    def render(self) -> Content:  # noqa: D102
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        """The hints in as few lines as they need, about equally long: none stands alone below the
        others. A key and its word are never torn apart.

        Keys are looked up like words: where there is only ASCII, signs are spelt out.
        """
        parts = [Content.assemble((_(key), "$accent bold"), " ", word) for key, word in self.hints]
        lines = _filled(parts, width)
        if len(lines) > 1:
            widths = range(max(line.cell_length for line in lines) // 2, width)
            even = (_filled(parts, narrower) for narrower in widths)
            lines = next((each for each in even if len(each) == len(lines)), lines)
        return lines or [Content("")]


def _filled(parts: Sequence[Content], width: int) -> list[Content]:
    """The parts in lines, each as full as can be."""
    lines: list[Content] = []
    for part in parts:
        if lines and lines[-1].cell_length + _GAP + part.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], " " * _GAP, part)
        else:
            lines.append(part)
    return lines
