"""The sharp player: weighs racks by the chance to finish before the others do."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import exp, expm1, fsum, log, log1p
from typing import Final, Protocol

from racko_core.bots.chances import HORIZONS, tables
from racko_core.bots.distance import QUARTERS
from racko_core.bots.outlook import outlook
from racko_core.bots.pace import chance_of_going_out
from racko_core.bots.run_swaps import RunSwaps
from racko_core.bots.swaps import Swaps
from racko_core.bots.weighing import Judgement, Weighing
from racko_core.rules import Card
from racko_core.view import View

LOOKS: Final = 0.8
"""Unseen cards that a turn brings: less than the one that is drawn, since some of those that are
counted as unseen never come."""
NOBODY: Final = 0.01
"""The chance that nobody has gone out yet is not followed further than this."""
_SLIGHT: Final = 0.01
"""Horizons that matter less than this share of all are left out."""
FEWEST: Final = 4.0
"""Unseen cards that it reckons with at least, near the end of the pile."""
_SWING: Final = 100
"""Points, without a bonus, between going out and another player going out instead."""
_HOPELESS: Final = 1e-30


class Costs(Protocol):
    """What a rack costs."""

    @property
    def now(self) -> float:
        """As it is."""

    def with_card(self, card: Card) -> list[float]:
        """With the card in slot 1, in slot 2, ... in place of what is there."""


class Sharp(Weighing):
    """Weighs racks by the chance that they are in order before another player goes out.

    What a rack costs is one over that chance.
    """

    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""
        ahead = outlook(view)
        min_run = view.rules.min_run
        # With a run, which takes much longer to weigh, every other horizon will do.
        numbers = range(1 if min_run else 0, len(HORIZONS), 2 if min_run else 1)
        times = [HORIZONS[number] for number in numbers]
        unseen = max(FEWEST, ahead.below[-1] / QUARTERS)
        ends = _ends(view)
        # Whoever takes the discard has done with this turn; whoever draws sees a card first.
        over, drawing = (
            _shares(times, [(turn * LOOKS + looks) / unseen for turn in range(len(ends))], ends)
            for looks in (0, 1)
        )
        chosen = [
            (weight, weight_drawing, self.swaps(view.rack, ahead.below, number, min_run))
            for weight, weight_drawing, number in zip(over, drawing, numbers, strict=True)
            if max(weight, weight_drawing) > _SLIGHT * sum(drawing)
        ]
        weights, weights_drawing, swaps = zip(*chosen, strict=True)
        costs = [one.now for one in swaps]

        def with_card(card: Card) -> list[float]:
            by_horizon = [one.with_card(card) for one in swaps]
            return [_cost(slot, weights) for slot in zip(*by_horizon, strict=True)]

        return Judgement(
            _cost(costs, weights), with_card, _cost(costs, weights_drawing), ahead.next_card
        )

    def swaps(
        self, rack: Sequence[Card], below: Sequence[int], horizon: int, min_run: int
    ) -> Costs:
        """What the rack costs by that horizon: -log of the chance to be in order."""
        if min_run:
            return RunSwaps(rack, below, tables()[horizon], min_run, _any_of)
        return Swaps(rack, below, tables()[horizon])

    def with_bonus(self, cost: float, bonus: int) -> float:  # noqa: D102
        # What the chance is worth, in points.
        return cost / (1 + bonus / _SWING)


def _any_of(costs: Sequence[float]) -> float:
    """-log of the chance that one of several ways leads there, if each goes its own way."""
    if not min(costs):
        return 0.0
    return -log(-expm1(fsum([log1p(-exp(-cost)) for cost in costs])))


def _cost(costs: Sequence[float], weights: Sequence[float]) -> float:
    """One over the chance to be in time; 0 for a rack that needs nothing more. `costs` by horizon:
    -log of the chance to be in order by then.
    """
    if not any(costs):
        return 0.0
    chance = sum([weight * exp(-cost) for weight, cost in zip(weights, costs, strict=True)])
    return 1 / (chance + _HOPELESS)


def _ends(view: View) -> list[float]:
    """The chance that others end the round in their next turn, in the one after it, ..."""
    rules = view.rules
    assert view.seat is not None
    mine = rules.side_of(view.seat)
    turns = [view.turns[seat] for seat in range(rules.players) if rules.side_of(seat) != mine]
    ends: list[float] = []
    nobody = 1.0
    while nobody > NOBODY:
        before = nobody
        for past in turns:
            nobody *= 1 - chance_of_going_out(rules, past + len(ends))
        ends.append(before - nobody)
    return ends


def _shares(
    horizons: Sequence[float], times: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """The weights of times shared out between the horizons on both sides of each."""
    shares = [0.0] * len(horizons)
    for time, weight in zip(times, weights, strict=True):
        at = bisect_left(horizons, time)
        if at == len(horizons):
            shares[-1] += weight
        else:
            before = horizons[at - 1] if at else 0.0
            share = weight * (time - before) / (horizons[at] - before)
            shares[at] += share
            if at:
                shares[at - 1] += weight - share
    return shares
