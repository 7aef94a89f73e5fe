"""The name of the game as cards in a rack, rising to the right."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.widgets import Static

_CARDS: Final = (("R", 7), ("A", 15), ("C", 24), ("K", 38), ("-", 47), ("O", 60))
_WIDTH: Final = 7
_STEP: Final = _WIDTH + 1


class Logo(Static):
    """Six cards, each one step higher than the one before it."""

    DEFAULT_CSS = """
    Logo { height: auto; width: auto; }
    """

    def __init__(self, *, flat: bool = False) -> None:
        super().__init__()
        self.flat = flat

    def render(self) -> Content:  # noqa: D102
        height = 3 + (0 if self.flat else len(_CARDS) - 1)
        rows = []
        for row in range(height):
            parts: list[Content | tuple[str, str] | str] = []
            for place, (letter, number) in enumerate(_CARDS):
                top = 0 if self.flat else len(_CARDS) - 1 - place
                face = {
                    0: f" {number}".ljust(_WIDTH),
                    1: letter.center(_WIDTH),
                    2: str(number).rjust(_WIDTH - 1) + " ",
                }.get(row - top)
                if face is None:
                    parts.append(" " * _STEP)
                else:
                    parts.append((face, "bold $card-text on $card"))
                    parts.append(" ")
            rows.append(Content.assemble(*parts))
        return Content("\n").join(rows)
