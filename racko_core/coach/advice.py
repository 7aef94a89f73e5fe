"""What to do now, and why: the coach at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from racko_core.bots.appraisal import Appraisal, Appraiser
from racko_core.coach.explanation import because
from racko_core.coach.moves import named
from racko_core.coach.reason import Reason
from racko_core.view import View

_RUNNERS_UP: Final = 2


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's word on one decision."""

    ranked: tuple[Appraisal, ...]
    """Every legal action, the best first."""
    runners_up: tuple[Appraisal, ...]
    """The next best that are ideas of their own, two of them at most."""
    why: Reason
    """Why the first is the best."""

    @property
    def best(self) -> Appraisal:
        """What to do."""
        return self.ranked[0]


def advise(view: View, appraiser: Appraiser) -> Advice:
    """What the seat of this view should do. It must be its turn, to play and not to deal."""
    ranked = appraiser.appraise(view)
    return Advice(ranked, tuple(named(view, ranked)[:_RUNNERS_UP]), because(view, ranked))
