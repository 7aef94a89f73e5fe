"""Programs at the tables of a server: the host's alone, and never in anybody's way."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import EXEC, OFFERED
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Remark, Stage
from racko_core.view import Phase
from racko_net.client import Host, RemoteSession, connect
from racko_net.outside_bot.permission import Limits as Times
from racko_net.outside_bot.permission import Programs
from racko_net.server import Server
from racko_net.serverside.limits import Limits
from tests.net.conftest import Serve
from tests.net.outside.positions import PATIENCE, PATIENT, alive, pid_in, strange

RULES = Rules(max_rounds=1, stalemate_turnovers=1)
QUICK = Options(bot_pause=0.0, deal_after=0.0)


def offering(**kinds: str) -> Programs:
    offered = {OFFERED + name: command for name, command in kinds.items()}
    return Programs(offered=offered, limits=PATIENT)


async def guest(server: Server, name: str = "Ana") -> Host:
    return await connect(f"127.0.0.1:{server.port}", name=name)


async def seated(host: Host, *levels: str, rules: Rules = RULES) -> RemoteSession:
    session = await host.create(rules, QUICK)
    for seat, level in enumerate(levels, 1):
        await session.ask(s.Sit(seat, "", Kind.BOT, level))
    await session.ask(s.Start())
    return session


async def play(session: RemoteSession) -> list[str]:
    """Draw and discard until the game is over; the remarks that were heard."""
    heard: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while session.info.stage is not Stage.FINISHED:
            update = await session.update()
            for notice in update.seen[0].notices:
                if isinstance(notice.news, Remark):
                    heard.append(notice.news.matter)
            view = session.view(0)
            if view is None or not view.my_turn or session._updates.qsize() or not session.link.up:
                continue
            if view.phase is Phase.DEAL:
                await session.ready()
            elif view.phase in (Phase.TURN, Phase.DRAWN):
                action = act.DISCARD if view.phase is Phase.DRAWN else act.DRAW
                await session.ask(s.Do(0, action))
    return heard


async def test_what_the_host_offers_is_told_seated_and_plays(serve: Serve) -> None:
    server = await serve(programs=offering(mine=strange("fine")))
    async with await guest(server) as host:
        assert host.welcome.bots == ["outside:mine"]
        session = await seated(host, "outside:mine")
        heard = await play(session)
        assert not [matter for matter in heard if matter.startswith("bot-")]
        chair = session.info.chairs[1]
        assert (chair.name, chair.level) == ("mine", "outside:mine")
    (game,) = server.lobby.store.games()
    assert "strange" not in game.record


async def test_no_command_ever_leaves_the_host(serve: Serve, tmp_path: Path) -> None:
    secret = tmp_path / "secret-folder" / "no-such-program"
    server = await serve(programs=offering(mine=str(secret)))
    async with await guest(server) as host:
        line = host._line
        assert line is not None
        told: list[object] = [host.welcome]
        hear = line.on_message

        def overhear(message: Any) -> None:
            told.append(message)
            hear(message)

        line.on_message = overhear
        session = await seated(host, "outside:mine")
        assert "bot-missing" in await play(session)
    assert len(told) > 10
    assert "outside:mine" in repr(told)
    assert "secret-folder" not in repr(told)


@pytest.mark.parametrize(
    ("level", "complaint"),
    [
        (f"{EXEC}touch {{}}", "Only the host can bring a program"),
        (f"{EXEC}mine", "Only the host can bring a program"),
        (f"{OFFERED}touch {{}}", "There is no bot called “outside:touch .*”; choose one of novice"),
        (f"{OFFERED}other", "There is no bot called “outside:other”; choose one of novice, .*mine"),
        ("touch {}", "There is no bot called"),
    ],
)
async def test_a_client_cannot_have_a_program_started(
    level: str, complaint: str, serve: Serve, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    for programs in (Programs(), offering(mine=strange("fine"))):
        server = await serve(programs=programs, data=tmp_path / str(id(programs)))
        async with await guest(server) as host:
            session = await host.create(RULES, QUICK)
            if level == "outside:other" and not programs.offered:
                complaint_here = "There is no bot called"
            else:
                complaint_here = complaint
            with pytest.raises(RackoError, match=complaint_here):
                await session.ask(s.Sit(1, "X", Kind.BOT, level.format(trace)))
            for kind in (Kind.HUMAN, Kind.OPEN):
                with pytest.raises(RackoError, match="only bots are seated by others"):
                    await session.ask(s.Sit(1, "X", kind, level.format(trace)))
            with pytest.raises(RackoError, match="happens by itself"):
                await session.ask(s.Forfeit(0, "bot-late"))
            assert session.info.chairs[1].kind is Kind.OPEN
    assert not trace.exists()


async def test_even_a_command_that_found_its_way_onto_a_chair_is_not_run(
    serve: Serve, tmp_path: Path
) -> None:
    """A second lock behind the first: a server knows no commands but its host's."""
    trace = tmp_path / "trace"
    server = await serve()
    async with await guest(server) as host:
        session = await host.create(RULES, QUICK)
        (room,) = server.lobby.rooms.values()
        room.apply(s.Sit(1, "X", Kind.BOT, f"{EXEC}touch {trace}"), server.now())
        server.soon()
        await session.ask(s.Start())
        assert "bot-missing" in await play(session)
    assert not trace.exists()


