"""The novice: every card has its slot, by its tenth of the deck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.calling import with_racko
from racko_core.bots.outlook import outlook
from racko_core.bots.restless import mood, restlessness, whim
from racko_core.bots.runs import runs_around
from racko_core.rack import is_racko, longest_run
from racko_core.rules import SLOTS, Card, Slot
from racko_core.view import Phase, View

_MOST_FANCY: Final = 6
"""Limits, as a multiple of the run's length, how much fancy may count in the choice of a run."""
_HOPELESS: Final = 8
"""What a card that will not come, as far as one knows, counts against a run."""

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
            return with_racko(view)
        if phase is Phase.DRAWN:
            assert view.hand is not None
            slot = _place(view, view.hand)
            return act.PLACES[slot - 1] if slot else act.DISCARD
        slot = _place(view, view.discards[-1])
        return act.TAKES[slot - 1] if slot else act.DRAW


def _place(view: View, card: Card) -> Slot | None:
    """Where the card goes; None if it is of no use."""
    aim, rack = aims(view), view.rack
    restless = restlessness(view)
    if restless:
        chance = whim(view)
        if chance.random() < restless:
            wrong = [place for place in range(1, SLOTS + 1) if aim[rack[place - 1]] != place]
            return chance.choice([None, *wrong])
    slot = aim[card]
    if not slot:
        return None
    if aim[rack[slot - 1]] != slot:
        return slot
    if view.rules.bonus and _run_with(rack, slot, card) > longest_run(rack)[1]:
        return slot
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
    bands = _bands(rules.cards)
    runs = [
        (slot, card)
        for slot, card in sorted(runs_around(rack, length, rules.cards))
        if abs(bands[card] - slot) <= 1
    ]
    runs += [(slot, bands.index(slot)) for slot in range(1, SLOTS - length + 2)]
    changes, chance = mood(view)
    fancy = min(_MOST_FANCY * length, 1 + changes)
    best, most = bands, -inf
    gone = _gone(view)
    for slot, card in runs:
        aim = _bands_around(rules.cards, slot, card, length)
        right = [aim[held] == place for place, held in enumerate(rack, 1)]
        worth = sum(right) + sum(right[slot - 1 : slot - 1 + length]) + fancy * chance.random()
        worth -= _HOPELESS * sum(
            held != wanted and wanted in gone
            for held, wanted in zip(rack[slot - 1 :], range(card, card + length), strict=False)
        )
        if worth > most:
            best, most = aim, worth
    return best


def _gone(view: View) -> set[Card]:
    """The cards that will not come, as far as one knows; not the one that is on offer."""
    below = outlook(view).below
    offered = view.discards[-1] if view.hand is None else view.hand
    gone = {card for card in range(1, view.rules.cards + 1) if below[card] == below[card + 1]}
    return gone - {offered}


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
