"""Lines that fall silent, and lines that are slow."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncssh

from racko_tui.ssh.options import Limits
from tests.tui.ssh.conftest import limits
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
