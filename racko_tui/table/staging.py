"""What each part of the table shows, worked out from a view, the table and the player's decision.

Plain functions from values to values; the table screen hands the results to its widgets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from racko_core import actions as act
from racko_core.order import strays
from racko_core.rack import (
    Rack,
    is_racko,
    longest_run,
    points_without_going_out,
    scoring_slots,
)
from racko_core.rules import SLOTS, Card, Rules, Seat, Slot, label
from racko_core.seating import Chair, Kind, TableInfo
from racko_core.view import Phase, View
from racko_tui.glyphs import Glyphs
from racko_tui.i18n import _, ngettext, pgettext
from racko_tui.table.decision import CHOOSING, Decision, Held, Step
from racko_tui.table.motion import Landing
from racko_tui.table.narration import outcome_of
from racko_tui.table.presence import holding
from racko_tui.widgets.key_bar import Key, Rank
from racko_tui.widgets.picture import Line, Span
from racko_tui.widgets.piles import PilesState
from racko_tui.widgets.rack import RackState
from racko_tui.words import level_name

_NEEDED: Final = 10
"""Lines of everything but the slots and the log: heading, rims, piles, a word, keys."""
_WANTED: Final = 13
"""The same with large piles and air around them."""
_LOG: Final = 6
"""Lines of the log, where it stands below the piles."""


def rack_lines(height: int, *, log_beside: bool) -> tuple[int, bool]:
    """How many lines each slot of a rack takes on a screen of so many rows, and whether there is
    room for large piles and some air besides.
    """
    needed, wanted = (_NEEDED, _WANTED) if log_beside else (_NEEDED + _LOG, _WANTED + _LOG)
    lines = max(1, min(4, (height - needed) // SLOTS))
    return lines, height - SLOTS * lines >= wanted


def rules_shown(view: View | None, info: TableInfo) -> Rules:
    """Those of the game that is shown; the table's may be those of the next one already."""
    return info.rules if view is None else view.rules


def veiled(view: View) -> View:
    """The view without anything that belongs to its seat alone."""
    public = view.phase in (Phase.DEAL, Phase.OVER)
    return replace(
        view,
        seat=None,
        hand=None,
        racks=view.racks if public else (None,) * view.rules.players,
        legal=(),
    )


def run_slots(rack: Sequence[Card], rules: Rules) -> frozenset[Slot]:
    """The slots of the longest run, where runs matter in these rules."""
    if not (rules.bonus or rules.min_run):
        return frozenset()
    start, length = longest_run(rack)
    return frozenset(range(start, start + length)) if length > 1 else frozenset()


def rack_notes(rack: Rack, rules: Rules, glyphs: Glyphs, *, brief: bool = False) -> Line:
    """What the marks beside a rack add up to. `brief`: in few cells."""
    if is_racko(rack, rules):
        return [("RACK-O", "accent")]
    points = pgettext("in few cells", "{points} pt") if brief else _("{points} points")
    points = points.format(points=points_without_going_out(rack, rules))
    notes: Line = [(f"{glyphs.scores} ", "strong"), (points, "quiet")]
    gap = " " if brief else "  "
    wrong = len(strays(rack, rules.cards))
    if wrong:
        text = ngettext("{count} out of place", "{count} out of place", wrong)
        notes += [(f"{gap}{glyphs.breaks} ", "warning"), (text.format(count=wrong), "quiet")]
    run = len(run_slots(rack, rules))
    if run:
        text = ngettext("run of {count}", "run of {count}", run)
        notes += [(f"{gap}{glyphs.run} ", "strong"), (text.format(count=run), "quiet")]
    return notes


def _who(chair: Chair, *, partner: bool) -> Line | None:
    """Who sits behind a rack that is not seen, what matters most first: a partner, who is away,
    how a bot plays, even one that took over from a program. Who dealt, the heading tells.
    """
    words = [(_("partner"), "strong")] if partner else []
    if chair.away:
        words.append((_("away"), "quiet"))
    if chair.kind is Kind.BOT:
        words.append((level_name(chair.level), "quiet"))
    # In twos, as the marks beside a rack and what they mean: where room is small, the last ones go.
    notes: Line = []
    for word in words:
        notes += [(" · " if notes else "", "quiet"), word]
    return notes or None


