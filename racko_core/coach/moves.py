"""A card that goes into a slot, what comes of it, and which moves are worth naming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from racko_core.actions import Action, Place, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.coach.reason import Reason, Why, Words
from racko_core.coach.room import fillers, gaps, in_place, may_come, orderers
from racko_core.rack import Rack, cards_that_score, longest_run, with_card
from racko_core.rules import Card, Rules, Seat, Slot, label
from racko_core.view import View


@dataclass(frozen=True)
class Put:
    """A card that goes into a slot, and what comes of it."""

    view: View
    slot: Slot
    card: Card

    @classmethod
    def of(cls, view: View, action: Action) -> Put | None:
        """The card and the slot of a move; None if no card goes into a slot."""
        match action:
            case Take(slot):
                return cls(view, slot, view.discards[-1])
            case Place(slot):
                assert view.hand is not None
                return cls(view, slot, view.hand)
        return None

    @property
    def rules(self) -> Rules:
        """Of the game."""
        return self.view.rules

    @property
    def seat(self) -> Seat:
        """Whose card it is."""
        assert self.view.seat is not None
        return self.view.seat

    @property
    def rack(self) -> Rack:
        """The rack before."""
        return self.view.rack

    @property
    def old(self) -> Card:
        """The card that leaves."""
        return self.rack[self.slot - 1]

    @cached_property
    def after(self) -> Rack:
        """The rack afterwards."""
        return with_card(self.rack, self.slot, self.card)

    @cached_property
    def before(self) -> frozenset[Slot]:
        """What is in place before."""
        return in_place(self.rack, self.rules)

    @cached_property
    def stay(self) -> frozenset[Slot]:
        """What is in place afterwards."""
        return in_place(self.after, self.rules)

    @property
    def fits(self) -> bool:
        """Whether the card is in place then, and as many cards as before are."""
        return self.slot in self.stay and len(self.stay) >= len(self.before)

    @cached_property
    def coming(self) -> frozenset[Card]:
        """What may come afterwards."""
        return may_come(self.view, self.old)

    @property
    def run(self) -> int:
        """How long the longest run is afterwards."""
        return longest_run(self.after)[1]

    @property
    def tightest(self) -> float:
        """The room in the tightest gap that is left."""
        return min((gap.room(self.coming) for gap in gaps(self.after, self.rules)), default=99.0)

    def because(self, why: Why, one: str, many: str = "", **values: object) -> Reason:
        """A reason in which card and slot may be named."""
        return Reason(
            why, Words(one, {"card": self.card, "slot": label(self.slot), **values}, many)
        )

    def filling(self, rack: Rack) -> int:
        """How many of the cards that may come fill a gap of this rack."""
        return len(fillers(rack, self.coming, self.rules))

    def ordering(self, rack: Rack) -> int:
        """How many of the cards that may come put more cards of this rack in place, somewhere."""
        return len(orderers(rack, self.coming, self.rules))

    def scoring(self, rack: Rack) -> int:
        """How many cards of this rack count if somebody else goes out."""
        return cards_that_score(rack, self.rules)


def named(view: View, ranked: Sequence[Appraisal]) -> list[Appraisal]:
    """The moves after the first of `ranked` that are ideas of their own: not to put a card where
    it stands out of place, or at the cost of others, unless it makes a longer run.
    """
    return [one for one in ranked[1:] if _is_an_idea(view, one.action)]


def _is_an_idea(view: View, action: Action) -> bool:
    put = Put.of(view, action)
    if put is None or put.fits:
        return True
    return view.rules.bonus and put.slot in put.stay and put.run > max(2, longest_run(put.rack)[1])
