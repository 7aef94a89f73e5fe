"""Why it is good to put a card into a slot: the first thing that is true of it and worth saying.

What is in place is what the rack shows so: the cards without a mark of being out of place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from racko_core.bots.neighbour import unwanted
from racko_core.coach.ending import making_racko
from racko_core.coach.moves import Put
from racko_core.coach.reason import NN_, Reason, Why, Words
from racko_core.coach.room import Gap, gaps, neighbours, run_makers, runs, runs_matter
from racko_core.errors import N_
from racko_core.rack import (
    Rack,
    is_in_order,
    is_racko,
    longest_run,
)
from racko_core.rules import SLOTS, Card, Rules, label
from racko_core.view import Phase

TIGHT: Final = 2.0
"""Cards that may come for each slot of a gap; where there are no more, the gap is tight."""


def putting(move: Put, rival: Put | None = None, *, keeps: bool = False) -> Reason | None:
    """What speaks for it, and if the same card could go into another slot, for this one more than
    for that of the `rival`; None if that cannot be said simply. `keeps`: whether it does harm to
    discard the card.
    """
    for reason, worth in _REASONS:
        if rival is not None and worth(rival) >= worth(move):
            continue
        if (found := reason(move)) is not None:
            return found
    if rival is not None:
        return _better_there(move, rival)
    return _kept(move) if keeps else None


def _in_order(move: Put) -> Reason | None:
    if is_racko(move.rack, move.rules):
        return None
    if is_racko(move.after, move.rules):
        return making_racko(move.view, move.slot, move.card, move.after)
    if is_in_order(move.after) and not is_in_order(move.rack):
        text = N_(
            "{card} in slot {slot} puts all ten cards in order; then only a run of {length} is"
            " missing."
        )
        return move.because(Why.COMPLETES_ORDER, text, length=move.rules.min_run)
    return None


def _gap_filled(move: Put) -> Reason | None:
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


def _gap_widened(move: Put) -> Reason | None:
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


def _beside(move: Put) -> Iterator[tuple[Gap, Gap]]:
    """The gaps next to the slot, before and after: of the same slots, where the same stay."""
    both = gaps(move.rack, move.rules), gaps(move.after, move.rules)
    for old, new in zip(*both, strict=True):
        if move.slot + 1 == new.slots[0] or move.slot - 1 == new.slots[-1]:
            yield old, new


def _room_made(move: Put) -> Reason | None:
    """The tightest gap goes, and no gap is left that is as tight."""
    rules, coming = move.rules, move.coming
    if move.slot not in move.stay or len(move.stay) > len(move.before):
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


def _evener(move: Put) -> Reason | None:
    if move.slot not in move.stay or move.stay != move.before:
        return None
    if _off(move) >= abs(move.old - _middle(move)):
        return None
    text = N_("{card} suits slot {slot} better than {old}; cards around {middle} stand best there.")
    return move.because(Why.EVENS, text, middle=_middle(move), old=move.old)


def _middle(move: Put) -> Card:
    """The card that would stand in the slot if all ten were spread evenly."""
    return round((move.slot - 0.5) * move.rules.cards / SLOTS)


def _off(move: Put) -> int:
    """How far the card is from that."""
    return abs(move.card - _middle(move))


# Runs, where they matter


def _run(move: Put) -> Reason | None:
    if not runs_matter(move.rack, move.rules) or move.run <= longest_run(move.rack)[1]:
        return None
    slots = next((run for run in runs(move.after, move.rules) if move.slot in run), None)
    if slots is None or len(slots) < move.run:
        return None
    if len(move.stay) < len(move.before) or not move.stay.issuperset(slots):
        return None
    run = " ".join(str(move.after[slot - 1]) for slot in slots)
    return move.because(Why.MAKES_RUN, N_("{card} in slot {slot} makes a run: {run}."), run=run)


def _runs_nearer(move: Put) -> Reason | None:
    """More of the cards that may come make a longer run."""
    if len(move.stay) < len(move.before) or not runs_matter(move.rack, move.rules):
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


# What can be counted of two racks: before and after, or with the card in one slot or the other

_SCORING: Final = (
    Why.SCORES_MORE,
    NN_(
        "With {card} in slot {slot} one card counts if somebody else goes out, against {before}"
        " before.",
        "With {card} in slot {slot} {count} cards count if somebody else goes out, against"
        " {before} before.",
    ),
    NN_(
        "With {card} in slot {slot} one card counts if somebody else goes out, against {before}"
        " in slot {other}.",
        "With {card} in slot {slot} {count} cards count if somebody else goes out, against"
        " {before} in slot {other}.",
    ),
)
_FILLING: Final = (
    Why.MORE_FIT,
    NN_(
        "With {card} in slot {slot}, one card that may come fills a gap, against {before} before.",
        "With {card} in slot {slot}, {count} cards that may come fill a gap, against {before}"
        " before.",
    ),
    NN_(
        "With {card} in slot {slot}, one card that may come fills a gap, against {before} in slot"
        " {other}.",
        "With {card} in slot {slot}, {count} cards that may come fill a gap, against {before} in"
        " slot {other}.",
    ),
)
_ORDERING: Final = (
    Why.MORE_HELP,
    NN_(
        "With {card} in slot {slot}, one card that may come puts one more in place, against"
        " {before} before.",
        "With {card} in slot {slot}, {count} cards that may come put one more in place, against"
        " {before} before.",
    ),
    NN_(
        "With {card} in slot {slot}, one card that may come puts one more in place, against"
        " {before} in slot {other}.",
        "With {card} in slot {slot}, {count} cards that may come put one more in place, against"
        " {before} in slot {other}.",
    ),
)
_IN_PLACE: Final = NN_(
    "With {card} in slot {slot} one card is in place, against {before} in slot {other}.",
    "With {card} in slot {slot} {count} cards are in place, against {before} in slot {other}.",
)
_Counted = tuple[Why, tuple[str, str], tuple[str, str]]


def _more(move: Put, told: _Counted, count: Callable[[Rack], int]) -> Reason | None:
    """More than before, with as many in place at least."""
    if len(move.stay) < len(move.before):
        return None
    now, before = count(move.after), count(move.rack)
    why, (one, many), _ = told
    return move.because(why, one, many, count=now, before=before) if now > before else None


def _better_there(move: Put, rival: Put) -> Reason | None:
    """What is better than with the card in the slot of the rival."""
    other = label(rival.slot)
    now, before = len(move.stay), len(rival.stay)
    if now < before:
        return None
    if now > before:
        return move.because(Why.MORE_IN_PLACE, *_IN_PLACE, count=now, before=before, other=other)
    for (why, _, texts), count in (
        (_FILLING, Put.filling),
        (_ORDERING, Put.ordering),
        (_SCORING, Put.scoring),
    ):
        # The same cards may come either way, but for the one that leaves.
        now, before = count(move, move.after), count(rival, rival.after)
        if now > before:
            return move.because(why, *texts, count=now, before=before, other=other)
    return None


# What the others get


def _kept(move: Put) -> Reason | None:
    """Neither card is of more use in the slot, as nothing better was found to say for the new one,
    but the next player could use it.
    """
    rules = move.rules
    if move.view.phase is not Phase.DRAWN or move.stay != move.before:
        return None
    if move.card in unwanted(move.view, (move.seat + 1) % rules.players):
        return None
    text = (
        N_(
            "{card} in slot {slot} is in place as {old} was, and so {card}, which could help the"
            " next player, is kept."
        )
        if move.slot in move.stay
        else N_(
            "{old} in slot {slot} is out of place anyway, and so {card}, which could help the next"
            " player, is kept."
        )
    )
    return move.because(Why.KEEPS_FROM_OTHERS, text, old=move.old)


_REASONS: Final[tuple[tuple[Callable[[Put], Reason | None], Callable[[Put], float]], ...]] = (
    # What speaks for a card in a slot, and how much of that there is: where there is as much in
    # another slot, it does not tell them apart.
    (_in_order, lambda move: is_in_order(move.after) + is_racko(move.after, move.rules)),
    (_run, lambda move: move.run),
    (_gap_filled, lambda move: len(move.stay)),
    (_gap_widened, lambda move: move.filling(move.after)),
    (_room_made, lambda move: move.tightest),
    (_evener, lambda move: -_off(move)),
    (lambda move: _more(move, _SCORING, move.scoring), lambda move: move.scoring(move.after)),
    (_runs_nearer, lambda move: len(run_makers(move.after, move.coming, move.rules))),
    (lambda move: _more(move, _FILLING, move.filling), lambda move: move.filling(move.after)),
    (lambda move: _more(move, _ORDERING, move.ordering), lambda move: move.ordering(move.after)),
)


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
