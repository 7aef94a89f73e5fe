"""A session that loses its connection comes back by itself, and a seat can be taken back."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.table import Refused
from racko_core.view import Phase
from racko_net.client import connect
from racko_net.clientside.tokens import Tokens
from racko_net.keys import LATER
from racko_net.serverside.limits import Limits
from tests.net.cable import Cable
from tests.net.conftest import Serve, Ticks
from tests.net.players import Sleeper, pair, room_of
from tests.net.raw import eventually

# Losing the connection


async def test_a_cut_in_every_phase_of_a_game_loses_nothing(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        ana, bo = await pair(cable.port, sleep=Sleeper())
        await ana.session.ask(s.Start())
        rng = random.Random(3)
        games = asyncio.gather(ana.play(), bo.play())
        while not games.done():
            for _ in range(rng.randrange(1, 40)):
                await asyncio.sleep(0)
            cable.cut()
            await eventually(lambda: games.done() or (ana.session.link.up and bo.session.link.up))
        await games
        table = room_of(server, ana.session).table
        for player, seat in ((ana, 0), (bo, 1)):
            view = table.view(seat)
            await eventually(lambda s=player.session, v=view: s.view(v.seat) == v)  # type: ignore[misc]
            assert player.seqs == list(range(player.seqs[0], player.seqs[-1] + 1))
        assert cable.dialled > 8


@pytest.mark.parametrize("sentence", sorted(LATER))
async def test_what_may_be_had_later_is_tried_again(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, sentence: str
) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
        table = await ana.create(Rules())
        cy = await connect(f"127.0.0.1:{cable.port}", name="Cy", sleep=Sleeper())
        session = await cy.watch(table.code)
        refusals, watch = [1, 2, 3], server.lobby._watch

        def put_off(peer: Any, request: Any, now: float) -> None:
            if refusals:
                refusals.pop()
                raise Refused(sentence)
            watch(peer, request, now)

        monkeypatch.setattr(server.lobby, "_watch", put_off)
        cable.cut()
        await eventually(lambda: not refusals and session.link.up)
        await cy.close()


async def test_who_comes_back_to_watch_too_soon_tries_again(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks, limits=Limits(visits_burst=1))
    async with Cable(server.port) as cable:
        ana, _ = await pair(cable.port, sleep=Sleeper())
        cy = await connect(f"127.0.0.1:{cable.port}", name="Cy", sleep=Sleeper())
        session = await cy.watch(ana.session.code)
        before = cable.dialled
        cable.cut()
        await eventually(lambda: cable.dialled > before + 6)  # Cy alone is put off
        assert not session.link.closed
        ticks.now += 1.0
        await eventually(lambda: session.link.up)
        assert len(room_of(server, ana.session).watchers) == 1
        await cy.close()


async def test_the_screen_stays_says_so_and_comes_back_into_the_same_turn(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        ana, bo = await pair(cable.port, sleep=Sleeper())
        await ana.session.ask(s.Start())
        room = room_of(server, ana.session)
        await eventually(lambda: room.table.game.phase is Phase.TURN)
        session = (ana, bo)[room.table.game.turn].session
        await eventually(lambda: session._memory.seq == room.table.seq)
        await session.act(act.DRAW)
        before = session.view(session.seat)
        cable.unplugged = True
        cable.cut()
        while (await session.update()).link.up:
            pass
        assert session.link.trouble is not None
        assert not session.link.closed
        assert session.view(session.seat) == before
        with pytest.raises(RackoError, match="lost"):
            await session.act(act.DISCARD)
        cable.unplugged = False
        update = await session.update()
        while not update.link.up:
            update = await session.update()
        assert update.caught_up
        after = session.view(session.seat)
        assert after is not None
        assert before is not None
        assert (after.hand, after.phase, after.turn) == (before.hand, before.phase, before.turn)
        assert after.hand is not None
        await session.act(act.DISCARD)


async def test_a_request_on_its_way_when_the_line_breaks_acts_once(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        ana, bo = await pair(cable.port, sleep=Sleeper())
        room = room_of(server, ana.session)
        await eventually(lambda: bo.session._memory.seq == room.table.seq)
        cable.hold()
        seq = room.table.seq
        asking = asyncio.gather(ana.session.say("once"), bo.session.say("once too"))
        await eventually(lambda: room.table.seq == seq + 2)  # done, but nobody was told
        cable.cut()
        cable.release()
        await asyncio.wait_for(asking, 20)
        await eventually(lambda: ana.session.link.up and bo.session.link.up)
        said = [notice.news.text for notice in room._tail if isinstance(notice.news, s.Said)]
        assert sorted(said) == ["once", "once too"]


async def test_trying_again_gets_slower_and_never_in_step(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        sleepers = [Sleeper(), Sleeper()]
        sessions = []
        for number, sleep in enumerate(sleepers):
            host = await connect(
                f"127.0.0.1:{cable.port}", name="Ana", sleep=sleep, rng=random.Random(number)
            )
            sessions.append(await host.create(Rules()))
        cable.unplugged = True
        cable.cut()
        await eventually(lambda: all(len(sleep.slept) > 9 for sleep in sleepers))
        cable.unplugged = False
        await eventually(lambda: all(session.link.up for session in sessions))
        for slept in (sleep.slept[:10] for sleep in sleepers):
            assert slept[0] < 0.5
            assert 5.0 <= slept[9] <= 10.0
            assert sum(slept[:5]) < sum(slept[5:])
        assert sleepers[0].slept[:5] != sleepers[1].slept[:5]


async def test_a_server_that_was_restarted_is_found_again(serve: Serve) -> None:
    server = await serve()
    ana, bo = await pair(server.port, sleep=Sleeper())
    await ana.session.ask(s.Start())
    room = room_of(server, ana.session)
    await eventually(lambda: room.table.game.phase is Phase.TURN)
    before = room.table.view(0)
    await server.stop()
    update = await ana.session.update()
    while update.link.up:
        update = await ana.session.update()
    assert "stopped" in str(update.link.trouble)
    server = await serve(port=server.port)
    await eventually(lambda: ana.session.link.up and bo.session.link.up)
    assert ana.session.view(0) == before
    await asyncio.gather(ana.play(), bo.play())


async def test_a_silent_server_counts_as_lost(serve: Serve) -> None:
    server, ticks = await serve(), Ticks()
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", ticks=ticks, sleep=Sleeper())
    table = await host.create(Rules())
    line = host._line
    assert line is not None
    ticks.now += 14.0
    line._tick()
    assert not table.link.up
    assert "silent" in str(table.link.trouble)
    await eventually(lambda: table.link.up)


# Seats


async def test_a_seat_is_taken_back_from_the_token_on_disk(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    tokens = Tokens(tmp_path / "seats")
    address = f"127.0.0.1:{server.port}"
    ana = await connect(address, name="Ana", tokens=tokens)
    table = await ana.create(Rules(), name="Ours")
    (path,) = (tmp_path / "seats").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    other = await connect(address, name="Ana", tokens=tokens)
    assert [offer.here for offer in other.offers(await other.tables())] == [True]
    await ana.close()
    await eventually(lambda: room_of(server, table).table.chairs[0].away)
    (offer,) = other.offers(await other.tables())
    assert not offer.here
    assert offer.listed.table == table.code
    saved = offer.seat
    assert (saved.table, saved.seat, saved.name) == (table.code, 0, "Ana")
    assert saved.token not in repr(saved)
    back = await other.resume(saved)
    assert back.seat == 0
    await back.stand()
    assert back.link.closed
    assert tokens.saved() == []


async def test_the_older_of_two_devices_is_told(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    tokens = Tokens(tmp_path)
    address = f"127.0.0.1:{server.port}"
    older = await connect(address, name="Ana", tokens=tokens)
    first = await older.create(Rules())
    newer = await connect(address, name="Ana", tokens=tokens)
    second = await newer.resume(tokens.saved()[0])
    await eventually(lambda: first.link.closed)
    assert "taken over" in str(first.link.trouble)
    assert second.link.up
    assert len(tokens.saved()) == 1  # it is still a good one


async def test_who_is_sent_away_is_told_why(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    tokens = Tokens(tmp_path)
    ana, bo = await pair(server.port, tokens=tokens)
    await ana.session.ask(s.Stand(1))
    await eventually(lambda: bo.session.link.closed)
    assert "owner" in str(bo.session.link.trouble)
    assert [saved.name for saved in tokens.saved()] == ["Ana"]
    with pytest.raises(RackoError):
        await bo.session.say("hello?")


async def test_a_table_that_is_gone_ends_the_session(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        tokens = Tokens(tmp_path)
        host = await connect(f"127.0.0.1:{cable.port}", name="Ana", sleep=Sleeper(), tokens=tokens)
        table = await host.create(Rules())
        cable.unplugged = True
        cable.cut()
        await eventually(lambda: not table.link.up)
        server.lobby._close(room_of(server, table), "Closed.")
        cable.unplugged = False
        await eventually(lambda: table.link.closed)
        assert "no table" in str(table.link.trouble)
        assert tokens.saved() == []
        assert await host.tables() == []  # the lobby is there as before


async def test_letting_go_keeps_the_seat_and_frees_the_host(serve: Serve) -> None:
    server = await serve()
    host = await connect(f"127.0.0.1:{server.port}", name="Ana")
    table = await host.create(Rules())
    with pytest.raises(RackoError, match="leave it first"):
        await host.create(Rules())
    await table.close()
    assert table.link.closed
    again = await host.create(Rules())
    assert again.code != table.code
    assert room_of(server, table).table.chairs[0].away
