"""How a bot decides that can say what a rack costs: it tries every slot and takes the cheapest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.calling import with_racko
from racko_core.bots.neighbour import unwanted
from racko_core.bots.restless import restlessness, whim
from racko_core.rack import Rack, is_racko, longest_run, points_without_going_out, run_bonus
from racko_core.rules import POINTS_PER_CARD, SLOTS, Card, Slot
from racko_core.view import Phase, View

_LIKING: Final = 0.001
"""What a point of bonus takes off a rack's cost, as a share of it."""
_FRONT: Final = 0.002
"""What each card that would score if another player went out takes off, for every turn so far: the
later in the round, the nearer the others are; up to so many turns."""
_LATE: Final = 10
_FEEDING: Final = 0.02
"""What it adds to hand the next player a card that may be of use."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a bot thinks of racks, in one view."""

    cost: Callable[[Rack], float]
    """0 for a rack that needs nothing more; more for a worse one."""
    next_card: Card | None = None
    """The card on top of the draw pile, for a bot that remembers it."""


Option = tuple[float, Slot]
"""What a rack costs after a card went into a slot."""


class Weighing(ABC):
    """A bot that weighs racks against each other."""

    eagerness: float = 1.0
    """Take the discard if the rack then costs less than this share of what it costs now."""

    @abstractmethod
    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        if view.phase is Phase.DEAL:
            return act.DEAL
        if view.rules.call == "manual" and is_racko(view.rack, view.rules):
            return with_racko(view)
        judgement = self.judge(view)
        weigh = _weigher(view, judgement)
        if view.phase is Phase.DRAWN:
            assert view.hand is not None
            cost, slot = _best(view, weigh, view.hand)
            return act.PLACES[slot - 1] if cost < weigh(view.rack, view.hand) else act.DISCARD
        cost, slot = _best(view, weigh, view.discards[-1])
        return (
            act.TAKES[slot - 1] if cost < self._bar(view, weigh, judgement.next_card) else act.DRAW
        )

    def _bar(self, view: View, weigh: Weigh, next_card: Card | None) -> float:
        """The cost below which the discard is worth taking."""
        now = weigh(view.rack, view.discards[-1])
        if next_card is None:
            return self.eagerness * now
        drawn, _ = _best(view, weigh, next_card)
        return min(now, drawn)


Weigh = Callable[[Rack, Card], float]
"""What it costs to have a rack after dropping a card."""


def _weigher(view: View, judgement: Judgement) -> Weigh:
    """The bot's own judgement, with what every player considers besides."""
    rules = view.rules
    assert view.seat is not None
    front = _FRONT * min(_LATE, view.turns[view.seat])
    useless = unwanted(view, (view.seat + 1) % rules.players)
    restless = restlessness(view)
    chance = whim(view) if restless else None

    def weigh(rack: Rack, dropped: Card) -> float:
        cost = judgement.cost(rack)
        if dropped not in useless:
            cost *= 1 + _FEEDING
        if rules.bonus:
            cost *= 1 - _LIKING * run_bonus(longest_run(rack)[1])
        cost *= 1 - front * points_without_going_out(rack, rules) / POINTS_PER_CARD
        if chance:
            cost *= 1 + restless * chance.random()
        return cost

    return weigh


def _best(view: View, weigh: Weigh, card: Card) -> Option:
    return min(_options(view.rack, weigh, card))


def _options(rack: Rack, weigh: Weigh, card: Card) -> Iterable[Option]:
    for slot in range(1, SLOTS + 1):
        after = (*rack[: slot - 1], card, *rack[slot:])
        yield weigh(after, rack[slot - 1]), slot
