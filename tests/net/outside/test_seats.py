"""Programs at a table of this process: asked beside the loop, replaced when they fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import EXEC
from racko_core.record import read
from racko_core.rules import Rules
from racko_core.seating import Input, Kind, Options, Remark, Setup, Stage
from racko_core.table import Table
from racko_core.view import Phase
from racko_net.archive import record_of
from racko_net.local import LocalSession
from racko_net.outside_bot.permission import Limits, Programs
from tests.net.outside.positions import PATIENCE, PATIENT, alive, pid_in, strange

SETUP = Setup(Rules(target=75, stalemate_turnovers=3), bytes(range(32)), Options(bot_pause=0.0))
AT_HOME = Programs(at_home=True, limits=PATIENT)


class Kept:
    """A session at a table, what was journalled, and what everybody was told."""

    def __init__(self, *levels: str, programs: Programs | None = AT_HOME) -> None:
        self.table = Table(SETUP)
        self.journal: list[tuple[float, Input]] = []
        for seat, level in enumerate(levels):
            kind = Kind.BOT if level else Kind.HUMAN
            sit = s.Sit(seat, f"P{seat}", kind, level or "solid")
            self.table.apply(sit, 0.0)
            self.journal.append((0.0, sit))
        self.session = LocalSession(
            self.table,
            journal=lambda at, given, _ended: self.journal.append((at, given)),
            programs=programs,
        )
        self.told: list[str] = []

    async def hear(self) -> None:
        """Wait for the next update."""
        update = await self.session.update()
        for notice in next(iter(update.seen.values())).notices:
            if isinstance(notice.news, Remark):
                self.told.append(notice.news.matter)

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done() or self.session._updates.qsize():
                await self.hear()


@asynccontextmanager
async def at(*levels: str, programs: Programs | None = AT_HOME) -> AsyncIterator[Kept]:
    kept = Kept(*levels, programs=programs)
    await kept.session.ask(s.Start())
    try:
        yield kept
    finally:
        await kept.session.close()


def program(kind: str, *arguments: object) -> str:
    return EXEC + strange(kind, *arguments)


async def test_programs_play_a_whole_game_and_its_record_does_not_tell_their_commands() -> None:
    async with at(program("fine"), "casual") as kept:
        await kept.until(lambda: kept.table.stage is Stage.FINISHED)
        assert kept.told == ["started"]
        assert kept.table.chairs[0].level == program("fine")
        record = record_of(kept.table, 0.0)
        assert "strange" not in record
        assert [seat.kind for seat in read(record).seats] == ["exec", "casual"]
        assert not kept.session._outside._bots, "nobody waits for another game"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("kind", "matter"),
    [
        ("mortal", "bot-ended"),
        ("cheat", "bot-wrong"),
        ("garbage", "bot-wrong"),
        ("flood", "bot-wrong"),
        ("silent", "bot-late"),
    ],
)
async def test_a_program_that_fails_is_replaced_and_the_game_goes_on(
    kind: str, matter: str
) -> None:
    programs = Programs(at_home=True, limits=Limits(60.0, 0.5 if kind == "silent" else 60.0))
    async with at(program(kind), "casual", programs=programs) as kept:
        await kept.until(lambda: kept.table.stage is Stage.FINISHED)
        assert kept.told == ["started", matter]
        assert kept.table.chairs[0].level == "novice"
    assert Table.restore(SETUP, kept.journal).view(None) == kept.table.view(None)


@pytest.mark.parametrize("programs", [None, Programs(offered={"outside:x": "true"})])
async def test_where_no_program_may_be_started_a_novice_plays(
    programs: Programs | None, tmp_path: Path
) -> None:
    async with at(program("parent", tmp_path / "pid"), "casual", programs=programs) as kept:
        await kept.until(lambda: kept.table.stage is Stage.FINISHED)
        assert kept.told == ["started", "bot-missing"]
    assert not (tmp_path / "pid").exists()


async def test_a_slow_program_stops_neither_the_loop_nor_the_others(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    slow = Programs(at_home=True, limits=Limits(60.0, 600.0))
    async with (
        at(program("deaf-and-silent", noted), "casual", programs=slow) as kept,
        at(program("fine"), "casual") as other,
    ):
        await other.until(lambda: other.table.stage is Stage.FINISHED)
        pid = await asyncio.to_thread(pid_in, noted)
        assert kept.table.game is not None
        assert kept.table.game.turn == 0
        assert alive(pid)
        longest, before = 0.0, time.monotonic()
        for _ in range(200):
            await asyncio.sleep(0.001)
            now = time.monotonic()
            longest, before = max(longest, now - before), now
        assert longest < 1.0, "the loop waited"
    assert not alive(pid), "closing does not wait for the answer"


async def test_a_restarted_game_starts_its_program_again_and_goes_on() -> None:
    async with at("", program("fine")) as kept:
        await kept.until(lambda: kept.table.game and kept.table.game.phase is Phase.TURN)
        game = kept.table.game
        assert game is not None
        if game.turn == 0:
            await kept.session.ask(s.Do(0, act.DRAW))
            await kept.session.ask(s.Do(0, act.DISCARD))
        await kept.until(lambda: game.turn == 0)
        turns = sum(game.view(0).turns)
    back = Table.restore(SETUP, kept.journal)
    session = LocalSession(back, programs=AT_HOME)
    assert back.game is not None
    await session.ask(s.Do(0, act.DRAW))
    await session.ask(s.Do(0, act.DISCARD))
    async with asyncio.timeout(PATIENCE):
        while back.game.turn != 0:
            await session.update()
    assert sum(back.game.view(0).turns) == turns + 2
    assert back.chairs[1].level == program("fine")
    await session.close()


async def test_what_is_decided_while_the_table_rests_is_done_when_it_goes_on() -> None:
    async with at("", program("fine")) as kept:
        await kept.until(lambda: kept.table.game and kept.table.game.phase is Phase.TURN)
        game = kept.table.game
        assert game is not None
        if game.turn == 0:
            await kept.session.ask(s.Do(0, act.DRAW))
            await kept.session.ask(s.Do(0, act.DISCARD))
        await kept.session.ask(s.Pause(True))
        seq = kept.table.game_seq
        outside = kept.session._outside
        assert outside is not None
        async with asyncio.timeout(PATIENCE):
            while outside._question is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert kept.table.game_seq == seq
        await kept.session.ask(s.Pause(False))
        await kept.until(lambda: game.turn == 0)
        assert kept.table.chairs[1].level == program("fine")


async def test_nobody_keeps_a_program_for_people_who_are_away() -> None:
    async with at("", program("fine")) as kept:
        await kept.until(lambda: kept.table.game and kept.table.game.phase is Phase.TURN)
        game = kept.table.game
        assert game is not None
        if game.turn == 0:
            await kept.session.ask(s.Do(0, act.DRAW))
            await kept.session.ask(s.Do(0, act.DISCARD))
        await kept.until(lambda: game.turn == 0)
        outside = kept.session._outside
        assert outside is not None
        assert outside._bots
        await kept.session.ask(s.Lose(0))
        assert not outside._bots
        await kept.session.ask(s.Return(0))
        await kept.session.ask(s.Do(0, act.TAKES[0]))
        if game.phase is Phase.TURN:
            await kept.until(lambda: game.turn == 0 or game.phase is Phase.DEAL)


async def test_a_session_that_is_closed_at_once_leaves_no_program_behind() -> None:
    async with at("", program("fine")) as kept:
        await kept.until(lambda: kept.table.game and kept.table.game.phase is Phase.TURN)
        game = kept.table.game
        assert game is not None
        if game.turn == 0:
            await kept.session.ask(s.Do(0, act.TAKES[0]))
        # The question has been put, and nobody has thought about it yet.
