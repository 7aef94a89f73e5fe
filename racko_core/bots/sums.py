"""The chance of a rack with another card in any of its slots, from all choices of cards that stay.

As `swaps`, but where that takes the best way to a rack in order, this adds up what all of them
offer. Each counts with a power of its chance: the sum of the chances themselves would be too much,
since a card that comes mostly serves several ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from racko_core.bots.distance import Table
from racko_core.rack import is_in_order, with_card
from racko_core.rules import SLOTS, Card, Slot

POWER: Final = 3.0
"""The larger, the less the other ways add to the best."""
_LEAST: Final = 1e-90
_SURE: Final = 0.999
_NEARLY: Final = 1e-9
"""What a rack costs at least that is not in order."""
_END: Final = SLOTS + 1
"""Place of the end of a row: slot 1 up to 10 between 0 and the end."""


def powers(table: Table) -> Table:
    """The powers of the chances of which `table` has -log."""
    return [[exp(-POWER * cost) for cost in row] for row in table]


class Sums:
    """One rack, and what is left to come: `below` as in `distance`, `table` from `powers`.

    Costs are -log of the chance, 0 for a rack in order.
    """

    def __init__(self, rack: Sequence[Card], below: Sequence[int], table: Table) -> None:
        self._row = row = (0, *rack, len(below) - 1)
        self._below = below
        self._table = table
        self._fronts = [1.0]
        for place in range(1, _END + 1):
            self._fronts.append(self._in_front(place, row[place]))
        self._backs = [1.0] * (_END + 1)
        for place in range(SLOTS, 0, -1):
            self._backs[place] = self._behind(place, row[place])
        self.now = self._cost(self._fronts[_END], rack)
        """What the rack costs as it is."""

    def with_card(self, card: Card) -> list[float]:
        """What the rack costs with the card in slot 1, in slot 2, ... in place of what is there."""
        rack = self._row[1:-1]
        costs = []
        for place in range(1, _END):
            total = self._fronts[_END] - self._fronts[place] * self._backs[place]
            front = self._in_front(place, card)
            if front:
                total += front * self._behind(place, card)
            costs.append(self._cost(total, with_card(rack, place, card)))
        return costs

    def _in_front(self, place: Slot, card: Card) -> float:
        """What lies in front of a card that stays."""
        table, below = self._table, self._below
        count, gap, total = below[card], place - 1, 0.0
        for before, front in zip(self._row, self._fronts, strict=False):
            if gap < 0:
                break
            # There have to be enough numbers between the two cards for the slots between them.
            if card - before > gap:
                total += front * table[gap][count - below[before + 1]]
            gap -= 1
        return total

    def _behind(self, place: Slot, card: Card) -> float:
        """What lies behind a card that stays."""
        table, below, row, backs = self._table, self._below, self._row, self._backs
        count, total = below[card + 1], 0.0
        for gap, at in enumerate(range(place + 1, _END + 1)):
            behind = row[at]
            if behind - card > gap:
                total += backs[at] * table[gap][below[behind] - count]
        return total

    def _cost(self, total: float, rack: Sequence[Card]) -> float:
        if total >= _SURE and is_in_order(rack):
            return 0.0
        return max(_NEARLY, -log(max(_LEAST, total)) / POWER)
