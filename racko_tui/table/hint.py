"""A hint: what the coach would do, why, and what it would do else.

No widgets here: the board has them, and finds the room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from racko_core.actions import Place, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.rules import Seat, Slot
from racko_core.seating import Kind, TableInfo
from racko_core.view import View
from racko_tui.coaching import (
    move_in_short,
    move_in_words,
    reason_in_words,
    runners_up_in_words,
    worth_in_words,
)
from racko_tui.i18n import _

if TYPE_CHECKING:
    from racko_core.coach import Advice


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint as it is shown."""

    slot: Slot | None
    """Where the card goes, if the best move is to put it into the rack."""
    move: str
    """What to do."""
    why: str
    worth: tuple[str, ...]
    """How good that is, and what else can be done: with two other moves, with one, with one in
    fewer words, with none."""
    brief: str = ""
    """What to do in fewer words, where there are."""


def hinted(view: View, advice: Advice) -> Hinted:
    """The advice in words."""
    best = advice.best.action
    return Hinted(
        slot=best.slot if isinstance(best, Take | Place) else None,
        move=_("Hint: {move}.").format(move=move_in_words(view, best)),
        why=reason_in_words(advice.why),
        worth=tuple(_worths(view, advice)),
        brief=_("Hint: {move}.").format(move=move_in_short(view, best)),
    )


def _worths(view: View, advice: Advice) -> Iterator[str]:
    best, others = advice.best, advice.runners_up
    for most in range(len(others), 0, -1):
        yield _ranked(view, best, others[:most])
    if others:
        yield _ranked(view, best, others[:1], brief=True)
    yield _ranked(view, best, ())


def _ranked(
    view: View, best: Appraisal, others: Sequence[Appraisal], *, brief: bool = False
) -> str:
    worth = worth_in_words(best, others, view.rules, brief=brief)
    return f"{worth}. {runners_up_in_words(view, best, others)}".rstrip()


def hints_allowed(info: TableInfo, seats: Sequence[Seat]) -> bool:
    """Whether there are hints at a table for whoever plays these seats: people who play against
    each other on screens of their own have none.
    """
    return all(seat in seats for seat, chair in enumerate(info.chairs) if chair.kind is Kind.HUMAN)
