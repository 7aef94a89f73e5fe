"""That the process ends when its terminal has gone, or when it is told to, come what may.

Textual writes through a thread of its own. When the terminal goes away that thread dies, and the
application soon waits for it for ever; so a second thread watches. Every action of a game is on
the disk by then, so nothing is lost by ending at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

GONE: Final = 128 + signal.SIGHUP
"""The exit status of a process whose terminal has gone."""
_LOOK_SECONDS: Final = 2.0
_GRACE_SECONDS: Final = 2.0


class Lifeline:
    """Watches the terminal; `ask` asks the application to end with a status, from any thread."""

    def __init__(self, ask: Callable[[int], object]) -> None:
        self._ask = ask
        self._released = threading.Event()
        threading.Thread(target=self._watch, name="lifeline", daemon=True).start()

    def release(self) -> None:
        """The application has ended by itself."""
        self._released.set()

    def end(self, status: int) -> None:
        """End with this status: in good order if that goes quickly, else at once."""
        self._ask(status)
        timer = threading.Timer(_GRACE_SECONDS, self._now, (status,))
        timer.daemon = True
        timer.start()

    def _watch(self) -> None:
        while not self._released.wait(_LOOK_SECONDS):
            if not terminal_lives():
                self.end(GONE)
                return

    def _now(self, status: int) -> None:
        if not self._released.is_set():
            os._exit(status)


def terminal_lives() -> bool:
    """Whether the terminal that keys come from is still there."""
    import termios

    try:
        termios.tcgetattr(sys.__stdin__.fileno() if sys.__stdin__ else 0)
    except (termios.error, ValueError):
        return False
    return True