async def test_programs_are_counted(serve: Serve) -> None:
    server = await serve(programs=offering(mine=strange("fine")), limits=Limits(programs=2))
    async with await guest(server) as ana, await guest(server, "Bo") as bo:
        session = await ana.create(Rules(players=3), QUICK)
        for seat in (1, 2):
            await session.ask(s.Sit(seat, "", Kind.BOT, "outside:mine"))
        assert [chair.name for chair in session.info.chairs] == ["Ana", "mine", "mine 2"]
        other = await bo.create(RULES, QUICK)
        with pytest.raises(RackoError, match="as many programs as it can"):
            await other.ask(s.Sit(1, "", Kind.BOT, "outside:mine"))
        await other.ask(s.Sit(1, "", Kind.BOT, "solid"))
        await session.ask(s.Stand(1))
        await other.ask(s.Stand(1))
        await other.ask(s.Sit(1, "", Kind.BOT, "outside:mine"))


async def test_a_hung_program_holds_up_no_other_table_and_is_replaced(
    serve: Serve, tmp_path: Path
) -> None:
    noted = tmp_path / "pid"
    programs = Programs(
        offered={
            "outside:hung": strange("deaf-and-silent", noted),
            "outside:fine": strange("fine"),
        },
        limits=Times(60.0, 3.0),
    )
    server = await serve(programs=programs)
    async with await guest(server) as ana, await guest(server, "Bo") as bo:
        rules = RULES.with_changes(players=3)
        slow = await seated(ana, "outside:hung", "novice", rules=rules)
        fine = await seated(bo, "outside:fine")
        playing = asyncio.create_task(play(slow))
        start = time.monotonic()
        await play(fine)
        pid = await asyncio.to_thread(pid_in, noted)
        if time.monotonic() - start < 2.0:
            assert alive(pid)
            assert slow.info.stage is Stage.PLAYING
        assert "bot-late" in await playing
        assert slow.info.chairs[1].level == "novice"
        assert not alive(pid)


async def test_after_a_restart_the_program_is_started_again(serve: Serve, tmp_path: Path) -> None:
    programs = offering(mine=strange("fine"))
    server = await serve(programs=programs)
    async with await guest(server) as host:
        session = await seated(host, "outside:mine")
        async with asyncio.timeout(PATIENCE):
            while not ((view := session.view(0)) and view.phase is Phase.TURN and view.my_turn):
                await session.update()
        port = server.port
        await server.stop()
        again = await serve(programs=programs, port=port)
        heard = await play(session)
        assert not [matter for matter in heard if matter.startswith("bot-")]
        assert session.info.chairs[1].level == "outside:mine"
        assert again.lobby.rooms


async def test_a_novice_takes_a_seat_for_good_before_it_is_its_turn(serve: Serve) -> None:
    server = await serve(programs=offering(mine=strange("fine")))
    async with await guest(server) as host:
        session = await host.create(RULES, QUICK)
        await session.ask(s.Sit(1, "", Kind.BOT, "outside:mine"))
        server.lobby.replace(session.code, {"outside:mine"}, server.now())
        server.soon()
        async with asyncio.timeout(PATIENCE):
            while session.info.chairs[1].level != "novice":
                await session.update()
        await server.stop()
    again = await serve(programs=offering(mine=strange("fine")))
    assert again.lobby.rooms[session.code].table.chairs[1].level == "novice"


async def test_a_program_that_is_offered_no_more_is_replaced_after_a_restart(
    serve: Serve, tmp_path: Path
) -> None:
    server = await serve(programs=offering(mine=strange("fine")))
    async with await guest(server) as host:
        session = await seated(host, "outside:mine")
        port = server.port
        await server.stop()
        await serve(port=port)
        assert "bot-missing" in await play(session)


async def test_a_server_that_stops_ends_its_programs(serve: Serve, tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    server = await serve(programs=offering(deaf=strange("deaf", noted)))
    async with await guest(server) as host:
        playing = asyncio.create_task(play(await seated(host, "outside:deaf")))
        pid = await asyncio.to_thread(pid_in, noted)
        await server.stop()
        assert not alive(pid)
        playing.cancel()
