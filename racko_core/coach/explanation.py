"""Finding the reason for a move: the first thing that is true of it and worth saying.

Every number that is said was counted in what the seat can see. `room` has the counting; what is in
place here is what the board shows as in place.
"""

from __future__ import annotations

from collections.abc import Sequence

from racko_core.actions import Discard, Draw, GoOut, Place, PlayOn, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.outlook import outlook
from racko_core.coach.putting import TIGHT, putting, where
from racko_core.coach.reason import NN_, Reason, Why, Words
from racko_core.coach.room import fillers, gaps, helps, in_place, longer_runs, may_come
from racko_core.errors import N_
from racko_core.rack import Rack, is_racko, longest_run, points_for_going_out, run_bonus, with_card
from racko_core.rules import SLOTS, Card, Rules, Slot, label
from racko_core.view import View


def because(view: View, ranked: Sequence[Appraisal], played: Appraisal | None = None) -> Reason:
    """Why the first of `ranked`, all actions that are possible, is the best: better than `played`,
    another of them, or than the next best.
    """
    action = ranked[0].action
    found: Reason | None = None
    match action:
        case Take(slot):
            found = putting(view, slot, view.discards[-1])
        case Place(slot):
            assert view.hand is not None
            found = putting(view, slot, view.hand)
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
    count = len(fillers(rack, coming, rules))
    take = next(one.action for one in ranked if isinstance(one.action, Take))
    fits = bool(fillers(rack, [top], rules))
    if fits or helps(rack, take.slot, top, rules):
        return (
            _too_tight(view, take.slot, top)
            or _many_fill(take.slot if not fits else None, top, count, len(coming))
            or _fewer_fit(view, take.slot, top)
        )
    if not count:
        return None
    values = {"card": top, "count": count, "total": len(coming)}
    if count == len(coming):
        one, many = NN_(
            "{card} fills no gap, but the one card that may come does.",
            "{card} fills no gap, but all {count} cards that may come do.",
        )
        return Reason(Why.DRAW_FITS, Words(one, values, many))
    one, many = NN_(
        "{card} fills no gap, but one of the {total} cards that may come does.",
        "{card} fills no gap, but {count} of the {total} cards that may come do.",
    )
    return Reason(Why.DRAW_FITS, Words(one, values, many))


def _too_tight(view: View, slot: Slot, card: Card) -> Reason | None:
    """What speaks against a card in the slot where it would do best."""
    rules = view.rules
    after, coming = with_card(view.rack, slot, card), may_come(view)
    shown = {view.rack[one - 1] for one in in_place(view.rack, rules)} | {0, rules.cards + 1}
    beside = [gap for gap in gaps(after, rules) if card in (gap.front, gap.back)]
    beside = [gap for gap in beside if {gap.front, gap.back} - {card} <= shown]
    gap = min(beside, key=lambda gap: gap.room(coming), default=None)
    if gap is None or gap.room(coming) > TIGHT:
        return None
    values = {
        "card": card,
        "slot": label(slot),
        "where": where(gap.front, gap.back, rules),
        "count": gap.fitting(coming),
    }
    if not values["count"]:
        text = N_("With {card} in slot {slot}, no card that may come would fit {where}.")
        return Reason(Why.TOO_TIGHT, Words(text, values))
    one, many = NN_(
        "With {card} in slot {slot}, only one card that may come would fit {where}.",
        "With {card} in slot {slot}, only {count} cards that may come would fit {where}.",
    )
    return Reason(Why.TOO_TIGHT, Words(one, values, many))


def _fewer_fit(view: View, slot: Slot, card: Card) -> Reason | None:
    """The same, where it is further gaps that are hard to fill then."""
    rules, coming = view.rules, may_come(view)
    now = len(fillers(view.rack, coming, rules))
    count = len(fillers(with_card(view.rack, slot, card), coming, rules))
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


def _many_fill(slot: Slot | None, card: Card, count: int, total: int) -> Reason | None:
    """`slot`: where the card would help although the rack shows no gap for it; None if it does."""
    if 2 * count <= total:
        return None
    values = {"card": card, "count": count, "total": total}
    if slot is not None:
        values["slot"] = label(slot)
        text = N_(
            "{card} would help in slot {slot}, but {count} of the {total} cards that may come fill"
            " a gap; one may stand better."
        )
        return Reason(Why.DRAW_MANY, Words(text, values))
    if count == total:
        one, many = NN_(
            "{card} fills a gap, but so does the one card that may come; it may stand better.",
            "{card} fills a gap, but so do all {count} cards that may come; one may stand better.",
        )
        return Reason(Why.DRAW_MANY, Words(one, values, many))
    text = N_(
        "{card} fills a gap, but so do {count} of the {total} cards that may come; one may stand"
        " better."
    )
    return Reason(Why.DRAW_MANY, Words(text, values))


def _rearranges(rack: Rack, card: Card, rules: Rules) -> bool:
    """Whether there is a slot in which the card puts more cards in place."""
    return any(helps(rack, slot, card, rules) for slot in range(1, SLOTS + 1))


def _discarding(view: View, ranked: Sequence[Appraisal]) -> Reason | None:
    rules, rack, card = view.rules, view.rack, view.hand
    assert card is not None
    if is_racko(rack, rules):
        if longer_runs(rack, [card], rules):
            return None
        text = N_("The rack is RACK-O already, and {card} makes no run that scores more.")
        return Reason(Why.NO_LONGER_RUN, Words(text, {"card": card}))
    if _rearranges(rack, card, rules):
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
    if len(found) == len(coming):
        one, many = NN_(
            "The one card that may come makes a run that scores {points} points more.",
            "All {count} cards that may come make a run that scores up to {points} points more.",
        )
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
