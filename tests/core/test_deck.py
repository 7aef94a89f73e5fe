from __future__ import annotations

import hashlib
import itertools
from collections import Counter

import pytest

from racko_core.deck import (
    Deck,
    commitment,
    dealt,
    fresh_seed,
    reshuffled,
    seed_from,
    shuffled,
)
from racko_core.rules import Rules


def test_every_order_of_four_cards_comes_up_equally_often() -> None:
    seen = Counter(tuple(shuffled(range(4), key.to_bytes(4, "big"))) for key in range(12_000))
    expected = 12_000 / 24
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert set(seen) == set(itertools.permutations(range(4)))
    assert chi_square < 49.7  # 23 degrees of freedom, 1 in 1000; the keys are fixed


def test_every_card_comes_to_every_place_equally_often() -> None:
    places: Counter[tuple[int, int]] = Counter()
    for number in range(1, 3001):
        places.update(enumerate(Deck.for_round(Rules(), bytes(32), number).order))
    expected = 3000 / 40
    chi_square = sum(
        (places[p, c] - expected) ** 2 / expected for p in range(40) for c in range(1, 41)
    )
    assert chi_square < 1700  # 39 * 39 = 1521 degrees of freedom, deviation 55


def test_a_shuffle_depends_on_its_key_alone() -> None:
    assert shuffled(range(60), b"a") == shuffled(list(range(60)), b"a")
    assert shuffled(range(60), b"a") != shuffled(range(60), b"b")
    assert shuffled([], b"a") == []
    assert shuffled([7], b"a") == [7]


def test_seeds_are_32_bytes_and_a_chosen_one_stays_the_same() -> None:
    assert len(fresh_seed()) == len(seed_from("x")) == 32
    assert fresh_seed() != fresh_seed()
    assert seed_from(5) == seed_from("5") == hashlib.sha256(b"racko seed 5").digest()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deck_is_whole_and_proves_itself(players: int) -> None:
    rules = Rules(players=players)
    deck = Deck.for_round(rules, seed_from("x"), 3)
    assert sorted(deck.order) == list(range(1, rules.cards + 1))
    assert deck.commitment == hashlib.sha256(bytes(deck.order) + deck.salt).hexdigest()
    assert deck == Deck.for_round(rules, seed_from("x"), 3)


def test_rounds_and_seeds_have_decks_and_salts_of_their_own() -> None:
    decks = [Deck.for_round(Rules(), seed_from(s), n) for s in range(5) for n in range(5)]
    assert len({deck.order for deck in decks}) == len({deck.salt for deck in decks}) == 25


def test_a_commitment_tells_two_decks_apart() -> None:
    order = list(range(1, 41))
    other = [2, 1, *range(3, 41)]
    assert (
        len(
            {
                commitment(order, bytes(16)),
                commitment(other, bytes(16)),
                commitment(order, bytes(15) + b"1"),
            }
        )
        == 3
    )


def test_cards_are_dealt_one_by_one_from_the_dealers_left_and_from_back_to_front() -> None:
    racks, discard, draw = dealt(list(range(1, 51)), players=3, dealer=1)
    # Seat 2 gets cards 1, 4, 7, ...; its first card stands in slot 10, its last in slot 1.
    assert racks[2] == [28, 25, 22, 19, 16, 13, 10, 7, 4, 1]
    assert racks[0] == [29, 26, 23, 20, 17, 14, 11, 8, 5, 2]
    assert racks[1] == [30, 27, 24, 21, 18, 15, 12, 9, 6, 3]
    assert discard == 31
    assert draw[-1] == 32
    assert draw[0] == 50
    assert len(draw) == 19


def test_a_reshuffle_follows_from_the_deck_the_salt_and_its_number() -> None:
    cards, order, salt = list(range(1, 20)), list(range(1, 41)), bytes(16)
    base = reshuffled(cards, order, salt, 1)
    assert sorted(base) == cards
    assert base == reshuffled(cards, order, salt, 1)
    assert base != reshuffled(cards, order, salt, 2)
    assert base != reshuffled(cards, order, bytes(15) + b"1", 1)
    assert base != reshuffled(cards, order[::-1], salt, 1)
