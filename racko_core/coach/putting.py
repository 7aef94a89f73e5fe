"""Why it is good to put a card into a slot: the first thing that is true of it and worth saying.

What is in place is what the rack shows so: the cards without a mark of being out of place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from racko_core.coach.reason import NN_, Reason, Why, Words
from racko_core.coach.room import (
    Gap,
    gaps,
    in_place,
    may_come,
    neighbours,
    run_makers,
    runs,
)
from racko_core.errors import N_
from racko_core.rack import (
    Rack,
    cards_that_score,
    is_in_order,
    is_racko,
    longest_run,
    with_card,
)
from racko_core.rules import SLOTS, Card, Rules, Slot, label
from racko_core.view import Phase, View

TIGHT: Final = 2.0
"""Cards that may come for each slot of a gap; where there are no more, the gap is tight."""


@dataclass(frozen=True)
class _Put:
    """A card that goes into a slot, and what comes of it."""

    view: View
    slot: Slot
    card: Card

    @property
    def rules(self) -> Rules:
        return self.view.rules

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
        return with_card(self.rack, self.slot, self.card)

    @cached_property
    def before(self) -> frozenset[Slot]:
        """What is in place before."""
        return in_place(self.rack, self.rules)

    @cached_property
    def stay(self) -> frozenset[Slot]:
        """What is in place afterwards."""
        return in_place(self.after, self.rules)

    @cached_property
    def coming(self) -> frozenset[Card]:
        """What may come afterwards."""
        return may_come(self.view, self.old)

    def because(self, why: Why, one: str, many: str = "", **values: object) -> Reason:
        """A reason in which card and slot may be named."""
        return Reason(
            why, Words(one, {"card": self.card, "slot": label(self.slot), **values}, many)
        )


def putting(view: View, slot: Slot, card: Card) -> Reason | None:
    """What speaks for it; None if that cannot be said simply."""
    move = _Put(view, slot, card)
    for reason in (
        _in_order,
        _run,
        _gap_filled,
        _gap_widened,
        _room_made,
        _evener,
        _more_points,
        _another_run,
        _runs_nearer,
        _nearer,
        _as_good,
    ):
        if (found := reason(move)) is not None:
            return found
    return None


def _in_order(move: _Put) -> Reason | None:
    if is_racko(move.after, move.rules):
        return move.because(Why.GOES_OUT, N_("{card} in slot {slot} makes RACK-O."))
    if is_in_order(move.after):
        text = N_(
            "{card} in slot {slot} puts all ten cards in order; then only a run of {length} is"
            " missing."
        )
        return move.because(Why.COMPLETES_ORDER, text, length=move.rules.min_run)
    return None


def _gap_filled(move: _Put) -> Reason | None:
    rules, slot = move.rules, move.slot
    if slot not in move.stay or len(move.stay) <= len(move.before):
        return None
    front, back = neighbours(move.after, slot, rules)
    if slot in move.before or neighbours(move.rack, slot, rules) != (front, back):
        # Other cards than before are in place then, so the rack does not show that the card fits.
        one, many = NN_(
            "With {card} in slot {slot} only one card is out of place, against {before} before.",
            "With {card} in slot {slot} only {count} cards are out of place, against {before}"
            " before.",
        )
        count, before = SLOTS - len(move.stay), SLOTS - len(move.before)
        return move.because(Why.FEWER_STRAYS, one, many, count=count, before=before)
    between = where(front, back, rules)
    if not any(front < other < back for other in move.coming):
        text = N_("{card} fits {where}, and no other card that may come does.")
        return move.because(Why.LAST_CHANCE, text, where=between)
    one, many = NN_(
        "{card} fits {where}; then one card is in place.",
        "{card} fits {where}; then {count} cards are in place.",
    )
    return move.because(Why.FILLS_GAP, one, many, where=between, count=len(move.stay))


def _gap_widened(move: _Put) -> Reason | None:
    """More cards fit beside the card than before, and none are lost where there are fewer."""
    if move.slot not in move.stay or move.stay != move.before:
        return None
    coming = move.coming
    beside = list(_beside(move))
    tightest = min((min(old.room(coming), gap.room(coming)) for old, gap in beside), default=0)
    for old, gap in beside:
        now, before = gap.fitting(coming), old.fitting(coming)
        if now > before and old.room(coming) == tightest:
            one, many = NN_(
                "{card} in slot {slot} leaves one card that fits {where}, against {before} before.",
                "{card} in slot {slot} leaves {count} cards that fit {where}, against {before}"
                " before.",
            )
            between = where(gap.front, gap.back, move.rules)
            return move.because(Why.WIDENS_GAP, one, many, where=between, count=now, before=before)
    return None


def _beside(move: _Put) -> Iterator[tuple[Gap, Gap]]:
    """The gaps next to the slot, before and after: of the same slots, where the same stay."""
    both = gaps(move.rack, move.rules), gaps(move.after, move.rules)
    for old, new in zip(*both, strict=True):
        if move.slot + 1 == new.slots[0] or move.slot - 1 == new.slots[-1]:
            yield old, new


def _room_made(move: _Put) -> Reason | None:
    """The tightest gap goes, and no gap is left that is as tight."""
    rules, coming = move.rules, move.coming
    if move.slot not in move.stay:
        return None
    old = min(gaps(move.rack, rules), key=lambda gap: gap.room(coming), default=None)
    if old is None or old.room(coming) > TIGHT:
        return None
    if any(gap.room(coming) <= old.room(coming) for gap in gaps(move.after, rules)):
        return None
    between = where(old.front, old.back, rules, len(old.slots))
    count = old.fitting(coming)
    if move.slot in move.before:
        if move.old not in (old.front, old.back):
            return None
        if not count:
            text = N_("No card to come fits {where}; {card} replaces {old} in slot {slot}.")
            return move.because(Why.MAKES_ROOM, text, where=between, count=count, old=move.old)
        one, many = NN_(
            "Only one card to come fits {where}; {card} replaces {old} in slot {slot}.",
            "Only {count} cards to come fit {where}; {card} replaces {old} in slot {slot}.",
        )
        return move.because(Why.MAKES_ROOM, one, many, where=between, count=count, old=move.old)
    # No more cards are in place than before, and this one is: another one is out of place instead.
    lost = [move.rack[slot - 1] for slot in sorted(move.before - move.stay)]
    stray = next((one for one in lost if one in (old.front, old.back)), lost[0])
    if not count:
        text = N_("No card to come fits {where}; {card} puts {stray} out of place instead.")
        return move.because(Why.MAKES_ROOM, text, where=between, count=count, stray=stray)
    one, many = NN_(
        "Only one card to come fits {where}; {card} puts {stray} out of place instead.",
        "Only {count} cards to come fit {where}; {card} puts {stray} out of place instead.",
    )
    return move.because(Why.MAKES_ROOM, one, many, where=between, count=count, stray=stray)


def _evener(move: _Put) -> Reason | None:
    if move.slot not in move.stay or len(move.stay) < len(move.before):
        return None
    return _suits(move)


def _nearer(move: _Put) -> Reason | None:
    """The same for a slot whose card is out of place, before and after."""
    return _suits(move) if move.slot not in move.stay and move.stay == move.before else None


def _suits(move: _Put) -> Reason | None:
    middle = round((move.slot - 0.5) * move.rules.cards / SLOTS)
    if abs(move.card - middle) >= abs(move.old - middle):
        return None
    text = N_("{card} suits slot {slot} better than {old}; cards around {middle} stand best there.")
    return move.because(Why.EVENS, text, middle=middle, old=move.old)


def _more_points(move: _Put) -> Reason | None:
    now = cards_that_score(move.after, move.rules)
    if now <= cards_that_score(move.rack, move.rules):
        return None
    one, many = NN_(
        "With {card} in slot {slot} one card counts if somebody else goes out.",
        "With {card} in slot {slot} {count} cards count if somebody else goes out.",
    )
    return move.because(Why.SCORES_MORE, one, many, count=now)


# Runs, where they matter


def _run(move: _Put) -> Reason | None:
    return _run_made(move) if longest_run(move.after)[1] > longest_run(move.rack)[1] else None


def _another_run(move: _Put) -> Reason | None:
    """No longer one than there is, but it may become that."""
    return _run_made(move) if len(runs(move.after, move.rules)) > 1 else None


def _run_made(move: _Put) -> Reason | None:
    slots = next((run for run in runs(move.after, move.rules) if move.slot in run), None)
    if slots is None or len(move.stay) < len(move.before) or not move.stay.issuperset(slots):
        return None
    run = " ".join(str(move.after[slot - 1]) for slot in slots)
    if len(slots) == longest_run(move.after)[1] > longest_run(move.rack)[1]:
        return move.because(Why.MAKES_RUN, N_("{card} in slot {slot} makes a run: {run}."), run=run)
    text = N_("{card} in slot {slot} makes another run: {run}.")
    return move.because(Why.ANOTHER_RUN, text, run=run)


def _runs_nearer(move: _Put) -> Reason | None:
    """More of the cards that may come make a longer run."""
    if len(move.stay) < len(move.before):
        return None
    now = len(run_makers(move.after, move.coming, move.rules))
    before = len(run_makers(move.rack, move.coming, move.rules))
    if now <= before or longest_run(move.after)[1] < longest_run(move.rack)[1]:
        return None
    one, many = NN_(
        "With {card} in slot {slot}, one card that may come makes a longer run, against"
        " {before} before.",
        "With {card} in slot {slot}, {count} cards that may come make a longer run, against"
        " {before} before.",
    )
    return move.because(Why.NEARER_RUN, one, many, count=now, before=before)


# What the others get


def _as_good(move: _Put) -> Reason | None:
    """Either card does in the slot, with as much room in every gap; the others get one of them."""
    rules, rack, after, coming = move.rules, move.rack, move.after, move.coming
    if move.view.phase is not Phase.DRAWN or move.stay != move.before:
        return None
    if any(
        one.fitting(coming) != other.fitting(coming)
        for one, other in zip(gaps(rack, rules), gaps(after, rules), strict=True)
    ):
        return None
    if cards_that_score(after, rules) != cards_that_score(rack, rules):
        return None
    if [len(run) for run in runs(after, rules)] != [len(run) for run in runs(rack, rules)]:
        return None
    text = (
        N_(
            "In slot {slot}, {card} is in place just as {old} was; the next player may then take"
            " {old}, but not {card}."
        )
        if move.slot in move.stay
        else N_(
            "{old} is out of place in slot {slot} anyway, and the next player may then take {old},"
            " but not {card}."
        )
    )
    return move.because(Why.KEEPS_FROM_OTHERS, text, old=move.old)


def where(front: Card, back: Card, rules: Rules, slots: int = 1) -> Words:
    """Where a gap of so many slots is, as one says it after “fits”."""
    values = {"front": front, "back": back, "count": slots}
    if not front:
        # Translators: a card “fits …”
        one, many = NN_("in front of {back}", "into the {count} slots in front of {back}")
    elif back > rules.cards:
        # Translators: a card “fits …”
        one, many = NN_("behind {front}", "into the {count} slots behind {front}")
    else:
        # Translators: a card “fits …”
        one, many = NN_(
            "between {front} and {back}", "into the {count} slots between {front} and {back}"
        )
    return Words(one, values, many)