def rack_state(
    view: View,
    info: TableInfo,
    seat: Seat,
    decision: Decision,
    glyphs: Glyphs,
    *,
    hint: Slot | None = None,
    memory_aid: bool = True,
    in_flight: frozenset[Landing] = frozenset(),
) -> RackState:
    """What the rack of `seat` shows."""
    rules, chair = view.rules, info.chairs[seat]
    points = str(view.totals[rules.side_of(seat)])
    turn = view.turn == seat and view.phase not in (Phase.DEAL, Phase.OVER)
    partner = rules.teams and view.seat is not None and view.seat % 2 == seat % 2
    rack = view.racks[seat] if view.racks else None
    last = view.last_slot[seat]
    landing = next((slot for place, slot in in_flight if place == seat), None)
    if rack is None:
        return RackState(
            name=chair.name,
            points=points,
            notes=_who(chair, partner=partner),
            cards=view.known[seat] if memory_aid else (None,) * SLOTS,
            highest=rules.cards,
            turn=turn,
            partner=partner,
            landing=landing,
            last=last if memory_aid else None,
        )
    mine = seat == view.seat
    return RackState(
        name=chair.name,
        points=points,
        notes=rack_notes(rack, rules, glyphs),
        brief=rack_notes(rack, rules, glyphs, brief=True),
        cards=rack,
        highest=rules.cards,
        mine=mine,
        turn=turn,
        partner=partner and not mine,
        slot=decision.slot if mine else None,
        coming=decision.card if mine else None,
        keys=mine and decision.step in CHOOSING,
        hint=hint if mine else None,
        landing=landing,
        scoring=scoring_slots(rack, rules),
        breaks=strays(rack, rules.cards),
        run=run_slots(rack, rules),
    )


def piles_state(
    view: View, decision: Decision, in_flight: frozenset[Landing] = frozenset()
) -> PilesState:
    """What lies on the table."""
    step = decision.step
    taking = step is Step.TAKE
    lit: set[str] = set()
    if step is Step.TURN:
        lit.add("discard")
        if act.DRAW in view.legal:
            lit.add("draw")
    elif step in CHOOSING:
        lit.add("hand")
    gone = taking or ("discard", None) in in_flight
    below = view.discards[-2] if len(view.discards) > 1 else None
    landing = ("hand", None) in in_flight
    hand = view.discard if taking else view.hand
    return PilesState(
        draw_count=view.draw_count,
        discard=below if gone else view.discard,
        hand=None if landing else hand,
        holds=view.phase is Phase.DRAWN and not landing,
        lit=frozenset(lit),  # type: ignore[arg-type]
    )


def decision_words(
    view: View,
    info: TableInfo,
    decision: Decision,
    whose: str,
    keys: Mapping[str, str],
    hint: Sequence[Span] = (),
) -> list[Span]:
    """What is to be decided, and what would come of it. `keys`: a key's name by what it does.

    `hint` stands in the place of the question.
    """
    step, slot, card = decision.step, decision.slot, decision.card
    if hint:
        return [*hint, *_preview(decision)]
    words: list[Span] = []
    match step:
        case Step.TURN:
            if act.GO_OUT in view.legal:
                words.append(
                    (_("Your rack is RACK-O: {key} goes out.").format(key=keys["out"]), "accent")
                )
            elif act.DRAW in view.legal:
                words.append(
                    (_("Your turn: draw a card, or take {card}.").format(card=card), "accent")
                )
            else:
                words.append(
                    (
                        _("Your turn: take {card}; the draw pile is empty.").format(card=card),
                        "accent",
                    )
                )
            if view.round == 1 and slot is None and act.GO_OUT not in view.legal:
                words.append((_goal(view.rules), "quiet"))
        case Step.TAKE:
            if slot is None:
                words.append((_("{card} goes into which slot?").format(card=card), "accent"))
        case Step.DRAWN:
            if slot is None:
                words.append(
                    (
                        _("You drew {card}: choose a slot for it, or discard it.").format(
                            card=card
                        ),
                        "accent",
                    )
                )
        case Step.CALL:
            words.append((_("RACK-O! Go out now, or play on for a longer run?"), "accent"))
        case Step.WAIT:
            if decision.watching:
                words.append((_("You are watching."), "quiet"))
            words.append((whose, "quiet"))
        case Step.BETWEEN:
            words.append((_("The round is over."), "quiet"))
            late = [c.name for c in info.chairs if c.kind is Kind.HUMAN and not (c.ready or c.away)]
            if late:
                words.append((_("Waiting for {names}.").format(names=", ".join(late)), "text"))
        case Step.OVER:
            words.append((_("The game is over."), "quiet"))
        case Step.HELD if decision.held is not None:
            words.append((holding(decision.held, info, view.seat), "warning"))
    return [*words, *_preview(decision)]


