"""What actions are worth: what a bot that can put a number on them tells the coach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from racko_core.actions import Action
from racko_core.view import View


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What one action is worth to the side of the seat that does it, as far as that can know."""

    action: Action
    win: float
    """The chance that the side goes out this round, 0 to 1."""
    points: float
    """The expected margin of the round: the side's points less the mean of the other sides'."""
    error: float
    """Standard error of this `win` less the best action's, so of a loss; 0 for the best."""


class Appraiser(Protocol):
    """Whoever can appraise."""

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        """Every action of `view.legal`, the best first.

        Drawing is worth the mean, over the cards that may come, of what is best with each. `view`
        waits for its seat's action: to play, not to deal.
        """
        ...
