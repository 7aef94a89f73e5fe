"""What is said and shown of one decision of an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from racko_core.actions import Action, Place, Take
from racko_core.order import strays
from racko_core.rack import scoring_slots
from racko_core.rules import Card, Slot
from racko_core.view import Phase, View
from racko_tui.coaching import (
    label_name,
    move_in_words,
    percent,
    points_in_words,
    reason_in_words,
    runners_up_in_words,
    signed,
)
from racko_tui.commands.assessment import SIGNS
from racko_tui.glyphs import Glyphs
from racko_tui.i18n import _, ngettext
from racko_tui.review.walk import Walk
from racko_tui.table.staging import rack_notes, run_slots
from racko_tui.widgets.picture import Span
from racko_tui.widgets.rack import RackState

if TYPE_CHECKING:
    from racko_core.coach import Decision

_OTHERS = 2
"""Moves besides the best that are named."""


def heading(walk: Walk, names: Sequence[str]) -> tuple[str, str]:
    """The two ends of the top line: what is looked at, and which slip it is."""
    whose = _("everybody") if walk.seat is None else names[walk.seat]
    number, count = walk.slip_number
    if number:
        right = _("slip {number} of {count}").format(number=number, count=count)
    else:
        right = _("slips: {count}").format(count=count)
    part = walk.round
    if part is None:
        return whose, right
    return f"{_('round {number}').format(number=part.number)} · {whose}", right


def rack_shown(decision: Decision, name: str, glyphs: Glyphs) -> RackState:
    """The rack before the decision, with the slot that was chosen, and the better one."""
    view = decision.view
    rules, rack = view.rules, view.rack
    better = None if _was_best(decision) else _slot(decision.best.action)
    return RackState(
        name=name,
        points=str(view.totals[rules.side_of(decision.seat)]),
        notes=rack_notes(rack, rules, glyphs),
        brief=rack_notes(rack, rules, glyphs, brief=True),
        cards=rack,
        highest=rules.cards,
        mine=True,
        slot=_slot(decision.action),
        hint=better,
        coming=_card(view),
        scoring=scoring_slots(rack, rules),
        breaks=strays(rack, rules.cards),
        run=run_slots(rack, rules),
    )


def told(decision: Decision, name: str, glyphs: Glyphs) -> list[Span]:
    """The decision in paragraphs, what matters most first."""
    from racko_core.coach import named

    view, best, chosen = decision.view, decision.best, decision.chosen
    done = _("Played: {move}.").format(move=move_in_words(view, decision.action))
    words: list[Span] = [(_situation(decision, name), "strong"), _verdict(decision)]
    words.append((f"{glyphs.cursor} {done}", "text"))
    if not _was_best(decision):
        better = _("Better: {move}.").format(move=move_in_words(view, best.action))
        words.append((f"{glyphs.hint} {better}", "accent"))
    words.append((reason_in_words(decision.why()), "text"))
    words.append((points_in_words(best.points, chosen.points), "quiet"))
    others = [one for one in named(view, decision.ranked) if one is not chosen][:_OTHERS]
    if others:
        words.append((runners_up_in_words(view, best, others), "quiet"))
    if decision.luck is not None:
        luck = 100 * decision.luck.win
        text = ngettext(
            "Luck: the card that came was worth {points} point of the chance to win the round.",
            "Luck: the card that came was worth {points} points of the chance to win the round.",
            abs(round(luck)),
        )
        words.append((text.format(points=signed(luck)), "quiet"))
    return words


def _situation(decision: Decision, name: str) -> str:
    view = decision.view
    values = {"name": name, "turn": view.turns[decision.seat] + 1, "card": _card(view)}
    match view.phase:
        case Phase.DRAWN:
            return _("{name}, turn {turn}, with {card} drawn").format(**values)
        case Phase.CALL:
            values["turn"] = view.turns[decision.seat]
            return _("{name}, turn {turn}, with RACK-O").format(**values)
    return _("{name}, turn {turn}: draw, or take {card}?").format(**values)


def _verdict(decision: Decision) -> Span:
    """What the decision is called, and the chance to win before and after it."""
    before, after = percent(decision.best.win), percent(decision.chosen.win)
    if _was_best(decision):
        return _("The best move: {chance} % to win the round.").format(chance=after), "quiet"
    name = label_name(decision.label)
    sign = SIGNS.get(decision.label)
    text = _("{name}: {before} % → {after} % to win the round.").format(
        name=f"{sign} {name}" if sign else name[:1].upper() + name[1:], before=before, after=after
    )
    return text, "warning" if sign else "quiet"


def _was_best(decision: Decision) -> bool:
    return decision.action == decision.best.action


def _card(view: View) -> Card | None:
    """The card that could go into the rack."""
    if view.phase is Phase.CALL:
        return None
    return view.hand if view.phase is Phase.DRAWN else view.discard


def _slot(action: Action) -> Slot | None:
    return action.slot if isinstance(action, Take | Place) else None
