"""A cable between a client and a server that a test can cut, hold, and plug in again."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class Cable:
    """Forwards connections to a port; `port` is where clients dial."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.port = 0
        self.dialled = 0
        """Connections so far."""
        self.unplugged = False
        """While true, every new connection is closed at once."""
        self.held = False
        """While true, nothing is forwarded to the client."""
        self._released = asyncio.Event()
        self._released.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._plug, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._writers:
            writer.transport.abort()

    def hold(self) -> None:
        """Let nothing through to the client; it does not notice."""
        self._released.clear()

    def release(self) -> None:
        self._released.set()

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.dialled += 1
        if self.unplugged:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        for source, sink, gate in (
            (reader, far_writer, False),
            (far_reader, writer, True),
        ):
            task = asyncio.create_task(self._forward(source, sink, gate))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, gate: bool
    ) -> None:
        try:
            while data := await source.read(65536):
                if gate:
                    await self._released.wait()
                sink.write(data)
        except OSError:
            sink.transport.abort()
        else:
            sink.close()
        self._writers.discard(sink)
