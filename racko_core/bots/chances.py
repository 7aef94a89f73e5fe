"""How likely a stretch of open slots is to be filled in time: the tables of the sharp player.

Time is counted in looks at unseen cards, as a share of how many are unseen: within a horizon of 0.1
any one of them comes with a chance of about a tenth. The chance that a whole rack is in order
within a horizon is the product over its stretches; so with -log of the chances as costs, the
programme of `distance` finds the cards that had best stay, for each horizon.
"""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import Final

from racko_core.bots.distance import Table, in_quarters
from racko_core.rules import SLOTS

HORIZONS: Final[tuple[float, ...]] = (0.065, 0.1, 0.16, 0.24, 0.38, 0.58, 0.9, 1.4)

_MOST_FIT: Final = 50
"""Unseen cards at most: of sixty, one's own ten are seen."""
_LACKING: Final = 2.0
"""What each card that a stretch lacks adds to the cost of one that has only just enough."""
_LEAST: Final = 1e-30

_Chances = list[list[float]]
"""By open slots and fitting cards, 0 up."""


@cache
def tables() -> tuple[Table, ...]:
    """By horizon: what open slots cost by quarters of fitting cards."""
    chances: _Chances = [[float(m == 0)] * (_MOST_FIT + 1) for m in range(SLOTS + 1)]
    result = []
    last = 0.0
    for horizon in HORIZONS:
        step = (horizon - last) / 2
        chances = _later(_later(chances, step), step)
        result.append([in_quarters(_costs(m, row)) for m, row in enumerate(chances)])
        last = horizon
    return tuple(result)


def _costs(m: int, chances: list[float]) -> list[float]:
    costs = [-log(max(_LEAST, chance)) for chance in chances]
    return [cost if m <= g else costs[m] + _LACKING * (m - g) for g, cost in enumerate(costs)]


def _later(chances: _Chances, step: float) -> _Chances:
    """The chances with so much more time.

    Any of the fitting cards may come first. Those are used that leave a better chance than waiting
    on; each goes where it leaves the best. So the chance nears the mean of what they leave, the
    faster the more they are.
    """
    after = [[*chances[0]]]
    halfway = [[*chances[0]]]
    for m in range(1, SLOTS + 1):
        row = []
        for g, now in enumerate(chances[m]):
            sum_, count = 0.0, 0
            for x, left in enumerate(_lefts(halfway, m, g) if m <= g else ()):
                if left > now:
                    # From the other end it looks the same.
                    times = 1 if 2 * x + 1 == g else 2
                    sum_ += times * left
                    count += times
            mean = sum_ / count if count else now
            row.append(mean + (now - mean) * exp(-count * step))
        after.append(row)
        halfway.append([(a + b) / 2 for a, b in zip(row, chances[m], strict=True)])
    return after


def _lefts(chances: _Chances, m: int, g: int) -> list[float]:
    """What the lower half of g fitting cards leave, each at its best place among m open slots."""
    lefts = []
    place = 0
    for x in range((g + 1) // 2):
        # The higher the card, the higher its place; from there the chance falls on both sides.
        place = max(place, m - g + x)
        best = chances[place][x] * chances[m - 1 - place][g - 1 - x]
        while place < min(m - 1, x):
            next_ = chances[place + 1][x] * chances[m - 2 - place][g - 1 - x]
            if next_ < best:
                break
            best = next_
            place += 1
        lefts.append(best)
    return lefts
