"""The tables of the sharp player."""

from __future__ import annotations

from math import exp

import pytest

from racko_core.bots.chances import HORIZONS, _lefts, tables
from racko_core.bots.distance import QUARTERS


def chance(horizon: int, m: int, g: int) -> float:
    return exp(-tables()[horizon][m][QUARTERS * g])


@pytest.mark.parametrize("number", range(len(HORIZONS)))
def test_one_open_slot_waits_for_any_card_that_fits(number: int) -> None:
    for g in range(1, 50):
        assert chance(number, 1, g) == pytest.approx(1 - exp(-g * HORIZONS[number]))


def test_chances_rise_with_time_and_with_cards_and_fall_with_open_slots() -> None:
    for number in range(len(HORIZONS)):
        for m in range(1, 11):
            for g in range(m, 50):
                here = chance(number, m, g)
                assert 0 < here <= 1 + 1e-9
                assert chance(number, m, g + 1) >= here
                assert chance(number, m - 1, g) >= here
                assert number == 0 or chance(number - 1, m, g) <= here


def test_two_open_slots_and_two_cards_need_both() -> None:
    for number, horizon in enumerate(HORIZONS):
        both = (1 - exp(-horizon)) ** 2
        assert chance(number, 2, 2) == pytest.approx(both, rel=0.1)


def test_too_few_cards_cost_more_than_any_that_are_enough() -> None:
    for table in tables():
        for m in range(2, 11):
            costs = [table[m][QUARTERS * g] for g in range(m + 1)]
            assert costs == sorted(costs, reverse=True)


def test_the_best_place_is_found_without_trying_all() -> None:
    chances = [[chance(3, m, g) for g in range(51)] for m in range(11)]
    for m in range(1, 11):
        for g in range(m, 51):
            for x, left in enumerate(_lefts(chances, m, g)):
                places = range(max(0, m - g + x), min(m - 1, x) + 1)
                assert left == max(chances[s][x] * chances[m - 1 - s][g - 1 - x] for s in places)
