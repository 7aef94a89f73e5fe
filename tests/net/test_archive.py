"""What the record of a finished game notes besides the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from racko_core.record import read
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Setup, Sit, Stage, Start
from racko_core.table import Table
from racko_net.archive import hints_in, record_of


def finished(*hints: int) -> str:
    """The record of a short game in which there was so much help, by seat."""
    rules = Rules(players=len(hints), max_rounds=1)
    table = Table(Setup(rules, bytes(32), Options(bot_pause=0.0)))
    for seat in range(len(hints)):
        table.apply(Sit(seat, f"P{seat}", Kind.BOT, "novice"), 0.0)
    table.apply(Start(), 0.0)
    while table.stage is Stage.PLAYING:
        given = table.due(0.0)
        assert given is not None
        table.apply(given, 0.0)
    table.chairs = [
        replace(chair, kind=Kind.HUMAN, hints=count)
        for chair, count in zip(table.chairs, hints, strict=True)
    ]
    return record_of(table, 1_000_000.0)


def test_help_is_noted_where_there_was_any() -> None:
    assert hints_in(read(finished(2, 0, 11))) == (2, 0, 11)
    assert "hints" not in finished(0, 0)


@pytest.mark.parametrize("noted", ["", "1", "1 2 3", "1  2", "-1 2", "x y", "1 99999999"])
def test_a_record_that_tells_no_help_had_none(noted: str) -> None:
    record = read(finished(0, 0))
    assert hints_in(record) == (0, 0)
    assert hints_in(replace(record, about={"hints": noted})) == (0, 0)
