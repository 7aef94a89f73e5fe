"""The novice: every card has its slot, by its tenth of the deck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.calling import with_racko
from racko_core.bots.restless import mood, restlessness, whim
from racko_core.bots.runs import runs_around
from racko_core.rack import is_racko, longest_run
from racko_core.rules import SLOTS, Card, Slot
from racko_core.view import Phase, View

Aims = Sequence[Slot]
"""By card: the slot where it belongs, 0 for nowhere. Place 0 is not used."""


class Novice:
    """Puts a card where its tenth of the deck says, unless such a card stands there already.

    Where going out needs a run, it settles on one, and shares the other cards out on both sides.
    """

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        phase = view.phase
        if phase is Phase.DEAL:
            return act.DEAL
        if view.rules.call == "manual" and is_racko(view.rack, view.rules):
            return act.GO_OUT if act.GO_OUT in view.legal else with_racko(view)
        if phase is Phase.DRAWN:
            assert view.hand is not None
            slot = _place(view, view.hand)
            return act.PLACES[slot - 1] if slot else act.DISCARD
        slot = _place(view, view.discards[-1])
        return act.TAKES[slot - 1] if slot else act.DRAW


def _place(view: View, card: Card) -> Slot | None:
    """Where the card goes; None if it is of no use."""
    aim = aims(view)
    slot = aim[card]
    rack = view.rack
    if slot:
        if aim[rack[slot - 1]] != slot:
            return slot
        if view.rules.bonus and _run_with(rack, slot, card) > longest_run(rack)[1]:
            return slot
    if restlessness(view):
        chance = whim(view)
        wrong = [place for place in range(1, SLOTS + 1) if aim[rack[place - 1]] != place]
        if wrong and chance.random() < restlessness(view):
            return chance.choice(wrong)
    return None


def _run_with(rack: Sequence[Card], slot: Slot, card: Card) -> int:
    after = [*rack]
    after[slot - 1] = card
    return longest_run(after)[1]


def aims(view: View) -> Aims:
    """Where every card belongs, for this seat now."""
    rules = view.rules
    if not rules.min_run:
        return _bands(rules.cards)
    rack, length = view.rack, rules.min_run
    runs = runs_around(rack, length, rules.cards)
    runs.add((SLOTS // 2, rules.cards // 2))
    chance, restless = mood(view), restlessness(view)
    best, most = _bands(rules.cards), -1.0
    for slot, card in sorted(runs):
        aim = _bands_around(rules.cards, slot, card, length)
        score = sum(aim[card] == place for place, card in enumerate(rack, 1))
        score += sum(rack[slot - 1 + i] == card + i for i in range(length))
        worth = score + restless * length * chance.random()
        if worth > most:
            best, most = aim, worth
    return best


@cache
def _bands(cards: int) -> Aims:
    return tuple(-(-card * SLOTS // cards) for card in range(cards + 1))


@cache
def _bands_around(cards: int, slot: Slot, first: Card, length: int) -> Aims:
    """Bands in front of a run and behind it. The run starts in `slot` with card `first`."""
    front, back = slot - 1, SLOTS - (slot + length - 1)
    below, behind = first - 1, cards - (first + length - 1)
    aim = [0]
    aim += [1 + card * front // below if front else 0 for card in range(below)]
    aim += range(slot, slot + length)
    aim += [slot + length + card * back // behind if back else 0 for card in range(behind)]
    return tuple(aim)
