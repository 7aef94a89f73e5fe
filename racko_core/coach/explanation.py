"""Finding the reason for a move: the first thing that is true of it and worth saying."""

from __future__ import annotations

from collections.abc import Sequence

from racko_core.bots.appraisal import Appraisal
from racko_core.coach.reason import Reason, Why
from racko_core.view import View


def because(view: View, appraisal: Appraisal, ranked: Sequence[Appraisal]) -> Reason:
    """Why an action is good, among all that were possible (`ranked`, the best first).

    All that is said is true of what the seat can see; it is counted, not guessed.
    """
    return Reason(
        Why.BETTER_CHANCE,
        "It wins most often: {win} times in a hundred.",
        "",
        {"win": round(100 * appraisal.win)},
    )
