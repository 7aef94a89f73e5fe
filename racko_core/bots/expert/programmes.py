"""The programmes of `inputs`, for many racks at once in numpy.

The trainer runs the loops of `inputs` compiled; these are the same sums, minimum by minimum, and a
test holds the two together. Axes: table, position, and places of the row (see `fill_row`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.expert.costs import (
    NEVER,
)
from racko_core.bots.expert.memory import (
    SLOTS,
)

Ints = NDArray[np.int64]
Floats = NDArray[Any]

_PLACES: Final = np.arange(SLOTS + 2)
_MISSING: Final = _PLACES[None, :] - _PLACES[:, None] - 1
"""Open slots between two places, the front one first; below 0 where they are not in that order."""
_OPEN: Final = np.maximum(_MISSING, 0)
_INNER: Final = _PLACES[1:-1]


class Programmes:
    """What racks cost: as they are, and with one card in any slot."""

    def __init__(self, tables: Floats, rows: Ints, below: Ints) -> None:
        """`tables` by table, open slots and quarters; `rows` and `below` by position."""
        self._tables = tables
        self._rows = rows
        self._below = below
        self._under = np.take_along_axis(below, rows, 1)
        """Quarters below the card in a place, ..."""
        self._upto = np.take_along_axis(below, np.minimum(rows + 1, below.shape[1] - 1), 1)
        """... and with the card itself."""
        steps = self._steps(self._under[:, None, :] - self._upto[:, :, None], _gaps(rows))
        shape = steps.shape[:3]
        self._fronts = fronts = np.zeros(shape)
        for place in range(1, SLOTS + 2):
            fronts[:, :, place] = (fronts[:, :, :place] + steps[:, :, :place, place]).min(2)
        self._backs = backs = np.zeros(shape)
        for place in range(SLOTS, -1, -1):
            backs[:, :, place] = (backs[:, :, place + 1 :] + steps[:, :, place, place + 1 :]).min(2)
        whole = fronts[:, :, :, None] + steps + backs[:, :, None, :]
        # The least over all pairs around a place: over those in front of it, then behind it.
        np.minimum.accumulate(whole, axis=2, out=whole)
        whole = np.minimum.accumulate(whole[:, :, :, ::-1], axis=3)[:, :, :, ::-1]
        self._without = whole[:, :, _INNER - 1, _INNER + 1]

    def now(self) -> Floats:
        """By table and position: what the rack costs as it is."""
        costs: Floats = self._fronts[:, :, SLOTS + 1]
        return costs

    def with_cards(self, cards: Ints) -> Floats:
        """By table, position and slot: what the rack costs with the position's card there."""
        under = self._below[np.arange(len(cards)), cards][:, None, None]
        upto = self._below[np.arange(len(cards)), cards + 1][:, None, None]
        gaps = cards[:, None] - self._rows
        # From each place in front to the card, and from the card to each place behind.
        front = self._steps(under - self._upto[:, :, None], gaps[:, :, None])
        front += self._fronts[:, :, :, None]
        back = self._steps(self._under[:, None, :] - upto, -gaps[:, None, :])
        back += self._backs[:, :, None, :]
        kept = front.min(2)[:, :, _INNER] + back.min(3)[:, :, _INNER]
        costs: Floats = np.minimum(kept, self._without)
        return costs

    def _steps(self, quarters: Ints, gaps: Ints) -> Floats:
        """By table, position, place in front and place behind: what the open slots between cost."""
        cost = self._tables[:, _OPEN, np.maximum(quarters, 0)].astype(np.float64)
        cost[:, ~((_MISSING >= 0) & (gaps > _MISSING))] = NEVER
        return cost


def _gaps(rows: Ints) -> Ints:
    return rows[:, None, :] - rows[:, :, None]
