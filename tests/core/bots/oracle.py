"""The distance of a rack as it is defined: reckoned anew for every rack, and slowly.

What bots use, `swaps` and `run_swaps`, has to give the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from racko_core.bots.distance import QUARTERS, Table, root, side_by_side
from racko_core.bots.runs import runs_around
from racko_core.rules import Card


def distance(rack: Sequence[Card], below: Sequence[int], table: Table, min_run: int = 0) -> float:
    """The cost of the best choice of cards that stay; 0 for a rack that needs nothing more.

    With `min_run`, the rack also needs a run of that length.
    """
    if not min_run:
        row = (0, *rack, len(below) - 1)
        return root(_fronts(row, below, table)[-1])
    return side_by_side(ways(rack, below, table, min_run))


def ways(rack: Sequence[Card], below: Sequence[int], table: Table, min_run: int) -> list[float]:
    """The costs of the ways to a rack in order with a run of `min_run`: without a plan for the run,
    and with each run that keeps a card of the rack.
    """
    row = (0, *rack, len(below) - 1)
    fronts = _fronts(row, below, table)
    backs = _backs(row, below, table)
    costs = [fronts[-1] + table[min_run][QUARTERS * min_run]]
    for slot, card in runs_around(rack, min_run, len(below) - 2):
        end_slot, end_card = slot + min_run, card + min_run
        missing = sum([row[slot + i] != card + i for i in range(min_run)])
        count = below[card]
        front = inf
        gap = slot - 1
        for before, cost in zip(row, fronts, strict=True):
            if gap < 0:
                break
            if card - before > gap:
                cost += table[gap][count - below[before + 1]]
                if cost < front:
                    front = cost
            gap -= 1
        back = inf
        end_count = below[end_card]
        for gap, at in enumerate(range(end_slot, len(row))):
            if row[at] - end_card >= gap:
                cost = backs[at] + table[gap][below[row[at]] - end_count]
                if cost < back:
                    back = cost
        costs.append(table[missing][end_count - count] + front + back)
    return costs


def _fronts(row: Sequence[Card], below: Sequence[int], table: Table) -> list[float]:
    """For each card of `row`, if it stays: the least cost of everything in front of it."""
    best = [0.0]
    for place in range(1, len(row)):
        card = row[place]
        count = below[card]
        least = inf
        open_slots = place - 1
        for before, cost in zip(row, best, strict=False):
            # There have to be enough numbers between the two cards for the slots between them.
            if card - before > open_slots:
                cost += table[open_slots][count - below[before + 1]]
                if cost < least:
                    least = cost
            open_slots -= 1
        best.append(least)
    return best


def _backs(row: Sequence[Card], below: Sequence[int], table: Table) -> list[float]:
    """For each card of `row`, if it stays: the least cost of everything behind it."""
    end = row[-1]
    mirrored = [end - card for card in reversed(row)]
    # Seen from the back, the cards below end - c are those above c.
    above = [below[end] - below[end - card + 1] for card in range(1, end + 1)]
    return _fronts(mirrored, (0, *above), table)[::-1]
