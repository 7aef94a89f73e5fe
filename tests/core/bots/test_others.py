"""How far others are, as the expert sees it: from what is known of their racks, and no more."""

from __future__ import annotations

import numpy as np
import pytest

from racko_core.bots.distance import waits
from racko_core.bots.expert import memory, others
from racko_core.bots.expert.feeding import Feeding
from racko_core.bots.expert.others import FILLED, OPEN, Known
from tests.core.bots.oracle import distance


def nothing_seen() -> memory.Sight:
    """Of two players."""
    return memory.Sight(
        *([[0] * 42 for _ in range(2)] for _ in range(5)),
        *([0] * 42 for _ in range(len(memory.Sight._fields) - 5)),
    )


def room() -> Known:
    return Known(*([0] * 12 for _ in Known._fields))


def below(gone: list[int]) -> list[int]:
    status, count = [memory.UNSEEN] * 42, [0] * 42
    for card in gone:
        status[card] = memory.MINE
    memory.count_below(40, status, count)
    return count


def wait(sight: memory.Sight, trust: int, count: list[int]) -> float:
    known = room()
    n = others.fill_known(sight, 1, trust, 40, known)
    return others.fill_known_waits(n, count, waits(), known)


def test_a_rack_that_is_all_known_waits_as_long_as_its_owner_reckons() -> None:
    random = np.random.default_rng(8)
    for _ in range(20):
        deck = (random.permutation(40) + 1).tolist()
        sight, count = nothing_seen(), below(deck[:10])
        sight.known[1][:10] = deck[:10]
        due = distance(deck[:10], count, waits()) ** 1.5
        assert wait(sight, OPEN, count) == pytest.approx(due)
        assert wait(sight, FILLED, count) == pytest.approx(due)


def test_a_rack_of_which_nothing_is_known_waits_for_ten_cards() -> None:
    count = below([])
    assert wait(nothing_seen(), OPEN, count) == waits()[10][count[41]]


def test_slots_changed_unseen_are_open_or_filled() -> None:
    sight, count = nothing_seen(), below([20])
    sight.known[1][4] = 20
    sight.unknown[1][:4] = [1, 2, 1, 3]
    whole, front, back = count[41], count[20], count[41] - count[21]
    staying = waits()[4][front] + waits()[5][back]
    assert wait(sight, OPEN, count) == min(staying, waits()[10][whole])
    staying = waits()[0][front] + waits()[5][back]
    assert wait(sight, FILLED, count) == min(staying, waits()[6][whole])


def test_a_card_for_others_is_worth_what_its_best_slot_saves() -> None:
    random = np.random.default_rng(9)
    for number in range(20):
        deck = (random.permutation(40) + 1).tolist()
        sight, count = nothing_seen(), below(deck[:11])
        for slot in random.permutation(10)[: number // 3]:
            sight.known[1][slot] = deck[slot]
        known = room()
        n = others.fill_known(sight, 1, OPEN, 40, known)
        now = others.fill_known_waits(n, count, waits(), known)
        later = []
        for slot in range(10):
            with_it = nothing_seen()
            with_it.known[1][:10] = sight.known[1][:10]
            with_it.known[1][slot] = deck[10]
            later.append(wait(with_it, OPEN, count))
        told = others.wait_with(deck[10], n, count, waits(), known)
        assert told == pytest.approx(min(now, *later))


@pytest.mark.parametrize("trust", [OPEN, FILLED])
def test_many_cards_at_once_are_worth_the_same_as_one_by_one(trust: int) -> None:
    random = np.random.default_rng(4)
    known, counts, belows = [], [], []
    for number in range(30):
        deck = (random.permutation(40) + 1).tolist()
        sight = nothing_seen()
        for slot in random.permutation(10)[: number // 3]:
            sight.known[1][slot] = deck[slot]
        sight.unknown[1][:10] = random.integers(0, 3, 10).tolist()
        belows.append(below(deck[:11]))
        known.append(room())
        counts.append(others.fill_known(sight, 1, trust, 40, known[-1]))
        others.fill_known_waits(counts[-1], belows[-1], waits(), known[-1])
    line = random.integers(0, 30, 400)
    cards = random.integers(1, 41, 400)
    told = Feeding(known, counts, belows).waits(line, cards)
    one_by_one = [
        others.wait_with(int(card), counts[at], belows[at], waits(), known[at])
        for at, card in zip(line, cards, strict=True)
    ]
    assert told.tolist() == one_by_one
