"""What every decision of a game cost, and how lucky every draw was.

Every decision is judged by what its seat could see then, and by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Final, Protocol, runtime_checkable

from racko_core.actions import DRAW, Action
from racko_core.bots.appraisal import Appraisal, Appraiser
from racko_core.coach.explanation import because
from racko_core.coach.grading import Label, accuracy, label_of, loss_of
from racko_core.coach.positions import PlayedRound, round_of, rounds_of
from racko_core.coach.reason import Reason
from racko_core.events import RoundEnded
from racko_core.record import Record
from racko_core.rules import Rules, Seat
from racko_core.view import Phase, View

Progress = Callable[[int, int], None]
"""Told how many decisions have been appraised, and of how many."""

Ranked = tuple[Appraisal, ...]
"""Every action that was possible, the best first."""

_BATCH: Final = 32
"""Decisions appraised at once."""


@runtime_checkable
class BatchAppraiser(Appraiser, Protocol):
    """Whoever can appraise many views faster together than one by one."""

    def appraise_many(self, views: Sequence[View]) -> Sequence[Ranked]:
        """What `appraise` says of each view."""
        ...


@dataclass(frozen=True, slots=True)
class Luck:
    """What a draw brought: the value after it, less the mean over the cards that could come."""

    win: float
    """In chance to win the round, -1 to 1."""
    points: float
    """In expected margin of the round."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, judged."""

    number: int
    """Its place among the actions of its round, the deal being 0."""
    seat: Seat
    view: View
    """What the seat could see."""
    action: Action
    """What it did."""
    ranked: Ranked
    """What it could do, the best first. What the seat had before is worth as much as the first."""
    luck: Luck | None
    """Of the card that came, if it drew (and the game went on to look at it)."""

    @property
    def best(self) -> Appraisal:
        """The best that could be done: its `win` and `points` are those before the decision."""
        return self.ranked[0]

    @property
    def chosen(self) -> Appraisal:
        """What was done: its `win` and `points` are those after the decision."""
        return next(one for one in self.ranked if one.action == self.action)

    @property
    def loss(self) -> float:
        """What it gave away, in chance to win (see `loss_of`)."""
        return loss_of(self.chosen, self.best, self.view.rules)

    @property
    def label(self) -> Label:
        """What it is called."""
        return label_of(self.loss, self.chosen.error)

    def why(self) -> Reason:
        """Why the best is the best, and better than what was done."""
        other = self.chosen if self.action != self.best.action else None
        return because(self.view, self.ranked, other)


@dataclass(frozen=True, slots=True)
class Report:
    """How one seat played, in a round or in all of them."""

    seat: Seat
    turns: int
    accuracy: float | None
    """0 to 100, see `grading.accuracy`; None for a seat that had no turn."""
    loss: float
    """The sum of what its decisions gave away, in chance to win."""
    labels: dict[Label, int]
    """How many decisions were called what; every label is there."""
    luck: Luck
    """The sum over its draws."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one side (a player, or a team) got, and the same less what came by luck.

    The luck of a draw is taken from the side that had it, and given to the others in equal parts.
    It knows no bounds, so what is left can be less than nothing, or more than there was to get.
    """

    rounds: float
    """Rounds won."""
    points: float
    rounds_without_luck: float
    points_without_luck: float


@dataclass(frozen=True, slots=True)
class RoundAnalysis:
    """One round."""

    number: int
    """1 up."""
    decisions: tuple[Decision, ...]
    """In the order in which they were made."""
    ended: RoundEnded | None
    """None for a round that was not played to its end."""
    reports: tuple[Report, ...]
    """By seat."""
    outcomes: tuple[Outcome, ...]
    """By side; only of a round that has ended, else empty."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game, or some rounds of one."""

    rules: Rules
    rounds: tuple[RoundAnalysis, ...]
    reports: tuple[Report, ...]
    """By seat, over all rounds."""
    outcomes: tuple[Outcome, ...]
    """By side, over all rounds that have ended."""

    def worst(self, seat: Seat | None = None, most: int = 3) -> list[tuple[int, Decision]]:
        """The decisions that are called something else than fine, with the number of their round,
        the worst first: those of one seat, or of all.
        """
        found = [
            (part.number, decision)
            for part in self.rounds
            for decision in part.decisions
            if seat in (None, decision.seat) and decision.label is not Label.FINE
        ]
        return sorted(found, key=lambda one: -one[1].loss)[:most]


def analyse(record: Record, appraiser: Appraiser, progress: Progress | None = None) -> Analysis:
    """Judge every decision in a record, also in one of a game that is not over.

    Raises RecordError where the record does not hold.
    """
    return _judged(record.rules, list(rounds_of(record)), appraiser, progress)


