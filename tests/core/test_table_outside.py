"""Bots in other programs at a table: who is asked, when, and what becomes of one that fails."""

from __future__ import annotations

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import EXEC, LEVELS, OFFERED, check_level
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Input, Kind, Options, Setup, Stage
from racko_core.table import Refused, Table
from racko_core.view import Phase

SETUP = Setup(Rules(target=50), bytes(range(32)), Options(bot_pause=2.0))
PROGRAM = f"{EXEC}python3 mine.py"


class Kept:
    """A table and the journal of what happened at it."""

    def __init__(self, *levels: str) -> None:
        self.table = Table(SETUP)
        self.journal: list[tuple[float, Input]] = []
        for seat, level in enumerate(levels):
            kind = Kind.BOT if level else Kind.HUMAN
            self.put(s.Sit(seat, f"P{seat}", kind, level or "solid"))
        self.put(s.Start())

    def put(self, given: Input, now: float = 10.0) -> list[str]:
        notices = self.table.apply(given, now)
        self.journal.append((now, given))
        return [notice.news.matter for notice in notices if isinstance(notice.news, s.Remark)]

    def run(self, now: float = 10.0) -> None:
        """Let time pass until then."""
        while (due := self.table.next_due()) is not None and due <= now:
            given = self.table.due(due)
            assert given is not None
            self.put(given, due)


def test_a_program_is_asked_when_its_turn_comes_and_nobody_decides_for_it() -> None:
    at = Kept(PROGRAM, PROGRAM)
    assert at.table.asks() is None, "a deal is nobody's decision"
    at.run()
    assert at.table.game is not None
    seat = at.table.game.turn
    assert seat is not None
    assert at.table.asks() == (seat, 12.0), "as slow as any other bot"
    assert at.table.next_due() is None
    at.run(1e6)
    assert at.table.game.phase is Phase.TURN
    at.put(s.Do(seat, act.DRAW), 12.5)
    assert at.table.asks() == (seat, 14.5)


def test_only_programs_are_asked() -> None:
    at = Kept("", PROGRAM)
    at.run()
    game = at.table.game
    assert game is not None
    for _ in range(8):  # two steps a turn
        asked = at.table.asks()
        assert game.turn is not None
        assert (asked is not None) == (game.turn == 1)
        at.put(s.Do(game.turn, act.DRAW if game.phase is Phase.TURN else act.DISCARD))


@pytest.mark.parametrize("why", ["bot-late", "bot-wrong", "bot-ended", "bot-missing"])
def test_whoever_fails_is_replaced_by_a_novice_and_everybody_is_told(why: s.Failing) -> None:
    at = Kept(PROGRAM, "casual")
    at.run()
    assert at.put(s.Forfeit(0, why)) == [why]
    chair = at.table.chairs[0]
    assert (chair.kind, chair.name, chair.level) == (Kind.BOT, "P0", "novice")
    assert at.table.asks() is None
    at.run(1e6)
    assert at.table.stage is Stage.FINISHED
    with pytest.raises(Refused, match="No program plays"):
        at.put(s.Forfeit(0, why))
    back = Table.restore(SETUP, at.journal)
    assert back.view(None) == at.table.view(None)
    assert back.info == at.table.info


def test_a_table_that_rests_asks_nobody() -> None:
    at = Kept("", PROGRAM)
    at.run()
    game = at.table.game
    assert game is not None
    if game.turn == 0:
        at.put(s.Do(0, act.DRAW))
        at.put(s.Do(0, act.DISCARD))
    assert at.table.asks() is not None
    at.put(s.Pause(True))
    assert at.table.asks() is None
    at.put(s.Pause(False), 20.0)
    assert at.table.asks() == (1, 22.0)
    at.put(s.Lose(0))
    assert at.table.asks() is None


def test_levels_are_checked_by_their_form_alone() -> None:
    for level in (*LEVELS, PROGRAM, f"{OFFERED}mine"):
        check_level(level)
    with pytest.raises(RackoError, match="There is no bot called “wizard”; choose one of novice"):
        check_level("wizard")
