"""The tables of the programmes: what a stretch of open slots costs by the cards that fit."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.distance import MOST_CARDS, QUARTERS, waits
from racko_core.rules import SLOTS

HORIZONS: Final = (0.1, 0.2, 0.4)
"""Looks, as a share of the unseen cards."""
_STEPS: Final = 10
_WORST: Final = 12.0


def tables() -> NDArray[np.float32]:
    """Shape (4, 11, 241): table, open slots, quarters of fitting cards.

    The first is `distance.waits`; the others -log of the chance that a stretch is filled within
    so many looks, each of which shows any unseen card with the same chance.
    """
    result = np.zeros((1 + len(HORIZONS), SLOTS + 1, QUARTERS * MOST_CARDS + 1), np.float32)
    result[0] = np.array(waits(), np.float32)
    for number, horizon in enumerate(HORIZONS, 1):
        chance = _filled(horizon)
        cost = np.minimum(-np.log(np.maximum(chance, 1e-30)), _WORST)
        for m in range(SLOTS + 1):
            for g in range(MOST_CARDS + 1):
                if g < m:
                    # Worse with every card that is lacking, so that there is a way out.
                    cost[m, g] = _WORST + 2.0 * (m - g)
        fine = np.arange(QUARTERS * MOST_CARDS + 1) / QUARTERS
        for m in range(SLOTS + 1):
            result[number, m] = np.interp(fine, np.arange(MOST_CARDS + 1), cost[m])
    return result


def _filled(horizon: float) -> NDArray[Any]:
    """By open slots and fitting cards: the chance that they are filled within the horizon.

    In small steps of time, in each of which each card comes with the same small chance; a card
    goes where it leaves the best chance, or nowhere.
    """
    step = horizon / _STEPS
    chance = np.zeros((SLOTS + 1, MOST_CARDS + 1))
    chance[0] = 1.0
    for _ in range(_STEPS):
        after = chance.copy()
        for m in range(1, SLOTS + 1):
            for g in range(m, MOST_CARDS + 1):
                gain = 0.0
                for x in range(g):
                    best = chance[m, g]
                    for s in range(max(0, m - g + x), min(m - 1, x) + 1):
                        best = max(best, chance[s, x] * chance[m - 1 - s, g - 1 - x])
                    gain += best - chance[m, g]
                after[m, g] = min(1.0, chance[m, g] + (1.0 - np.exp(-step)) * gain)
        chance = after
    return chance
