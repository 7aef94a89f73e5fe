"""Going out or playing on, where players call for themselves: every level knows when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from racko_core import actions as act
from racko_core.bots import LEVELS, bot
from racko_core.game import Game
from racko_core.rules import Card, Rules
from racko_core.view import UNKNOWN, Phase, View
from tests.core.stacked import RISING, dealt_game, play

every_level = pytest.mark.parametrize("level", LEVELS)

PAIR = (4, 8, 12, 16, 17, 24, 28, 32, 36, 40)
"""In order, with 16 17, which 15 or 18 would make a run."""
RUN = (4, 8, 12, 16, 17, 18, 28, 32, 36, 40)
LONG = (8, 10, 11, 12, 13, 15, 16, 17, 39, 40)
"""A run of four; 9 or 14 would make it five, worth 100 more."""


def holding(rack: Sequence[Card], rules: Rules, *draws: Card, discard: Card = 1) -> Game:
    """A game in which seat 1 has this rack and the first turn."""
    return dealt_game(rules, {1: rack}, draws, discard)


def called(rules: Rules) -> View:
    """The first turn has passed; seat 1 holds `LONG` and may go out or play on."""
    game = holding(LONG, rules, 2)
    play(game, "d x")
    assert game.phase is Phase.CALL
    return game.view(1)


@every_level
@pytest.mark.parametrize("min_run", [0, 3])
def test_a_bot_goes_out_in_its_first_turn_with_a_rack_in_order(level: str, min_run: int) -> None:
    game = holding(RUN, Rules(call="manual", min_run=min_run))
    assert bot(level).decide(game.view(1)) == act.GO_OUT


@every_level
def test_a_bot_with_racko_takes_a_free_card_and_builds_the_run_with_it(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), 18)
    player = bot(level)
    assert player.decide(game.view(1)) == act.DRAW
    game.apply(act.DRAW)
    assert player.decide(game.view(1)) == act.PLACES[5]


@every_level
def test_a_bot_with_racko_takes_the_discard_that_makes_a_run(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), discard=15)
    assert bot(level).decide(game.view(1)) == act.TAKES[2]


@every_level
def test_a_bot_keeps_racko_when_the_free_card_is_of_no_use(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), 2)
    game.apply(act.DRAW)
    assert bot(level).decide(game.view(1)) == act.DISCARD


@every_level
def test_a_bot_goes_out_at_once_when_no_card_can_make_a_run(level: str) -> None:
    game = holding(RISING, Rules(bonus=True))
    assert bot(level).decide(game.view(1)) == act.GO_OUT


@every_level
def test_a_bot_plays_on_early_for_a_longer_run(level: str) -> None:
    assert bot(level).decide(called(Rules(bonus=True))) == act.PLAY_ON


@every_level
def test_nobody_plays_on_without_a_bonus(level: str) -> None:
    assert bot(level).decide(called(Rules(call="manual"))) == act.GO_OUT


@every_level
def test_nobody_plays_on_late_in_a_round(level: str) -> None:
    view = replace(called(Rules(bonus=True)), turns=(15, 16))
    assert bot(level).decide(view) == act.GO_OUT


LATE = (6, 7)
"""Turns after which others go out now and then."""


@every_level
def test_whoever_wins_the_game_by_going_out_does(level: str) -> None:
    view = called(Rules(bonus=True))
    assert bot(level).decide(replace(view, totals=(0, 325))) == act.GO_OUT
    assert bot(level).decide(replace(view, totals=(0, 320))) == act.PLAY_ON


@every_level
def test_whoever_loses_the_game_by_going_out_plays_on(level: str) -> None:
    """The other one has 480 and scores for the front of the rack; 175 more are not enough."""
    view = replace(called(Rules(bonus=True)), turns=LATE)
    assert bot(level).decide(replace(view, totals=(480, 235))) == act.PLAY_ON
    assert bot(level).decide(replace(view, totals=(480, 345))) == act.GO_OUT


@every_level
def test_in_the_last_round_only_the_lead_counts(level: str) -> None:
    view = replace(called(Rules(bonus=True, max_rounds=1)), turns=LATE)
    assert bot(level).decide(replace(view, totals=(150, 150))) == act.GO_OUT
    assert bot(level).decide(replace(view, totals=(400, 150))) == act.PLAY_ON


def partnered(**changes: object) -> View:
    """As `called`, with a partner at seat 3."""
    view = called(Rules.preset("partners"))
    return replace(view, turns=(3, 4, 3, 3), **changes)  # type: ignore[arg-type]


@every_level
def test_a_partner_who_may_go_out_is_no_danger(level: str) -> None:
    waiting = replace(partnered(), turns=(3, 4, 3, 9))
    assert bot(level).decide(waiting) == act.PLAY_ON
    opponent = replace(partnered(), turns=(9, 4, 3, 3))
    assert bot(level).decide(opponent) == act.GO_OUT


@every_level
def test_a_run_that_the_partner_has_shown_wins_the_game(level: str) -> None:
    view = partnered(totals=(380, 250))
    assert bot(level).decide(view) == act.PLAY_ON
    shown = (None, None, 20, 21, 22, *UNKNOWN[5:])
    known = (*view.known[:3], shown)
    assert bot(level).decide(replace(view, known=known)) == act.GO_OUT
