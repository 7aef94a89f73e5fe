"""Whole rounds at the table, played by keys against bots that answer at once."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual._styles_cache import StylesCache

from racko_core.rules import Rules
from tests.tui.table.sitting import Sitting, seated, sitting


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(players=3),
        Rules.preset("partners", stalemate_turnovers=2),
        Rules.preset("duel", stalemate_turnovers=2),
    ],
    ids=["two", "three", "partners", "duel"],
)
async def test_a_round_is_played_by_keys_alone(rules: Rules) -> None:
    async with sitting(seated(1, rules)) as at:
        assert await at.play_round() > 3
        await at.until(lambda: not at.at_table, "the end of the round")
        assert type(at.app.screen).__name__ == "RoundEndScreen"


async def test_the_next_round_follows_when_the_player_goes_on() -> None:
    async with sitting(seated()) as at:
        await at.play_round()
        for _ in range(10):
            if at.table.game is not None and at.table.game.round == 2:
                break
            await at.press("enter")
        await at.turn()
        assert at.table.game is not None
        assert at.table.game.round == 2


@asynccontextmanager
async def ended() -> AsyncIterator[Sitting]:
    """A table whose game is over."""
    async with sitting(seated(1, Rules(target=50))) as at:
        await at.play_round()
        for _ in range(10):
            if type(at.app.screen).__name__ == "GameOverScreen":
                break
            await at.press("enter")
        yield at


async def test_a_whole_game_ends_and_its_end_leads_home() -> None:
    async with ended() as at:
        await at.press("q")
        await at.until(lambda: at.screen not in at.app.screen_stack, "leaving the table")


async def test_a_rematch_begins_at_the_same_table() -> None:
    async with ended() as at:
        await at.press("r")
        await at.turn()
        assert at.table.game_number == 2


async def test_a_long_game_keeps_no_pictures_of_the_rounds_before() -> None:
    def pictures() -> int:
        gc.collect()
        return sum(isinstance(thing, StylesCache) for thing in gc.get_objects())

    async with sitting(seated(1, Rules(target=100_000))) as at:
        await at.play_round()
        before = pictures()
        for _ in range(3):
            await at.play_round()
        assert pictures() <= before + 5
