"""What points are worth: how likely a side wins the game from some totals."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from racko_core.rules import Rules

_PACE: Final = 50.0
"""Points that the leading player gains in a round, on average; a team twice as many."""
_SWING: Final = 45.0
"""How far the lead moves in a round, likewise: about half of the standard deviation, which fits
the logistic curve."""
_LAST: Final = 0.5
"""Rounds still to be played at least: a lead is never sure before the game is over."""


def chance_to_win(rules: Rules, rounds: int, totals: Sequence[int], side: int) -> float:
    """The chance that `side` wins a game in which so many rounds led to these totals.

    A guess for equal players: the lead over the best other side, against how much leads change in
    the rounds that are left. Exact once the game is over.
    """
    best = max(totals)
    left = (rules.target - best) / _PACE
    if rules.max_rounds is not None:
        left = min(left, rules.max_rounds - rounds)
    if left <= 0:
        return 1 / totals.count(best) if totals[side] == best else 0.0
    lead = totals[side] - max(total for at, total in enumerate(totals) if at != side)
    return 1 / (1 + exp(-lead / (_SWING * sqrt(max(_LAST, left)))))
