"""The real application over SSH: whole games against players who came another way."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
import pytest

from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Options as TableOptions
from racko_core.seating import Start
from racko_net.client import RemoteSession, connect
from racko_net.server import Server, ServerConfig
from racko_tui.ssh.host import SshHost
from racko_tui.ssh.options import Limits, Options
from racko_tui.ssh.serving import beside
from tests.tui.ssh.conftest import LIMITS
from tests.tui.ssh.terminals import Client, OpenSsh, Screen, have_ssh

SHORT = Rules(players=2, max_rounds=1, stalemate_turnovers=1)
PROMPTS = ("Your turn: draw", "discard it", "the end of the game")
real_ssh = pytest.mark.skipif(not have_ssh(), reason="no OpenSSH client")


@asynccontextmanager
async def game_server(folder: Path) -> AsyncIterator[Server]:
    """An ordinary server."""
    server = Server(ServerConfig(folder, host="127.0.0.1", port=0, discovery=False))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def serving(folder: Path, limits: Limits = LIMITS) -> AsyncIterator[tuple[Server, SshHost]]:
    """One that answers SSH too."""
    options = Options(folder, hosts=("127.0.0.1",), port=0, limits=limits)
    async with game_server(folder) as server, beside(server, options) as host:
        yield server, host


@asynccontextmanager
async def opponent(server: Server) -> AsyncIterator[RemoteSession]:
    """Somebody who came the ordinary way, opened a table, and plays by themselves."""
    async with await connect(f"127.0.0.1:{server.port}", name="Bo") as host:
        session = await host.create(SHORT, TableOptions(deal_after=None))
        await session.ready()

        async def play() -> None:
            async for view in session.turns():
                await session.act(decide_safely(bot("novice"), view))

        task = asyncio.create_task(play())
        try:
            yield session
        finally:
            task.cancel()


async def play_on(screen: Screen, until: str) -> str:
    """Draw and discard, and go on after rounds, until the screen shows it."""
    while until not in screen.text:
        text = await screen.until(
            lambda text: (
                until in text
                or any(
                    word in text
                    for word in ("Your turn: draw", "discard it", "the end of the game")
                )
            )
        )
        if until in text:
            break
        key = "d" if "Your turn: draw" in text else "x" if "discard it" in text else "\r"
        screen.type(key)  # type: ignore[attr-defined]
        await screen.until(lambda now, before=text: now != before)
    return screen.text


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    return file


@real_ssh
async def test_a_whole_game_with_a_cut_in_the_middle_of_a_turn(tmp_path: Path, key: Path) -> None:
    async with serving(tmp_path / "server") as (server, host), opponent(server) as session:
        login = ("-t", "-i", str(key), "127.0.0.1", session.code)
        async with OpenSsh(host.port, *login, home=tmp_path, user="Ana") as ssh:
            await ssh.until("not ready yet")
            ssh.type("r")
            await ssh.until("Bo starts the game")
            await session.ask(Start())
            await play_on(ssh, "Your turn: draw")
            ssh.type("d")
            drawn = await ssh.until_found(r"You drew (\d+):")
            ssh.process.kill()
        async with asyncio.timeout(30):
            while not any(chair.away for chair in session.info.chairs):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        async with OpenSsh(host.port, *login, home=tmp_path, user="Ana") as ssh:
            assert await ssh.until_found(r"You drew (\d+):") == drawn
            await play_on(ssh, "Rematch")
            await ssh.until("Bo")  # names come with the numbers, when the winner was shown


async def gone(server: Server) -> None:
    """Wait until nobody is connected any more."""
    async with asyncio.timeout(20):
        while server.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_whoever_leaves_is_gone_from_the_server_too(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, host):
        async with Client(host.port, "Ana") as client:
            await client.until("new table")
            assert server.connections
            client.type("\x1b")
            await client.until("Settings")
            client.type("q")
            await client.until_end()
            assert client.status == 0
        await gone(server)
        async with Client(host.port, "Ana") as client:
            await client.until("new table")
        await gone(server)


async def test_a_finished_game_counts_for_the_key_under_any_name(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with serving(tmp_path) as (server, host), opponent(server) as session:
        async with Client(host.port, "Ana", key=key, command=session.code) as ana:
            await ana.until("not ready yet")
            ana.type("r")
            await ana.until("Bo starts the game")
            await session.ask(Start())
            await play_on(ana, "Rematch")
            ana.type("q")
            await ana.until("New table")
            ana.type("\x1b")
            await ana.until("1 game, won")
            ana.type("g")
            await ana.until("The games of Ana")
        async with Client(host.port, "Annie", key=key) as ana:
            await ana.until("new table")
            ana.type("\x1b")
            await ana.until("1 game, won")
        async with Client(host.port, "Ana") as guest:
            await guest.until("new table")
            guest.type("\x1b")
            await guest.until("whoever has an SSH key")


async def test_settings_come_back_with_the_key_and_only_with_it(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with serving(tmp_path) as (_, host):
        for user, own in (("Ana", key), ("Eve", None)):
            async with Client(host.port, user, key=own) as client:
                await client.until("new table")
                client.type("\x1b")
                await client.until("Settings")
                client.type("s")
                await client.until("Only plain letters")
                client.type("\x1b[B\x1b[C\x1b[C")  # the language, to French
                await client.until("Réglages")
        async with Client(host.port, "Ana", key=key) as client:
            await client.until("nouvelle table")
        async with Client(host.port, "Ana") as client:
            await client.until("new table")
        folders = [path.name for path in (tmp_path / "players").iterdir()]
        assert len(folders) == 1, "nothing is written for whoever came without a key"
        assert "Ana" not in folders[0]


async def test_everyone_is_spoken_to_in_their_own_language_and_letters(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (_, host),
        Client(host.port, "A", env={"LANG": "fr_FR.UTF-8"}) as french,
        Client(host.port, "B", env={"LANG": "da_DK.UTF-8"}) as danish,
        Client(host.port, "C", env={"LANG": "C"}, term="vt220") as plain,
    ):
        await french.until("nouvelle table")
        await danish.until("nyt bord")
        await plain.until("new table")
        await plain.until("came without")
        assert plain.text.isascii()
        assert not re.search(rb"\x1b\[[0-9;]*[34]8;", plain.raw), "no colours"


async def test_a_table_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, host), Client(host.port, command="NOPE") as client:
        await client.until("NOPE")
        await client.until("new table")


async def test_too_small_a_terminal_is_told_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, host), Client(host.port, size=(40, 10)) as client:
        await client.until("60")
        client.resize(80, 24)
        await client.until("new table")


async def test_nobody_takes_over_the_seat_of_a_name(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (server, host),
        opponent(server) as session,
        Client(host.port, "Ana", command=session.code) as ana,
    ):
        await ana.until("not ready yet")
        async with Client(host.port, "Ana", command=session.code) as other:
            await other.until("new table")
            assert f"{session.code}  your seat" not in other.text
