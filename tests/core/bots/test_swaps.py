"""The quick way to cost a rack with another card in it gives what the plain programme gives."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racko_core.bots.chances import tables
from racko_core.bots.distance import QUARTERS, waits
from racko_core.bots.sums import Sums, powers
from racko_core.bots.swaps import Swaps, distances
from racko_core.rack import is_in_order
from racko_core.rules import SLOTS
from tests.core.bots.oracle import distance


@settings(max_examples=200, deadline=None)
@given(
    st.permutations(range(1, 41)),
    st.lists(st.sampled_from((0, 1, QUARTERS)), min_size=40, max_size=40),
    st.sampled_from((0, 0, 2, 3, 6)),
)
def test_a_card_in_any_slot_costs_to_the_last_bit_what_the_programme_says(
    cards: list[int], quarters: list[int], min_run: int
) -> None:
    rack, card = cards[:SLOTS], cards[SLOTS]
    for seen in cards[: SLOTS + 1]:
        quarters[seen - 1] = 0
    below = (0, 0, *accumulate(quarters))
    now, with_card = distances(rack, below, waits(), min_run)
    assert now == distance(rack, below, waits(), min_run)
    for at, cost in enumerate(with_card(card)):
        after = [*rack[:at], card, *rack[at + 1 :]]
        assert cost == distance(after, below, waits(), min_run)


@settings(max_examples=50, deadline=None)
@given(st.permutations(range(1, 41)), st.integers(0, 7), st.booleans())
def test_all_ways_together_are_likelier_than_the_best_and_added_up_quickly(
    cards: list[int], horizon: int, rising: bool
) -> None:
    rack, card = cards[:SLOTS], cards[SLOTS]
    if rising:
        rack.sort()
    quarters = [0 if number in cards[: SLOTS + 1] else QUARTERS for number in range(1, 41)]
    below = (0, 0, *accumulate(quarters))
    table = tables()[horizon]
    sums, best = Sums(rack, below, powers(table)), Swaps(rack, below, table)
    for at, (cost, most) in enumerate(zip(sums.with_card(card), best.with_card(card), strict=True)):
        after = [*rack[:at], card, *rack[at + 1 :]]
        assert cost == pytest.approx(Sums(after, below, powers(table)).now, abs=1e-6)
        assert cost <= most + 1e-6
        assert (cost == 0) == (most == 0) == is_in_order(after)


def test_a_rack_that_one_card_completes() -> None:
    rack = (4, 8, 12, 16, 40, 24, 28, 32, 36, 39)
    below = tuple(QUARTERS * max(0, card - 1) for card in range(42))
    now, with_card = distances(rack, below, waits(), 0)
    assert with_card(20)[4] == 0.0
    assert now == pytest.approx(1 / 7)
