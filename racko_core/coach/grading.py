"""How good decisions were: labels for single ones, an accuracy for many."""

from __future__ import annotations

from enum import StrEnum
from math import exp
from typing import Final

from racko_core.bots.appraisal import Appraisal
from racko_core.rules import Rules


class Label(StrEnum):
    """What a decision is called."""

    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LEAST_LOSS: Final = {Label.BLUNDER: 0.10, Label.MISTAKE: 0.05, Label.INACCURACY: 0.02}
"""The loss from which a label is given, the worst first; 0.02 is two points of win chance."""

POINTS_OF_A_ROUND: Final = 100.0
"""The margin that lies between winning a round and losing it, about: what makes points and chances
comparable."""

_SCALE: Final = 0.04
"""The accuracy is 50 % at ln 2 times this loss a turn, 2.8 points."""


def loss_of(chosen: Appraisal, best: Appraisal, rules: Rules) -> float:
    """What a choice gave away against the best one, in chance to win: 0 up to 1.

    Where runs score, a round is more than won or lost; there the loss is the mean of the chance
    and the points given away, 100 points counting as much as the round.
    """
    win = best.win - chosen.win
    if not rules.bonus:
        return max(0.0, win)
    return max(0.0, (win + (best.points - chosen.points) / POINTS_OF_A_ROUND) / 2)


def label_of(loss: float, error: float) -> Label:
    """What a loss is called; `FINE` if it is smaller than the standard error of its estimate."""
    if loss < error:
        return Label.FINE
    return next((label for label, least in LEAST_LOSS.items() if loss >= least), Label.FINE)


def accuracy(loss: float, turns: int) -> float | None:
    """How well somebody played, 0 to 100, by what so many turns lost in all; None without turns.

    100 x exp(-m / 0.04), where m is the mean loss of a turn.
    """
    return 100 * exp(-loss / turns / _SCALE) if turns else None
