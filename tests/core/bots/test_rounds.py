"""Rounds end without the stalemate guard, and better bots win more of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots import LEVELS, REFERENCES, bot
from racko_core.bots.solid import Solid
from racko_core.bots.weighing import Judgement
from racko_core.rules import PRESETS, Rules
from racko_core.view import View
from tests.core.bots.playing import play_round, share_won

EVERY_PRESET = [
    Rules.preset(name, players)
    for name in PRESETS
    for players in (2, 3, 4)
    if not (name == "duel" and players != 2) and not (name == "partners" and players != 4)
]
HARD = [Rules(min_run=6), Rules(players=3, min_run=4, exhausted="shuffle")]


def rounds_end(rules: Rules, level: str, rounds: int) -> None:
    levels = list(LEVELS)
    for deck in range(rounds):
        players = [
            bot(levels[(deck + seat) % len(levels)] if level == "mixed" else level)
            for seat in range(rules.players)
        ]
        ended = play_round(rules, f"{level} {deck}", players, most_turns=400)
        assert ended.went_out is not None


@pytest.mark.parametrize("level", [*LEVELS, "mixed"])
@pytest.mark.parametrize("rules", EVERY_PRESET, ids=str)
def test_every_round_ends(rules: Rules, level: str) -> None:
    rounds_end(rules, level, {"novice": 100, "expert": 3}.get(level, 12))


@pytest.mark.parametrize("level", [*LEVELS, "mixed"])
@pytest.mark.parametrize("rules", HARD, ids=str)
def test_rounds_that_need_a_long_run_end(rules: Rules, level: str) -> None:
    rounds_end(rules, level, {"expert": 1, "mixed": 3}.get(level, 10))


@pytest.mark.slow
@pytest.mark.parametrize("level", [*LEVELS, "mixed"])
@pytest.mark.parametrize("rules", EVERY_PRESET, ids=str)
def test_hundreds_of_rounds_end(rules: Rules, level: str) -> None:
    rounds_end(rules, level, 400)


def test_two_casual_players_who_hold_each_others_cards_get_unstuck() -> None:
    """Deck 30: both wait for ever for cards of the other one, if they never lose patience."""
    rules = Rules(bonus=True)
    locked = [play_round(rules, f"l{deck}", [bot("casual")] * 2, 400) for deck in (30,)]
    assert locked[0].turns[0] > 30


@pytest.mark.parametrize(
    ("level", "other", "least", "most"),
    [
        ("novice", "solid", 0.10, 0.20),
        ("casual", "solid", 0.30, 0.42),
        ("novice", "casual", 0.20, 0.38),
        ("casual", "sharp", 0.28, 0.40),
        ("sharp", "solid", 0.50, 0.60),
    ],
)
def test_better_bots_win_more_rounds(level: str, other: str, least: float, most: float) -> None:
    assert least < share_won(Rules(), bot(level), bot(other), decks=200) < most


@pytest.mark.parametrize("players", [3, 4])
def test_the_order_of_strength_holds_at_larger_tables(players: int) -> None:
    rules = Rules(players=players)
    assert share_won(rules, bot("sharp"), bot("solid"), decks=60) > 1 / players
    assert share_won(rules, bot("solid"), bot("casual"), decks=60) > 1 / players + 0.02
    assert share_won(rules, bot("casual"), bot("novice"), decks=60) > 1 / players + 0.1


class Blind(Solid):
    """Plays as if going out needed no run."""

    def judge(self, view: View) -> Judgement:
        return super().judge(replace(view, rules=view.rules.with_changes(min_run=0)))


def test_knowing_that_going_out_needs_a_run_wins_rounds() -> None:
    rules = Rules(min_run=3)
    assert share_won(rules, bot("solid"), Blind(), decks=40) > 0.65


def test_a_bot_that_sorts_first_loses_to_one_that_builds_its_run_on_the_way() -> None:
    rules = Rules(min_run=3, stalemate_turnovers=3)
    assert share_won(rules, bot("solid"), bot("sorter"), 30) > 0.5


def test_the_sharp_player_is_sharp_with_runs_too() -> None:
    assert share_won(Rules(min_run=3), bot("sharp"), bot("solid"), 60) > 0.5


def test_references_play_and_are_no_level() -> None:
    assert not set(REFERENCES) & set(LEVELS)
    for name in REFERENCES:
        rules = Rules(bonus=True, min_run=3, stalemate_turnovers=2)
        play_round(rules, name, [bot(name), bot("solid")], 400)


class Watched:
    """Remembers what a bot chose when it could go out."""

    def __init__(self, name: str) -> None:
        self._bot = bot(name)
        self.called: list[Action] = []

    def decide(self, view: View) -> Action:
        action = self._bot.decide(view)
        if act.GO_OUT in view.legal:
            self.called.append(action)
        return action


def test_who_is_blind_to_bonuses_never_waits_for_one() -> None:
    blind, other = Watched("expert-blind"), Watched("expert")
    for deck in range(12):
        play_round(Rules.preset("bonus"), f"b{deck}", [blind, other], 400)
    assert set(blind.called) == {act.GO_OUT}
    assert set(other.called) > {act.GO_OUT}