def _goal(rules: Rules) -> str:
    if rules.min_run:
        return _(
            "Goal: numbers that rise from slot 5 up to slot 50, with a run of {count}."
        ).format(count=rules.min_run)
    return _("Goal: numbers that rise from slot 5 up to slot 50.")


def _preview(decision: Decision) -> list[Span]:
    rack, after, slot, card = decision.rack, decision.after, decision.slot, decision.card
    if rack is None or slot is None or decision.view is None:
        return []
    if after is None:
        return [
            (_("Slot {slot} holds {card}.").format(slot=label(slot), card=rack[slot - 1]), "quiet")
        ]
    text = (
        _("{card} into slot {slot}: {out} is discarded.")
        if decision.step in CHOOSING
        else _("{card} would go into slot {slot}; {out} would be discarded.")
    )
    return [
        (
            text.format(card=card, slot=label(slot), out=rack[slot - 1]),
            "strong" if decision.step in CHOOSING else "text",
        ),
        (outcome_of(rack, after, decision.view.rules.cards), "quiet"),
    ]


def heading(view: View, info: TableInfo, whose: str, left: float | None) -> tuple[str, str]:
    """The two ends of the top line: which game it is, and whose turn. `left`: seconds to go."""
    rules = view.rules
    words = [
        _("round {number}").format(number=view.round) if view.round else _("a new game"),
        _("to {target}").format(target=rules.target),
    ]
    if view.round:  # before what is always the same: the last words are the first to go
        words.append(_("{name} dealt").format(name=info.chairs[view.dealer].name))
    if rules.bonus:
        words.append(_("bonus"))
    if rules.min_run:
        words.append(_("run of {count} to go out").format(count=rules.min_run))
    if info.name:
        words.append(info.name)
    right = whose
    if view.phase in (Phase.DEAL, Phase.OVER):
        right = _("game over") if view.phase is Phase.OVER else ""
    if info.paused:
        right = _("paused")
    if left is not None:
        right += f"  {int(left) // 60}:{int(left) % 60:02}"
    return " · ".join(words), right


def keys(
    view: View, decision: Decision, names: Mapping[str, str], *, hint: bool, chat: bool
) -> list[Key]:
    """The keys that do something now, the most important first, the ways out and to help last.

    `names`: a key's name by what it does. `hint`: whether one can be asked for at this table.
    `chat`: whether there is somebody to talk to.
    """
    bar: list[Key] = []

    def add(name: str, action: str, word: str, acts: bool = True, rank: Rank = Rank.USUAL) -> None:
        bar.append(Key(action, names[name], word, acts, rank))

    step = decision.step
    match step:
        case Step.TURN:
            if decision.offer is not None:  # ahead of all others: it is what has just been said
                where = _("{card} into slot {slot}")  # short: keys that act must all have room
                where = where.format(card=view.discard, slot=label(decision.offer))
                add("place", "do('place')", where)
            if act.DRAW in view.legal:
                add("draw", "do('draw')", _("draw"))
            add("take", "do('take')", _("take {card}").format(card=view.discard))
            if act.GO_OUT in view.legal:
                add("out", "do('go_out')", _("go out"))
        case Step.TAKE | Step.DRAWN:
            bar.append(Key("", f"{names['up']}{names['down']} 1-0", _("slot")))
            if decision.slot is not None:
                add("place", "do('place')", _("place"))
            if step is Step.TAKE:
                add("back", "do('put_back')", _("put back"))
            else:
                add("discard", "do('discard')", _("discard {card}").format(card=view.hand))
        case Step.CALL:
            add("out", "do('go_out')", _("go out"))
            add("on", "do('play_on')", _("play on"))
    if hint and view.my_turn and step not in (Step.BETWEEN, Step.OVER, Step.HELD):
        add("hint", "hint", _("hint"), False)
    add("scores", "scores", _("scores"), False)
    add("log", "log", _("log"), False, Rank.LAST)
    if chat:
        if decision.held is not Held.LOST:
            add("chat", "chat", _("chat"), False)
        add("people", "people", _("people"), False)
    add("leave", "leave", _("leave"), False, Rank.ALWAYS)
    add("help", "help", _("help"), False, Rank.ALWAYS)
    return bar
