"""How fast the server is: round trips beside a bare echo, a full house, and a crowd that watches.

    python -m tests.bench.net [--quick] [--seconds N]

Everything runs on loopback, the server in a process of its own. Aims: the round trip of an action
within 3 times that of the echo at p50; with 1,000 tables on which an action is done every second
(2,000 players, each acting every 2 s) p99 under 50 ms; 100 spectators slow a player down by half
at most.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from time import perf_counter
from typing import Any

import msgpack
import msgspec

from racko_core.rules import Rules
from racko_net.framing import FrameReader, frame
from tests.bench._net_processes import Process, many_files

RULES = Rules(target=10_000, max_rounds=500, stalemate_turnovers=2)
"""For players who only draw and discard: rounds of an ordinary length, and many of them."""


@dataclass
class Scale:
    """How much is measured."""

    trips: int = 1000
    repeats: int = 5
    tables: int = 1000
    seconds: float = 30.0
    watchers: int = 100


QUICK = Scale(trips=40, repeats=1, tables=5, seconds=0.5, watchers=5)


class Client(asyncio.Protocol):
    """A player that knows only what a benchmark needs."""

    def __init__(self) -> None:
        self.seat = 0
        self.seq = 0
        self.position: dict[str, Any] = {}
        self.seated: dict[str, Any] = {}
        self.news = asyncio.Event()
        self.ready_for = 0
        self.told = b""
        """The last thing that the server told without being asked."""
        self._reader = FrameReader()
        self._answer: asyncio.Future[dict[str, Any]] | None = None
        self._ids = 0

    @classmethod
    async def dial(cls, port: int) -> Client:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(cls, "127.0.0.1", port)
        return client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for payload in self._reader.feed(data):
            message = msgspec.msgpack.decode(payload)
            kind = message["type"]
            if kind in ("snapshot", "update"):
                self.told = payload
                self.seq = message["seq"]
                self.position = message.get("position") or self.position
                self.news.set()
            elif kind == "ping":
                self.send({"type": "pong", "n": message.get("n", 0)})
            elif self._answer is not None and not self._answer.done():
                self._answer.set_result(message)

    def send(self, message: dict[str, Any]) -> None:
        self._transport.write(frame(msgspec.msgpack.encode(message)))  # type: ignore[attr-defined]

    async def request(self, message: dict[str, Any]) -> dict[str, Any]:
        self._answer = asyncio.get_running_loop().create_future()
        self._ids += 1
        self.send({"id": f"b{self._ids}", **message})
        return await self._answer

    async def hello(self) -> None:
        await self.request({"type": "hello", "versions": [2], "name": "Bench"})

    async def ask(self, **given: Any) -> dict[str, Any]:
        answer = await self.request({"type": "ask", "input": given, "seq": self.seq})
        assert answer.get("result", "accepted") == "accepted", answer
        return answer

    async def my_turn(self) -> None:
        """Wait for it; be ready for every deal."""
        while self.position.get("turn") != self.seat or self.position["phase"] == "deal":
            if self.position.get("phase") == "deal" and self.ready_for != self.position["round"]:
                self.ready_for = self.position["round"]
                await self.ask(input="ready", seat=self.seat)
                continue
            self.news.clear()
            await self.news.wait()

    async def act(self) -> None:
        """Draw, or throw the drawn card away."""
        action = "x" if self.position["phase"] == "drawn" else "d"
        await self.ask(input="do", seat=self.seat, action=action)


async def table(port: int) -> tuple[Client, Client]:
    """Two players at the first turn of a game."""
    pair = (await Client.dial(port), await Client.dial(port))
    for client in pair:
        await client.hello()
    seated = await pair[0].request({"type": "create", "rules": RULES.to_dict()})
    pair[0].seated = seated
    await pair[1].request({"type": "join", "table": seated["table"]})
    pair[1].seat = 1
    await pair[0].ask(input="start")
    await until(lambda: all(client.position.get("phase") == "turn" for client in pair))
    return pair


async def until(true: Callable[[], bool]) -> None:
    """Let the loop run until the server has told something."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - clients are no tasks
            await asyncio.sleep(0)


async def ready(pair: tuple[Client, Client]) -> None:
    """Wait until both know how things stand, and have the next round dealt where one has ended."""
    await until(lambda: pair[0].seq == pair[1].seq)
    if pair[0].position["phase"] == "deal":
        for client in pair:
            await client.ask(input="ready", seat=client.seat)
        await until(lambda: all(client.position["phase"] != "deal" for client in pair))
        await until(lambda: pair[0].seq == pair[1].seq)


