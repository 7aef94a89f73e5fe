"""What the next player waits for once it has a card: `others.wait_with`, for many cards at once in
numpy.

The trainer runs those loops compiled; these are the same sums, and a test holds the two together.
Axes: position or candidate, slot, and known card (the ends of the row are some).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.expert.costs import NEVER
from racko_core.bots.expert.memory import SLOTS, Row
from racko_core.bots.expert.others import Known
from racko_core.bots.expert.programmes import wait_table

Ints = NDArray[np.int64]
Floats = NDArray[Any]

_SLOT: Final = np.arange(1, SLOTS + 1)[:, None]


class Feeding:
    """What is known of the next player's rack in each of some positions."""

    def __init__(self, known: Sequence[Known], counts: Sequence[int], below: Sequence[Row]) -> None:
        """By position; `counts` are the known cards with the two ends, as from `fill_known`."""
        most = max(counts)
        count = np.array(counts)[:, None, None]
        self._below = np.array(below)
        self._cards = np.array([one.cards[:most] for one in known])
        behind = np.minimum(self._cards + 1, self._below.shape[1] - 1)
        self._under = np.take_along_axis(self._below, self._cards, 1)
        """Quarters below a known card, ..."""
        self._upto = np.take_along_axis(self._below, behind, 1)
        """... and with the card itself."""
        self._fronts = np.array([one.fronts[:most] for one in known])[:, None]
        self._backs = np.array([one.backs[:most] for one in known])[:, None]
        self._whole = np.take_along_axis(self._fronts, count - 1, 2)[:, 0, 0]
        places = np.array([one.places[:most] for one in known])[:, None]
        filled = np.array([one.filled for one in known])[:, None]
        there = np.arange(most) < count
        # Between a known card in front and the slot, and between the slot and one behind it.
        self._before = np.where(there & (places < _SLOT), _SLOT - places - 1, SLOTS + 1)
        self._after = np.where(there & (places > _SLOT), places - _SLOT - 1, SLOTS + 1)
        upto = filled[:, 0, :SLOTS, None] - np.take_along_axis(filled, places, 2)
        self._open_before = np.maximum(self._before - upto, 0)
        upto = np.take_along_axis(filled, np.maximum(places - 1, 0), 2)
        self._open_after = np.maximum(self._after - (upto - filled[:, 0, 1:-1, None]), 0)

    def waits(self, line: Ints, card: Ints) -> Floats:
        """By candidate: what the next player waits for once it has `card` in position `line`."""
        cards, below = self._cards[line], self._below
        gap = (card[:, None] - cards)[:, None]
        quarters = np.maximum(below[line, card][:, None] - self._upto[line], 0)[:, None]
        front = self._steps(self._before[line], self._open_before[line], gap, quarters)
        quarters = np.maximum(self._under[line] - below[line, card + 1][:, None], 0)[:, None]
        back = self._steps(self._after[line], self._open_after[line], -gap, quarters)
        front = (front + self._fronts[line]).min(2)
        back = (back + self._backs[line]).min(2)
        waits: Floats = np.minimum((front + back).min(1), self._whole[line])
        return waits

    @staticmethod
    def _steps(missing: Ints, left: Ints, gap: Ints, quarters: Ints) -> Floats:
        fits = (missing <= SLOTS) & (gap > missing)
        return np.where(fits, wait_table()[np.minimum(left, SLOTS), quarters], NEVER)
