from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racko_core.game import Game
from racko_core.rack import (
    ascents,
    breaks,
    cards_that_score,
    is_in_order,
    is_racko,
    longest_run,
    points_for_going_out,
    points_without_going_out,
    prefix,
    run_bonus,
    with_card,
)
from racko_core.rules import Rules

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("racks.json").read_text("utf-8"))
racks = st.lists(st.integers(1, 60), min_size=10, max_size=10, unique=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_a_rack_is_worth_what_the_cases_say(case: dict[str, Any]) -> None:
    rack = case["rack"]
    run = longest_run(rack)[1]
    assert is_in_order(rack) == case["in_order"]
    assert points_without_going_out(rack, Rules()) == case["prefix_points"]
    assert points_without_going_out(rack, Rules(scoring="ascents")) == case["ascents_points"]
    assert run == case["longest_run"]
    assert run_bonus(run) == case["run_bonus"]
    assert is_racko(rack, Rules()) == case["goes_out"]
    assert is_racko(rack, Rules(min_run=3)) == case["goes_out_min_run_3"]
    if case["goes_out"]:
        assert points_for_going_out() == case["winner_points"]
        assert points_for_going_out() + run_bonus(run) == case["winner_points_bonus"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_the_engine_scores_a_rack_as_the_cases_say(case: dict[str, Any]) -> None:
    for bonus, key in ((False, "winner_points"), (True, "winner_points_bonus")):
        game = Game.new(Rules(players=4, bonus=bonus), bytes(32))
        game._racks = [list(case["rack"])] * 4
        assert game._score(1, 0).points == case["prefix_points"]
        if case["goes_out"]:
            assert game._score(0, 0).points == case[key]


@given(racks, st.integers(1, 10), st.integers(1, 60))
def test_a_card_takes_the_place_of_the_one_in_its_slot(
    rack: list[int], slot: int, card: int
) -> None:
    after = with_card(rack, slot, card)
    assert after[slot - 1] == card
    assert with_card(after, slot, rack[slot - 1]) == tuple(rack)


def test_the_example_of_the_rules_has_six_cards_in_prefix_and_nine_ascents() -> None:
    rack = (5, 9, 13, 24, 25, 32, 4, 35, 42, 55)
    assert (prefix(rack), ascents(rack), breaks(rack)) == (6, 9, (7,))
    assert cards_that_score(rack, Rules()) == 6
    assert cards_that_score(rack, Rules(scoring="ascents")) == 9


def test_the_front_one_of_two_equal_runs_is_told() -> None:
    assert longest_run((1, 2, 3, 10, 11, 12, 40, 50, 55, 60)) == (1, 3)
    assert longest_run((60, 2, 3, 10, 11, 12, 40, 50, 55, 1)) == (4, 3)


@given(racks)
def test_the_measures_of_a_rack_agree_with_each_other(rack: list[int]) -> None:
    assert ascents(rack) == 10 - len(breaks(rack))
    assert prefix(rack) == (breaks(rack) or (11,))[0] - 1
    assert is_in_order(rack) == (rack == sorted(rack)) == (not breaks(rack))
    start, length = longest_run(rack)
    run = rack[start - 1 : start - 1 + length]
    assert run == list(range(run[0], run[0] + length))
    assert not any(
        rack[i : i + length + 1] == list(range(rack[i], rack[i] + length + 1))
        for i in range(10 - length)
    )
