"""What racks cost the expert: the same in numpy as in loops, and as `keen` and `sharp` reckon."""

from __future__ import annotations

import numpy as np
import pytest

from racko_core.actions import DEAL
from racko_core.bots import bot, sharp
from racko_core.bots.chances import HORIZONS, tables
from racko_core.bots.distance import waits
from racko_core.bots.expert import costs, memory, run_costs
from racko_core.bots.expert.programmes import Programmes
from racko_core.bots.pace import share_with_run
from racko_core.bots.sums import Sums, powers
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.rules import Rules

IN_ORDER = [3, 6, 11, 18, 19, 20, 27, 31, 35, 40]
"""With a run of three."""


def room() -> list[float]:
    return [0.0] * 12


def seen(rack: list[int]) -> tuple[list[int], list[int]]:
    """The row of a rack, and what is below each card while all other cards are unseen."""
    row, below, status = [0] * 12, [0] * 42, [memory.UNSEEN] * 42
    for card in rack:
        status[card] = memory.MINE
    costs.fill_row(40, rack, row)
    memory.count_below(40, status, below)
    return row, below


def test_the_programmes_in_numpy_are_those_in_loops() -> None:
    table, horizons = waits(), [powers(table) for table in tables()]
    random = np.random.default_rng(3)
    rows, below, cards, slow = [], [], [], []
    for _ in range(30):
        deck = (random.permutation(40) + 1).tolist()
        status = random.choice([0, 0, 1, 3], 42).tolist()
        for card in deck[:11]:
            status[card] = memory.MINE
        row, count = [0] * 12, [0] * 42
        costs.fill_row(40, deck[:10], row)
        memory.count_below(40, status, count)
        fronts, backs = ([[0.0] * 12 for _ in range(costs.COSTS)] for _ in range(2))
        without = [0.0] * 10
        costs.fill_programmes(row, count, table, horizons, fronts, backs, without)
        told = []
        for slot in range(-1, 10):
            cost = [0.0] * costs.COSTS
            costs.fill_costs(
                slot, deck[10], row, count, table, horizons, fronts, backs, without, cost
            )
            told.append(cost)
        rows.append(row)
        below.append(count)
        cards.append(deck[10])
        slow.append(told)
    fast = Programmes(np.array(rows), np.array(below))
    assert np.allclose(fast.now(), np.array(slow)[:, 0])
    assert np.allclose(fast.with_cards(np.array(cards)), np.array(slow)[:, 1:])


def test_the_sums_of_the_expert_are_those_of_keen() -> None:
    random = np.random.default_rng(4)
    for _ in range(10):
        deck = (random.permutation(40) + 1).tolist()
        row, count = [0] * 12, [0] * 42
        status = [0] * 42
        for card in deck[:11]:
            status[card] = memory.MINE
        costs.fill_row(40, deck[:10], row)
        memory.count_below(40, status, count)
        table = powers(tables()[2])
        fronts, backs = [0.0] * 12, [0.0] * 12
        costs.fill_sums(row, count, table, fronts, backs)
        keen = Sums(deck[:10], count, table)
        told = [fronts[11]] + [
            costs.sum_with(deck[10], slot, row, count, table, fronts, backs)
            for slot in range(1, 11)
        ]
        costs_of_keen = [keen.now, *keen.with_card(deck[10])]
        assert [max(1e-9, costs.cost_of_sum(one)) for one in told] == pytest.approx(costs_of_keen)


@pytest.mark.parametrize("rules", [Rules(), Rules(min_run=3), Rules(players=4, teams=True)])
def test_horizons_weigh_as_much_as_sharp_says(rules: Rules) -> None:
    game, solid = Game.new(rules, seed_from(1)), bot("solid")
    game.apply(DEAL)
    for unseen in (29, 17, 5, 2):
        for _ in range(5):
            game.apply(solid.decide(game.view(game.turn)))
        view = game.view(game.turn)
        assert view.seat is not None
        ends = sharp._ends(view)
        for looks in (0, 1):
            left = max(sharp.FEWEST, unseen)
            times = [(turn * sharp.LOOKS + looks) / left for turn in range(len(ends))]
            weights = [0.0] * costs.HORIZONS
            share = share_with_run(rules.min_run)
            costs.fill_weights(view.turns, view.seat, rules.teams, share, unseen, looks, weights)
            assert weights == pytest.approx(sharp._shares(HORIZONS, times, ends))


@pytest.mark.parametrize("length", [2, 3, 5])
def test_every_run_that_has_a_card_in_its_slot_is_found_once(length: int) -> None:
    random = np.random.default_rng(6)
    runs = [[0] * run_costs.MOST_RUNS for _ in range(3)]
    for _ in range(30):
        rack = sorted((random.permutation(40) + 1)[:10].tolist())
        row, _ = seen(rack)
        count = run_costs.fill_runs(length, 40, row, runs)
        there = {
            (slot, card, missing)
            for slot in range(1, 12 - length)
            for card in range(slot, slot + 31)
            if (missing := sum(row[slot + i] != card + i for i in range(length))) < length
        }
        assert count == len(there)
        assert set(zip(*(part[:count] for part in runs), strict=True)) == there


def test_a_rack_in_order_with_its_run_costs_nothing_and_one_card_less_something() -> None:
    def costs_of(rack: list[int]) -> list[float]:
        row, below = seen(rack)
        result = [0.0] * run_costs.RUN_COSTS
        runs = [[0] * run_costs.MOST_RUNS for _ in range(3)]
        table = [powers(table) for table in tables()]
        run_costs.fill_run_costs(3, 40, row, below, waits(), table, room(), room(), runs, result)
        return result

    whole = costs_of(IN_ORDER)
    assert whole[0] == 0 < whole[1]
    assert max(whole[run_costs.RUN_WAITS :]) <= 0
    less = costs_of([3, 6, 11, 18, 19, 21, 27, 31, 35, 40])
    assert less[0] > 0
    assert all(a < b for a, b in zip(whole, less, strict=True))


@pytest.mark.parametrize(("length", "cards"), [(2, 40), (3, 40), (3, 60), (5, 50)])
def test_what_runs_cost_is_the_same_in_numpy_as_in_loops(length: int, cards: int) -> None:
    table, horizons = waits(), [powers(table) for table in tables()]
    random = np.random.default_rng(7)
    rows, below, slow = [], [], []
    for number in range(40):
        rack = (random.permutation(cards) + 1)[:10].tolist()
        if number % 2:
            rack.sort()
        status = random.choice([0, 0, 1, 3], cards + 2).tolist()
        for card in rack:
            status[card] = memory.MINE
        row, count, result = [0] * 12, [0] * (cards + 2), [0.0] * run_costs.RUN_COSTS
        runs = [[0] * run_costs.MOST_RUNS for _ in range(3)]
        costs.fill_row(cards, rack, row)
        memory.count_below(cards, status, count)
        run_costs.fill_run_costs(
            length, cards, row, count, table, horizons, room(), room(), runs, result
        )
        rows.append(row)
        below.append(count)
        slow.append(result)
    for which in (slice(None), slice(1)):  # many at once, and one alone
        fast = Programmes(np.array(rows[which]), np.array(below[which])).with_run(length, cards)
        assert np.allclose(fast, slow[which])