async def trips(client: Client, count: int) -> list[float]:
    """Seconds of each round trip of a player, whose partner plays in a process of its own."""
    times: list[float] = []
    while len(times) < count:
        await client.my_turn()
        start = perf_counter()
        await client.act()
        times.append(perf_counter() - start)
    return times


async def echoes(port: int, payload: bytes, count: int) -> list[float]:
    """The same for an echo, on both sides with asyncio's streams, of as many bytes as an action
    brings back.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    message = msgpack.unpackb(payload)
    times = []
    for _ in range(count):
        start = perf_counter()
        writer.write(frame(msgpack.packb(message)))
        length = int.from_bytes(await reader.readexactly(4), "big")
        msgpack.unpackb(await reader.readexactly(length))
        times.append(perf_counter() - start)
    writer.close()
    return times


async def full_house(port: int, scale: Scale) -> tuple[list[float], list[dict[str, Any]]]:
    """Every table acts once a second, for so many seconds: round trips, and the status before,
    with all seated, in the middle, and at the end.
    """
    asker = await Client.dial(port)
    await asker.hello()
    status = [await asker.request({"type": "ask-status"})]
    tables = [await table(port) for _ in range(scale.tables)]
    status.append(await asker.request({"type": "ask-status"}))
    loop = asyncio.get_running_loop()
    begin = loop.time()
    times: list[float] = []

    async def play(pair: tuple[Client, Client], offset: float) -> None:
        at = begin + offset
        while at < begin + scale.seconds:
            await asyncio.sleep(max(0.0, at - loop.time()))
            await ready(pair)
            client = pair[pair[0].position["turn"]]
            start = perf_counter()
            await client.act()
            times.append(perf_counter() - start)
            at += 1.0

    async def look() -> None:
        await asyncio.sleep(scale.seconds / 2)
        status.append(await asker.request({"type": "ask-status"}))

    await asyncio.gather(
        look(), *(play(pair, number / scale.tables) for number, pair in enumerate(tables))
    )
    status.append(await asker.request({"type": "ask-status"}))
    return times, status


def show(name: str, times: list[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=100)
    middle, late = cuts[49] * 1000, cuts[98] * 1000
    print(f"{name:34}{middle:9.3f} ms p50{late:9.3f} ms p99{len(times):9,} trips")
    return middle, late


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    parser.add_argument("--seconds", type=float, help="of the full house")
    given = parser.parse_args(arguments)
    scale = QUICK if given.quick else Scale()
    if given.seconds:
        scale.seconds = given.seconds
    many_files()
    with Process("echo") as echo, Process("serve") as server:
        asyncio.run(one_table(int(echo.said), int(server.said), scale))
    with Process("serve") as server:
        asyncio.run(house(int(server.said), scale))


async def one_table(echo: int, port: int, scale: Scale) -> None:
    client = await Client.dial(port)
    await client.hello()
    seated = await client.request({"type": "create", "rules": RULES.to_dict()})
    code = seated["table"]
    with Process("partner", str(port), code):
        await client.ask(input="start")
        await trips(client, scale.trips // 10)  # to get warm
        await echoes(echo, client.told, scale.trips // 10)
        bare, acts = [], []
        for _ in range(scale.repeats):  # by turns, so that both meet the same weather
            bare += await echoes(echo, client.told, scale.trips)
            acts += await trips(client, scale.trips)
        least, _ = show(f"bare echo of {len(client.told)} bytes", bare)
        alone, _ = show("an action", acts)
        print(f"{'':34}{alone / least:9.2f} times the echo (aim: 3)")
        with Process("watch", str(port), code, str(scale.watchers)):
            watched, _ = show(f"with {scale.watchers} spectators", await trips(client, scale.trips))
        print(f"{'':34}{watched / alone:9.2f} times that without (aim: 1.5)")


async def house(port: int, scale: Scale) -> None:
    times, status = await full_house(port, scale)
    show(f"{scale.tables:,} tables, {scale.seconds:.0f} s", times)
    before, seated, _, end = (each["memory"] for each in status)
    per_table = (seated - before) / scale.tables / 1024
    print(f"{'':34}{per_table:9.1f} KB a table with its two connections")
    growth = [each["memory"] / 1e6 for each in status]
    print(f"{'':34}" + " -> ".join(f"{each:.1f}" for each in growth) + " MB: empty, seated,")
    print(f"{'':34}half-way, end ({(end - seated) / 1e6:+.1f} MB of history)")


if __name__ == "__main__":
    main()
