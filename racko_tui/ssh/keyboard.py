"""Bytes from a terminal, made into events that an app can keep up with. Sans-I/O.

What arrives is not to be trusted: sequences may be broken, endless, or claim a size of a million
columns. And it may arrive faster than screens are drawn: a key held down on a slow line, or a
program at the other end. So events wait in a short queue, and those that a later one makes
superfluous leave it again.
"""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterable
from typing import Final

from textual import events, messages
from textual._xterm_parser import XTermParser
from textual.message import Message

from racko_tui.ssh.visit import Encoding

TICK: Final = 0.05
"""Seconds between two looks at whether an Escape stands alone."""
_TICKS: Final = 4
"""Looks after the last byte; Textual waits 100 ms for the rest of a sequence."""
_LONGEST: Final = 20_000
"""Characters that may arrive without making an event: the longest text that can be pasted."""
_CROWDED: Final = 256
"""Events that may wait before the client is asked to stop sending."""
_REPEATS: Final = 2
"""How many of the same movement may wait in a row."""
_MOVEMENTS: Final = frozenset(
    modifier + key
    for modifier in ("", "shift+", "ctrl+")
    for key in ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab")
)


class _Parser(XTermParser):
    """Textual's parser without its two ways to trust a terminal too much.

    Its cache of key sequences is one for all parsers and keeps them, and with them their apps,
    alive for ever; and a report of the size in pixels makes it divide by what the client said.
    """

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        parse = XTermParser._parse_extended_key.__wrapped__
        found: list[events.Key] | None = parse(self, sequence)
        return found

    def parse_mouse_code(self, code: str) -> Message | None:
        self.mouse_pixels = False
        return super().parse_mouse_code(code)


class Keyboard:
    """Turns bytes into events."""

    def __init__(self, encoding: Encoding) -> None:
        self._decode = codecs.getincrementaldecoder(encoding)("replace").decode
        self._parser = _Parser()
        self._silent = 0
        self._ticks = 0

    def feed(self, data: bytes) -> list[Message]:
        """The events that `data` completes."""
        text = self._decode(data)
        if not text:
            return []
        self._ticks = _TICKS
        found: list[Message] = []
        try:
            found.extend(self._wanted(self._parser.feed(text)))
        except Exception:  # whatever it stumbled over, the next key is a new beginning
            self._parser = _Parser()
        self._silent = 0 if found else self._silent + len(text)
        if self._silent > _LONGEST:
            self._parser = _Parser()
            self._silent = 0
        return found

    def tick(self) -> list[Message]:
        """The events that the passing of time completes: an Escape that stands alone."""
        self._ticks -= 1
        try:
            return list(self._wanted(self._parser.tick()))
        except Exception:
            self._parser = _Parser()
            return []

    @property
    def ticking(self) -> bool:
        """Whether to call `tick` in another `TICK` seconds."""
        return self._ticks > 0

    @staticmethod
    def _wanted(found: Iterable[Message]) -> Iterable[Message]:
        # The size comes over SSH, whatever the terminal writes about it.
        unwanted = (events.Resize, messages.InBandWindowResize)
        return (event for event in found if not isinstance(event, unwanted))


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
