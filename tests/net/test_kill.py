"""Servers as processes: killed at any moment, stopped, hung up on."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from racko_core import seating as s
from racko_core.rules import Rules
from racko_core.seating import Notice, Stage
from racko_core.table import Table
from racko_net.client import connect
from racko_net.clientside.line import LinkError
from racko_net.store import Store
from tests.net.players import Player, Sleeper, pair
from tests.net.raw import RawClient, eventually
from tests.net.serving import ROOT, ServerProcess


def stored(folder: Path) -> dict[str, tuple[Table, list[Notice]]]:
    """Every table on disk, with everything that ever happened at it."""
    store = Store(folder / "server.sqlite3", durable=False)
    tables = {}
    for saved in store.open_tables():
        table, told = Table(saved.setup), []
        for at, given in store.journal(saved.id):
            told += table.apply(given, at)
        tables[str(saved.code)] = (table, told)
    store.close()
    return tables


async def play_through_kills(
    server: ServerProcess, games: int, kills: int, rng: random.Random
) -> list[Player]:
    """Games at once, all to their end, while the server is killed so many times."""
    players: list[Player] = []
    for number in range(games):
        rules = Rules(target=400 if number % 2 else 250, bonus=bool(number % 3), call="auto")
        ana, bo = await pair(server.port, rules, sleep=Sleeper())
        await ana.session.ask(s.Start())
        players += [ana, bo]
    playing = asyncio.gather(*(player.play() for player in players))
    killed = 0
    for _ in range(kills):
        wanted = updates(players) + rng.randrange(1, 40 * games)
        await eventually(lambda at=wanted: playing.done() or updates(players) >= at)  # type: ignore[misc]
        if not playing.done():
            server.kill()
            server.start()
            killed += 1
    await asyncio.wait_for(playing, 90)
    assert killed >= kills / 2, "games too short to prove much"
    return players


def updates(players: list[Player]) -> int:
    return sum(len(player.updates) for player in players)


async def no_event_is_lost(tmp_path: Path, games: int, kills: int, seed: int) -> None:
    with ServerProcess(tmp_path / "data") as server:
        players = await play_through_kills(server, games, kills, random.Random(seed))
        for player in players:
            await player.session._host.close()
        server.kill()
        tables = stored(server.folder)
        finished = Store(server.folder / "server.sqlite3").games()
    for player in players:
        table, told = tables[player.session.code]
        seat = player.session.seat
        truth = {notice.seq: notice for notice in table.seen(told, seat)}
        seen = [notice for update in player.updates for notice in player.notices(update)]
        assert seen, "a player who was told nothing proves nothing"
        assert [notice.seq for notice in seen] == list(range(seen[0].seq, seen[-1].seq + 1))
        assert all(truth[notice.seq] == notice for notice in seen)
        assert table.stage is Stage.FINISHED
        final, shown = table.view(seat), player.session.view(seat)
        assert final is not None
        assert shown is not None
        assert (shown.sheet, shown.result) == (final.sheet, final.result)
    assert len(finished) == games


async def test_nothing_that_anyone_saw_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    await no_event_is_lost(tmp_path, games=6, kills=6, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
async def test_two_hundred_games_through_kills(tmp_path: Path, seed: int) -> None:
    await no_event_is_lost(tmp_path, games=10, kills=12, seed=100 + seed)


async def test_a_killed_server_brings_back_the_card_in_the_hand(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        clients = [await RawClient.welcomed(server.port, name) for name in ("Ana", "Bo")]
        seated = [await clients[0].request(type="create", rules={}, password="sesame")]
        seated.append(
            await clients[1].request(type="join", table=seated[0]["table"], password="sesame")
        )
        await clients[0].ask(input="start")
        for client in clients:
            await client.wait_for(lambda client: (client.position or {}).get("phase") == "turn")
        turn = clients[0].position["turn"]  # type: ignore[index]
        client = clients[turn]
        await client.ask(input="do", seat=turn, action="d")
        hand, seq = client.position["hand"], client.seq  # type: ignore[index]
        server.kill()
        server.start()
        back = await RawClient.welcomed(server.port, "Back")
        tables = (await back.request(type="list"))["tables"]
        assert [each["table"] for each in tables] == [seated[0]["table"]]
        assert tables[0]["locked"]
        assert all(chair["away_since"] for chair in tables[0]["info"]["chairs"])
        await back.request(
            type="resume", table=seated[turn]["table"], token=seated[turn]["token"], seq=seq
        )
        await back.wait_for(lambda back: back.position)
        assert back.position is not None
        assert (back.position["hand"], back.position["turn"]) == (hand, turn)
        assert not any(each["type"] == "snapshot" for each in back.heard)
        await back.ask(input="do", seat=turn, action="x", seq=back.seq)
        assert (await back.ask(input="say", seat=turn, name="", text="hi")).get("error") is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_the_server_and_tells_everyone(
    tmp_path: Path, number: signal.Signals
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        client = await RawClient.welcomed(server.port)
        await client.request(type="create", rules={})
        server.signal(number)
        bye = await client.goodbye()
        assert (bye["code"], bye["retry"]) == ("stopping", True)
        assert server.wait() == 0
        assert "stopped" in server.log
        assert "Traceback" not in server.log


async def test_a_hangup_is_survived(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        client = await RawClient.welcomed(server.port)
        server.signal(signal.SIGHUP)
        await eventually(lambda: "hangup" in server.log)
        assert (await client.request(type="list"))["total"] == 0


def test_a_second_server_on_the_same_folder_or_port_says_one_sentence(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        for folder, port, words in (
            (tmp_path / "data", 0, "Another server uses"),
            (tmp_path / "other", server.port, "is taken"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "tests.net.serving", str(folder), str(port)],
                capture_output=True,
                text=True,
                cwd=ROOT,
                check=False,
            )
            assert done.returncode == 1
            assert words in done.stderr
            assert len(done.stderr.strip().splitlines()) == 1


async def test_a_stopped_server_is_noticed_and_found_again(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        host = await connect(f"127.0.0.1:{server.port}", name="Ana", sleep=Sleeper())
        table = await host.create(Rules())
        server.kill()
        await eventually(lambda: not table.link.up)
        with pytest.raises(LinkError):
            await connect(f"127.0.0.1:{server.port}", name="Bo")
        server.start()
        await eventually(lambda: table.link.up)
        assert table.info.chairs[0].name == "Ana"
        await host.close()
