"""The solid player: counts cards, and goes the shortest way to a rack in order."""

from __future__ import annotations

from typing import Final

from racko_core.bots.distance import waits
from racko_core.bots.outlook import outlook
from racko_core.bots.swaps import distances
from racko_core.bots.weighing import Judgement, Weighing
from racko_core.view import View

EAGERNESS: Final = 0.87
"""It takes the discard if the rack then waits less than this share of its wait now."""


class Solid(Weighing):
    """Weighs racks by the expected wait until they are in order (see `distance`)."""

    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""
        ahead = outlook(view)
        now, with_card = distances(view.rack, ahead.below, waits(), view.rules.min_run)
        return Judgement(now, with_card, EAGERNESS * now, ahead.next_card)
