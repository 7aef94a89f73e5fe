"""A Textual driver that draws on an SSH channel.

Out go whole frames or nothing. While the client is too slow for them they are dropped, and when
it reads again the screen is drawn whole: what it shows is never older than the line makes it, and
a stalled client costs no memory. In come events at the pace at which the app deals with them.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, Protocol, TextIO

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from racko_net.serverside.limits import Bucket
from racko_tui.ssh.backlog import Backlog
from racko_tui.ssh.visit import Terminal
from racko_tui.terminal import asciify
from racko_tui.terminal.keyboard import TICK, Keyboard
from racko_tui.terminal.size import clamped

_SLICE: Final = 16
"""Events that an app is given at once."""
_BURST: Final = 240
"""Keys that are taken at once after a quiet time."""
_LONGEST: Final = 20_000
"""Characters of the longest text that can be pasted."""
_PATIENCE: Final = 1.0
"""Seconds after which an app gets more keys even if it has not dealt with the last ones."""

_ENTER: Final = (
    "\x1b[?1049h"  # alternate screen
    "\x1b[?1000h\x1b[?1002h\x1b[?1006h"  # mouse: buttons and dragging; every motion costs too much
    "\x1b[?25l"  # no cursor
    "\x1b[?2004h"  # bracketed paste
    "\x1b[?7l"  # no line wrap
)
_ASK_SYNCHRONISED: Final = "\x1b[?2026$p"
_LEAVE: Final = (
    "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?1000l"
    "\x1b[0m\x1b[2J\x1b[H"  # for terminals that have no alternate screen to leave
    "\x1b[?1049l\x1b[?25h"
)


class Port(Protocol):
    """What a driver needs of the channel that it draws on."""

    terminal: Terminal

    def attach(self, driver: SshDriver) -> None:
        """From now on the driver takes what the client sends."""

    def painted(self) -> None:
        """The first frame has been sent."""

    def write(self, data: bytes) -> None:
        """Send to the client."""

    def pause_reading(self) -> None:
        """Let the client wait with what it sends."""

    def resume_reading(self) -> None:
        """Let it go on."""


class SshDriver(Driver):
    """Draws on `port`, and takes its keys from there."""

    def __init__(
        self,
        app: App[Any],
        *,
        port: Port,
        keys_per_second: float,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=False, mouse=mouse, size=size)
        self._port = port
        self._encoding = port.terminal.encoding
        self._keyboard = Keyboard(port.terminal.encoding, longest=_LONGEST)
        self._backlog = Backlog()
        self._bucket = Bucket(keys_per_second, _BURST, self._loop.time)
        self._frame: list[str] = []
        self._flush_due = False
        self._painted = False
        self._open = False
        self._stalled = False
        self._missed = False
        self._busy = False
        self._reading = True
        self._timers: dict[str, asyncio.TimerHandle] = {}
        # Whatever is called from the channel runs as part of this app, and of no other.
        self._context = contextvars.copy_context()
        self.dropped = 0
        """Frames that the client was too slow for."""
        self.last_input = self._loop.time()
        """When the client last sent anything, in seconds of the loop's clock."""

    # What the app asks

    def write(self, data: str) -> None:  # noqa: D102
        self._frame.append(data)
        if not self._flush_due:  # some of Textual, the bell for one, writes and never flushes
            self._flush_due = True
            self._loop.call_soon(self.flush, context=self._context)

    def flush(self) -> None:  # noqa: D102
        self._flush_due = False
        if not self._frame:
            return
        frame = "".join(self._frame)
        self._frame.clear()
        if not self._open:
            return
        if self._stalled:
            self._missed = True
            self.dropped += 1
            return
        self._send(frame)
        if not self._painted:
            self._painted = True
            self._port.painted()

    def start_application_mode(self) -> None:  # noqa: D102
        self._open = True
        kind = self._port.terminal.kind
        asks = not kind.startswith(("linux", "vt", "ansi"))  # those would show the question
        self._send(_ENTER + (_ASK_SYNCHRONISED if asks else ""))
        self._port.attach(self)

    def disable_input(self) -> None:  # noqa: D102
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def stop_application_mode(self) -> None:  # noqa: D102
        self.disable_input()
        if self._open:
            self._open = False
            self._send(_LEAVE)

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Do nothing: the browser would open at the host."""

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Do nothing: the file would lie on the host's disk."""
        binary.close()

    def send_message(self, message: Message) -> None:  # noqa: D102
        self._app.post_message(message)  # this is the app's own thread, and its own loop

    # What the channel tells

    def receive(self, data: bytes) -> None:
        """Bytes from the client."""
        self._context.run(self._receive, data)

    def resize(self, width: int, height: int) -> None:
        """The client's window has changed."""
        self._size = clamped(width, height)
        size = Size(*self._size)
        self._context.run(self._app.post_message, events.Resize(size, size))

    def pause_writing(self) -> None:
        """The client does not keep up: drop frames."""
        self._stalled = True

    def resume_writing(self) -> None:
        """It has caught up: show how things are now."""
        if self._missed:
            self.ask(self._catch_up)
        else:
            self._stalled = False

    def _catch_up(self) -> None:
        """Draw everything. Until now frames were dropped: they change what was never shown."""
        self._stalled = self._missed = False
        self._app.refresh()

    def ask(self, callback: Callable[..., Any], *values: Any) -> None:
        """Call something of the app's as the app itself would."""
        self._context.run(self._app.call_later, callback, *values)

    def hang_up(self) -> None:
        """The client is gone, or has to go: end the app."""
        self._context.run(self._app.exit)

    # Keys

    def _receive(self, data: bytes) -> None:
        self.last_input = self._loop.time()
        self._take(self._keyboard.feed(data))
        self._call_later("tick", TICK, self._tick)

    def _tick(self) -> None:
        self._take(self._keyboard.tick())
        if self._keyboard.ticking:
            self._call_later("tick", TICK, self._tick)

    def _take(self, found: list[Message]) -> None:
        for event in found:
            self._backlog.add(event)
        self._pump()
        if self._backlog.crowded and self._reading:
            self._reading = False
            self._port.pause_reading()

    def _pump(self) -> None:
        """Give the app its next events, if it has dealt with the last."""
        if self._busy or not self._backlog:
            return
        wait = self._bucket.wait()
        if wait > 0.0:
            self._call_later("pace", wait, self._pump)
            return
        count = 0
        while count < min(_SLICE, len(self._backlog)) and self._bucket.take():
            count += 1
        for event in self._backlog.take(count):
            self.process_message(event)
        self._busy = True
        self._call_later("fence", _PATIENCE, self._pass_fence)
        self._app.call_later(self._fence)
        if not self._reading and not self._backlog.crowded:
            self._reading = True
            # What waits in the channel arrives at once, and this may run in the app's context.
            self._loop.call_soon(self._resume)

    def _resume(self) -> None:
        if self._reading:
            self._port.resume_reading()

    def _fence(self) -> None:
        """The app has passed the keys on; wait for whoever has the focus to deal with them."""
        target = self._app.focused or self._app.screen
        if not target.call_later(self._pass_fence):
            self._pass_fence()

    def _pass_fence(self) -> None:
        self._busy = False
        timer = self._timers.pop("fence", None)
        if timer:
            timer.cancel()
        self._pump()

    def _call_later(self, name: str, delay: float, callback: Any) -> None:
        """Set the timer of that name anew."""
        if not self._open:
            return
        timer = self._timers.get(name)
        if timer:
            timer.cancel()
        self._timers[name] = self._loop.call_later(delay, callback, context=self._context)

    def _send(self, text: str) -> None:
        self._port.write(text.encode(self._encoding, asciify.ERRORS))
