"""The casual player: keeps the longest chain of rising cards that leaves room for the rest."""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Final

from racko_core.bots.distance import MOST_CARDS, QUARTERS, Table, exact
from racko_core.bots.swaps import distances
from racko_core.bots.weighing import Judgement, Weighing
from racko_core.rules import SLOTS
from racko_core.view import View

_TIGHTNESS: Final = 0.2
"""How much a narrow gap counts against a card that is missing."""
EAGERNESS: Final = 0.95
"""It takes the discard if the rack then costs less than this share of what it costs now."""


class Casual(Weighing):
    """Looks at its own rack only: how many cards are missing, and how wide the gaps are for them;
    the later in the round, the more it likes cards that would score.

    It neither counts cards nor watches the others, until it holds RACK-O and may choose whether to
    go out: `calling` has that in common for all.
    """

    watches: ClassVar[bool] = False

    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""
        cards, min_run = view.rules.cards, view.rules.min_run
        below = (0, *range(0, QUARTERS * (cards + 1), QUARTERS))
        now, with_card = distances(view.rack, below, gaps(), min_run)
        return Judgement(now, with_card, EAGERNESS * now)


@cache
def gaps() -> Table:
    """What a gap costs by its open slots and the quarters of numbers in it."""
    quarters = range(QUARTERS * MOST_CARDS + 1)
    return [
        [exact(m + _TIGHTNESS * QUARTERS * m * m / max(1, g)) for g in quarters]
        for m in range(SLOTS + 1)
    ]
