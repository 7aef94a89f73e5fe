"""What a rack costs with another card in any of its slots, where going out needs a run.

As in `swaps`, most of the programme stays as it was: whatever lies in front of the slot, whatever
lies behind it, and so at least one side of every way to a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final, NamedTuple

from racko_core.bots.distance import QUARTERS, Table
from racko_core.bots.runs import runs_around, runs_with
from racko_core.rules import SLOTS, Card, Slot

_END: Final = SLOTS + 1
"""Place of the end of a row: slot 1 up to 10 between 0 and the end."""


class _Plan(NamedTuple):
    """A run that the rack could be built around."""

    slot: Slot
    card: Card
    """The first; it goes into `slot`."""
    missing: int
    quarters: int
    """Quarters of those that are missing."""
    fronts: list[float]
    """The least costs in front of it, as `_in_front` gives them."""
    backs: list[float]
    """The least costs behind it, as `_behind` gives them."""


class RunSwaps:
    """One rack, and what is left to come: `below` and `table` as in `distance`.

    `together` makes one cost of those of all ways to a run of `min_run`, in whatever order.
    """

    def __init__(
        self,
        rack: Sequence[Card],
        below: Sequence[int],
        table: Table,
        min_run: int,
        together: Callable[[list[float]], float],
    ) -> None:
        self._row = row = [0, *rack, len(below) - 1]
        self._below = below
        self._table = table
        self._length = min_run
        self._together = together
        self._unplanned = table[min_run][QUARTERS * min_run]
        self._fronts, self._all_fronts = [0.0], [[0.0]]
        for place in range(1, _END + 1):
            self._all_fronts.append(self._in_front(row, self._fronts, place, row[place]))
            self._fronts.append(self._all_fronts[-1][-1])
        self._backs, self._all_backs = [0.0] * (_END + 1), [[0.0]] * (_END + 1)
        for place in range(SLOTS, 0, -1):
            self._all_backs[place] = self._behind(row, self._backs, place, row[place])
            self._backs[place] = self._all_backs[place][-1]
        self._plans = {run: self._plan(*run) for run in runs_around(rack, min_run, len(below) - 2)}
        costs = [self._cost(plan, plan.missing) for plan in self._plans.values()]
        self.now = together([self._fronts[_END] + self._unplanned, *costs])
        """What the rack costs as it is."""

    def with_card(self, card: Card) -> list[float]:
        """What the rack costs with the card in slot 1, in slot 2, ... in place of what is there."""
        return [self._together(self._ways(place, card)) for place in range(1, _END)]

    def _ways(self, place: Slot, card: Card) -> list[float]:
        """The costs of the ways with the card in that slot."""
        row = [*self._row]
        row[place] = card
        fronts, backs = self._fronts_with(row, place), self._backs_with(row, place)
        without_plan = fronts[_END] + self._unplanned
        with_each = self._with_each_plan(row, place, fronts, backs)
        return [without_plan, *with_each, *self._with_each_new_plan(place, card)]

    def _fronts_with(self, row: Sequence[Card], place: Slot) -> list[float]:
        """The least costs in front of each card of `row`, which is another card in that place."""
        fronts = self._fronts[:place]
        fronts += self._in_front(row, fronts, place, row[place])[-1:]
        for at in range(place + 1, _END + 1):
            before = self._all_fronts[at][place]
            fronts += self._in_front(row, fronts, at, row[at], place, before)[-1:]
        return fronts

    def _backs_with(self, row: Sequence[Card], place: Slot) -> list[float]:
        """The least costs behind each, likewise."""
        backs = [*self._backs]
        backs[place] = self._behind(row, backs, place, row[place])[-1]
        for at in range(place - 1, 0, -1):
            after = self._all_backs[at][_END - place]
            backs[at] = self._behind(row, backs, at, row[at], place, after)[-1]
        return backs

    def _with_each_plan(
        self, row: Sequence[Card], place: Slot, fronts: Sequence[float], backs: Sequence[float]
    ) -> list[float]:
        """The costs of the plans that there are, where `row` is another card in that place, and
        `fronts` and `backs` are its own.
        """
        table, length, was, card = self._table, self._length, self._row[place], row[place]
        costs = []
        for plan in self._plans.values():
            slot, missing, front, back = plan.slot, plan.missing, plan.fronts[-1], plan.backs[-1]
            if place < slot:
                before = plan.fronts[place]
                front = self._in_front(row, fronts, slot, plan.card, place, before)[-1]
            elif place >= slot + length:
                after = plan.backs[_END - place]
                last, last_card = slot + length - 1, plan.card + length - 1
                back = self._behind(row, backs, last, last_card, place, after)[-1]
            else:
                wanted = plan.card + place - slot
                missing += (was == wanted) - (card == wanted)
                if missing == length:  # it keeps no card any more
                    continue
            costs.append(table[missing][plan.quarters] + front + back)
        return costs

    def _with_each_new_plan(self, place: Slot, card: Card) -> list[float]:
        """The costs of the plans that keep this card in its place and no other."""
        runs = runs_with(place, card, self._length, len(self._below) - 2)
        plans = [self._plan(*run) for run in runs if run not in self._plans]
        return [self._cost(plan, self._length - 1) for plan in plans]

    def _plan(self, slot: Slot, card: Card) -> _Plan:
        row, below, length = self._row, self._below, self._length
        return _Plan(
            slot,
            card,
            sum([row[slot + step] != card + step for step in range(length)]),
            below[card + length] - below[card],
            self._in_front(row, self._fronts, slot, card),
            self._behind(row, self._backs, slot + length - 1, card + length - 1),
        )

    def _cost(self, plan: _Plan, missing: int) -> float:
        return self._table[missing][plan.quarters] + plan.fronts[-1] + plan.backs[-1]

    def _in_front(
        self,
        row: Sequence[Card],
        fronts: Sequence[float],
        place: Slot,
        card: Card,
        start: Slot = 0,
        least: float = inf,
    ) -> list[float]:
        """The least costs in front of a card that stays, if the card next to it that stays is in
        none of the places up to it, in one up to the first, up to the second, ...

        `least` is that for the places before `start`.
        """
        table, below = self._table, self._below
        count = below[card]
        gap = place - start - 1
        costs = [least]
        for at in range(start, place):
            before = row[at]
            if card - before > gap:
                cost = fronts[at] + table[gap][count - below[before + 1]]
                if cost < least:
                    least = cost
            gap -= 1
            costs.append(least)
        return costs

    def _behind(
        self,
        row: Sequence[Card],
        backs: Sequence[float],
        place: Slot,
        card: Card,
        stop: Slot = _END,
        least: float = inf,
    ) -> list[float]:
        """The same behind a card, beginning with the last place; `least` for those after `stop`."""
        table, below = self._table, self._below
        count = below[card + 1]
        gap = stop - place - 1
        costs = [least]
        for at in range(stop, place, -1):
            behind = row[at]
            if behind - card > gap:
                cost = backs[at] + table[gap][below[behind] - count]
                if cost < least:
                    least = cost
            gap -= 1
            costs.append(least)
        return costs
