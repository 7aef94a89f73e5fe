from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from racko_core.errors import RulesError
from racko_core.rules import GUARD, PRESETS, Rules, label


def test_the_defaults_are_those_of_the_classic_game() -> None:
    assert Rules.preset("classic") == Rules()
    assert Rules().to_dict() == {
        "players": 2,
        "target": 500,
        "first_dealer": "high",
        "exhausted": "flip",
        "call": "auto",
        "min_run": 0,
        "scoring": "prefix",
        "bonus": False,
        "teams": False,
        "max_rounds": None,
        "stalemate_turnovers": None,
    }


@pytest.mark.parametrize(
    ("name", "players", "settings"),
    [
        ("duel", None, {"players": 2, "min_run": 3, "call": "auto"}),
        ("bonus", 3, {"players": 3, "bonus": True, "call": "manual", "min_run": 0}),
        ("partners", None, {"players": 4, "teams": True, "bonus": True, "call": "manual"}),
        ("vintage", 2, {"first_dealer": "low", "bonus": True, "call": "manual", "min_run": 3}),
        ("vintage", 4, {"first_dealer": "low", "bonus": True, "call": "manual", "min_run": 0}),
    ],
)
def test_a_preset_sets_what_it_promises(
    name: str, players: int | None, settings: dict[str, Any]
) -> None:
    assert settings.items() <= Rules.preset(name, players).to_dict().items()


def test_a_preset_can_be_changed() -> None:
    rules = Rules.preset("vintage", 2, min_run=0, target=150)
    assert (rules.min_run, rules.target, rules.first_dealer) == (0, 150, "low")


@pytest.mark.parametrize("bonus", [False, True])
def test_calls_are_manual_by_default_only_where_runs_score(bonus: bool) -> None:
    assert Rules(bonus=bonus).call == ("manual" if bonus else "auto")
    assert Rules(bonus=bonus, call="auto").call == "auto"


@pytest.mark.parametrize(("players", "cards"), [(2, 40), (3, 50), (4, 60)])
def test_the_deck_grows_with_the_players(players: int, cards: int) -> None:
    assert Rules(players=players).cards == cards


def test_sides_are_players_or_teams() -> None:
    assert Rules(players=3).sides == ((0,), (1,), (2,))
    teams = Rules(players=4, teams=True)
    assert teams.sides == ((0, 2), (1, 3))
    assert [teams.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_labels_run_from_5_at_the_front_to_50_at_the_back() -> None:
    assert [label(slot) for slot in (1, 2, 10)] == [5, 10, 50]


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"players": 1}, "2, 3 or 4 players"),
        ({"players": 5}, "2, 3 or 4 players"),
        ({"players": True}, "2, 3 or 4 players"),
        ({"players": 2.0}, "2, 3 or 4 players"),
        ({"players": [2]}, "2, 3 or 4 players"),
        ({"players": None}, "2, 3 or 4 players"),
        ({"target": 0}, "multiple of 5"),
        ({"target": 7}, "multiple of 5"),
        ({"target": -5}, "multiple of 5"),
        ({"target": 5.0}, "multiple of 5"),
        ({"target": "500"}, "multiple of 5"),
        ({"target": 10**30}, "at most"),
        ({"first_dealer": "middle"}, "high / low"),
        ({"exhausted": "stop"}, "flip / shuffle"),
        ({"call": "shout"}, "auto / manual"),
        ({"call": ["auto"]}, "auto / manual"),
        ({"scoring": None}, "prefix / ascents"),
        ({"min_run": 1}, "0 (none) or 2 to 6"),
        ({"min_run": 7}, "0 (none) or 2 to 6"),
        ({"min_run": False}, "0 (none) or 2 to 6"),
        ({"min_run": 3.0}, "0 (none) or 2 to 6"),
        ({"bonus": 1}, "yes / no"),
        ({"teams": "yes"}, "yes / no"),
        ({"players": 3, "teams": True}, "Teams need four players, not 3"),
        ({"max_rounds": 0}, "1 or more"),
        ({"max_rounds": True}, "1 or more"),
        ({"max_rounds": 10**30}, "at most"),
        ({"stalemate_turnovers": 0}, "1 turn-over or more"),
        ({"stalemate_turnovers": "2"}, "1 turn-over or more"),
        ({"stalemate_turnovers": 10**30}, "at most"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_with_one_sentence(
    settings: dict[str, Any], word: str
) -> None:
    with pytest.raises(RulesError) as refusal:
        Rules(**settings)
    sentence = str(refusal.value)
    assert word in sentence
    assert sentence.endswith(".")
    assert str(pickle.loads(pickle.dumps(refusal.value))) == sentence


def test_unknown_presets_and_settings_are_refused() -> None:
    with pytest.raises(RulesError, match="no preset “poker”; choose one of classic, duel"):
        Rules.preset("poker")
    with pytest.raises(RulesError, match="for two players, not 3"):
        Rules.preset("duel", 3)
    with pytest.raises(RulesError, match="no rule called “jokers”"):
        Rules.from_dict({"jokers": 2})
    with pytest.raises(RulesError, match="Teams need four"):
        Rules(players=4, teams=True).with_changes(players=2)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_survive_plain_values_and_json(name: str) -> None:
    rules = Rules.preset(name, target=150, max_rounds=9, stalemate_turnovers=4)
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_settings_left_out_take_their_defaults() -> None:
    assert Rules.from_dict({"bonus": True}) == Rules(bonus=True, call="manual")


def test_rules_without_a_stalemate_guard_get_one_and_others_keep_their_own() -> None:
    assert Rules().guarded() == Rules(stalemate_turnovers=GUARD)
    assert Rules(stalemate_turnovers=2).guarded() == Rules(stalemate_turnovers=2)
