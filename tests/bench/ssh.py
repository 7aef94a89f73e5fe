"""How the SSH host carries players: keys, memory, first paint, coming and going.

    python -m tests.bench.ssh [--quick] [--players N] [--seconds N]

The host (two workers beside a game server) has one core, the players (asyncssh) another; every
player sits at a table of the real application. Aims: with 100 players at one key a second, from key
to screen 5 ms p50 and 25 ms p99; 1.2 MB a session on top of the worker; 80 ms from the open channel
to the first paint while nobody else plays; memory flat while 1,000 come and go, once 1,000 have
made the heap as large as it gets, and no application alive. Of those a third leave, a third are cut
off, a third crash. The baseline runs the same application in a process for each session.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import asyncssh

from tests.bench._ssh_host import COUNTS, CRASHES
from tests.bench.core import yardstick
from tests.tui.ssh.terminals import Answers

PATIENCE = 60.0
STATUS = Path("/proc/self/status")
TO_A_TABLE = (
    ("new table", "n"),
    ("Open the table", "\x1b[B\x1b[B\x1b[C\x1b[F\r"),
    ("are ready: s starts", "s"),
    ("Your turn", ""),
)
"""What the screen shows, and the keys that follow, up to one's turn against a bot."""
MIDDLE, UP, DOWN, LEAVE = b"5", b"\x1b[A", b"\x1b[B", b"\x11"
WARM = 3
"""Keys that are pressed before anything is measured."""
AT_ONCE = 10
"""Players that sit down at the same time; most of that is waiting for bots."""


@dataclass
class Scale:
    players: int = 100
    seconds: float = 20.0
    paints: int = 15
    crowd: int = 2000
    baseline: int = 12
    toasts: float = 16.0
    """Seconds until the last player has no toast any more, and the bots have said their last."""
    release: tuple[float, ...] = (0.0, 2.0, 12.0)
    """Seconds before each look whether timers have let go of the last application."""


QUICK = Scale(players=4, seconds=1.0, paints=2, crowd=12, baseline=2, toasts=0.0, release=(0.0,))


@dataclass
class Host:
    """A host in a process of its own."""

    port: int
    seconds: float
    """From nothing to the last worker being ready."""
    workers: list[int]

    @property
    def memory(self) -> float:
        """MB of all workers; 0 where the system does not say."""
        total = 0
        for pid in self.workers if STATUS.exists() else ():
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    total += int(line.split()[1])
        return total / 1024


@contextmanager
def running(workers: int, per_worker: int) -> Iterator[Host]:
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []

    def stay_on(some: list[int]) -> None:
        if len(cores) > 1:
            os.sched_setaffinity(0, some)

    stay_on(cores[:1])
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench._ssh_host", str(workers), str(per_worker)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    stay_on(cores[1:2])
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        port, seconds, *pids = process.stdout.readline().split()
        yield Host(int(port), float(seconds), [int(pid) for pid in pids])
    finally:
        process.stdin.close()
        process.wait()
        stay_on(cores)


