"""What racks cost that have to hold a run, or had better: the loops of `costs`, with one run more.

A run of some length may come to be wherever one of its cards is in its slot already. Plain loops,
as in `costs`.
"""

from __future__ import annotations

from typing import Final

from racko_core.bots.expert.costs import (
    HORIZONS,
    NEVER,
    cost_of_sum,
    fill_backs,
    fill_fronts,
    fill_sums,
)
from racko_core.bots.expert.memory import SLOTS, Row, Rows

RUN_WAITS: Final = 2
RUN_COSTS: Final = RUN_WAITS + HORIZONS
"""Of a rack: the wait, to the power 1.5, for a run of a length and of one more; then by horizon
-log of the chance to be in order with a run of that length."""
MOST_RUNS: Final = SLOTS * 6
ALTERNATIVES: Final = 4


def run_that_matters(min_run: int, bonus: int) -> int:
    """The length of the run that is needed or scores; 0 for none."""
    return min_run if min_run else 3 if bonus else 0


def fill_run_costs(
    length: int,
    cards: int,
    row: Row,
    below: Row,
    waits: Rows,
    powers: Rows,
    fronts: Row,
    backs: Row,
    runs: Rows,
    costs: Row,
) -> None:
    """Fill in what the rack in `row` costs; `fronts`, `backs` and `runs` (three rows) are room to
    think in.
    """
    fill_fronts(row, below, waits, fronts)
    fill_backs(row, below, waits, backs)
    for longer in range(RUN_WAITS):
        costs[longer] = run_wait(length + longer, cards, row, below, waits, fronts, backs, runs)
    count = fill_runs(length, cards, row, runs)
    for which in range(HORIZONS):
        table = powers[which]
        fill_sums(row, below, table, fronts, backs)
        total = run_sum(length, count, row, below, table, fronts, backs, runs)
        costs[RUN_WAITS + which] = cost_of_sum(total)


def fill_runs(length: int, cards: int, row: Row, runs: Rows) -> int:
    """Fill in the runs that may come to be: the first slot, the first card, and how many cards are
    not in their slots; returns how many runs.
    """
    count = 0
    for slot in range(1, SLOTS + 2 - length):
        first = count
        for offset in range(length):
            card = row[slot + offset] - offset
            fits = 0 <= card - slot <= cards - SLOTS
            # Each run once: the cards that are in their slots may all name it.
            for before in range(first, count):
                if runs[1][before] == card:
                    fits = False
            if not fits:
                continue
            missing = 0
            for place in range(length):
                if row[slot + place] != card + place:
                    missing += 1
            runs[0][count], runs[1][count], runs[2][count] = slot, card, missing
            count += 1
    return count


def run_wait(
    length: int,
    cards: int,
    row: Row,
    below: Row,
    waits: Rows,
    fronts: Row,
    backs: Row,
    runs: Rows,
) -> float:
    """The wait for a rack in order with a run of `length`: several possible runs shorten it."""
    lacking = fronts[SLOTS + 1] + waits[length][4 * length]
    total = (1.0 / lacking) ** ALTERNATIVES
    for which in range(fill_runs(length, cards, row, runs)):
        slot, card, missing = runs[0][which], runs[1][which], runs[2][which]
        end_slot, end_card = slot + length, card + length
        cost = waits[missing][below[end_card] - below[card]]
        least = NEVER
        for at in range(slot):
            if card - row[at] >= slot - at:
                step = fronts[at] + waits[slot - 1 - at][below[card] - below[row[at] + 1]]
                if step < least:
                    least = step
        cost += least
        least = NEVER
        for at in range(end_slot, SLOTS + 2):
            if row[at] - end_card >= at - end_slot:
                step = backs[at] + waits[at - end_slot][below[row[at]] - below[end_card]]
                if step < least:
                    least = step
        cost += least
        if cost <= 0.0:
            return 0.0
        total += (1.0 / cost) ** ALTERNATIVES
    return float((1.0 / total) ** (1.0 / ALTERNATIVES))


def run_sum(
    length: int,
    count: int,
    row: Row,
    below: Row,
    powers: Rows,
    fronts: Row,
    backs: Row,
    runs: Rows,
) -> float:
    """What all choices of cards and of one of `count` runs add up to."""
    # A run of which there is nothing yet.
    total = fronts[SLOTS + 1] * powers[length][4 * length]
    for which in range(count):
        slot, card, missing = runs[0][which], runs[1][which], runs[2][which]
        end_slot, end_card = slot + length, card + length
        front = 0.0
        for at in range(slot):
            if card - row[at] >= slot - at:
                front += fronts[at] * powers[slot - 1 - at][below[card] - below[row[at] + 1]]
        back = 0.0
        for at in range(end_slot, SLOTS + 2):
            if row[at] - end_card >= at - end_slot:
                back += backs[at] * powers[at - end_slot][below[row[at]] - below[end_card]]
        total += front * powers[missing][below[end_card] - below[card]] * back
    return float(total)
