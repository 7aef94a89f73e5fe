"""Words as cards in a rack: the name of the game, rising to the right, and names of winners."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

_NAME: Final = "RACK-O"
_NUMBERS: Final = (7, 15, 24, 38, 47, 60)
_WIDTH: Final = 7
_STEP: Final = _WIDTH + 1
_HEIGHT: Final = 3


class Logo(Widget):
    """One card for each letter, each one step higher than the one before it, or all level."""

    DEFAULT_CSS = """
    Logo { height: auto; width: auto; }
    """

    shown: reactive[int] = reactive(99)
    """Letters that are laid down already."""

    def __init__(self, text: str = _NAME, *, flat: bool = False) -> None:
        super().__init__()
        self.text = text
        self.flat = flat

    def render(self) -> Content:  # noqa: D102
        last = len(self.text) - 1
        rows = []
        for row in range(_HEIGHT + (0 if self.flat else last)):
            parts: list[str | tuple[str, str]] = []
            for place, letter in enumerate(self.text):
                top = 0 if self.flat else last - place
                face = _face(letter, self._number(place), row - top)
                if face is None or letter == " " or place >= self.shown:
                    parts.append(" " * _STEP)
                else:
                    parts += [(face, "bold $card-text on $card"), " "]
            rows.append(Content.assemble(*parts))
        return Content("\n").join(rows)

    def _number(self, place: int) -> int:
        if self.text == _NAME:
            return _NUMBERS[place]
        return 1 + place * 59 // max(1, len(self.text) - 1)


def _face(letter: str, number: int, row: int) -> str | None:
    """A line of a card; None above and below it."""
    if row == 0:
        return f" {number}".ljust(_WIDTH)
    if row == 1:
        return letter.center(_WIDTH)
    if row == 2:
        return f"{number} ".rjust(_WIDTH)
    return None
