"""Finding the reason for a move: the first thing that is true of it and worth saying.

Every number that is said was counted in what the seat can see. `room` has the counting; what is in
place here is what the board shows as in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from racko_core.actions import Discard, Draw, GoOut, Place, PlayOn, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.outlook import outlook
from racko_core.coach.reason import NN_, Reason, Why, Words
from racko_core.coach.room import (
    Gap,
    fillers,
    gaps,
    in_place,
    longer_runs,
    may_come,
    neighbours,
    put,
)
from racko_core.errors import N_
from racko_core.rack import (
    Rack,
    is_in_order,
    is_racko,
    longest_run,
    points_for_going_out,
    points_without_going_out,
    run_bonus,
)
from racko_core.rules import POINTS_PER_CARD, SLOTS, Card, Rules, Slot, label
from racko_core.view import View

_SHORTEST_RUN: Final = 3
"""Shorter ones score nothing."""
_TIGHT: Final = 2.0
"""Cards that may come for each slot of a gap; where there are no more, the gap is tight."""


def because(view: View, ranked: Sequence[Appraisal], played: Appraisal | None = None) -> Reason:
    """Why the first of `ranked`, all actions that are possible, is the best: better than `played`,
    another of them, or than the next best.
    """
    action = ranked[0].action
    found: Reason | None = None
    match action:
        case Take(slot):
            found = _putting(view, slot, view.discards[-1])
        case Place(slot):
            assert view.hand is not None
            found = _putting(view, slot, view.hand)
        case Draw():
            found = _drawing(view, ranked)
        case Discard():
            found = _discarding(view, ranked)
        case GoOut():
            found = _going_out(view)
        case PlayOn():
            found = _longer_run_may_come(view)
        case _:
            raise AssertionError(action)
    return found or _by_numbers(ranked, played)


# A card goes into a slot


def _putting(view: View, slot: Slot, card: Card) -> Reason | None:
    rules, rack = view.rules, view.rack
    after = put(rack, slot, card)
    return (
        _in_order(after, slot, card, rules)
        or _run(rack, after, slot, card, rules)
        or _gap_filled(view, after, slot, card)
        or _gap_widened(view, after, slot, card)
        or _room_made(view, after, slot, card)
        or _evener(rack, after, slot, card, rules)
        or _more_points(rack, after, slot, card, rules)
        or _more_fit(view, after, slot, card)
    )


def _in_order(after: Rack, slot: Slot, card: Card, rules: Rules) -> Reason | None:
    values = {"card": card, "slot": label(slot), "length": rules.min_run}
    if is_racko(after, rules):
        return Reason(Why.GOES_OUT, Words(N_("{card} in slot {slot} makes RACK-O."), values))
    if is_in_order(after):
        text = N_(
            "{card} in slot {slot} puts all ten cards in order; then only a run of {length} is"
            " missing."
        )
        return Reason(Why.COMPLETES_ORDER, Words(text, values))
    return None


def _run(rack: Rack, after: Rack, slot: Slot, card: Card, rules: Rules) -> Reason | None:
    if not (rules.bonus or rules.min_run):
        return None
    start, length = longest_run(after)
    slots = range(start, start + length)
    shortest = min(_SHORTEST_RUN, rules.min_run or _SHORTEST_RUN)
    if slot not in slots or length < shortest or length <= longest_run(rack)[1]:
        return None
    stay = in_place(after, rules)
    if len(stay) < len(in_place(rack, rules)) or not stay.issuperset(slots):
        return None
    run = " ".join(str(after[one - 1]) for one in slots)
    text = N_("{card} in slot {slot} makes a run: {run}.")
    return Reason(Why.MAKES_RUN, Words(text, {"card": card, "slot": label(slot), "run": run}))


def _gap_filled(view: View, after: Rack, slot: Slot, card: Card) -> Reason | None:
    rules = view.rules
    stay = in_place(after, rules)
    if slot not in stay or len(stay) <= len(in_place(view.rack, rules)):
        return None
    front, back = neighbours(after, slot, rules)
    values = {"card": card, "where": _where(front, back, rules), "count": len(stay)}
    dropped = view.rack[slot - 1]
    if not any(front < other < back for other in may_come(view, dropped)):
        text = N_("{card} fits {where}, and no other card that may come does.")
        return Reason(Why.LAST_CHANCE, Words(text, values))
    one, many = NN_(
        "{card} fits {where}; then one card is in place.",
        "{card} fits {where}; then {count} cards are in place.",
    )
    return Reason(Why.FILLS_GAP, Words(one, values, many))


def _gap_widened(view: View, after: Rack, slot: Slot, card: Card) -> Reason | None:
    """More cards fit beside the card than before, and none are lost where there are fewer."""
    rules = view.rules
    stay = in_place(after, rules)
    if slot not in stay or stay != in_place(view.rack, rules):
        return None
    coming = may_come(view, view.rack[slot - 1])
    beside = list(_beside(view.rack, after, slot, rules))
    tightest = min((min(old.room(coming), gap.room(coming)) for old, gap in beside), default=0)
    for old, gap in beside:
        now, before = gap.fitting(coming), old.fitting(coming)
        if now > before and old.room(coming) == tightest:
            values = {
                "card": card,
                "slot": label(slot),
                "where": _where(gap.front, gap.back, rules),
                "count": now,
                "before": before,
            }
            one, many = NN_(
                "{card} in slot {slot} leaves one card that fits {where}, against {before} before.",
                "{card} in slot {slot} leaves {count} cards that fit {where}, against {before}"
                " before.",
            )
            return Reason(Why.WIDENS_GAP, Words(one, values, many))
    return None


def _beside(rack: Rack, after: Rack, slot: Slot, rules: Rules) -> Iterator[tuple[Gap, Gap]]:
    """The gaps next to a slot, before and after: of the same slots, where the same stay."""
    for old, new in zip(gaps(rack, rules), gaps(after, rules), strict=True):
        if slot + 1 == new.slots[0] or slot - 1 == new.slots[-1]:
            yield old, new


def _room_made(view: View, after: Rack, slot: Slot, card: Card) -> Reason | None:
    """The tightest gap goes, and no gap is left that is as tight."""
    rules = view.rules
    if slot not in in_place(after, rules):
        return None
    coming = may_come(view, view.rack[slot - 1])
    old = min(gaps(view.rack, rules), key=lambda gap: gap.room(coming), default=None)
    if old is None or old.room(coming) > _TIGHT:
        return None
    if any(gap.room(coming) <= old.room(coming) for gap in gaps(after, rules)):
        return None
    # No more cards are in place than before, and this one is: so another need not stay any more.
    lost = in_place(view.rack, rules) - (in_place(after, rules) - {slot})
    gone = [view.rack[one - 1] for one in sorted(lost)]
    gone = [one for one in gone if one in (old.front, old.back)] or gone
    values = {
        "card": card,
        "slot": label(slot),
        "where": _where(old.front, old.back, rules, len(old.slots)),
        "count": old.fitting(coming),
        "gone": ", ".join(map(str, gone)),
    }
    if not values["count"]:
        text = N_("No card that may come fits {where}; {card} in slot {slot} lets {gone} go.")
        return Reason(Why.MAKES_ROOM, Words(text, values))
    one, many = NN_(
        "Only one card that may come fits {where}; {card} in slot {slot} lets {gone} go.",
        "Only {count} cards that may come fit {where}; {card} in slot {slot} lets {gone} go.",
    )
    return Reason(Why.MAKES_ROOM, Words(one, values, many))


def _evener(rack: Rack, after: Rack, slot: Slot, card: Card, rules: Rules) -> Reason | None:
    stay = in_place(after, rules)
    if slot not in stay or len(stay) < len(in_place(rack, rules)):
        return None
    old = rack[slot - 1]
    middle = round((slot - 0.5) * rules.cards / SLOTS)
    if abs(card - middle) >= abs(old - middle):
        return None
    text = N_("{card} suits slot {slot} better than {old}; cards around {middle} stand best there.")
    values = {"card": card, "slot": label(slot), "middle": middle, "old": old}
    return Reason(Why.EVENS, Words(text, values))


def _more_points(rack: Rack, after: Rack, slot: Slot, card: Card, rules: Rules) -> Reason | None:
    now = points_without_going_out(after, rules) // POINTS_PER_CARD
    if now * POINTS_PER_CARD <= points_without_going_out(rack, rules):
        return None
    one, many = NN_(
        "With {card} in slot {slot} one card counts if somebody else goes out.",
        "With {card} in slot {slot} {count} cards count if somebody else goes out.",
    )
    values = {"card": card, "slot": label(slot), "count": now}
    return Reason(Why.SCORES_MORE, Words(one, values, many))


def _more_fit(view: View, after: Rack, slot: Slot, card: Card) -> Reason | None:
    """As many cards are in place as before, and more of those that may come fill a gap."""
    rules, rack = view.rules, view.rack
    if len(in_place(after, rules)) != len(in_place(rack, rules)):
        return None
    coming = may_come(view, rack[slot - 1])
    now, before = len(fillers(after, coming, rules)), len(fillers(rack, coming, rules))
    if now <= before:
        return None
    one, many = NN_(
        "With {card} in slot {slot}, one card that may come fills a gap, against {before} before.",
        "With {card} in slot {slot}, {count} cards that may come fill a gap, against {before}"
        " before.",
    )
    values = {"card": card, "slot": label(slot), "count": now, "before": before}
    return Reason(Why.MORE_FIT, Words(one, values, many))


def _where(front: Card, back: Card, rules: Rules, slots: int = 1) -> Words:
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


# No card goes into a slot


def _drawing(view: View, ranked: Sequence[Appraisal]) -> Reason | None:
    rules, rack, top = view.rules, view.rack, view.discards[-1]
    known = outlook(view).next_card
    if known is not None:
        text = N_("{next} comes next, as the pile was turned over; it is worth more than {card}.")
        return Reason(Why.DRAW_KNOWN, Words(text, {"next": known, "card": top}))
    if is_racko(rack, rules):
        return _longer_run_may_come(view)
    coming = may_come(view)
    found = fillers(rack, (top, *coming), rules)
    if top in found:
        take = next(one.action for one in ranked if isinstance(one.action, Take))
        return (
            _too_tight(view, take.slot, top)
            or _many_fill(top, len(found) - 1, len(coming))
            or _fewer_fit(view, take.slot, top)
        )
    count = len(found)
    if not count:
        return None
    one, many = NN_(
        "{card} fills no gap, but one of the {total} cards that may come does.",
        "{card} fills no gap, but {count} of the {total} cards that may come do.",
    )
    values = {"card": top, "count": count, "total": len(coming)}
    return Reason(Why.DRAW_FITS, Words(one, values, many))


def _too_tight(view: View, slot: Slot, card: Card) -> Reason | None:
    """What speaks against a card in the slot where it would do best."""
    rules = view.rules
    after, coming = put(view.rack, slot, card), may_come(view)
    beside = [gap for gap in gaps(after, rules) if card in (gap.front, gap.back)]
    gap = min(beside, key=lambda gap: gap.room(coming), default=None)
    if gap is None or gap.room(coming) > _TIGHT:
        return None
    values = {
        "card": card,
        "slot": label(slot),
        "where": _where(gap.front, gap.back, rules),
        "count": gap.fitting(coming),
    }
    if not values["count"]:
        text = N_("{card} in slot {slot} would leave no card that may come and fits {where}.")
        return Reason(Why.TOO_TIGHT, Words(text, values))
    one, many = NN_(
        "{card} in slot {slot} would leave only one card that may come and fits {where}.",
        "{card} in slot {slot} would leave only {count} cards that may come and fit {where}.",
    )
    return Reason(Why.TOO_TIGHT, Words(one, values, many))


def _fewer_fit(view: View, slot: Slot, card: Card) -> Reason | None:
    """The same, where it is further gaps that are hard to fill then."""
    rules, coming = view.rules, may_come(view)
    now = len(fillers(view.rack, coming, rules))
    count = len(fillers(put(view.rack, slot, card), coming, rules))
    if count >= now:
        return None
    values = {"card": card, "slot": label(slot), "count": count, "before": now}
    if not count:
        text = N_(
            "With {card} in slot {slot} no card that may come would fill another gap; now {before}"
            " fill one."
        )
        return Reason(Why.FEWER_FIT, Words(text, values))
    one, many = NN_(
        "With {card} in slot {slot} only one card that may come would fill another gap; now"
        " {before} fill one.",
        "With {card} in slot {slot} only {count} cards that may come would fill another gap; now"
        " {before} fill one.",
    )
    return Reason(Why.FEWER_FIT, Words(one, values, many))


def _many_fill(card: Card, count: int, total: int) -> Reason | None:
    if 2 * count <= total:
        return None
    text = N_(
        "{card} fills a gap, but so do {count} of the {total} cards that may come; one may stand"
        " better."
    )
    return Reason(Why.DRAW_MANY, Words(text, {"card": card, "count": count, "total": total}))


def _discarding(view: View, ranked: Sequence[Appraisal]) -> Reason | None:
    rules, rack, card = view.rules, view.rack, view.hand
    assert card is not None
    if is_racko(rack, rules):
        if longer_runs(rack, [card], rules):
            return None
        text = N_("The rack is RACK-O already, and {card} makes no run that scores more.")
        return Reason(Why.NO_LONGER_RUN, Words(text, {"card": card}))
    if fillers(rack, [card], rules):
        slot = next(one.action for one in ranked if isinstance(one.action, Place)).slot
        return _too_tight(view, slot, card) or _fewer_fit(view, slot, card)
    text = N_("{card} fills no gap: in no slot does it put one more card in place.")
    return Reason(Why.FILLS_NO_GAP, Words(text, {"card": card}))


def _going_out(view: View) -> Reason:
    rules = view.rules
    points = points_for_going_out()
    if rules.bonus:
        points += run_bonus(longest_run(view.rack)[1])
    text = N_("Going out scores {points} points now, before anybody else can go out.")
    return Reason(Why.GOING_OUT, Words(text, {"points": points}))


def _longer_run_may_come(view: View) -> Reason | None:
    coming = may_come(view)
    found = longer_runs(view.rack, coming, view.rules)
    if not found:
        return None
    one, many = NN_(
        "One of the {total} cards that may come makes a run that scores {points} points more.",
        "{count} of the {total} cards that may come make a run that scores up to {points} points"
        " more.",
    )
    values = {"count": len(found), "total": len(coming), "points": max(found.values())}
    return Reason(Why.RUN_MAY_COME, Words(one, values, many))


# By the appraisals alone


def _by_numbers(ranked: Sequence[Appraisal], played: Appraisal | None) -> Reason:
    best, other = ranked[0], played or ranked[1]
    values = {"win": round(100 * best.win), "other": round(100 * other.win)}
    if values["win"] > values["other"]:
        text = (
            N_("In the long run it wins about {win} of 100 rounds, the next best move {other}.")
            if played is None
            else N_("In the long run it wins about {win} of 100 rounds, what was played {other}.")
        )
        return Reason(Why.BETTER_CHANCE, Words(text, values))
    more = round(best.points - other.points)
    if more > 0:
        one, many = (
            NN_(
                "It brings about one point more than the next best move.",
                "It brings about {count} points more than the next best move.",
            )
            if played is None
            else NN_(
                "It brings about one point more than what was played.",
                "It brings about {count} points more than what was played.",
            )
        )
        return Reason(Why.MORE_POINTS, Words(one, {"count": more}, many))
    text = (
        N_("It wins about {win} of 100 rounds; the next best move is about as good.")
        if played is None
        else N_("It wins about {win} of 100 rounds; what was played is about as good.")
    )
    return Reason(Why.AS_GOOD, Words(text, values))
