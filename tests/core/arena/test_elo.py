"""Ratings: right where they can be worked out by hand, and as sure as they say."""

from __future__ import annotations

import random
from math import log10, sqrt
from statistics import fmean, stdev

import pytest

from racko_core.arena.elo import ratings


def rated(decks: list[list[list[float]]], met: float) -> list[tuple[float, float | None]]:
    """Ratings from who beat whom, deck by deck, where each two meet so often on a deck."""
    count, bots = len(decks), range(len(decks[0]))
    beat = [[fmean(deck[i][j] for deck in decks) for j in bots] for i in bots]
    won = [[sum(row) for row in deck] for deck in decks]
    means = [fmean(row[i] for row in won) for i in bots]
    covariance = [
        [
            sum((row[i] - means[i]) * (row[j] - means[j]) for row in won) / max(1, count - 1)
            for j in bots
        ]
        for i in bots
    ]
    return ratings(beat, [[met * (i != j) for j in bots] for i in bots], covariance, count)


def chance(strengths: list[float], i: int, j: int) -> float:
    return 1 / (1 + 10 ** ((strengths[j] - strengths[i]) / 400))


def some_decks(strengths: list[float], count: int, rng: random.Random) -> list[list[list[float]]]:
    """Each two meet twice on a deck, which favours the same one both times if it favours any."""
    decks = []
    for _ in range(count):
        beat = [[0.0] * len(strengths) for _ in strengths]
        for i in range(len(strengths)):
            for j in range(i):
                luck = rng.random()
                for _ in range(2):
                    luck = luck if rng.random() < 0.5 else rng.random()
                    won = luck < chance(strengths, i, j)
                    beat[i][j] += won
                    beat[j][i] += not won
        decks.append(beat)
    return decks


def test_two_bots_are_rated_by_elos_formula() -> None:
    decks = [[[0, won], [2 - won, 0]] for won in [2.0, 1.0, 2.0, 1.0] * 1000]
    (strong, error), (weak, other) = rated(decks, 2)
    assert strong == pytest.approx(-weak)
    assert strong == pytest.approx(200 * log10(0.75 / 0.25), rel=1e-3)
    # The share's own error, 1/4 of a comparison in a deck, through the formula's slope
    share = stdev([won / 2 for won in [2.0, 1.0] * 2000]) / sqrt(4000)
    assert error == pytest.approx(other)
    assert error == pytest.approx(200 / 2.302585 * share / (0.75 * 0.25), rel=1e-3)


def test_equal_bots_are_rated_alike() -> None:
    decks = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]]] * 10
    assert [round(value, 6) for value, _error in rated(decks, 2)] == [0, 0, 0]
    assert [round(error or 0, 6) for _value, error in rated(decks, 2)] == [0, 0, 0]


def test_a_bot_that_never_loses_is_rated_higher_the_longer_it_does_not() -> None:
    values = [rated([[[0, 2], [0, 0]]] * decks, 2)[0][0] for decks in (1, 10, 1000)]
    assert values == sorted(values)
    assert 0 < values[0] < values[-1] < 2000


def test_one_deck_says_nothing_of_the_error() -> None:
    assert [error for _value, error in rated([[[0, 2], [0, 0]]], 2)] == [None, None]


@pytest.mark.parametrize("strengths", [[150.0, 0.0, -150.0], [300.0, -50.0, -100.0, -150.0]])
def test_strengths_are_found_again_and_errors_are_what_they_say(strengths: list[float]) -> None:
    rng = random.Random(1)
    runs = [rated(some_decks(strengths, 150, rng), 2) for _ in range(150)]
    for bot, strength in enumerate(strengths):
        values = [run[bot][0] for run in runs]
        errors = [run[bot][1] or 0.0 for run in runs]
        assert fmean(values) == pytest.approx(strength, abs=4 * stdev(values) / sqrt(len(runs)) + 2)
        assert fmean(errors) == pytest.approx(stdev(values), rel=0.2)
    assert all(abs(sum(value for value, _error in run)) < 1e-6 for run in runs)
