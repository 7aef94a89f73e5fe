"""Which cards are out of place, against every choice there is."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from racko_core.order import strays
from racko_core.rack import is_in_order


def can_stay(rack: list[int], slots: tuple[int, ...], highest: int) -> bool:
    ends = [(0, 0), *((slot, rack[slot - 1]) for slot in slots), (11, highest + 1)]
    return all(high - low >= back - front for (front, low), (back, high) in pairwise(ends))


racks = st.lists(st.integers(1, 40), min_size=10, max_size=10, unique=True)


@given(racks)
def test_as_few_cards_as_possible_are_out_of_place(rack: list[int]) -> None:
    out = strays(tuple(rack), 40)
    stay = tuple(slot for slot in range(1, 11) if slot not in out)
    assert can_stay(rack, stay, 40)
    more = combinations(range(1, 11), len(stay) + 1)
    assert not any(can_stay(rack, slots, 40) for slots in more)


@given(racks)
def test_a_rack_in_order_has_none(rack: list[int]) -> None:
    assert strays(tuple(sorted(rack)), 40) == frozenset()
    assert bool(strays(tuple(rack), 40)) != is_in_order(rack)


def test_the_card_that_sticks_out_is_the_one() -> None:
    assert strays((43, 9, 10, 11, 15, 18, 24, 31, 38, 33), 50) == {1, 10}
    assert strays((5, 9, 13, 24, 25, 32, 4, 35, 42, 55), 60) == {7}
    assert strays((2, 6, 9, 39, 17, 21, 26, 30, 33, 38), 40) == {4}


def test_of_two_that_are_as_good_the_one_nearer_to_its_place_stays() -> None:
    assert strays((2, 6, 14, 11, 18, 22, 26, 30, 33, 38), 40) == {3}
    assert strays((2, 6, 10, 3, 18, 22, 26, 30, 33, 38), 40) == {4}
