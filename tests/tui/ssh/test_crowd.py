"""Many at one host: what one of them does, the others do not notice."""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path

import pytest

from racko_tui.ssh.host import SshHost
from tests.tui.ssh.conftest import limits, running
from tests.tui.ssh.terminals import Client, connect

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def assert_plays_on(client: Client, key: str) -> None:
    """The session is alive, and draws."""
    client.type(key)
    await client.until(
        lambda text: (
            re.search(rf"seen=.*\b{key}$", text, re.MULTILINE) is not None
            or re.search(rf"seen=.*\b{key} *│", text) is not None
        )
    )


MISDEEDS = {
    "C": "raises",
    "X": "exits",
    "W": "exits in a widget",
    "E": "raises SystemExit",
    "L": "raises SystemExit in a widget",
    "B": "raises SystemExit in a task",
}


@pytest.mark.parametrize("misdeed", MISDEEDS, ids=MISDEEDS.get)
async def test_whoever_crashes_crashes_alone(host: SshHost, misdeed: str) -> None:
    async with Client(host.port, "bystander") as bystander, Client(host.port, "fool") as fool:
        await bystander.until("size=")
        await fool.until("size=")
        pid = bystander.find(r"pid=(\d+)")
        assert fool.find(r"pid=(\d+)") == pid
        fool.type(misdeed)
        assert "Something went wrong" in await fool.until_end()
        await assert_plays_on(bystander, "b")
        async with Client(host.port, "next") as visitor:
            await visitor.until("size=")
            assert visitor.find(r"pid=(\d+)") == pid, "the worker has survived"


async def connections(host: SshHost, wanted: int) -> None:
    """Wait until there are so many."""
    async with asyncio.timeout(20):
        while host.connections != wanted:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.01)


async def test_whoever_disappears_leaves_nothing_behind(host: SshHost) -> None:
    await connections(host, 0)
    async with AsyncExitStack() as clients:
        for number in range(5):
            client = await clients.enter_async_context(Client(host.port, f"p{number}"))
            await client.until("size=")
        await connections(host, 5)
    await connections(host, 0)


async def test_a_stalled_client_gets_whole_frames_again(host: SshHost) -> None:
    async with Client(host.port, window=20_000) as client:
        await client.until("size=")
        client.channel.pause_reading()
        client.type("A")  # draws hundreds of times a second
        async with Client(host.port, "bystander") as bystander:
            await bystander.until("size=")
            keys = cycle("bcdefghijk")
            while client.channel._recv_window:  # until the channel takes no more
                await assert_plays_on(bystander, next(keys))
            for key in islice(keys, 40):  # and then as long as frames pile up behind it
                await assert_plays_on(bystander, key)
        client.raw = b""
        client.channel.resume_reading()
        # What was on its way arrives, then a frame with everything: the whole screen again.
        seen = int(client.find(r"count=(\d+)") if "count=" in client.text else 0)
        await client.until(
            lambda text: int((re.findall(r"count=(\d+)", text) or [0])[0]) > seen + 300
        )
        assert client.raw.count(b"name=") >= 1
        assert len(client.raw) < 200_000, "no history of what was missed"
        assert "name=ana" in client.text


async def test_a_flood_of_keys_disturbs_nobody_and_builds_no_backlog(host: SshHost) -> None:
    async with Client(host.port, "flood") as flood, Client(host.port, "bystander") as bystander:
        await flood.until("size=")
        await bystander.until("size=")
        flood.type(b"\x1b[B" * 20_000)
        for key in "bcdefghijk":
            await assert_plays_on(bystander, key)
        flood.type("z")
        await flood.until(lambda text: " z" in text)
        assert int(flood.find(r"count=(\d+)")) < 10_000


async def test_garbage_is_survived(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        for nonsense in (
            b"\x1b[99999999;1u",
            b"\x1b[48;99999;99999;0;0t\x1b[<0;5;5M",
            b"\xff\xfe\x00" * 50,
            b"\x1b[200~" + b"x" * 30_000,
            b"\x1b" * 100,
        ):
            client.type(nonsense)
        client.type("\x1b[201~")
        await client.until("size=80x24")
        client.type("\x1b[A\x1b[Az")
        await client.until(lambda text: " z" in text)


async def test_a_worker_that_is_killed_is_started_again(tmp_path: Path) -> None:
    async with running(tmp_path, limits=limits(workers=2)) as host:
        for worker in host.workers:
            await asyncio.wait_for(worker.ready.wait(), 30)
        async with Client(host.port, "a") as a, Client(host.port, "b") as b:
            await a.until("size=")
            await b.until("size=")
            first, second = a.find(r"pid=(\d+)"), b.find(r"pid=(\d+)")
            assert first != second, "shared out evenly"
            os.kill(int(first), 9)
            await a.until_end()
            await assert_plays_on(b, "b")
            async with Client(host.port, "again") as again:
                await again.until("size=")
            await asyncio.wait_for(host.workers[0].ready.wait(), 30)
            await asyncio.wait_for(host.workers[1].ready.wait(), 30)
            assert {worker.pid for worker in host.workers}.isdisjoint({int(first), None})
            assert b.find(r"pid=(\d+)") == second


async def test_a_worker_that_hangs_is_ended_and_started_again(tmp_path: Path) -> None:
    async with running(tmp_path, limits=limits(hang=2.5)) as host:
        async with Client(host.port) as client:
            await client.until("size=")
            client.type("H")
            await client.until_end()
        async with Client(host.port) as client:
            await client.until("size=")


async def test_stopping_says_goodbye_and_leaves_no_process(tmp_path: Path) -> None:
    async with running(tmp_path) as host:
        client = Client(host.port)
        await client.__aenter__()
        await client.until("size=")
        pid = int(client.find(r"pid=(\d+)"))
    assert "The server is stopping" in await client.until_end()
    await client.__aexit__(None, None, None)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_host_whose_app_cannot_be_made_says_so(tmp_path: Path) -> None:
    app = "tests.tui.ssh.small_app:build_nothing"
    async with running(tmp_path, app=app) as host, Client(host.port) as client:
        assert "Something went wrong in your session" in await client.until_end()


async def test_one_connection_has_one_session(host: SshHost) -> None:
    import asyncssh

    async with Client(host.port) as client:
        await client.until("size=")
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.connection.create_session(asyncssh.SSHClientSession)


async def test_a_connection_without_a_session_is_closed(tmp_path: Path) -> None:
    async with running(tmp_path, limits=limits(login_time=1.0)) as host:
        connection = await connect(host.port)
        async with asyncio.timeout(20):
            await connection.wait_closed()
