"""Processes for the benchmark of the network: `python -m ... serve|echo|partner|watch`.

Each prints a line when it is ready, and ends when it is told to.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import msgpack

from racko_core.seating import Options
from racko_net.framing import FrameReader, frame
from racko_net.server import ServerConfig, serve
from racko_net.serverside.limits import Limits

ROOT = Path(__file__).parent.parent.parent
LIMITS = Limits(
    connections=10_000, rate=1e9, burst=10**9, tables=10_000, watchers=1000, inputs=10**9
)


def many_files() -> None:
    """Let this process hold as many connections as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Process:
    """One of the processes below."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        self.said = self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdout is not None
        self._process.terminate()
        self._process.wait(20)
        self._process.stdout.close()


def run_server() -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = ServerConfig(
            Path(folder),
            host="127.0.0.1",
            port=0,
            discovery=False,
            options=Options(grace=None),
            limits=LIMITS,
        )
        asyncio.run(serve(config, started=lambda server: print(server.port, flush=True)))


async def echo() -> None:
    """Answers every message with itself, the way asyncio's streams are meant to be used."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while header := await reader.read(4):
            length = int.from_bytes(header, "big")
            message = msgpack.unpackb(await reader.readexactly(length))
            writer.write(frame(msgpack.packb(message)))
            await writer.drain()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def watch(port: int, code: str, count: int) -> None:
    """So many spectators, who read and forget."""

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for message in (
            {"type": "hello", "versions": [2], "name": "W"},
            {"type": "watch", "id": "w", "table": code},
        ):
            writer.write(frame(msgpack.packb(message)))
        await reader.read(100)
        ready.release()
        while await reader.read(1 << 16):
            pass

    ready = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(one()) for _ in range(count)]
    for _ in range(count):
        await ready.acquire()
    print("watching", flush=True)
    await asyncio.gather(*tasks)


async def partner(port: int, code: str) -> None:
    """The other player of a table: draws, discards, and is ready."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    frames, number, seq = FrameReader(), 0, 0

    def send(**message: object) -> None:
        writer.write(frame(msgpack.packb(message)))

    send(type="hello", versions=[2], name="Partner")
    send(type="join", id="j", table=code)
    while data := await reader.read(1 << 16):
        for payload in frames.feed(data):
            message = msgpack.unpackb(payload)
            position = message.get("position")
            seq = message.get("seq", seq)
            if message["type"] == "seated":
                print("seated", flush=True)
            elif message["type"] == "ping":
                send(type="pong", n=message["n"])
            elif position and position["phase"] == "deal":
                number += 1
                send(type="ask", id=f"r{number}", input={"input": "ready", "seat": 1})
            elif position and position["turn"] == 1:
                number += 1
                action = "x" if position["phase"] == "drawn" else "d"
                given = {"input": "do", "seat": 1, "action": action}
                send(type="ask", id=f"r{number}", input=given, seq=seq)


if __name__ == "__main__":
    many_files()
    match sys.argv[1:]:
        case ["serve"]:
            run_server()
        case ["echo"]:
            asyncio.run(echo())
        case ["partner", port, code]:
            asyncio.run(partner(int(port), code))
        case ["watch", port, code, count]:
            asyncio.run(watch(int(port), code, int(count)))
