"""One worker process: started, watched, ended when it hangs, and started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

from racko_tui.ssh import control
from racko_tui.ssh.control import Control, Line
from racko_tui.ssh.options import Options

_log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 30.0  # seconds before a worker that died is started again
_HEALTHY: Final = 60.0  # seconds of life after which a death is the first one again
_LOOK: Final = 1.0  # seconds between two looks at whether it hangs
_STARTING: Final = 60.0  # seconds that it may take to start
_STOPPING: Final = 8.0  # seconds that it may take to stop
_KEPT_BACK: Final = ("TEXTUAL", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "TERM", "SSH_", "DISPLAY")
"""Variables of ours that no worker gets: they are about our terminal, not about the players'."""

Told = Callable[[str, int], None]
"""Told what becomes of a connection: `in`, `wrong` or `out`, and its number."""


class Supervised:
    """A worker process. Whatever happens to it, it is the same to the host."""

    def __init__(self, options: Options, told: Told, clock: Callable[[], float]) -> None:
        self._options = options
        self._told = told
        self._clock = clock
        self._here: set[int] = set()
        self._unclaimed: dict[int, socket.socket] = {}
        """Connections that no process has taken over yet: they outlive the one they went to."""
        self._control: Control | None = None
        self._sign = 0.0
        self._stopping = asyncio.Event()
        self.ready = asyncio.Event()
        """Set while it takes connections."""
        self.pid: int | None = None
        """The process now; None while there is none."""
        self.deaths = 0
        """How often in a row it has died young."""

    @property
    def load(self) -> int:
        """How many connections it has."""
        return len(self._here)

    def take(self, number: int, sock: socket.socket) -> None:
        """Serve a connection, as soon as there is a process for it."""
        self._here.add(number)
        self._unclaimed[number] = sock
        if self.ready.is_set() and self._control:
            self._control.say({"take": number}, sock.dup())

    def stop(self) -> None:
        """Let the sessions end, and then the process. `run` returns when it has."""
        self._stopping.set()
        if self._control:
            self._control.close()

    async def run(self) -> None:
        """Keep a process alive until `stop`."""
        while not self._stopping.is_set():
            born = self._clock()
            status = await self._live()
            if self._stopping.is_set():
                break
            self.deaths = 1 if self._clock() - born > _HEALTHY else self.deaths + 1
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (self.deaths - 1))
            _log.error("an SSH worker has died (%s); another starts in %.1f s", status, pause)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)
        for number in list(self._here):
            self._leave(number)

    async def _live(self) -> int:
        """One process from start to end; its exit status."""
        ours, theirs = control.pair()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "racko_tui.ssh.worker",
                str(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                env={
                    name: value
                    for name, value in os.environ.items()
                    if not name.startswith(_KEPT_BACK)
                },
                start_new_session=True,  # Ctrl+C at the host lets the sessions end in good order
            )
        self.pid = process.pid
        self._sign = self._clock()
        self._control = Control(ours, self._hear, self.ready.clear)
        self._control.say({"options": self._options.packed()})
        try:
            return await self._watch(process)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self._bury()

    async def _watch(self, process: asyncio.subprocess.Process) -> int:
        exited = asyncio.ensure_future(process.wait())
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while True:
                await asyncio.wait(
                    (exited, stopping), timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED
                )
                if exited.done():
                    return exited.result()
                if stopping.done():
                    return await asyncio.wait_for(asyncio.shield(exited), _STOPPING)
                allowed = self._options.limits.hang if self.ready.is_set() else _STARTING
                if self._clock() - self._sign > allowed:
                    _log.error("an SSH worker hangs and is ended")
                    self.ready.clear()
                    process.kill()
        except TimeoutError:
            return -9
        finally:
            exited.cancel()
            stopping.cancel()

    def _bury(self) -> None:
        self.pid = None
        self.ready.clear()
        if self._control:
            self._control.close()
            self._control = None
        for number in self._here.difference(self._unclaimed):  # the others get the next process
            self._leave(number)

    def _hear(self, line: Line, _passed: Any) -> None:
        self._sign = self._clock()
        if "ready" in line:
            self.ready.set()
            for number, sock in list(self._unclaimed.items()):
                self.take(number, sock)
        elif "got" in line:
            self._claim(line["got"])
        elif "out" in line:
            self._leave(line["out"])
        else:
            for what in ("in", "wrong"):
                if line.get(what) in self._here:
                    self._told(what, line[what])

    def _claim(self, number: int) -> None:
        sock = self._unclaimed.pop(number, None)
        if sock:
            sock.close()

    def _leave(self, number: int) -> None:
        self._claim(number)
        if number in self._here:
            self._here.discard(number)
            self._told("out", number)
