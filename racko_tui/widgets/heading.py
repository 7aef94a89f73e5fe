"""The top line of the table: which game this is on the left, how the turn stands on the right."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size

from racko_tui.widgets.picture import Line, Picture

_BETWEEN: Final = " · "
"""Stands between the pieces of the left end."""


class Heading(Picture):
    """Two pieces of text in one line; the left one gives way."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.left: tuple[str, str] = ("", "")
        self.right = ""

    def show(self, title: str, left: str, right: str) -> None:
        """Show these from now on."""
        if ((title, left), right) != (self.left, self.right):
            self.left, self.right = (title, left), right
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        title, words = self.left
        room = width - 2 - cell_len(title) - cell_len(self.right) - 3
        while cell_len(words) > room and _BETWEEN in words:
            words = words.rpartition(_BETWEEN)[0]  # a piece that is cut off says nothing
        if cell_len(words) > room:
            words = set_cell_size(words, max(0, room))
        fill = room - cell_len(words)
        return [
            [
                (f" {title}  ", "accent"),
                (words, "quiet"),
                (" " * (fill + 1), "text"),
                (self.right, "strong"),
            ]
        ]
