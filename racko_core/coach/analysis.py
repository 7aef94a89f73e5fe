"""What every decision of a game cost, and how lucky every draw was.

Every decision is judged by what its seat could see then, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from racko_core.actions import Action
from racko_core.bots.appraisal import Appraisal, Appraiser
from racko_core.coach.explanation import because
from racko_core.coach.grading import Label, label_of, loss_of
from racko_core.coach.reason import Reason
from racko_core.events import RoundEnded
from racko_core.record import Record
from racko_core.rules import Rules, Seat
from racko_core.view import View

Progress = Callable[[int, int], None]
"""Told how many decisions have been appraised, and of how many."""


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
    """Its place among all actions of the analysis, the deals among them, 0 up."""
    seat: Seat
    view: View
    """What the seat could see."""
    action: Action
    """What it did."""
    ranked: tuple[Appraisal, ...]
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
        """Why the best is the best."""
        return because(self.view, self.best, self.ranked)


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
    """What one side (a player, or a team) got, and what it would have got without luck.

    The luck of a draw is taken from the side that had it, and given to the others in equal parts.
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
        raise NotImplementedError


def analyse(record: Record, appraiser: Appraiser, progress: Progress | None = None) -> Analysis:
    """Judge every decision in a record, also in one of a game that is not over.

    Raises RecordError where the record does not hold.
    """
    raise NotImplementedError


def analyse_rounds(
    views: Sequence[View], appraiser: Appraiser, progress: Progress | None = None
) -> Analysis:
    """Judge every decision of rounds that have ended, of each by a view taken after its end and
    before the next deal: what one seat, or a spectator, was told until then, with the deck that is
    revealed at the end, is the whole round.
    """
    raise NotImplementedError
