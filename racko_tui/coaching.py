"""What the coach says, in the language spoken: reasons, moves, and what decisions are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from racko_core.actions import Action, Discard, Draw, GoOut, Place, PlayOn, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.rules import Rules, label
from racko_core.view import View
from racko_tui.i18n import _, ngettext, pgettext

if TYPE_CHECKING:
    from racko_core.coach import Label, Reason, Words

_COUNTS = ("count", "before")
"""Values that count cards; small ones are words, so that nobody takes them for cards."""


def reason_in_words(reason: Reason) -> str:
    """Why a move is good: one sentence."""
    text = _spoken(reason.words)
    return text[:1].upper() + text[1:]  # it may start with a count


def _spoken(words: Words) -> str:
    from racko_core.coach import Words

    values = {
        name: _spoken(value) if isinstance(value, Words) else value
        for name, value in words.values.items()
    }
    for name in _COUNTS:
        if name in values:
            values[name] = so_many_cards(int(str(values[name])))
    if words.many:
        count = int(str(words.values["count"]))
        return ngettext(words.one, words.many, count).format(**values)
    return _(words.one).format(**values)


def so_many_cards(count: int) -> str:
    """A number of cards: up to twelve as a word."""
    words = (
        pgettext("so many cards", "none"),
        pgettext("so many cards", "one"),
        pgettext("so many cards", "two"),
        pgettext("so many cards", "three"),
        pgettext("so many cards", "four"),
        pgettext("so many cards", "five"),
        pgettext("so many cards", "six"),
        pgettext("so many cards", "seven"),
        pgettext("so many cards", "eight"),
        pgettext("so many cards", "nine"),
        pgettext("so many cards", "ten"),
        pgettext("so many cards", "eleven"),
        pgettext("so many cards", "twelve"),
    )
    return words[count] if count < len(words) else str(count)


def move_in_words(view: View, action: Action) -> str:
    """What one can do, as one tells somebody to do it: “put 31 into slot 30”."""
    match action:
        case Take(slot):
            return _("take {card} into slot {slot}").format(card=view.discard, slot=label(slot))
        case Place(slot):
            return _("put {card} into slot {slot}").format(card=view.hand, slot=label(slot))
        case Draw():
            return _("draw")
        case Discard():
            return _("discard {card}").format(card=view.hand)
        case GoOut():
            return _("go out")
        case PlayOn():
            return _("play on")
    raise AssertionError(action)


def worth_in_words(
    best: Appraisal, others: Sequence[Appraisal], rules: Rules, *, brief: bool = False
) -> str:
    """What the best move is worth: the chance to win the round, and the lead in points where runs
    score or where other moves are told with theirs; `brief`: only what puts them in order.
    """
    if brief and _numbers((best, *others), rules) == (_POINTS,):
        return ngettext(
            "{points} point on the others", "{points} points on the others", _whole(best.points)
        ).format(points=signed(best.points))
    if rules.bonus or _POINTS in _numbers((best, *others), rules):
        return ngettext(
            "{win} % to win the round, {points} point on the others",
            "{win} % to win the round, {points} points on the others",
            _whole(best.points),
        ).format(win=percent(best.win), points=signed(best.points))
    return _("{win} % to win the round").format(win=percent(best.win))


def runners_up_in_words(view: View, best: Appraisal, others: Sequence[Appraisal]) -> str:
    """The moves that come after the best one, each with what puts them in order; empty if there
    are none.
    """
    numbers = _numbers((best, *others), view.rules)
    told = []
    for other in others:
        worth = [f"{percent(other.win)} %"] if _CHANCE in numbers else []
        worth += [signed(other.points)] if _POINTS in numbers else []
        told.append(f"{move_in_short(view, other.action)} ({', '.join(worth)})")
    return _("Next best: {moves}.").format(moves=", ".join(told)) if told else ""


def figures_in_words() -> str:
    """What the figures of a move are."""
    return _(
        "Percent of a move: the chance to win the round. Points on the others: how many more than"
        " theirs one gets in the round, on average."
    )


_CHANCE: Final = "chance"
_POINTS: Final = "points"


def _numbers(ranked: Sequence[Appraisal], rules: Rules) -> tuple[str, ...]:
    """What to show of these moves, the best first, so that the numbers fall as the moves do: the
    coach weighs chances and points together, and either alone may seem to be out of order. The
    chance to win if that does it, or where runs score the points; else the other one, else both.
    """
    falling = {
        _CHANCE: [-percent(one.win) for one in ranked],
        _POINTS: [-round(one.points) for one in ranked],
    }
    usual = (_POINTS, _CHANCE) if rules.bonus else (_CHANCE, _POINTS)
    return next(((one,) for one in usual if falling[one] == sorted(falling[one])), usual)


def move_in_short(view: View, action: Action) -> str:
    """The same in fewer words: “31 into slot 30”."""
    match action:
        case Take(slot) | Place(slot):
            card = view.discard if isinstance(action, Take) else view.hand
            return _("{card} into slot {slot}").format(card=card, slot=label(slot))
    return move_in_words(view, action)


def percent(chance: float) -> int:
    """A chance in whole percent; what is not certain is not called so."""
    whole = round(100 * chance)
    if whole == 100 and chance < 1:
        return 99
    return 1 if whole == 0 and chance > 0 else whole


def _whole(points: float) -> int:
    """How many points, for the form of the word beside them."""
    return abs(round(points))


def points_in_words(best: float, chosen: float) -> str:
    """The lead in points, on average, before and after a decision; once where it is the same."""
    if round(best) == round(chosen):
        return _("Points on the others: {points}.").format(points=signed(best))
    text = _("Points on the others: {before} → {after}.")
    return text.format(before=signed(best), after=signed(chosen))


def signed(number: float) -> str:
    """A whole number with its sign."""
    whole = round(number)
    return f"−{-whole}" if whole < 0 else f"+{whole}" if whole else "0"


def label_name(name: Label) -> str:
    """What a decision is called."""
    return {
        "fine": _("fine"),
        "inaccuracy": _("inaccuracy"),
        "mistake": _("mistake"),
        "blunder": _("blunder"),
    }[name]