def analyse_rounds(
    views: Sequence[View], appraiser: Appraiser, progress: Progress | None = None
) -> Analysis:
    """Judge every decision of rounds that have ended, of each by a view taken after its end and
    before the next deal: what one seat, or a spectator, was told until then, with the deck that is
    revealed at the end, is the whole round.

    There must be a view. Raises UnknownRound where one does not tell its round.
    """
    return _judged(views[0].rules, list(map(round_of, views)), appraiser, progress)


def _judged(
    rules: Rules, rounds: Sequence[PlayedRound], appraiser: Appraiser, progress: Progress | None
) -> Analysis:
    views = [position.view for played in rounds for position in played.positions]
    appraised = iter(list(_appraised(views, appraiser, progress)))
    parts = tuple(
        _round(rules, played, list(islice(appraised, len(played.positions)))) for played in rounds
    )
    sides = range(len(rules.sides))
    return Analysis(
        rules=rules,
        rounds=parts,
        reports=tuple(
            _together([part.reports[seat] for part in parts], seat) for seat in range(rules.players)
        ),
        outcomes=tuple(
            _added([part.outcomes[side] for part in parts if part.outcomes]) for side in sides
        ),
    )


def _appraised(
    views: Sequence[View], appraiser: Appraiser, progress: Progress | None
) -> Iterator[Ranked]:
    for start in range(0, len(views), _BATCH):
        batch = views[start : start + _BATCH]
        if progress is not None:
            progress(start, len(views))
        if isinstance(appraiser, BatchAppraiser):
            yield from appraiser.appraise_many(batch)
        else:
            yield from map(appraiser.appraise, batch)
    if progress is not None:
        progress(len(views), len(views))


def _round(rules: Rules, played: PlayedRound, appraised: Sequence[Ranked]) -> RoundAnalysis:
    decisions = []
    for position, ranked, after in zip_longest(played.positions, appraised, appraised[1:]):
        luck = None
        if position.action == DRAW and after is not None:
            before = next(one for one in ranked if one.action == DRAW)
            luck = Luck(after[0].win - before.win, after[0].points - before.points)
        decisions.append(
            Decision(position.number, position.seat, position.view, position.action, ranked, luck)
        )
    reports = tuple(_report(decisions, seat) for seat in range(rules.players))
    outcomes = _outcomes(rules, played.ended, reports) if played.ended else ()
    return RoundAnalysis(played.number, tuple(decisions), played.ended, reports, outcomes)


def _report(decisions: Sequence[Decision], seat: Seat) -> Report:
    mine = [decision for decision in decisions if decision.seat == seat]
    turns = sum(decision.view.phase is Phase.TURN for decision in mine)
    loss = sum(decision.loss for decision in mine)
    labels = Counter(decision.label for decision in mine)
    return Report(
        seat=seat,
        turns=turns,
        accuracy=accuracy(loss, turns),
        loss=loss,
        labels={label: labels[label] for label in Label},
        luck=_sum([decision.luck for decision in mine if decision.luck is not None]),
    )


def _together(reports: Sequence[Report], seat: Seat) -> Report:
    turns = sum(report.turns for report in reports)
    loss = sum(report.loss for report in reports)
    return Report(
        seat=seat,
        turns=turns,
        accuracy=accuracy(loss, turns),
        loss=loss,
        labels={label: sum(report.labels[label] for report in reports) for label in Label},
        luck=_sum([report.luck for report in reports]),
    )


def _sum(parts: Sequence[Luck]) -> Luck:
    return Luck(sum(part.win for part in parts), sum(part.points for part in parts))


def _outcomes(rules: Rules, ended: RoundEnded, reports: Sequence[Report]) -> tuple[Outcome, ...]:
    """What every side got. A margin is one's own points less the mean of the others', so a side
    that is lucky by so much margin is so by that much less in points: the others lose a part of it.
    """
    lucks = [_sum([reports[seat].luck for seat in side]) for side in rules.sides]
    others = len(lucks) - 1
    all_lucks = _sum(lucks)
    outcomes = []
    for seats, luck in zip(rules.sides, lucks, strict=True):
        won = float(ended.went_out in seats)
        points = float(sum(ended.scores[seat].points for seat in seats))
        win = luck.win - (all_lucks.win - luck.win) / others
        margin = luck.points - (all_lucks.points - luck.points) / others
        outcomes.append(Outcome(won, points, won - win, points - margin * others / (others + 1)))
    return tuple(outcomes)


def _added(parts: Sequence[Outcome]) -> Outcome:
    return Outcome(
        sum(part.rounds for part in parts),
        sum(part.points for part in parts),
        sum(part.rounds_without_luck for part in parts),
        sum(part.points_without_luck for part in parts),
    )
