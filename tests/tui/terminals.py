"""Real terminals in tests: programs on ptys, and what a person would see on their screens."""

from __future__ import annotations

import codecs
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte

MAIN = "import sys; from racko_tui.cli import main; sys.exit(main())"
PATIENCE = 30.0
"""Seconds after which a text that has not come is a failure; no test waits that long when all is
well."""


class Terminal:
    """A racko on a terminal of its own."""

    def __init__(self, home: Path, *arguments: str, size: tuple[int, int] = (80, 24)) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", MAIN, *arguments],
            env={**os.environ, "RACKO_HOME": str(home)},
            dimensions=(rows, columns),
            timeout=None,
        )
        self.child.delaybeforesend = None

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        """Send keys as a terminal would."""
        self.child.send(keys)

    def read(self) -> bool:
        """Take in what there is; whether there was anything."""
        with suppress(pexpect.TIMEOUT, pexpect.EOF, OSError):
            self._stream.feed(self._decode(self.child.read_nonblocking(65536, timeout=0)))
            return True
        return False

    def kill(self) -> None:
        """As when the power fails."""
        self.child.kill(signal.SIGKILL)
        self.child.wait()

    def drop(self) -> None:
        """As when an SSH connection breaks: the terminal is gone, and nobody says goodbye."""
        self.child.ptyproc.fileobj.close()

    def close(self) -> None:
        """Whatever becomes of the program."""
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
        self.child.close(force=True)


class Room:
    """Terminals side by side: all of them are read while one waits for anything."""

    def __init__(self) -> None:
        self.terminals: list[Terminal] = []

    def open(self, home: Path, *arguments: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        """One more terminal."""
        terminal = Terminal(home, *arguments, size=size)
        self.terminals.append(terminal)
        return terminal

    def pump(self, seconds: float = 0.05) -> None:
        """Read from all; returns soon after something has come."""
        living = [each for each in self.terminals if not each.child.closed]
        ready, _, _ = select.select([each.child.fileno() for each in living], [], [], seconds)
        for each in living:
            if each.child.fileno() in ready and not each.read():
                ready.remove(each.child.fileno())
        if not ready:
            time.sleep(0.01)  # a program that has ended is always ready, and has nothing to say

    def until(self, holds: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Wait until something holds."""
        end = time.monotonic() + patience
        while not holds():
            if time.monotonic() > end:
                screens = "\n".join(f"{'=' * 80}\n{each.text}" for each in self.terminals)
                raise AssertionError(f"never: {what}\n{screens}")
            self.pump()

    def see(self, terminal: Terminal, *texts: str) -> None:
        """Wait until all of these are on a screen."""
        for text in texts:
            self.until(lambda text=text: text in terminal.text, f"{text!r} on the screen")  # type: ignore[misc]

    def gone(self, terminal: Terminal, text: str) -> None:
        """Wait until this is on the screen no more."""
        self.until(lambda: text not in terminal.text, f"{text!r} off the screen")

    def ends(self, terminal: Terminal) -> int | None:
        """Wait for the program's end; its exit status."""
        self.until(lambda: not terminal.child.isalive(), "the end of the program")
        return terminal.child.exitstatus

    def close(self) -> None:
        """Close all."""
        for each in self.terminals:
            each.close()


class Wire:
    """A line to a server that can be cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._pairs: list[Sequence[socket.socket]] = []
        self._listener: socket.socket | None = None
        self.port = 0
        self.mend()

    def mend(self) -> None:
        """Let clients through from now on, always at the same port."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Nobody gets through any more."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for each in pair:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                self._pairs.append((near, far))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_copy, args=(one, other), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def free_port() -> int:
    """A port of this machine that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
