"""What is played: seats rotated, decks shared, nobody favoured."""

from __future__ import annotations

from collections import Counter

import pytest

from racko_core.arena import ArenaError, Contest
from racko_core.rules import GUARD, Rules

DUO, TRIO, FOUR = Rules(), Rules(players=3), Rules(players=4)
PARTNERS = Rules.preset("partners")


def contest(names: str, rules: Rules, count: int = 12) -> Contest:
    return Contest.of(names.split(), rules, count=count, seed="1")


def seatings(names: str, rules: Rules, deck: int = 0) -> list[str]:
    given = contest(names, rules)
    return [" ".join(given.bots[bot] for bot in seating) for _match, seating in given.tables(deck)]


@pytest.mark.parametrize(
    ("names", "rules", "due"),
    [
        ("a b", DUO, ["a b", "b a"]),
        ("a a", DUO, ["a a"]),
        ("a b", TRIO, ["a b b", "b a b", "b b a"]),
        ("a b b", TRIO, ["a b b", "b a b", "b b a"]),
        ("a b", FOUR, ["a b b b", "b a b b", "b b a b", "b b b a"]),
        ("a b", PARTNERS, ["a b a b", "b a b a"]),
        ("a b c", DUO, ["a b", "b a", "a c", "c a", "b c", "c b"]),
        ("a b a", DUO, ["a b", "b a"]),
        ("a a a", DUO, ["a a"]),
        ("a b c", PARTNERS, ["a b a b", "b a b a", "a c a c", "c a c a", "b c b c", "c b c b"]),
    ],
)
def test_bots_take_seats_in_every_rotation(names: str, rules: Rules, due: list[str]) -> None:
    assert sorted(seatings(names, rules)) == sorted(due)


def test_every_order_round_the_table_has_its_turn() -> None:
    first, second, third = (set(seatings("a b c", TRIO, deck)) for deck in range(3))
    assert first == {"a b c", "b c a", "c a b"}
    assert second == {"a c b", "c b a", "b a c"}
    assert third == first
    assert len({frozenset(seatings("a b c d", FOUR, deck)) for deck in range(6)}) == 6
    assert [len(seatings("a a b b", FOUR, deck)) for deck in range(4)] == [4, 2, 4, 2]


@pytest.mark.parametrize("names", ["a b", "a b c", "a b c d", "a a b b", "a b c d e"])
@pytest.mark.parametrize("rules", [DUO, TRIO, FOUR, PARTNERS])
def test_each_bot_sits_in_each_seat_equally_often(names: str, rules: Rules) -> None:
    given = contest(names, rules)
    for deck in range(6):
        seats: Counter[tuple[int, int]] = Counter()
        for _match, seating in given.tables(deck):
            seats.update(enumerate(seating))
        for bot in range(len(given.bots)):
            assert len({seats[seat, bot] for seat in range(rules.players)}) == 1


def test_a_round_robin_plays_every_choice_of_bots() -> None:
    assert len(contest("a b c d e", DUO).matches) == 10
    assert len(contest("a b c d e", TRIO).matches) == 10
    assert len(contest("a b c d e", FOUR).matches) == 5
    assert len(contest("a b c d", PARTNERS).matches) == 6
    assert contest("a b c d", FOUR).matches == ((0, 1, 2, 3),)


@pytest.mark.parametrize(
    ("names", "rules", "count", "decks"),
    [
        ("a b", DUO, 1000, 500),
        ("a b", DUO, 1, 1),
        ("a b", DUO, 3, 2),
        ("a a", DUO, 1000, 1000),
        ("a b", TRIO, 1000, 334),
        ("a b c", DUO, 1000, 500),
        ("a b", PARTNERS, 1000, 500),
        ("a a b b", FOUR, 6, 2),
        ("a a b b", FOUR, 600, 200),
        ("a b", DUO, 10**9, 5 * 10**8),
    ],
)
def test_there_are_at_least_so_many_rounds(
    names: str, rules: Rules, count: int, decks: int
) -> None:
    assert contest(names, rules, count).decks == decks


def test_a_round_that_nobody_wins_ends() -> None:
    assert contest("a b", DUO).rules.stalemate_turnovers == GUARD
    own = DUO.with_changes(stalemate_turnovers=9)
    assert contest("a b", own).rules.stalemate_turnovers == 9


def test_decks_follow_from_the_seed() -> None:
    one, same = contest("a b", DUO), contest("b a", TRIO)
    assert one.seed_of(3) == same.seed_of(3)
    assert len({one.seed_of(deck) for deck in range(100)}) == 100
    other = Contest.of(["a", "b"], DUO, count=1, seed="2")
    assert other.seed_of(3) != one.seed_of(3)


def test_one_bot_is_not_enough() -> None:
    with pytest.raises(ArenaError, match="two bots or more"):
        contest("a", DUO)
