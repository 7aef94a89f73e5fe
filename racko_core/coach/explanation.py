"""Finding the reason for a move: the first thing that is true of it and worth saying.

Every number that is said was counted in what the seat can see. `room` has the counting; what is in
place here is what the board shows as in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from racko_core.actions import DISCARD, Action, Discard, Draw, GoOut, Place, PlayOn, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.outlook import outlook
from racko_core.coach.ending import going_out, not_going_out
from racko_core.coach.grading import POINTS_OF_A_ROUND, loss_of
from racko_core.coach.moves import Put, named
from racko_core.coach.putting import TIGHT, putting, where
from racko_core.coach.reason import NN_, Reason, Why, Words
from racko_core.coach.room import fillers, gaps, helps, in_place, longer_runs, may_come, orderers
from racko_core.errors import N_
from racko_core.rack import is_in_order, is_racko, with_card
from racko_core.rules import SLOTS, Card, Slot, label
from racko_core.view import View


def because(view: View, ranked: Sequence[Appraisal], played: Appraisal | None = None) -> Reason:
    """Why the first of `ranked`, all actions that are possible, is the best: better than `played`,
    another of them; or if nothing else was played, than the next best that is named, or than the
    rack before.
    """
    best = ranked[0]
    other = played or next(iter(named(view, ranked)), ranked[1])
    if played is not None and _as_good(best, other):
        return _by_numbers(best, other, played=True)
    found: Reason | None = None
    match best.action:
        case Take() | Place():
            found = _putting(view, ranked, other)
            if found is None and played is None:
                found = _putting(view, ranked, None)
        case Draw():
            found = _drawing(view, ranked, other.action)
        case Discard():
            found = _discarding(view, ranked, other.action)
        case GoOut():
            found = going_out(view)
        case PlayOn():
            found = _playing_on(view, best, other)
        case _:
            raise AssertionError(best.action)
    return found or _by_numbers(best, other, played=played is not None)


def _as_good(best: Appraisal, other: Appraisal) -> bool:
    """Whether the one may be as good as the other, as far as can be told."""
    points = (best.points - other.points) / POINTS_OF_A_ROUND
    return max(best.win - other.win, points) <= other.error


def _putting(view: View, ranked: Sequence[Appraisal], other: Appraisal | None) -> Reason | None:
    best = ranked[0]
    move = Put.of(view, best.action)
    assert move is not None
    dropped = next((one for one in ranked if one.action == DISCARD), None)
    keeps = dropped is not None and not _as_good(best, dropped)
    return putting(move, None if other is None else Put.of(view, other.action), keeps=keeps)


def _playing_on(view: View, best: Appraisal, other: Appraisal) -> Reason | None:
    """By the round alone it would often be better to go out."""
    worse = loss_of(best, other, view.rules) > 0
    return (not_going_out(view) if worse else None) or _longer_run_may_come(view)


# No card goes into a slot


def _slot_of(ranked: Sequence[Appraisal], other: Action) -> Slot:
    """Where the card would have gone with another move, or else where it would do best."""
    if isinstance(other, Take | Place):
        return other.slot
    return next(one.action.slot for one in ranked if isinstance(one.action, Take | Place))


def _drawing(view: View, ranked: Sequence[Appraisal], other: Action) -> Reason | None:
    rules, rack, top = view.rules, view.rack, view.discards[-1]
    known = outlook(view).next_card
    if known is not None:
        text = N_("{next} comes next, as the pile was turned over; it is worth more than {card}.")
        return Reason(Why.DRAW_KNOWN, Words(text, {"next": known, "card": top}))
    if is_racko(rack, rules):
        return _longer_run_may_come(view)
    coming = may_come(view)
    if is_in_order(rack):
        return _racko_may_come(view, top, coming)
    count = len(fillers(rack, coming, rules))
    slot = _slot_of(ranked, other)
    fits = bool(fillers(rack, [top], rules))
    if helps(rack, slot, top, rules):
        return (
            _too_tight(view, slot, top)
            or _many_fill(slot if not fits else None, top, count, len(coming))
            or _fewer_fit(view, slot, top)
        )
    if not count:
        return None
    values = {"card": top, "count": count, "total": len(coming), "slot": label(slot)}
    if fits or orderers(rack, [top], rules):  # but not in this slot
        one, many = NN_(
            "{card} fills no gap in slot {slot}, but one card that may come fills one.",
            "{card} fills no gap in slot {slot}, but {count} cards that may come fill one.",
        )
        return Reason(Why.NOT_THERE, Words(one, values, many))
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


def _racko_may_come(view: View, top: Card, coming: Iterable[Card]) -> Reason | None:
    """The rack is in order, and only a run is missing."""
    rules, rack = view.rules, view.rack
    made = {
        card: any(is_racko(with_card(rack, slot, card), rules) for slot in range(1, SLOTS + 1))
        for card in (top, *coming)
    }
    values = {"card": top, "count": sum(made.values()), "total": len(made) - 1}
    if made[top] or not values["count"]:
        return None
    one, many = NN_(
        "Only a run is missing; {card} makes none, but one of the {total} cards that may come"
        " does.",
        "Only a run is missing; {card} makes none, but {count} of the {total} cards that may come"
        " do.",
    )
    return Reason(Why.RACKO_MAY_COME, Words(one, values, many))


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


def _discarding(view: View, ranked: Sequence[Appraisal], other: Action) -> Reason | None:
    rules, rack, card = view.rules, view.rack, view.hand
    assert card is not None
    if is_racko(rack, rules):
        if longer_runs(rack, [card], rules):
            return None
        text = N_("The rack is RACK-O already, and {card} makes no run that scores more.")
        return Reason(Why.NO_LONGER_RUN, Words(text, {"card": card}))
    if orderers(rack, [card], rules):
        slot = _slot_of(ranked, other)
        if not helps(rack, slot, card, rules):
            text = N_("{card} puts no more cards in place in slot {slot}.")
            return Reason(Why.NOT_THERE, Words(text, {"card": card, "slot": label(slot)}))
        return _too_tight(view, slot, card) or _fewer_fit(view, slot, card)
    text = N_("{card} fills no gap: in no slot does it put one more card in place.")
    return Reason(Why.FILLS_NO_GAP, Words(text, {"card": card}))


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


def _by_numbers(best: Appraisal, other: Appraisal, *, played: bool) -> Reason:
    values = {"win": round(100 * best.win), "other": round(100 * other.win)}
    more = round(best.points - other.points)
    if _as_good(best, other) or (values["win"] <= values["other"] and more < 1):
        text = (
            N_("It hardly matters: what was played is about as good.")
            if played
            else N_("It hardly matters: the next best move is about as good.")
        )
        return Reason(Why.AS_GOOD, Words(text))
    if values["win"] > values["other"]:
        text = (
            N_("In the long run it wins about {win} of 100 rounds, what was played {other}.")
            if played
            else N_(
                "In the long run it wins about {win} of 100 rounds, the next best move {other}."
            )
        )
        return Reason(Why.BETTER_CHANCE, Words(text, values))
    one, many = (
        NN_(
            "It brings about one point more than what was played.",
            "It brings about {count} points more than what was played.",
        )
        if played
        else NN_(
            "It brings about one point more than the next best move.",
            "It brings about {count} points more than the next best move.",
        )
    )
    return Reason(Why.MORE_POINTS, Words(one, {"count": more}, many))
