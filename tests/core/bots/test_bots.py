from __future__ import annotations

import ast
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import racko_core.bots
from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots import LEVELS, Bot, bot, decide_safely
from racko_core.deck import seed_from
from racko_core.errors import RackoError, RulesError
from racko_core.game import Game
from racko_core.rules import MIN_RUNS, Card, Rules
from racko_core.view import Phase, View
from tests.core.stacked import RISING, dealt_game, play


@st.composite
def all_rules(draw: st.DrawFn) -> Rules:
    players = draw(st.sampled_from((2, 3, 4)))
    return Rules(
        players=players,
        target=draw(st.sampled_from((100, 500))),
        exhausted=draw(st.sampled_from(("flip", "shuffle"))),
        call=draw(st.sampled_from(("auto", "manual"))),
        min_run=draw(st.sampled_from(MIN_RUNS)),
        scoring=draw(st.sampled_from(("prefix", "ascents"))),
        bonus=draw(st.booleans()),
        teams=players == 4 and draw(st.booleans()),
    )


class Wild:
    """Any legal action, by the numbers given."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = iter(numbers)

    def decide(self, view: View) -> Action:
        return view.legal[next(self._numbers) % len(view.legal)]


@settings(max_examples=60, deadline=None)
@given(all_rules(), st.integers(0, 1000), st.lists(st.integers(0, 99), max_size=120))
def test_every_bot_decides_legally_and_alike_wherever_a_game_can_get(
    rules: Rules, seed: int, numbers: list[int]
) -> None:
    game, wild = Game.new(rules, seed_from(seed)), Wild(numbers)
    for count, _ in enumerate(numbers):
        if game.turn is None:
            break
        view = game.view(game.turn)
        if count % 7 == 0 or view.phase is Phase.CALL:
            for level in LEVELS:
                action = bot(level).decide(view)
                assert action in view.legal
                assert bot(level).decide(game.view(game.turn)) == action
        game.apply(wild.decide(view))


PAIR = (4, 8, 12, 16, 17, 24, 28, 32, 36, 40)
"""In order, with 16 17, which 15 or 18 would make a run."""
RUN = (4, 8, 12, 16, 17, 18, 28, 32, 36, 40)


def holding(rack: Sequence[Card], rules: Rules, *draws: Card, discard: Card = 1) -> Game:
    """A game in which seat 1 has this rack and the first turn."""
    return dealt_game(rules, {1: rack}, draws, discard)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("min_run", [0, 3])
def test_a_bot_goes_out_in_its_first_turn_with_a_rack_in_order(level: str, min_run: int) -> None:
    game = holding(RUN, Rules(call="manual", min_run=min_run))
    assert bot(level).decide(game.view(1)) == act.GO_OUT


@pytest.mark.parametrize("level", ["casual", "solid"])
def test_a_bot_with_racko_takes_a_free_card_and_builds_the_run_with_it(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), 18)
    player = bot(level)
    assert player.decide(game.view(1)) == act.DRAW
    game.apply(act.DRAW)
    assert player.decide(game.view(1)) == act.PLACES[5]


@pytest.mark.parametrize("level", ["casual", "solid"])
def test_a_bot_with_racko_takes_the_discard_that_makes_a_run(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), discard=15)
    assert bot(level).decide(game.view(1)) == act.TAKES[2]


@pytest.mark.parametrize("level", ["casual", "solid"])
def test_a_bot_keeps_racko_when_the_free_card_is_of_no_use(level: str) -> None:
    game = holding(PAIR, Rules(bonus=True), 2)
    game.apply(act.DRAW)
    assert bot(level).decide(game.view(1)) == act.DISCARD


@pytest.mark.parametrize("level", ["casual", "solid"])
def test_a_bot_goes_out_at_once_when_no_card_can_make_a_run(level: str) -> None:
    game = holding(RISING, Rules(bonus=True))
    assert bot(level).decide(game.view(1)) == act.GO_OUT


LONG = (8, 10, 11, 12, 13, 15, 16, 17, 39, 40)
"""A run of four; 14 alone would make it eight, worth 300 more."""


def called(rules: Rules) -> View:
    """The first turn has passed; seat 1 holds `LONG` and may go out or play on."""
    game = holding(LONG, rules, 2)
    play(game, "d x")
    assert game.phase is Phase.CALL
    return game.view(1)


def test_a_bot_plays_on_early_for_a_much_longer_run() -> None:
    assert bot("solid").decide(called(Rules(bonus=True))) == act.PLAY_ON
    assert bot("novice").decide(called(Rules(bonus=True))) == act.GO_OUT


def test_nobody_plays_on_without_a_bonus() -> None:
    assert bot("solid").decide(called(Rules(call="manual"))) == act.GO_OUT


def test_nobody_plays_on_when_either_side_would_win_the_game() -> None:
    view = called(Rules(bonus=True))
    for totals in ((0, 350), (430, 0)):
        assert bot("solid").decide(replace(view, totals=totals)) == act.GO_OUT


def test_nobody_plays_on_late_in_a_round() -> None:
    view = replace(called(Rules(bonus=True)), turns=(15, 16))
    assert bot("solid").decide(view) == act.GO_OUT


def test_an_unknown_level_is_refused_with_the_levels_there_are() -> None:
    with pytest.raises(RackoError, match="novice, casual, solid") as caught:
        bot("grandmaster")
    assert not isinstance(caught.value, RulesError)


class Failing:
    def decide(self, view: View) -> Action:
        raise ZeroDivisionError


class Cheating:
    def decide(self, view: View) -> Action:
        return act.PLAY_ON


class Absent:
    def decide(self, view: View) -> Action:
        return None  # type: ignore[return-value]


@pytest.mark.parametrize("player", [Failing(), Cheating(), Absent()])
def test_a_bot_that_fails_is_replaced_by_a_harmless_choice_and_logged(
    player: Bot, caplog: pytest.LogCaptureFixture
) -> None:
    game = Game.new(Rules(call="manual"), seed_from("safe"))
    done = []
    with caplog.at_level(logging.ERROR):
        for _ in range(7):
            assert game.turn is not None
            done.append(decide_safely(player, game.view(game.turn)))
            game.apply(done[-1])
    assert done == [act.DEAL, *[act.DRAW, act.DISCARD] * 3]
    assert len(caplog.records) == 7
    assert type(player).__name__ in caplog.records[0].getMessage()


def test_a_sound_bot_decides_for_itself() -> None:
    game = Game.new(Rules(), seed_from("sound"))
    game.apply(act.DEAL)
    view = game.view(game.turn)
    assert decide_safely(bot("solid"), view) == bot("solid").decide(view)


def test_bots_cannot_reach_a_game_or_a_deck() -> None:
    folder = Path(racko_core.bots.__file__).parent
    # The environment is no bot: it holds the game that its players see views of.
    modules = sorted(set(folder.glob("*.py")) - {folder / "pettingzoo_env.py"})
    assert len(modules) > 5
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [f"{node.module}.{name.name}" for name in node.names]
            for name in names:
                assert not name.startswith(("racko_core.game", "racko_core.deck")), module.name
                assert not name.startswith(("racko_net", "racko_tui")), module.name
