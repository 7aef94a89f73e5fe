"""The line that says which keys do something now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from racko_tui.widgets.picture import Line, Picture

_GAP: Final = 2


@dataclass(frozen=True, slots=True)
class Key:
    """A key that does something now."""

    action: str
    """The action behind it, for the mouse; empty where a key needs its own name."""
    key: str
    """As it is printed on a keyboard."""
    word: str
    acts: bool = True
    """Whether it moves the game on, rather than showing something."""
    yields: bool = False
    """Whether it gives way to all others where there is little room."""

    @property
    def width(self) -> int:
        """Cells it takes."""
        return cell_len(self.key) + 1 + cell_len(self.word)


class KeyBar(Picture):
    """Keys from the left, the most important first; what does not fit is left out."""

    @dataclass
    class Pressed(Message):
        """A key was clicked."""

        action: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keys: tuple[Key, ...] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Show these from now on."""
        if tuple(keys) != self.keys:
            self.keys = tuple(keys)
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """The mouse does what the key does."""
        x = 1
        for key in self._fitting(self.size.width):
            if x <= event.x < x + key.width and key.action:
                self.post_message(self.Pressed(key.action))
                return
            x += key.width + _GAP

    def _fitting(self, width: int) -> list[Key]:
        """The keys that have room; the last one, the way to help, always has."""
        if not self.keys:
            return []
        *most, last = self.keys
        left = width - 2 - last.width
        fitting = set()
        for key in sorted(most, key=lambda key: key.yields):
            if key.width + _GAP <= left:
                left -= key.width + _GAP
                fitting.add(key)
        return [*(key for key in most if key in fitting), last]

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        line: Line = [(" ", "text")]
        for key in self._fitting(width):
            line += [(key.key, "key"), (" ", "text")]
            line += [(key.word, "text" if key.acts else "quiet"), (" " * _GAP, "text")]
        return [line]
