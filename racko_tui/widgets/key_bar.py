"""The line that says which keys do something now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from racko_tui.widgets.picture import Line, Picture

_MARGIN: Final = " "
_GAP: Final = "  "


class Rank(IntEnum):
    """Which keys have room before which others."""

    ALWAYS = 0
    """The ways out and to help."""
    USUAL = 1
    LAST = 2


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
    rank: Rank = Rank.USUAL
    """Whether others give way to it where there is little room, or it to them."""

    @property
    def width(self) -> int:
        """Cells it takes."""
        return cell_len(self.key) + 1 + cell_len(self.word)


class KeyBar(Picture):
    """Keys from the left, the most important first. What does not fit is left out, and a sign
    says so if there is room for it.
    """

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
        x = 0
        for gap, key in self._laid(self.size.width):
            x += len(gap)
            if x <= event.x < x + key.width and key.action:
                self.post_message(self.Pressed(key.action))
                return
            x += key.width

    def _laid(self, width: int) -> list[tuple[str, Key]]:
        """The keys that have room, each with what stands before it."""
        left = width - len(_MARGIN) + len(_GAP)
        fitting = set()
        for key in sorted(self.keys, key=lambda key: key.rank):
            if key.width + len(_GAP) <= left:
                left -= key.width + len(_GAP)
                fitting.add(key)
        laid = [(_GAP, key) for key in self.keys if key in fitting]
        more = f" {'...' if self.ascii_only else '…'} "
        if len(laid) < len(self.keys) and len(more) - len(_GAP) <= left:
            at = next((at for at, (_, key) in enumerate(laid) if key.rank is Rank.ALWAYS), 0)
            laid[at:] = [(more, key) for _, key in laid[at : at + 1]] + laid[at + 1 :]
        return [(_MARGIN, key) for _, key in laid[:1]] + laid[1:]

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        line: Line = []
        for gap, key in self._laid(width):
            line += [(gap, "text"), (key.key, "key"), (" ", "text")]
            line.append((key.word, "text" if key.acts else "quiet"))
        return [line]
