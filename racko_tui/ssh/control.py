"""What the host and its workers say to each other: lines of JSON over a socket pair.

From the host: `{"options": …}` first, then `{"take": number}` with the connection's own socket
beside it. From a worker: `{"ready": true}`, `{"beat": sessions}` every few seconds, and
what becomes of a connection: `{"in": number}`, `{"wrong": number}`, `{"out": number}`. When either
end closes, the other ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Any, Final

Line = dict[str, Any]
_CHUNK: Final = 65536
_SOCKETS: Final = 16


class Control:
    """One end. `heard` gets every line, with its socket if it has one; `gone` is called once."""

    def __init__(
        self,
        end: socket.socket,
        heard: Callable[[Line, socket.socket | None], None],
        gone: Callable[[], None],
    ) -> None:
        end.setblocking(False)
        self._end = end
        self._heard = heard
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._unread = b""
        self._sockets: deque[socket.socket] = deque()
        self._unsent: deque[tuple[bytes, socket.socket | None]] = deque()
        self._closed = False
        self._loop.add_reader(end, self._read)

    def say(self, line: Line, passed: socket.socket | None = None) -> None:
        """Send a line; a socket that goes with it is the other end's from now on."""
        if self._closed:
            if passed:
                passed.close()
            return
        self._unsent.append((json.dumps(line).encode() + b"\n", passed))
        self._write()

    def close(self) -> None:
        """Hang up."""
        if self._closed:
            return
        self._closed = True
        self._loop.remove_reader(self._end)
        self._loop.remove_writer(self._end)
        self._end.close()
        for _, passed in self._unsent:
            if passed:
                passed.close()
        for passed in self._sockets:
            passed.close()

    def _write(self) -> None:
        try:
            while self._unsent:
                data, passed = self._unsent[0]
                if passed:
                    sent = socket.send_fds(self._end, [data], [passed.fileno()])
                    passed.close()
                else:
                    sent = self._end.send(data)
                if sent == len(data):
                    self._unsent.popleft()
                else:
                    self._unsent[0] = (data[sent:], None)
        except BlockingIOError:
            self._loop.add_writer(self._end, self._write)
        except OSError:
            self._lost()
        else:
            self._loop.remove_writer(self._end)

    def _read(self) -> None:
        try:
            data, handles, _, _ = socket.recv_fds(self._end, _CHUNK, _SOCKETS)
        except BlockingIOError:
            return
        except OSError:
            data, handles = b"", []
        self._sockets.extend(socket.socket(fileno=handle) for handle in handles)
        if not data:
            self._lost()
            return
        *lines, self._unread = (self._unread + data).split(b"\n")
        for text in lines:
            line = json.loads(text)
            self._heard(line, self._sockets.popleft() if "take" in line else None)
            if self._closed:
                return

    def _lost(self) -> None:
        if not self._closed:
            self.close()
            self._gone()


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends. The second is to be handed to a child process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    os.set_inheritable(theirs.fileno(), True)
    return ours, theirs
