"""What a rack costs with another card in any of its slots: the programme of `distance`, quickly.

One card changes, so most of the programme stays as it was. With the card in a slot, either the
card stays, between the best in front of it and the best behind it, or it does not, and then it does
not matter what stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from racko_core.bots.distance import Table, root, side_by_side
from racko_core.bots.run_swaps import RunSwaps
from racko_core.rules import SLOTS, Card

_END: Final = SLOTS + 1
"""Place of the end of a row: slot 1 up to 10 between 0 and the end."""


def distances(
    rack: Sequence[Card], below: Sequence[int], table: Table, min_run: int
) -> tuple[float, Callable[[Card], list[float]]]:
    """The distance of the rack; and, for a card, that with the card in slot 1, in slot 2, ..."""
    if min_run:
        runs = RunSwaps(rack, below, table, min_run, side_by_side)
        return runs.now, runs.with_card
    swaps = Swaps(rack, below, table)
    return root(swaps.now), lambda card: [root(cost) for cost in swaps.with_card(card)]


class Swaps:
    """One rack, and what is left to come: `below` and `table` as in `distance`."""

    def __init__(self, rack: Sequence[Card], below: Sequence[int], table: Table) -> None:
        self._row = (0, *rack, len(below) - 1)
        self._below = below
        self._table = table
        self._under = [below[card] for card in self._row]
        """Quarters below the card in each place, ..."""
        self._upto = [below[card + 1] for card in self._row[:-1]]
        """... and with the card itself."""
        self._fronts, through = self._all_fronts()
        self._backs = self._all_backs()
        self._without = self._all_without(through)
        self.now = self._fronts[_END]
        """What the rack costs as it is: its distance before the root is taken."""

    def with_card(self, card: Card) -> list[float]:
        """What the rack costs with the card in slot 1, in slot 2, ... in place of what is there."""
        row, table, fronts, backs = self._row, self._table, self._fronts, self._backs
        upto, under = self._upto, self._under
        below_card, upto_card = self._below[card], self._below[card + 1]
        costs = []
        for place in range(1, _END):
            cost = self._without[place]
            front = inf
            gap = place - 1
            for before, whole, count in zip(row, fronts, upto, strict=False):
                if gap < 0:
                    break
                if card - before > gap:
                    whole += table[gap][below_card - count]
                    if whole < front:
                        front = whole
                gap -= 1
            if front < cost:
                for gap, at in enumerate(range(place + 1, _END + 1)):
                    if row[at] - card > gap:
                        whole = front + backs[at] + table[gap][under[at] - upto_card]
                        if whole < cost:
                            cost = whole
            costs.append(cost)
        return costs

    def _all_fronts(self) -> tuple[list[float], list[list[float]]]:
        """The least cost in front of each place if its card stays; the same by the place before it
        that stays.
        """
        row, table, upto = self._row, self._table, self._upto
        best, through = [0.0], [[inf]]
        for place in range(1, _END + 1):
            card, count, gap = row[place], self._under[place], place - 1
            costs = []
            for before, cost, up in zip(row, best, upto, strict=False):
                # There have to be enough numbers between the two cards for the slots between.
                costs.append(cost + table[gap][count - up] if card - before > gap else inf)
                gap -= 1
            through.append(costs)
            best.append(min(costs))
        return best, through

    def _all_backs(self) -> list[float]:
        """The least cost behind each place if its card stays."""
        table = self._table
        row, under = self._row[::-1], self._under[::-1]
        best = [0.0]
        for place in range(SLOTS, 0, -1):
            card, up, gap = self._row[place], self._upto[place], SLOTS - place
            least = inf
            for behind, cost, count in zip(row, best, under, strict=False):
                if behind - card > gap:
                    cost += table[gap][count - up]
                    if cost < least:
                        least = cost
                gap -= 1
            best.append(least)
        best.append(self._fronts[_END])
        return best[::-1]

    def _all_without(self, through: Sequence[Sequence[float]]) -> list[float]:
        """The least cost if the card in each place does not stay."""
        least = [inf] * _END
        for place in range(2, _END + 1):
            back = self._backs[place]
            front = inf
            costs = through[place]
            for between in range(1, place):
                # From any place in front of `between` to this one.
                cost = costs[between - 1]
                if cost < front:
                    front = cost
                if front + back < least[between]:
                    least[between] = front + back
        return least
