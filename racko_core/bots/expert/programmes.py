"""The costs of `costs` and `run_costs`, for many racks at once in numpy.

The trainer runs these loops compiled; these are the same sums, and a test holds the two
together. Axes: horizon, position, and places of the row (see `fill_row`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.chances import tables
from racko_core.bots.distance import QUARTERS, waits
from racko_core.bots.expert.costs import HOPELESS, LEAST, NEVER
from racko_core.bots.expert.memory import SLOTS
from racko_core.bots.expert.run_costs import ALTERNATIVES, RUN_WAITS
from racko_core.bots.sums import POWER, powers

Ints = NDArray[np.int64]
Floats = NDArray[Any]

_PLACES: Final = np.arange(SLOTS + 2)
_MISSING: Final = _PLACES[None, :] - _PLACES[:, None] - 1
"""Open slots between two places, the front one first; below 0 where they are not in that order."""
_OPEN: Final = np.maximum(_MISSING, 0)
_INNER: Final = _PLACES[1:-1]


@cache
def wait_table() -> Floats:
    """The waits, by open slots and quarters of fitting cards."""
    return np.array(waits())


@cache
def _power_tables() -> Floats:
    """The powers, by horizon first."""
    return np.array([powers(table) for table in tables()])


class Programmes:
    """What racks cost: as they are, and with one card in any slot."""

    def __init__(self, rows: Ints, below: Ints) -> None:
        """`rows` and `below` by position."""
        self._waits, self._powers = wait_table(), _power_tables()
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

    def with_run(self, length: int, cards: int) -> Floats:
        """By position and cost: what the rack costs that is to hold a run, as in `run_costs`."""
        found = [_Runs(self._rows, length + longer, cards) for longer in range(RUN_WAITS)]
        waits, runs = [self._run_wait(one) for one in found], found[0]
        total = self._before[:, :, -1] * self._powers[:, length, QUARTERS * length, None]
        front, back = self._around(runs, self._powers, 0.0)
        ways = _sum(front * self._before[:, :, None], 3) * _sum(back * self._after[:, :, None], 3)
        ways *= self._powers[:, runs.missing, runs.quarters(self._below)]
        total += _sum(np.where(runs.fits, ways, 0.0), 2)
        costs: Floats = np.concatenate([waits, _cost_of(total)]).transpose(1, 0)
        return costs

    def _run_wait(self, runs: _Runs) -> Floats:
        """By position: the wait for one of these runs and the rest in order."""
        front, back = self._around(runs, self._waits[None], NEVER)
        wait = self._waits[runs.missing, runs.quarters(self._below)]
        wait += (front[0] + self._fronts[:, None]).min(2) + (back[0] + self._backs[:, None]).min(2)
        lacking = self._fronts[:, -1] + self._waits[runs.length, QUARTERS * runs.length]
        with np.errstate(divide="ignore"):
            each = (1.0 / np.where(runs.fits, np.maximum(wait, 0.0), np.inf)) ** ALTERNATIVES
            total = (1.0 / lacking) ** ALTERNATIVES + _sum(each, 1)
            whole: Floats = (1.0 / total) ** (1.0 / ALTERNATIVES)
        return whole

    def _around(self, runs: _Runs, table: Floats, never: float) -> tuple[Floats, Floats]:
        """By table, position, run and place: what lies between a card in front and the run, and
        between the run and a card behind it.
        """
        line = np.arange(len(self._rows))[:, None]
        row = self._rows[:, None]
        start, end = runs.starts[:, None], runs.starts[:, None] + runs.length
        first, behind = runs.cards[:, :, None], runs.cards[:, :, None] + runs.length
        under = self._below[line, runs.cards][:, :, None]
        upto = self._below[line, runs.cards + runs.length][:, :, None]
        fits = (start > _PLACES) & (first - row >= start - _PLACES)
        quarters = np.maximum(under - self._upto[:, None], 0)
        front = np.where(fits, table[:, np.maximum(start - 1 - _PLACES, 0), quarters], never)
        fits = (end <= _PLACES) & (row - behind >= _PLACES - end)
        quarters = np.maximum(self._under[:, None] - upto, 0)
        back = np.where(fits, table[:, np.maximum(_PLACES - end, 0), quarters], never)
        return front, back

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


class _Runs:
    """Where a run of a length may come to be in each rack: see `run_costs.fill_runs`. Axes:
    position, and starting slot by which of the run's cards may be in its slot.
    """

    def __init__(self, rows: Ints, length: int, cards: int) -> None:
        self.length = length
        slots = np.arange(1, SLOTS + 2 - length)
        offsets = np.arange(length)
        self.starts = np.repeat(slots, length)
        """The first slot."""
        held = rows[:, slots[:, None] + offsets]
        named = held - offsets
        fits = (named >= slots[:, None]) & (named - slots[:, None] <= cards - SLOTS)
        # Each run once: the cards that are in their slots may all name it.
        for offset in range(1, length):
            fits[:, :, offset] &= (named[:, :, :offset] != named[:, :, offset, None]).all(2)
        count = len(rows)
        self.fits = fits.reshape(count, -1)
        self.cards = np.where(fits, named, 1).reshape(count, -1)
        """The first card."""
        right = held[:, :, None] == named[..., None] + offsets
        self.missing = (length - right.sum(3)).reshape(count, -1)
        """How many of its cards are not in their slots."""

    def quarters(self, below: Ints) -> Ints:
        """How surely the cards of each run come."""
        line = np.arange(len(below))[:, None]
        found: Ints = below[line, self.cards + self.length] - below[line, self.cards]
        return found


def _sum(values: Floats, axis: int) -> Floats:
    """The sum, always in the same order: what numpy's own takes depends on the other axes, and a
    position has to cost the same alone and among many.
    """
    total: Floats = np.add.accumulate(values, axis=axis).take(-1, axis=axis)
    return total


def _cost_of(totals: Floats) -> Floats:
    costs: Floats = np.minimum(-np.log(np.maximum(totals, LEAST)) / POWER, HOPELESS)
    return costs