class Player(asyncssh.SSHClientSession[bytes]):
    """A player that looks at nothing but when bytes come."""

    def __init__(self) -> None:
        self.seen = b""
        self.said = b""
        self.painted = 0.0
        self.came = asyncio.Event()
        self.last = 0.0

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.last = perf_counter()
        if datatype is not None:  # beside the screen
            self.said += data
            return
        self.seen += data
        if not self.painted and b"\x1b[1;1H" in self.seen:  # every paint starts at a corner
            self.painted = self.last
        self.came.set()

    async def until(self, text: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while text.encode() not in self.seen:
                    self.came.clear()
                    await self.came.wait()
        except TimeoutError:
            raise TimeoutError(f"{text!r} never came; instead: {self.seen[-300:]!r}") from None

    @classmethod
    async def arrive(cls, port: int, name: str) -> Player:
        connection = await asyncssh.connect(
            "127.0.0.1",
            port,
            username=name,
            client_keys=None,
            known_hosts=None,
            config=None,
            agent_path=None,
            client_factory=Answers,
        )
        opened = perf_counter()
        channel, player = await connection.create_session(
            cls, term_type="xterm-256color", term_size=(80, 24), encoding=None
        )
        player.connection, player.channel, player.opened = connection, channel, opened
        return player

    async def sit_down(self) -> None:
        for shown, keys in TO_A_TABLE:
            await self.until(shown)
            self.seen = b""
            self.channel.write(keys.encode())

    async def press(self, key: bytes) -> float:
        """Seconds from the key to the screen."""
        self.came.clear()
        pressed = perf_counter()
        self.channel.write(key)
        async with asyncio.timeout(PATIENCE):
            await self.came.wait()
        self.seen = b""
        return self.last - pressed

    async def leave(self, *, politely: bool = False) -> None:
        async with asyncio.timeout(PATIENCE):
            if politely:
                self.channel.write(LEAVE)
                await self.channel.wait_closed()
            self.connection.abort()  # as `ssh` does; the host waits ten seconds for it
            await self.connection.wait_closed()


async def first_paints(host: Host, count: int) -> tuple[float, float]:
    """Seconds from the open channel to the first paint, and to the tables; medians."""
    paints, tables = [], []
    for number in range(count + 2):
        player = await Player.arrive(host.port, f"p{number}")
        await player.until("new table")
        if number >= 2:  # the first at each worker finds nothing ready
            paints.append(player.painted - player.opened)
            tables.append(player.last - player.opened)
        await player.leave()
    return median(paints), median(tables)


async def players(host: Host, scale: Scale) -> tuple[list[float], float]:
    """Seconds from key to screen of all, and MB a session."""
    before = host.memory
    places = asyncio.Semaphore(AT_ONCE)

    async def sit_down(name: str) -> Player:
        async with places:
            player = await Player.arrive(host.port, name)
            await player.sit_down()
            return player

    everybody = await asyncio.gather(*(sit_down(f"p{number}") for number in range(scale.players)))
    await asyncio.sleep(scale.toasts)
    each = (host.memory - before) / scale.players

    async def play(player: Player, offset: float) -> list[float]:
        times = []
        start = perf_counter() + offset
        # Arrows start where the discard belongs, maybe at an end: a step beyond it shows nothing.
        keys = [MIDDLE] + [UP, DOWN] * (WARM + round(scale.seconds) // 2)
        for beat, key in enumerate(keys[: WARM + max(2, round(scale.seconds))]):
            await asyncio.sleep(max(0.0, start + beat - perf_counter()))
            times.append(await player.press(key))
        return times[WARM:]

    found = await asyncio.gather(
        *(play(player, number / scale.players) for number, player in enumerate(everybody))
    )
    for player in everybody:
        await player.leave()
    return [seconds for times in found for seconds in times], each


async def crowd(host: Host, scale: Scale) -> tuple[float, float, int]:
    """MB of the host when half have come and gone, and at the end; applications alive then."""
    warm = 0.0
    for number in range(scale.crowd):
        player = await Player.arrive(host.port, CRASHES if number % 3 == 2 else f"p{number}")
        await player.until("new table")
        await player.leave(politely=number % 3 != 1)
        if number == scale.crowd // 2:
            warm = host.memory
    return warm, host.memory, await alive(host, scale)


async def alive(host: Host, scale: Scale) -> int:
    """Applications of those who have gone, when timers had the time to let go of the last."""
    for patience in scale.release:
        await asyncio.sleep(patience)
        found = 0
        asking = [await Player.arrive(host.port, COUNTS) for _ in host.workers]  # one at each
        for player in asking:
            await player.until("new table")
            found += int(re.search(rb"others alive: (\d+)", player.said)[1])
        for player in asking:
            await player.leave()
        if not found:
            break
    return found


def show(name: str, figure: str, aim: str = "") -> None:
    print(f"{name:46}{figure:>24}   {aim}", flush=True)


def in_milliseconds(times: list[float]) -> str:
    cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
    return f"{cuts[49] * 1000:.1f} / {cuts[98] * 1000:.1f} ms"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seconds", type=float, help="of playing")
    given = parser.parse_args(arguments)
    scale = QUICK if given.quick else Scale()
    scale.players = given.players or scale.players
    scale.seconds = given.seconds or scale.seconds
    asyncssh.set_log_level("ERROR")

    calls = yardstick(5_000_000)
    show("yardstick: calls of an empty method a second", f"{calls / 1e6:.1f} million")
    with running(2, scale.players) as host:
        paint, tables = asyncio.run(first_paints(host, scale.paints))
        show("open channel to first paint, idle", f"{paint * 1000:.0f} ms", "aim 80")
        show("and to the tables", f"{tables * 1000:.0f} ms")
        empty = host.memory / 2
        times, each = asyncio.run(players(host, scale))
        show(
            f"key to screen p50 / p99, {scale.players} players",
            in_milliseconds(times),
            "aim 5 / 25",
        )
        show("a session, on top of the worker", f"{each:.2f} MB", "aim 1.2")
        show("an empty worker", f"{empty:.1f} MB")
    with running(2, scale.players) as host:
        warm, end, left = asyncio.run(crowd(host, scale))
        show(
            f"{scale.crowd:,} come and go, after half -> at the end",
            f"{warm:.1f} -> {end:.1f} MB",
            "aim flat",
        )
        show("applications alive then", f"{left}", "aim 0")
    alone = replace(scale, players=scale.baseline)
    with running(scale.baseline + 1, 1) as host:  # one may still be ending when another comes
        start = host.seconds / len(host.workers)
        paint, _ = asyncio.run(first_paints(host, scale.paints))
        show("baseline, a process each: first paint", f"{(start + paint) * 1000:.0f} ms")
        before = host.memory / len(host.workers)
        times, each = asyncio.run(players(host, alone))
        show(f"baseline: key to screen, {scale.baseline} players", in_milliseconds(times))
        show("baseline: a session", f"{before + each:.1f} MB")


if __name__ == "__main__":
    main()
