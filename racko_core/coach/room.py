"""Which cards of a rack are in place, and what room they leave: what the coach counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from racko_core.bots.outlook import SURE, outlook
from racko_core.order import strays
from racko_core.rack import Rack, is_racko, longest_run, run_bonus, with_card
from racko_core.rules import SLOTS, Card, Rules, Slot
from racko_core.view import View

_SHORTEST_RUN: Final = 3
"""Shorter ones score nothing."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Slots side by side whose cards are out of place, and the cards in place around them."""

    slots: tuple[Slot, ...]
    front: Card
    """The card in place in front of the gap; 0 if there is none."""
    back: Card
    """The card in place behind it; one more than the highest card if there is none."""

    def fitting(self, cards: Iterable[Card]) -> int:
        """How many of the cards lie between front and back."""
        return sum(self.front < card < self.back for card in cards)

    def room(self, cards: Iterable[Card]) -> float:
        """How many of them there are for each slot."""
        return self.fitting(cards) / len(self.slots)


def in_place(rack: Rack, rules: Rules) -> frozenset[Slot]:
    """The slots whose cards can stay where they are, as many as can be."""
    return frozenset(range(1, SLOTS + 1)) - strays(rack, rules.cards)


def gaps(rack: Rack, rules: Rules) -> list[Gap]:
    """The gaps of a rack, from the front; none if it is in order."""
    stay = in_place(rack, rules)
    found: list[Gap] = []
    open_slots: list[Slot] = []
    front = 0
    for slot in range(1, SLOTS + 2):
        if slot <= SLOTS and slot not in stay:
            open_slots.append(slot)
            continue
        card = rack[slot - 1] if slot <= SLOTS else rules.cards + 1
        if open_slots:
            found.append(Gap(tuple(open_slots), front, card))
        front, open_slots = card, []
    return found


def neighbours(rack: Rack, slot: Slot, rules: Rules) -> tuple[Card, Card]:
    """The cards in place in front of a slot and behind it; 0, or one more than the highest card,
    where there is none.
    """
    stay = in_place(rack, rules)
    front = max((rack[other - 1] for other in stay if other < slot), default=0)
    back = min((rack[other - 1] for other in stay if other > slot), default=rules.cards + 1)
    return front, back


def fillers(rack: Rack, cards: Iterable[Card], rules: Rules) -> set[Card]:
    """The cards that fit into a gap, and so put one more card in place."""
    open_gaps = gaps(rack, rules)
    return {card for card in cards if any(gap.fitting([card]) for gap in open_gaps)}


def helps(rack: Rack, slot: Slot, card: Card, rules: Rules) -> bool:
    """Whether more cards are in place with the card in the slot, be it that others are than now."""
    return len(in_place(with_card(rack, slot, card), rules)) > len(in_place(rack, rules))


def orderers(rack: Rack, cards: Iterable[Card], rules: Rules) -> set[Card]:
    """The cards that put more cards in place in some slot, be it that others are than now."""
    slots = range(1, SLOTS + 1)
    return {card for card in cards if any(helps(rack, slot, card, rules) for slot in slots)}


def may_come(view: View, dropped: Card | None = None) -> frozenset[Card]:
    """The cards that may be drawn next, as far as the seat can know, once it has `dropped` a card.

    Before the pile is renewed these are all that have not been seen, wherever they are; afterwards
    those that went into the draw pile and have not been seen since.
    """
    if view.draw_count == 0:  # the discards are the draw pile of the next player
        if view.rules.exhausted == "shuffle":
            return frozenset(view.discards)
        last = () if dropped is None else (dropped,)
        return frozenset((*view.discards[1:], *last))
    below = outlook(view).below
    return frozenset(
        card for card in range(1, view.rules.cards + 1) if below[card + 1] - below[card] == SURE
    )


def runs_matter(rack: Rack, rules: Rules) -> bool:
    """Whether a run longer than any in the rack is of use: it scores, or nobody goes out without
    it.
    """
    return rules.bonus or longest_run(rack)[1] < rules.min_run


def runs(rack: Rack, rules: Rules) -> list[range]:
    """The slots of each run that scores, or without which nobody goes out; none without runs."""
    if not (rules.bonus or rules.min_run):
        return []
    shortest = min(_SHORTEST_RUN, rules.min_run or _SHORTEST_RUN)
    found: list[range] = []
    start = 1
    for slot in range(2, SLOTS + 2):
        if slot > SLOTS or rack[slot - 1] != rack[slot - 2] + 1:
            if slot - start >= shortest:
                found.append(range(start, slot))
            start = slot
    return found


def run_makers(rack: Rack, cards: Iterable[Card], rules: Rules) -> set[Card]:
    """The cards that make a run longer than any there is, of cards that can all stay."""
    longest, found = longest_run(rack)[1], set()
    for card in cards:
        for slot in range(1, SLOTS + 1):
            after = with_card(rack, slot, card)
            for run in runs(after, rules):
                if len(run) > longest and in_place(after, rules).issuperset(run):
                    found.add(card)
    return found


def longer_runs(rack: Rack, cards: Iterable[Card], rules: Rules) -> dict[Card, int]:
    """The cards that keep a rack RACK-O and give it a run that scores more, and how much more."""
    if not rules.bonus:
        return {}
    now = run_bonus(longest_run(rack)[1])
    found = {}
    for card in cards:
        racks = (with_card(rack, slot, card) for slot in range(1, SLOTS + 1))
        best = max(
            (run_bonus(longest_run(one)[1]) for one in racks if is_racko(one, rules)), default=0
        )
        if best > now:
            found[card] = best - now
    return found
