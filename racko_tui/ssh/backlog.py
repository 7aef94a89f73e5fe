"""Events that wait until an app can keep up with them. Sans-I/O.

They may arrive faster than screens are drawn: a key held down on a slow line, or a program at the
other end. So they wait in a short queue, and those that a later one makes superfluous leave it
again.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from textual import events
from textual.message import Message

_CROWDED: Final = 256
"""Events that may wait before the client is asked to stop sending."""
_REPEATS: Final = 2
"""How many of the same movement may wait in a row."""
_MOVEMENTS: Final = frozenset(
    modifier + key
    for modifier in ("", "shift+", "ctrl+")
    for key in ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab")
)


class Backlog:
    """Events that wait for the app to be ready for them."""

    def __init__(self) -> None:
        self._waiting: deque[Message] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def crowded(self) -> bool:
        """Whether the client had better stop sending."""
        return len(self._waiting) >= _CROWDED

    def add(self, event: Message) -> None:
        """Let it wait, unless it adds nothing to what waits already."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, events.MouseMove) and isinstance(last, events.MouseMove):
            self._waiting[-1] = event
        elif not self._is_repeated(event):
            self._waiting.append(event)

    def take(self, count: int) -> list[Message]:
        """The first ones, at most `count`."""
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def _is_repeated(self, event: Message) -> bool:
        movement = _movement(event)
        if movement is None or len(self._waiting) < _REPEATS:
            return False
        return all(_movement(self._waiting[-back]) == movement for back in range(1, _REPEATS + 1))


def _movement(event: Message) -> object:
    """What moves, if it is the kind of event that a key or wheel held down repeats."""
    if isinstance(event, events.Key):
        return event.key if event.key in _MOVEMENTS else None
    if isinstance(event, (events.MouseScrollUp, events.MouseScrollDown)):
        return type(event)
    return None
