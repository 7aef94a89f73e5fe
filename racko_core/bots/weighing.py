"""How a bot decides that can say what a rack costs: it tries every slot and takes the cheapest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.calling import with_racko
from racko_core.bots.neighbour import unwanted
from racko_core.bots.restless import restlessness, whim
from racko_core.rack import (
    Rack,
    is_racko,
    longest_run,
    points_without_going_out,
    run_bonus,
    with_card,
)
from racko_core.rules import POINTS_PER_CARD, Card, Slot
from racko_core.view import Phase, View

_LIKING: Final = 0.001
"""What a point of bonus takes off a rack's cost, as a share of it."""
FRONT: Final = 0.002
"""What each card that would score if another player went out takes off, for every turn so far: the
later in the round, the nearer the others are; up to so many turns."""
LATE: Final = 10
FEEDING: Final = 0.02
"""What it adds to hand the next player a card that may be of use."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a bot thinks of racks, in one view. A cost is 0 for a rack that needs nothing more."""

    now: float
    """What the rack costs as it is."""
    with_card: Callable[[Card], Sequence[float]]
    """What it costs with a card in slot 1, in slot 2, ..."""
    drawing: float
    """A discard that does not bring the cost below this is not worth a turn: better draw."""
    next_card: Card | None = None
    """The card on top of the draw pile, for a bot that remembers it."""


class Weighing(ABC):
    """A bot that weighs racks against each other."""

    watches: ClassVar[bool] = True
    """Whether it minds what the next player may want of what it drops."""

    @abstractmethod
    def judge(self, view: View) -> Judgement:
        """What the bot thinks of racks now."""

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        if view.phase is Phase.DEAL:
            return act.DEAL
        if view.rules.call == "manual" and is_racko(view.rack, view.rules):
            return with_racko(view)
        scale = _Scale(view, self.judge(view), self)
        if view.phase is Phase.DRAWN:
            assert view.hand is not None
            cost, slot = scale.best(view.hand)
            return act.PLACES[slot - 1] if cost < scale.staying(view.hand) else act.DISCARD
        cost, slot = scale.best(view.discards[-1])
        return act.TAKES[slot - 1] if cost < scale.bar() else act.DRAW

    def with_bonus(self, cost: float, bonus: int) -> float:
        """What a rack costs that holds a run worth so many points."""
        return cost * (1 - _LIKING * bonus)


Option = tuple[float, Slot]
"""What a rack costs after a card went into a slot."""


class _Scale:
    """The bot's own judgement, with what every player considers besides."""

    def __init__(self, view: View, judgement: Judgement, bot: Weighing) -> None:
        assert view.seat is not None
        self._judgement = judgement
        self._with_bonus = bot.with_bonus
        self._rules = view.rules
        self._rack = view.rack
        self._top = view.discards[-1]
        self._front = FRONT * min(LATE, view.turns[view.seat])
        after = (view.seat + 1) % view.rules.players
        self._useless = unwanted(view, after) if bot.watches else None
        self._restless = restlessness(view)
        self._chance = whim(view) if self._restless else None

    def best(self, card: Card) -> Option:
        """The best slot for the card."""
        rack, weigh = self._rack, self._weigh
        return min(
            (weigh(cost, with_card(rack, slot, card), rack[slot - 1]), slot)
            for slot, cost in enumerate(self._judgement.with_card(card), 1)
        )

    def staying(self, dropped: Card) -> float:
        """What it costs to leave the rack as it is, and to drop a card."""
        return self._weigh(self._judgement.now, self._rack, dropped)

    def bar(self) -> float:
        """The cost below which the discard is worth taking."""
        next_card = self._judgement.next_card
        if next_card is None:
            return self._weigh(self._judgement.drawing, self._rack, self._top)
        return min(self.staying(self._top), self.best(next_card)[0])

    def _weigh(self, cost: float, rack: Rack, dropped: Card) -> float:
        rules = self._rules
        if self._useless is not None and dropped not in self._useless:
            cost *= 1 + FEEDING
        if rules.bonus:
            cost = self._with_bonus(cost, run_bonus(longest_run(rack)[1]))
        cost *= 1 - self._front * points_without_going_out(rack, rules) / POINTS_PER_CARD
        if self._chance is not None:
            cost *= 1 + self._restless * self._chance.random()
        return cost
