"""A line between a client and a host that a test can make slow, or silent."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from types import TracebackType
from typing import Final, Self

_PIECE: Final = 1024
_BUFFER: Final = 4096  # bytes that the line's ends keep; the system takes more, but not megabytes


class Line:
    """Passes on what goes either way between `port` and its own.

    `delay` is the time that every byte is under way, in seconds; `rate` how many bytes a second
    there is room for in each direction, None for no limit.
    """

    def __init__(self, port: int, *, delay: float = 0.0, rate: float | None = None) -> None:
        self._to = port
        self._delay = delay
        self._rate = rate
        self._open = asyncio.Event()
        self._open.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: list[socket.socket] = []
        self.port = 0
        self.said = 0
        """How often the client has sent something."""

    async def __aenter__(self) -> Self:
        listener = socket.socket()
        _narrow(listener)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        self.port = listener.getsockname()[1]
        self._sockets.append(listener)
        self._spawn(self._accept(listener))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for each in self._sockets:
            each.close()

    def silence(self) -> None:
        """From now on nothing arrives, either way, and nobody is told."""
        self._open.clear()

    def _spawn(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            near, _ = await loop.sock_accept(listener)
            far = self._far = socket.socket()
            for each in (near, far):
                _narrow(each)
                each.setblocking(False)
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._sockets.append(each)
            await loop.sock_connect(far, ("127.0.0.1", self._to))
            self._spawn(self._carry(near, far))
            self._spawn(self._carry(far, near))

    async def _carry(self, source: socket.socket, target: socket.socket) -> None:
        """One direction. What is under way arrives after what was sent before it."""
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arriving = loop.create_task(self._arrive(under_way, target))
        free = loop.time()
        try:
            while True:
                data = await loop.sock_recv(source, _PIECE)
                self.said += target is self._far
                await self._open.wait()
                if self._rate:
                    free = max(free, loop.time()) + len(data) / self._rate
                    await asyncio.sleep(free - loop.time())
                under_way.put_nowait((loop.time() + self._delay, data))
                if not data:
                    await arriving
                    return
        except OSError:
            pass
        finally:
            arriving.cancel()

    async def _arrive(
        self, under_way: asyncio.Queue[tuple[float, bytes]], target: socket.socket
    ) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while True:
                due, data = await under_way.get()
                await asyncio.sleep(due - loop.time())
                await self._open.wait()
                if not data:
                    target.shutdown(socket.SHUT_WR)
                    return
                await loop.sock_sendall(target, data)


def _narrow(end: socket.socket) -> None:
    for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        end.setsockopt(socket.SOL_SOCKET, buffer, _BUFFER)
