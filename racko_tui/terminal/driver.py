"""The driver for a terminal of the player's own: Textual's, with an ear for what terminals send.

Textual's stops listening for good at the first byte that is not UTF-8, and believes any size.
"""

from __future__ import annotations

import math
import os
import selectors
import signal

from textual.drivers.linux_driver import LinuxDriver

from racko_tui.terminal.keyboard import TICK, Keyboard
from racko_tui.terminal.size import clamped

_AT_ONCE = 4096
"""Bytes that are read at once."""


class TerminalDriver(LinuxDriver):
    """Draws on the error output; keys come from the standard input."""

    def _get_terminal_size(self) -> tuple[int, int]:
        self._size = clamped(*super()._get_terminal_size())
        return self._size

    def _query_in_band_window_resize(self) -> None:
        """Do not ask: the size comes from the system, whatever the terminal writes about it."""

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Pass on what the terminal sends until the application ends, or the terminal has gone."""
        keyboard = Keyboard("utf-8", longest=math.inf)  # a long paste takes the player's own memory
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if not selector.select(TICK):
                    found = keyboard.tick()
                elif data := self._read():
                    found = keyboard.feed(data)
                else:
                    os.kill(os.getpid(), signal.SIGHUP)
                    return
                for event in found:
                    self.process_message(event)

    def _read(self) -> bytes:
        """What there is; nothing if the terminal has gone."""
        try:
            return os.read(self.fileno, _AT_ONCE)
        except OSError:
            return b""
