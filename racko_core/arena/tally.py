"""What came of the decks so far, summed up: how each bot did, and how sure that is.

The rotations of one deck share its luck, so a deck counts as one sample: every standard error is
that of a mean over decks. (Two rounds on the same deck with seats changed say more together than
two rounds on different decks; that is what the rotation is for.) Where the number of occasions
differs from deck to deck, as for turns when winning, the mean is a ratio of two sums, and the error
is the usual one of such a ratio, from the decks' departures `a - ratio * b`.

Sums are made in the order of the decks, whoever finished first, so that the same decks give the
same figures to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import sqrt
from operator import attrgetter
from typing import Final

from racko_core.arena.contest import Contest
from racko_core.arena.elo import ratings
from racko_core.arena.hall import Effort, Outcome, Report, Score


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and how sure it is."""

    value: float | None
    """None where there was no occasion."""
    error: float | None
    """Standard error; None with fewer than two decks."""


@dataclass(slots=True)
class _Ratio:
    """The sum of `a` over the sum of `b`, deck by deck."""

    decks: int = 0
    a: float = 0.0
    b: float = 0.0
    aa: float = 0.0
    ab: float = 0.0
    bb: float = 0.0

    def add(self, a: float, b: float) -> None:
        self.decks += 1
        self.a += a
        self.b += b
        self.aa += a * a
        self.ab += a * b
        self.bb += b * b

    def estimate(self) -> Estimate:
        if not self.b:
            return Estimate(None, None)
        ratio = self.a / self.b
        if self.decks < 2:
            return Estimate(ratio, None)
        departures = max(0.0, self.aa - 2 * ratio * self.ab + ratio * ratio * self.bb)
        return Estimate(ratio, sqrt(departures * self.decks / (self.decks - 1)) / self.b)


_RATIOS: Final = {
    "share_of_rounds": ("wins", "rounds"),
    "share_of_games": ("games_won", "games"),
    "points": ("points", "rounds"),
    "margin": ("margin", "rounds"),
    "turns_when_winning": ("turns", "wins"),
    "stalemates": ("stalemates", "rounds"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """How one bot did. It counts once for each side that it played at a table."""

    name: str
    rounds: int
    """Rounds played."""
    share_of_rounds: Estimate
    """Of the rounds it played, those in which its side went out: 0 to 1."""
    share_of_games: Estimate
    """Of the games it played, those that it won, a shared win for its part: 0 to 1."""
    points: Estimate
    """Points of its side a round."""
    margin: Estimate
    """Those points less the mean of the other sides'."""
    turns_when_winning: Estimate
    """Turns of whoever went out, in the rounds it won."""
    stalemates: Estimate
    """Of the rounds it played, those that ended with nobody going out: 0 to 1."""
    elo: Estimate
    """Its rating; the mean of all bots is 0. See `racko_core.arena.elo`."""
    effort: Effort


@dataclass(frozen=True, slots=True)
class Pair:
    """How one bot did against another, at tables where both sat."""

    bots: tuple[str, str]
    met: int
    """Comparisons: one for each two sides that they played at a table."""
    score: Estimate
    """Share of them in which the first had more points in the end, half for as many: 0 to 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand after so many decks."""

    contest: Contest
    decks: int
    tables: int
    """Games played, or games of which the first round was."""
    rounds: int
    stalemates: int
    rows: tuple[Row, ...]
    """In the order in which the bots were named."""
    pairs: tuple[Pair, ...]

    @property
    def complete(self) -> bool:
        """Whether every deck has been played."""
        return self.decks == self.contest.decks


@dataclass(slots=True)
class _Bot:
    ratios: dict[str, _Ratio] = field(default_factory=lambda: {name: _Ratio() for name in _RATIOS})
    effort: Effort = field(default_factory=Effort)
    rounds: int = 0

    def add(self, score: Score) -> None:
        self.rounds += score.rounds
        for name, (above, below) in _PARTS:
            self.ratios[name].add(above(score), below(score))


_PARTS: Final = tuple(
    (name, (attrgetter(above), attrgetter(below))) for name, (above, below) in _RATIOS.items()
)


class Tally:
    """Counts reports of a contest as they come."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.decks = 0
        """Decks that have been counted, or wait for an earlier one."""
        count = len(contest.bots)
        self._bots = [_Bot() for _ in range(count)]
        self._pairs = {(i, j): _Ratio() for i in range(count) for j in range(i + 1, count)}
        self._tables = self._rounds = self._stalemates = 0
        # For the ratings, a deck is the mean of its tables.
        self._met = [[0.0] * count for _ in range(count)]
        self._beat = [[0.0] * count for _ in range(count)]
        self._squares = [[0.0] * count for _ in range(count)]
        self._next = 0
        self._early: dict[int, Outcome] = {}

    def add(self, report: Report) -> None:
        """Count a report."""
        for bot, effort in zip(self._bots, report.efforts, strict=True):
            bot.effort.add(effort)
        for outcome in report.outcomes:
            self.decks += 1
            self._early[outcome.deck] = outcome
        while self._next in self._early:
            self._count(self._early.pop(self._next))
            self._next += 1

    def _count(self, outcome: Outcome) -> None:
        tables = outcome.tables
        self._tables += tables
        self._rounds += outcome.rounds
        self._stalemates += outcome.stalemates
        for bot, score in zip(self._bots, outcome.scores, strict=True):
            bot.add(score)
        for (i, j), ratio in self._pairs.items():
            ratio.add(outcome.beat[i][j], outcome.met[i][j])
        won = [sum(row) / tables for row in outcome.beat]
        for i, mine in enumerate(won):
            for j, theirs in enumerate(won):
                self._met[i][j] += outcome.met[i][j] / tables
                self._beat[i][j] += outcome.beat[i][j] / tables
                self._squares[i][j] += mine * theirs

    def standing(self) -> Standing:
        """How things stand. Decks that finished before an earlier one count as well."""
        if self._early:
            whole = deepcopy(self)
            for number in sorted(whole._early):
                whole._count(whole._early.pop(number))
            return whole.standing()
        names = self.contest.bots
        rated = self._ratings()
        rows = []
        for name, bot, elo in zip(names, self._bots, rated, strict=True):
            estimates = {part: ratio.estimate() for part, ratio in bot.ratios.items()}
            rows.append(Row(name=name, rounds=bot.rounds, elo=elo, effort=bot.effort, **estimates))
        pairs = [
            Pair((names[i], names[j]), round(ratio.b), ratio.estimate())
            for (i, j), ratio in self._pairs.items()
        ]
        return Standing(
            self.contest,
            self.decks,
            self._tables,
            self._rounds,
            self._stalemates,
            tuple(rows),
            tuple(pairs),
        )

    def _ratings(self) -> list[Estimate]:
        count, decks = len(self._bots), self.decks
        if not decks or count < 2:
            return [Estimate(None, None)] * count

        def mean(sums: Sequence[Sequence[float]]) -> list[list[float]]:
            return [[value / decks for value in row] for row in sums]

        beat, squares = mean(self._beat), mean(self._squares)
        won = [sum(row) for row in beat]
        spread = decks / (decks - 1) if decks > 1 else 0.0
        covariance = [
            [spread * (squares[i][j] - won[i] * won[j]) for j in range(count)] for i in range(count)
        ]
        rated = ratings(beat, mean(self._met), covariance, decks)
        return [Estimate(value, error) for value, error in rated]
