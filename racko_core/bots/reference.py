"""Bots to measure others against: named in the arena, but no levels that a person chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from racko_core.actions import Action
from racko_core.bots.chances import tables
from racko_core.bots.distance import Table
from racko_core.bots.sharp import Costs, Sharp
from racko_core.bots.solid import Solid
from racko_core.bots.sums import Sums, powers
from racko_core.rack import is_in_order
from racko_core.rules import Card
from racko_core.view import Phase, View

if TYPE_CHECKING:
    from racko_core.bots import Bot


class Sorter(Solid):
    """Where going out needs a run: solid, but it sorts its rack first and then looks for a run."""

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        if view.rules.min_run and view.phase is not Phase.DEAL and not is_in_order(view.rack):
            return super().decide(replace(view, rules=view.rules.with_changes(min_run=0)))
        return super().decide(view)


class Keen(Sharp):
    """Sharp, but it counts on all the ways to a rack in order, where sharp sees but the best."""

    def swaps(
        self, rack: Sequence[Card], below: Sequence[int], horizon: int, min_run: int
    ) -> Costs:
        """What the rack costs by that horizon: -log of the chance to be in order."""
        if min_run:
            return super().swaps(rack, below, horizon, min_run)
        return Sums(rack, below, _powers()[horizon])


@cache
def _powers() -> tuple[Table, ...]:
    return tuple(powers(table) for table in tables())


class Blind:
    """The expert, as if runs scored nothing."""

    def __init__(self) -> None:
        from racko_core.bots.expert import Expert  # numpy, which takes its time

        self._expert = Expert()

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Action]:
        """What `decide` says of each view; faster than one by one."""
        return self._expert.decide_many(
            [replace(view, rules=view.rules.with_changes(bonus=False)) for view in views]
        )


REFERENCES: Final[dict[str, Callable[[], Bot]]] = {
    "sorter": Sorter,
    "keen": Keen,
    "expert-blind": Blind,
}
"""By name: a bot that sorts first, the strongest that has learnt nothing, and an expert that plays
as if runs scored nothing."""
