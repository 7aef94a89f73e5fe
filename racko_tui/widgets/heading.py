"""The top line of the table: which game this is on the left, how the turn stands on the right."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from racko_tui.widgets.picture import Line, Picture


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
