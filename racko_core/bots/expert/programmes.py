"""The costs of `costs`, for many racks at once in numpy.

The trainer runs the loops of `costs` compiled; these are the same sums, and a test holds the two
together. Axes: horizon, position, and places of the row (see `fill_row`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.chances import tables
from racko_core.bots.distance import waits
from racko_core.bots.expert.costs import HOPELESS, LEAST, NEVER
from racko_core.bots.expert.memory import SLOTS
from racko_core.bots.sums import POWER, powers

Ints = NDArray[np.int64]
Floats = NDArray[Any]

_PLACES: Final = np.arange(SLOTS + 2)
_MISSING: Final = _PLACES[None, :] - _PLACES[:, None] - 1
"""Open slots between two places, the front one first; below 0 where they are not in that order."""
_OPEN: Final = np.maximum(_MISSING, 0)
_INNER: Final = _PLACES[1:-1]


@cache
def _tables() -> tuple[Floats, Floats]:
    """By open slots and quarters of fitting cards: the waits, and by horizon first the powers."""
    return np.array(waits()), np.array([powers(table) for table in tables()])


class Programmes:
    """What racks cost: as they are, and with one card in any slot."""

    def __init__(self, rows: Ints, below: Ints) -> None:
        """`rows` and `below` by position."""
        self._waits, self._powers = _tables()
        self._rows = rows
        self._below = below
        self._under = np.take_along_axis(below, rows, 1)
        """Quarters below the card in a place, ..."""
        self._upto = np.take_along_axis(below, np.minimum(rows + 1, below.shape[1] - 1), 1)
        """... and with the card itself."""
        quarters = np.maximum(self._under[:, None, :] - self._upto[:, :, None], 0)
        fit = (_MISSING >= 0) & (rows[:, None, :] - rows[:, :, None] > _MISSING)
        self._least(np.where(fit, self._waits[_OPEN, quarters], NEVER))
        self._add_up(np.where(fit, self._powers[:, _OPEN, quarters], 0.0))

    def _least(self, steps: Floats) -> None:
        """Find the waits in front of each place, behind it, and without its card."""
        self._fronts = fronts = np.zeros(steps.shape[:2])
        for place in range(1, SLOTS + 2):
            fronts[:, place] = (fronts[:, :place] + steps[:, :place, place]).min(1)
        self._backs = backs = np.zeros(steps.shape[:2])
        for place in range(SLOTS, -1, -1):
            backs[:, place] = (backs[:, place + 1 :] + steps[:, place, place + 1 :]).min(1)
        whole = fronts[:, :, None] + steps + backs[:, None, :]
        # The least over all pairs around a place: over those in front of it, then behind it.
        np.minimum.accumulate(whole, axis=1, out=whole)
        whole = np.minimum.accumulate(whole[:, :, ::-1], axis=2)[:, :, ::-1]
        self._without = whole[:, _INNER - 1, _INNER + 1]

    def _add_up(self, steps: Floats) -> None:
        """Find the sums in front of each place and behind it."""
        self._before = before = np.ones(steps.shape[:3])
        for place in range(1, SLOTS + 2):
            before[:, :, place] = _sum(before[:, :, :place] * steps[:, :, :place, place], 2)
        self._after = after = np.ones(steps.shape[:3])
        for place in range(SLOTS, -1, -1):
            behind = after[:, :, place + 1 :] * steps[:, :, place, place + 1 :]
            after[:, :, place] = _sum(behind, 2)

    def now(self) -> Floats:
        """By position and cost: what the rack costs as it is."""
        costs: Floats = np.concatenate(
            [self._fronts[None, :, -1], _cost_of(self._before[:, :, -1])]
        ).transpose(1, 0)
        return costs

    def with_cards(self, cards: Ints) -> Floats:
        """By position, slot and cost: what the rack costs with the position's card there."""
        under = self._below[np.arange(len(cards)), cards][:, None]
        upto = self._below[np.arange(len(cards)), cards + 1][:, None]
        # From each place in front to the card, and from the card to each place behind.
        gaps = cards[:, None] - self._rows
        front = np.maximum(under - self._upto, 0)[:, :, None]
        fits_front = (_MISSING >= 0) & (gaps[:, :, None] > _MISSING)
        back = np.maximum(self._under - upto, 0)[:, None, :]
        fits_back = (_MISSING >= 0) & (-gaps[:, None, :] > _MISSING)
        wait = np.where(fits_front, self._waits[_OPEN, front], NEVER) + self._fronts[:, :, None]
        behind = np.where(fits_back, self._waits[_OPEN, back], NEVER) + self._backs[:, None, :]
        kept = wait.min(1)[:, _INNER] + behind.min(2)[:, _INNER]
        before = np.where(fits_front, self._powers[:, _OPEN, front], 0.0)
        after = np.where(fits_back, self._powers[:, _OPEN, back], 0.0)
        through = _sum(before * self._before[:, :, :, None], 2)[:, :, _INNER]
        through *= _sum(after * self._after[:, :, None, :], 3)[:, :, _INNER]
        passing = self._before[:, :, _INNER] * self._after[:, :, _INNER]
        total = through + self._before[:, :, -1:] - passing
        costs: Floats = np.concatenate(
            [np.minimum(kept, self._without)[None], _cost_of(total)]
        ).transpose(1, 2, 0)
        return costs


def _sum(values: Floats, axis: int) -> Floats:
    """The sum, always in the same order: what numpy's own takes depends on the other axes, and a
    position has to cost the same alone and among many.
    """
    total: Floats = np.add.accumulate(values, axis=axis).take(-1, axis=axis)
    return total


def _cost_of(totals: Floats) -> Floats:
    costs: Floats = np.minimum(-np.log(np.maximum(totals, LEAST)) / POWER, HOPELESS)
    return costs
