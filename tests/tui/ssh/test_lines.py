"""Lines that fall silent, and lines that are slow."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import asyncssh
import pytest

from racko_tui.ssh.options import Limits
from tests.tui.ssh.conftest import limits, running
from tests.tui.ssh.lines import Line
from tests.tui.ssh.terminals import Client
from tests.tui.ssh.test_play import opponent, serving


def test_silence_is_noticed_within_fifteen_seconds() -> None:
    """What comes after it, the app's end and the server's notice, takes no second."""
    assert Limits().silence + 1.0 < 15.0


async def test_who_falls_silent_is_away_and_takes_the_seat_back(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    quick = limits(silence=1.5)
    async with (
        serving(tmp_path, quick) as (server, host),
        opponent(server) as session,
        Line(host.port) as line,
    ):
        async with Client(line.port, "Ana", key=key, command=session.code) as ana:
            await ana.until("not ready yet")
            said = line.said
            async with asyncio.timeout(30):
                while line.said < said + 4:  # noqa: ASYNC110  # answers to: are you there?
                    await asyncio.sleep(0.01)
            assert not session.info.chairs[1].away, "quiet is not silent"
            line.silence()
            async with asyncio.timeout(30):
                while not session.info.chairs[1].away:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                while host.connections:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        async with Client(host.port, "Ana", key=key, command=session.code) as ana:
            await ana.until("not ready yet")
            async with asyncio.timeout(30):
                while session.info.chairs[1].away:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert session.info.chairs[1].name == "Ana"


# 150 milliseconds there and back, 256 kbit/s.
SLOW: dict[str, float] = {"delay": 0.075, "rate": 32 * 1024}
FAR: dict[str, float] = {"delay": 0.075}
_AHEAD = 36 * 1024
"""Bytes that may be on their way to a slow client: a second of them."""


@pytest.mark.parametrize("how", [SLOW, FAR], ids=["slow", "far"])
async def test_on_a_slow_line_motion_is_off_by_itself(
    tmp_path: Path, how: dict[str, float]
) -> None:
    """TCP knows nothing of it: for TCP the connection ends at the line's near end."""
    async with running(tmp_path) as host, Line(host.port, **how) as line:
        async with Client(line.port) as client:
            await client.until("seen=slow")
        async with Client(host.port) as client:
            await client.until("size=")
            client.type("x")
            await client.until("seen=x")


async def test_frames_come_whole_over_a_slow_line(tmp_path: Path) -> None:
    """After hundreds of frames, most of them dropped, the screen is what a new one would be."""
    async with (
        running(tmp_path) as host,
        Line(host.port, **SLOW) as line,
        Client(line.port) as client,
    ):
        await client.until("size=80x24")
        await client.until("seen=slow")
        client.type("RA")  # from now on the whole screen, hundreds of times a second
        await client.until(lambda text: counted(text) > 300)
        client.type("P")  # no more of that
        last = await client.until(lambda text: "paused" in text and text.count("│") == 6)
        client.resize(81, 24)
        await client.until("size=81x24")
        client.resize(80, 24)
        assert await client.until("size=80x24") == last


async def test_a_key_held_down_on_a_slow_line_builds_no_backlog(tmp_path: Path) -> None:
    async with (
        running(tmp_path) as host,
        Line(host.port, **SLOW) as line,
        Client(line.port) as client,
    ):
        await client.until("seen=slow")
        client.type("R")
        client.type("b")
        await client.until(lambda text: " b" in text)
        frame = len(client.raw.rpartition(b"name=")[2])
        assert 150 * frame > 2 * _AHEAD, "more than the line takes in the time"
        for _ in range(150):
            client.type("\x1b[B")
            await asyncio.sleep(1 / 30)  # as fast as a finger on a key makes them
        before = len(client.raw)
        client.type("z")
        await client.until(lambda text: " z" in text)
        waited = len(client.raw) - before
        assert waited < _AHEAD, f"{waited} bytes came first; a frame has about {frame}"


def counted(text: str) -> int:
    found = re.findall(r"count=(\d+)", text)
    return int(found[0]) if found else 0
