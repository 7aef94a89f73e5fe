"""The local session: the same port as the remote one, around a table in this process."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.errors import RackoError
from racko_core.record import verify
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Setup, Stage
from racko_core.table import Table
from racko_net.local import LocalSession
from racko_net.session import Update
from tests.net.conftest import Ticks

SEED = bytes(range(32))


def seated(people: int = 1) -> Table:
    rules = Rules(players=2, target=50, stalemate_turnovers=3)
    table = Table(Setup(rules, SEED, Options(bot_pause=0.0)))
    for seat in range(2):
        kind = Kind.HUMAN if seat < people else Kind.BOT
        table.apply(s.Sit(seat, f"P{seat}", kind, "novice"), 0.0)
    return table


async def until(session: LocalSession, stage: Stage) -> list[Update]:
    updates = [await session.update()]
    while session.info.stage is not stage or session._updates.qsize():
        updates.append(await session.update())
    return updates


async def test_the_first_update_shows_how_things_stand() -> None:
    session = LocalSession(seated())
    update = await session.update()
    assert update.info == session.info
    assert list(update.seen) == [0]
    assert update.seen[0].view is None
    await session.close()


async def test_bots_alone_play_a_whole_game_in_order() -> None:
    told: list[tuple[float, s.Input, str | None]] = []
    table = seated(people=0)
    session = LocalSession(table, journal=lambda *written: told.append(written))
    await session.ask(s.Start())
    assert session.record() is None
    updates = await until(session, Stage.FINISHED)
    seqs = [notice.seq for update in updates for notice in update.seen[None].notices]
    assert seqs == list(range(seqs[0], table.seq + 1))
    *before, last = told
    assert last[2] == session.record(), "with the action that ended the game"
    assert not any(ended for _, _, ended in before)
    assert session.unsaved == []
    back = seated(people=0)
    for at, given, _ in told:
        back.apply(given, at)
    assert back.view(None) == table.view(None)
    assert verify(session.record() or "").game.result == table.view(None).result  # type: ignore[union-attr]
    assert session.link.kept == "all"
    await session.close()


async def test_the_record_of_a_game_tells_when_it_ended_whenever_it_is_asked_for() -> None:
    ticks = Ticks()
    kept: list[str | None] = []
    session = LocalSession(
        seated(people=0), clock=ticks, journal=lambda *written: kept.append(written[2])
    )
    await session.ask(s.Start())
    await until(session, Stage.FINISHED)
    ticks.now += 1000.0
    assert [session.record()] == [record for record in kept if record is not None]
    await session.close()


async def test_everyone_at_one_keyboard_sees_their_own_rack() -> None:
    session = LocalSession(seated(people=2))
    await session.ask(s.Start())
    await session.update()
    while (view := session.view(0)) is None or not view.racks:
        await session.update()
    for seat in (0, 1):
        view = session.view(seat)
        assert view is not None
        assert [rack is not None for rack in view.racks] == [seat == 0, seat == 1]
    with pytest.raises(LookupError):
        session.view(None)
    await session.close()


async def test_a_refusal_is_the_tables_sentence_and_changes_nothing() -> None:
    session = LocalSession(seated())
    await session.update()
    with pytest.raises(RackoError, match="No game"):
        await session.ask(s.Do(0, act.DRAW))
    assert session._updates.empty()
    await session.close()


async def test_a_journal_that_fails_is_said_once_and_play_goes_on() -> None:
    calls = []

    def journal(at: float, given: s.Input, ended: str | None) -> None:
        calls.append(given)
        raise RackoError("The disk is full.")

    session = LocalSession(seated(people=0), journal=journal)
    await session.ask(s.Start())
    await until(session, Stage.FINISHED)
    assert str(session.link.trouble) == "The disk is full."
    assert session.link.up
    assert session.link.kept == "part"
    assert len(calls) == 1
    assert [record for _, record in session.unsaved] == [session.record()]
    await session.close()


async def test_a_closed_session_does_nothing_more() -> None:
    ticks = Ticks()
    table = seated()
    session = LocalSession(table, clock=ticks)
    await session.ask(s.Start())
    await session.close()
    seq = table.seq
    ticks.now += 1000.0
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert table.seq == seq


async def test_what_cannot_go_on_is_said_and_not_tried_for_ever() -> None:
    table = seated(people=0)
    table.chairs = [replace(chair, level="bogus") for chair in table.chairs]  # whatever did that
    session = LocalSession(table)
    await session.ask(s.Start())
    while session.link.trouble is None:
        await session.update()
    assert "bogus" in str(session.link.trouble)
    assert session.link.kept == "all"
    await asyncio.sleep(0)
    assert session._updates.empty()
    await session.close()
