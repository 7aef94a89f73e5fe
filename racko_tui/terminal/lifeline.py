"""That the process ends when its terminal has gone, or when it is told to, come what may.

Textual writes through a thread of its own. When the terminal goes away that thread dies, and the
application soon waits for it for ever; so a second thread watches. Every action of a game is on
the disk by then, so nothing is lost by ending at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import termios
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Final, Self

GONE: Final = 128 + signal.SIGHUP
"""The exit status of a process whose terminal has gone."""
_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that ask for the end. Ctrl+C is one only before the terminal takes it for a key."""
_LOOK_SECONDS: Final = 2.0
_GRACE_SECONDS: Final = 2.0
_LEAVE: Final = (
    b"\x18"  # whatever was being written
    b"\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?2004l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1000l\x1b[?1004l"
    b"\x1b[<u\x1b[?1049l\x1b[?25h"
)
"""Takes back everything that Textual's driver asks of a terminal."""


class Lifeline:
    """As long as its context lasts, it sees to it that the process ends when it has to."""

    def __init__(self) -> None:
        self._ask: Callable[[int], object] | None = None
        self._asking = threading.Lock()
        self._terminal = sys.__stdin__.fileno() if sys.__stdin__ else 0
        self._attributes = termios.tcgetattr(self._terminal)
        self._statuses: SimpleQueue[int | None] = SimpleQueue()  # a signal's handler may put there
        self._released = threading.Event()
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, name="lifeline", daemon=True).start()
        self._before = {number: signal.signal(number, self._hear) for number in _ENDING}
        return self

    def __exit__(self, *_error: object) -> None:
        """The application has ended by itself."""
        self._released.set()
        self._statuses.put(None)
        for number, before in self._before.items():
            signal.signal(number, before)

    def ask_first(self, ask: Callable[[int], object]) -> None:
        """From now on the terminal is not to be left as it is: `ask` asks the application, from
        another thread, to end with a status. If that takes long, the end comes all the same.
        """
        with self._asking:
            self._ask = ask

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._statuses.put(128 + number)

    def _watch(self) -> None:
        status = self._status()
        if status is None:
            return
        with self._asking:
            if self._ask is None:
                os._exit(status)
        with contextlib.suppress(RuntimeError):  # its loop has ended by itself
            self._ask(status)
        if not self._released.wait(_GRACE_SECONDS):
            self._restore()
            os._exit(status)

    def _status(self) -> int | None:
        """Wait for the end, and with which status it has to be brought about, if at all."""
        while True:
            try:
                return self._statuses.get(timeout=_LOOK_SECONDS)
            except Empty:
                if not self._terminal_lives():
                    return GONE

    def _terminal_lives(self) -> bool:
        try:
            termios.tcgetattr(self._terminal)
        except termios.error:
            return False
        return True

    def _restore(self) -> None:
        """Leave the terminal as it was found, even if nobody reads there any more."""
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(self._terminal, termios.TCOFLUSH)
            termios.tcsetattr(self._terminal, termios.TCSANOW, self._attributes)
            way = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY
            os.write(os.open(os.ttyname(self._terminal), way), _LEAVE)
