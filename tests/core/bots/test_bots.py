from __future__ import annotations

import ast
import logging
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
from racko_core.rules import MIN_RUNS, Rules
from racko_core.view import Phase, View


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


def test_casual_does_not_look_at_what_the_others_want() -> None:
    """What a player left or dropped is known from the history alone; without it solid differs."""
    differ = dict.fromkeys(("casual", "solid"), 0)
    for seed in range(20):
        game = Game.new(Rules(stalemate_turnovers=2), seed_from(seed))
        game.apply(act.DEAL)
        while not game.sheet:
            view = game.view(game.turn)
            unseeing = replace(view, history=view.history[:3])
            for level in differ:
                differ[level] += bot(level).decide(view) != bot(level).decide(unseeing)
            game.apply(bot("casual").decide(view))
    assert differ["casual"] == 0
    assert differ["solid"] > 0
