"""The chance to win from decision to decision, as values for a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from racko_core.rules import Rules, Seat
from racko_core.view import Phase
from racko_tui.i18n import _
from racko_tui.review.walk import Walk

if TYPE_CHECKING:
    from racko_core.coach import Decision, Label, RoundAnalysis

Point = tuple[int, float]
"""A step, and the chance to win from there on, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How a seat stood in its own eyes."""

    seat: Seat
    name: str
    rounds: tuple[tuple[Point, ...], ...]
    """Of every round the points in order; each holds until the next."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A decision that is called something else than fine."""

    step: int
    label: Label


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over the decisions of one round or several. Steps count from 0; the end of a round
    is a step of its own.
    """

    steps: int
    curves: tuple[Curve, ...]
    """What is drawn last comes last."""
    marks: tuple[Mark, ...]
    numbers: tuple[tuple[int, str], ...]
    """What stands below some steps: the rounds, or the turns of one."""
    unit: str
    """What these numbers count."""
    at: int | None
    """The step that is looked at."""
    next: int | None
    """The step of the next slip, if there is one."""
    decisions: tuple[Decision | None, ...]
    """By step; None for the end of a round."""


def chart_of(walk: Walk, names: Sequence[str]) -> Chart:
    """The round that is looked at, or all of them in the overview."""
    parts = walk.analysis.rounds if walk.round is None else (walk.round,)
    from racko_core.coach import Label

    rules, now = walk.analysis.rules, walk.decision
    seats = range(rules.players) if walk.seat is None else (walk.seat,)
    front = None if now is None else now.seat
    curves = [
        Curve(seat, names[seat], tuple(_curve(parts, seat, rules)))
        for seat in sorted(seats, key=lambda seat: seat == front)
    ]
    decisions = [one for part in parts for one in (*part.decisions, None)]
    marks = [
        Mark(step, one.label)
        for step, one in enumerate(decisions)
        if one is not None and one.seat in seats and one.label is not Label.FINE
    ]
    turns = walk.round is not None
    at = next((step for step, one in enumerate(decisions) if one is now and one), None)
    return Chart(
        steps=len(decisions),
        curves=tuple(curves),
        marks=tuple(marks),
        numbers=tuple(_turns(decisions) if turns else _rounds(parts)),
        unit=_("turns") if turns else _("rounds"),
        at=at,
        next=next((mark.step for mark in marks if at is None or mark.step > at), None),
        decisions=tuple(decisions),
    )


def _curve(parts: Sequence[RoundAnalysis], seat: Seat, rules: Rules) -> Iterator[tuple[Point, ...]]:
    start = 0
    for part in parts:
        own = [(place, one) for place, one in enumerate(part.decisions) if one.seat == seat]
        points = [(start + place, one.chosen.win) for place, one in own]
        if own and own[0][0]:  # others began: until its first turn a seat stands as it does then
            points.insert(0, (start, own[0][1].best.win))
        start += len(part.decisions) + 1
        if part.ended is not None:
            out = part.ended.went_out
            won = out is not None and rules.side_of(out) == rules.side_of(seat)
            points.append((start - 1, float(won)))
        yield tuple(points)


def _turns(decisions: Sequence[Decision | None]) -> Iterator[tuple[int, str]]:
    """The turns of whoever began the round."""
    first = decisions[0]
    for step, one in enumerate(decisions):
        if first and one and one.seat == first.seat and one.view.phase is Phase.TURN:
            yield step, str(one.view.turns[one.seat] + 1)


def _rounds(parts: Sequence[RoundAnalysis]) -> Iterator[tuple[int, str]]:
    start = 0
    for part in parts:
        yield start, str(part.number)
        start += len(part.decisions) + 1
