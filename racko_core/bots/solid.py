"""The solid player: counts cards, and goes the shortest way to a rack in order."""

from __future__ import annotations

from racko_core.bots.distance import distance, waits
from racko_core.bots.outlook import outlook
from racko_core.bots.weighing import Judgement, Weighing
from racko_core.view import View


class Solid(Weighing):
    """Weighs racks by the expected wait until they are in order (see `distance`)."""

    eagerness = 0.87

    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""
        ahead = outlook(view)
        min_run = view.rules.min_run
        table = waits()
        return Judgement(lambda rack: distance(rack, ahead.below, table, min_run), ahead.next_card)
