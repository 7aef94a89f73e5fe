"""Programs end with whoever started them, however that ends: by a signal, in a crash, by kill -9.

A process that starts programs has a guard beside it, a small process that hears of them through a
pipe: `+7` for process group 7, `-7` once that has ended. When the pipe ends, the starter has, and
the guard kills the groups that are left. There is a guard as long as there are programs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import Final

_DEAF_TO: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What may be sent to all processes of a name or a terminal; the end of the pipe tells enough."""


class Guard:
    """Our end of the pipe. May be used by several threads."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def watch(self, group: int) -> None:
        """Have a process group killed when this process ends. Raises `OSError`."""
        with self._lock:
            self._groups.add(group)
            if self._process is None or not self._told(self._process, f"+{group}\n"):
                self._process = self._started()
                self._told(self._process, "".join(f"+{each}\n" for each in self._groups))

    def forget(self, group: int) -> None:
        """It has ended, but was not waited for yet: nobody else can have its number so far."""
        with self._lock:
            self._groups.discard(group)
            if self._process is not None:
                self._told(self._process, f"-{group}\n")
                if not self._groups:
                    assert self._process.stdin is not None
                    self._process.stdin.close()
                    self._process.wait()
                    self._process = None

    @staticmethod
    def _started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    @staticmethod
    def _told(process: subprocess.Popen[bytes], text: str) -> bool:
        assert process.stdin is not None
        try:
            process.stdin.write(text.encode())
        except OSError:  # somebody has ended it
            return False
        return True


def _keep(lines: Iterable[bytes]) -> None:
    """What the guard does."""
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in lines:
        group = int(line[1:])
        if line.startswith(b"+"):
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    _keep(sys.stdin.buffer)
