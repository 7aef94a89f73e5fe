"""Sums of what was played: figures, their errors, and that their order makes no difference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

import pytest

from racko_core.arena import (
    Contest,
    Effort,
    Estimate,
    Outcome,
    Report,
    Standing,
    Tally,
    Unit,
    play,
)
from racko_core.arena.hall import Score
from racko_core.errors import RackoError
from racko_core.rules import Rules
from tests.core.arena.entrants import entrant

DECKS = 200
SEEDS = 60


def outcomes(wins: list[int]) -> list[Outcome]:
    """Decks played from both seats, by how many of the two rounds the first bot won."""
    return [
        Outcome(
            deck,
            tables=2,
            rounds=2,
            scores=[
                Score(rounds=2, wins=won, points=20 + 10 * won, margin=10 * won, turns=9 * won),
                Score(rounds=2, wins=2 - won, points=30, margin=-10 * won, turns=8 * (2 - won)),
            ],
            met=[[0, 2], [2, 0]],
            beat=[[0.0, won], [2.0 - won, 0.0]],
        )
        for deck, won in enumerate(wins)
    ]


def contest(decks: int = DECKS) -> Contest:
    return Contest.of(["a", "b"], Rules(), count=2 * decks, seed="1")


def standing(given: list[Outcome], decks: int = DECKS) -> Standing:
    tally = Tally(contest(decks))
    for outcome in given:
        tally.add(Report([outcome], [Effort(0.5, 10), Effort(0.25, 20)]))
    return tally.standing()


def test_a_deck_is_one_sample() -> None:
    rng = random.Random(1)
    wins = [rng.choice((0, 1, 1, 2)) for _ in range(DECKS)]
    found = standing(outcomes(wins))
    first, second = found.rows
    share = Estimate(pytest.approx(fmean(wins) / 2), pytest.approx(stdev(wins) / 2 / sqrt(DECKS)))
    assert first.share_of_rounds == share
    assert second.share_of_rounds.error == first.share_of_rounds.error
    assert first.margin.value == pytest.approx(5 * fmean(wins))
    assert first.points.value == pytest.approx(10 + 5 * fmean(wins))
    assert first.points.error == pytest.approx(10 * stdev(wins) / 2 / sqrt(DECKS))
    assert found.pairs[0].score == share
    assert found.pairs[0].met == 2 * DECKS
    assert found.complete
    assert (found.decks, found.tables, found.rounds) == (DECKS, 2 * DECKS, 2 * DECKS)


def test_decks_that_each_side_wins_once_leave_no_doubt() -> None:
    first, _second = standing(outcomes([1] * DECKS)).rows
    assert first.share_of_rounds == Estimate(0.5, 0.0)
    assert first.elo == Estimate(pytest.approx(0), pytest.approx(0))


def test_a_ratio_is_as_sure_as_its_occasions() -> None:
    rng = random.Random(2)

    def turns() -> float:
        """Mean turns of a winner who wins more often on easy decks, where it is faster."""
        decks = [(rng.choice((0, 1, 2)), rng.gauss(0, 1)) for _ in range(DECKS)]
        given = outcomes([won for won, _ in decks])
        for outcome, (won, noise) in zip(given, decks, strict=True):
            outcome.scores[0].turns = round(100 * won * (10 - won + noise))
        found = standing(given).rows[0].turns_when_winning
        errors.append(found.error or 0.0)
        return found.value or 0.0

    errors: list[float] = []
    spread = stdev(turns() for _ in range(100))
    assert fmean(errors) == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize(
    ("rules", "unit", "figures"),
    [
        (Rules(), "rounds", ("share_of_rounds", "points", "margin")),
        (Rules(players=4), "rounds", ("share_of_rounds", "points", "margin")),
        (Rules(target=100), "games", ("share_of_games", "share_of_rounds", "points", "margin")),
    ],
)
def test_errors_are_the_spread_from_seed_to_seed(
    rules: Rules, unit: Unit, figures: Sequence[str]
) -> None:
    rows = []
    for seed in range(SEEDS):
        played = Contest.of(["drawer", "novice"], rules, unit=unit, count=24, seed=f"spread {seed}")
        tally = Tally(played)
        for report in play(played, entrant):
            tally.add(report)
        rows.append(tally.standing().rows[0])
    for figure in (*figures, "elo"):
        found: list[Estimate] = [getattr(row, figure) for row in rows]
        spread = stdev(estimate.value or 0.0 for estimate in found)
        error = sqrt(fmean((estimate.error or 0.0) ** 2 for estimate in found))
        assert error == pytest.approx(spread, rel=4 / sqrt(2 * SEEDS)), figure


def test_the_order_in_which_decks_come_makes_no_difference() -> None:
    rng = random.Random(3)
    given = outcomes([rng.choice((0, 1, 2)) for _ in range(DECKS)])
    for outcome in given:
        outcome.scores[0].margin = outcome.scores[1].margin = rng.random()
    mixed = rng.sample(given, DECKS)
    assert standing(mixed).rows == standing(given).rows


def test_one_may_ask_in_between() -> None:
    rng = random.Random(4)
    given = outcomes([rng.choice((0, 1, 2)) for _ in range(DECKS)])
    tally = Tally(contest())
    efforts = [Effort(), Effort()]
    tally.add(Report(given[100:], efforts))
    half = tally.standing()
    assert (half.decks, half.rounds, half.complete) == (100, 200, False)
    tally.add(Report(given[:100], efforts))
    whole = Tally(contest())
    whole.add(Report(given, efforts))
    assert tally.standing() == whole.standing()


def test_nothing_is_known_before_the_first_deck_and_no_error_after_it() -> None:
    nothing = Estimate(None, None)
    for row in standing([]).rows:
        assert row.share_of_rounds == row.points == row.elo == row.turns_when_winning == nothing
    first, second = standing(outcomes([2])).rows
    assert first.share_of_rounds == Estimate(1.0, None)
    assert first.turns_when_winning == Estimate(9.0, None)
    assert second.turns_when_winning == nothing
    assert first.share_of_games == nothing
    assert first.elo.error is None


def test_efforts_add_up() -> None:
    tally = Tally(contest())
    trouble = RackoError("first")
    tally.add(Report([], [Effort(1.0, 10, 2, trouble), Effort()]))
    tally.add(Report([], [Effort(2.0, 20, 1, RackoError("second")), Effort()]))
    first, second = tally.standing().rows
    assert first.effort == Effort(3.0, 30, 3, trouble)
    assert first.effort.milliseconds == pytest.approx(100)
    assert second.effort.milliseconds is None


def test_a_bot_against_itself_is_not_rated() -> None:
    alike = Contest.of(["a", "a"], Rules(), count=2, seed="1")
    tally = Tally(alike)
    outcome = Outcome(0, 1, 1, 0, [Score(2, 1, 100, 0.0, 9)], [[0]], [[0.0]])
    tally.add(Report([outcome], [Effort()]))
    (row,) = tally.standing().rows
    assert row.share_of_rounds.value == 0.5
    assert row.elo == Estimate(None, None)
    assert tally.standing().pairs == ()
