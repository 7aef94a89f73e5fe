"""How far a rack is from being in order: the least expected wait over which cards stay.

Some cards stay, the slots between them are open. A stretch of `m` open slots waits for any of the
`g` cards that fit between the two cards that stay; how long is `waits()[m][g]`. The distance of a
rack is the least sum over all choices of the cards that stay, found from front to back: the best
choice up to a card does not depend on what comes behind it. `swaps` finds it.

Where going out needs a run, there are several ways: to wait for a run anywhere, without a plan for
it, or to build the rack around one of the runs that keep a card of it, with the cards in front of
the run and behind it chosen likewise. The distance is the wait for any one of them. `run_swaps`
finds the ways.

Counts of fitting cards are in quarters, since some cards come more surely than others: see
`outlook`. They are told as `below`: `below[c]` counts the quarters of cards below card c, up to
`below[cards + 1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import fsum
from typing import Final

from racko_core.rules import SLOTS

QUARTERS: Final = 4
"""A card that surely comes counts so much."""
MOST_CARDS: Final = 60

_POWER: Final = 1.5
"""Waits that run side by side add up as powers: less than a sum, more than the longest."""
_LACKING: Final = 2.0
"""The wait for each card that a stretch lacks, in the same unit as all waits."""
_ALTERNATIVES: Final = 4.0
"""How strongly several possible runs shorten the wait for one of them; larger is less."""

_GRAIN: Final = 2.0**40

Table = Sequence[Sequence[float]]
"""What `m` open slots cost with `g` quarters of fitting cards."""


@cache
def waits() -> Table:
    """The expected wait of a stretch, to the power 1.5, by open slots and quarters of cards.

    The unit is the number of unseen cards: one open slot with g cards that fit waits 1/g. For
    more slots: put the first fitting card x that comes where the waits left on both sides are
    least; and be choosy, waiting only for the k cards that leave the least, for the best k.
    """
    whole = [[0.0] * (MOST_CARDS + 1)]
    for m in range(1, SLOTS + 1):
        row = [0.0] * (MOST_CARDS + 1)
        for g in range(m, MOST_CARDS + 1):
            left = sorted(
                min(whole[s][x] + whole[m - 1 - s][g - 1 - x] for s in _places(m, g, x))
                ** (1 / _POWER)
                for x in range(g)
            )
            row[g] = min((1 + sum_) / k for k, sum_ in enumerate(accumulate(left), 1)) ** _POWER
        for g in range(m):
            row[g] = (row[m] ** (1 / _POWER) + _LACKING * (m - g)) ** _POWER
        whole.append(row)
    return tuple(tuple(in_quarters(row)) for row in whole)


def _places(m: int, g: int, x: int) -> range:
    """Where card x (0 up, of g) can stand among m slots so that both sides can be filled."""
    return range(max(0, m - g + x), min(m - 1, x) + 1)


def in_quarters(row: Sequence[float]) -> list[float]:
    """What open slots cost by quarters of cards, from what they cost by whole cards."""
    steps = range(QUARTERS)
    fine = [a + (b - a) * step / QUARTERS for a, b in pairwise(row) for step in steps]
    return [exact(cost) for cost in (*fine, row[-1])]


def exact(cost: float) -> float:
    """A cost rounded, to a multiple of 2**-40, so that sums of a few costs are exact: then they are
    the same in whatever order they are added, and equal ways to fill a rack have equal costs.
    """
    return round(cost * _GRAIN) / _GRAIN


def side_by_side(costs: Sequence[float]) -> float:
    """The wait for any one of several ways."""
    if not min(costs):
        return 0.0
    return root(fsum([cost**-_ALTERNATIVES for cost in costs]) ** (-1 / _ALTERNATIVES))


def root(cost: float) -> float:
    """The wait itself, of one to the power 1.5."""
    return float(cost ** (1 / _POWER))
