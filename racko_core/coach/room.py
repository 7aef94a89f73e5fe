"""Which cards of a rack are in place, and what room they leave: what the coach counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from racko_core.bots.outlook import SURE, outlook
from racko_core.order import strays
from racko_core.rack import Rack, is_racko, longest_run, run_bonus
from racko_core.rules import SLOTS, Card, Rules, Slot
from racko_core.view import View


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


def put(rack: Rack, slot: Slot, card: Card) -> Rack:
    """The rack with a card in a slot."""
    return (*rack[: slot - 1], card, *rack[slot:])


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
    """The cards for which there is a slot where they put one more card in place."""
    end = SLOTS + 1
    row = (0, *rack, rules.cards + 1)
    # Seen from the back, the last card is the first and the highest the lowest.
    mirrored = [row[-1] - card for card in reversed(row)]
    fronts, backs = _most_in_front(row), _most_in_front(mirrored)
    now = fronts[end]
    return {
        card
        for card in cards
        if any(
            _most(row, fronts, slot, card) + 1 + _most(mirrored, backs, end - slot, row[-1] - card)
            > now
            for slot in range(1, end)
        )
    }


def _most_in_front(row: Sequence[Card]) -> list[float]:
    """For each slot of a rack with its ends, how many cards in front can stay if this one does."""
    most: list[float] = []
    for slot, card in enumerate(row):
        most.append(_most(row, most, slot, card) if slot else 0)
    return most


def _most(row: Sequence[Card], most: Sequence[float], slot: Slot, card: Card) -> float:
    """How many cards in front can stay with `card` in `slot`, by how many can with each of them."""
    return max(
        (
            most[other] + (other > 0)
            for other in range(slot)
            # There have to be enough numbers between the two cards for the slots between them.
            if card - row[other] >= slot - other
        ),
        default=-inf,
    )


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


def longer_runs(rack: Rack, cards: Iterable[Card], rules: Rules) -> dict[Card, int]:
    """The cards that keep a rack RACK-O and give it a run that scores more, and how much more."""
    if not rules.bonus:
        return {}
    now = run_bonus(longest_run(rack)[1])
    found = {}
    for card in cards:
        racks = (put(rack, slot, card) for slot in range(1, SLOTS + 1))
        best = max(
            (run_bonus(longest_run(one)[1]) for one in racks if is_racko(one, rules)), default=0
        )
        if best > now:
            found[card] = best - now
    return found
