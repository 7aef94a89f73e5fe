"""Many tables in one process: who decides, and what came of it.

A bot that offers `decide_many` is asked for many tables at once, so the tables are played side by
side. Bots keep nothing between decisions, so that changes no decision; whoever decides alone plays
a table to its end before the next one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Final, Protocol

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.arena.contest import Contest, Seating
from racko_core.bots import OUTSIDE, Bot, harmless, is_outside
from racko_core.deck import Deck
from racko_core.errors import N_, RackoError
from racko_core.game import Game
from racko_core.record import SeatName, write
from racko_core.record.writer import KEY, MAX_TEXT
from racko_core.view import Phase, View

WIDTH: Final = 32
"""Tables side by side, where a bot decides for many at once."""
MOST_TURNS: Final = 400
"""Turns of a round that a seat decides on. Then it only draws and discards: two bots that take
discards for ever would never come to the stalemate guard."""

_DEAL: Final = Phase.DEAL  # an enum's member takes long to look up
_OVER: Final = Phase.OVER

Make = Callable[[str], Bot]
"""Makes a bot from its name. Worker processes import it, so it must stand in a module."""


class Batching(Protocol):
    """A bot that decides faster for many tables at once."""

    def decide_many(self, views: Sequence[View]) -> Sequence[Action]:
        """What `decide` says of each view, in their order."""
        ...


@dataclass(slots=True)
class Score:
    """What a bot did on one deck, summed up over the sides that it played."""

    rounds: int = 0
    wins: int = 0
    """Rounds in which its side went out."""
    points: int = 0
    margin: float = 0.0
    """Points of the side less the mean of the other sides'."""
    turns: int = 0
    """Turns of whoever went out, in the rounds that were won."""
    stalemates: int = 0
    games: int = 0
    """Games played to the end; 0 where only rounds are."""
    games_won: float = 0.0
    """A win that is shared counts for a part."""


@dataclass(slots=True)
class Outcome:
    """What came of one deck."""

    deck: int
    tables: int = 0
    rounds: int = 0
    stalemates: int = 0
    scores: list[Score] = field(default_factory=list)
    """By bot."""
    met: list[list[int]] = field(default_factory=list)
    """By bot and bot: how often they were compared, one comparison for two sides at a table."""
    beat: list[list[float]] = field(default_factory=list)
    """By bot and bot: how often the first had more points; half for as many."""
    records: list[str] = field(default_factory=list)
    """By table, where they are wanted."""


@dataclass(slots=True)
class Effort:
    """What it took a bot: the part of a report that is measured, and never twice the same."""

    seconds: float = 0.0
    """Waited for decisions, those that never came as well."""
    decisions: int = 0
    """Decisions that it was asked for."""
    failures: int = 0
    """Decisions that were none, or not legal; something harmless was done instead. A program is
    asked no more in that round, so for it these are the times that a novice took its seat."""
    trouble: RackoError | None = None
    """The first failure, for whoever mends the bot."""

    @property
    def milliseconds(self) -> float | None:
        """Time for a decision; None before the first."""
        return 1000 * self.seconds / self.decisions if self.decisions else None

    def add(self, other: Effort) -> None:
        """Count `other` in."""
        self.seconds += other.seconds
        self.decisions += other.decisions
        self.failures += other.failures
        self.trouble = self.trouble or other.trouble


@dataclass(slots=True)
class Report:
    """What has been played since the last report."""

    outcomes: list[Outcome]
    efforts: list[Effort]
    """By bot."""


class _Player:
    """A bot at work."""

    def __init__(self, bot: Bot, *, outside: bool = False) -> None:
        self.bot = bot
        self.outside = outside
        """Whether it is a program, for which a novice decides after a failure."""
        self.decide_many: Callable[[Sequence[View]], Sequence[Action]] | None = getattr(
            bot, "decide_many", None
        )
        self.decide = bot.decide if self.decide_many is None else None
        self.effort = Effort()
        self._last: Exception | None = None

    def failed(self, error: Exception, decisions: int = 1) -> bool:
        """Count a failure; whether it is news: a program that was given up repeats its last one."""
        effort = self.effort
        effort.failures += decisions
        before, self._last = self._last, error
        if effort.trouble is None:
            effort.trouble = error if isinstance(error, RackoError) else _told(error)
        return error is not before

    def many(self, tables: Sequence[_Table]) -> None:
        """Decide at once for all these tables, which wait for it."""
        assert self.decide_many is not None
        views = [table.view for table in tables if table.view is not None]
        effort = self.effort
        effort.decisions += len(views)
        start = perf_counter()
        try:
            try:
                actions = self.decide_many(views)
            finally:
                effort.seconds += perf_counter() - start
            if len(actions) != len(views):
                raise ValueError(f"{len(actions)} decisions for {len(views)} views")
        except Exception as error:
            self.failed(error, len(views))
            for table, view in zip(tables, views, strict=True):
                table.game.apply(harmless(view))
            return
        for table, view, action in zip(tables, views, actions, strict=True):
            try:
                table.game.apply(action)
            except Exception as error:  # a bot may hand over anything
                self.failed(error)
                table.game.apply(harmless(view))


class _Table:
    """A game in play."""

    __slots__ = (
        "asked",
        "decisions",
        "deck",
        "game",
        "match",
        "players",
        "seating",
        "seconds",
        "view",
    )

    def __init__(
        self, deck: _Deck, match: tuple[int, ...], seating: Seating, players: Sequence[_Player]
    ) -> None:
        self.deck = deck
        self.match = match
        self.seating = seating
        self.game = Game(deck.rules, deck.decks)
        self.players = [players[bot] for bot in seating]
        self.view: View | None = None
        """What a bot that decides for many has to decide on."""
        self.asked = [True] * len(seating)
        """By seat, whether it is the bot itself that is asked, and not a novice that took over."""
        self.seconds = [0.0] * len(seating)
        self.decisions = [0] * len(seating)

    def advance(self, only_round: bool) -> bool:
        """Play until a bot that decides for many has to; False at the end of the round or game."""
        game, seconds, decisions, asked = self.game, self.seconds, self.decisions, self.asked
        apply, look = game.apply, game.view
        decides = [player.decide for player in self.players]
        while True:
            phase = game.phase
            if phase is _DEAL:
                if only_round and game.sheet:
                    return False
                apply(act.DEAL)
                asked[:] = [True] * len(asked)
                continue
            if phase is _OVER:
                return False
            seat = game.turn
            assert seat is not None
            view = look(seat)
            if view.turns[seat] >= MOST_TURNS:
                apply(harmless(view))
                continue
            decide = decides[seat]
            if decide is None:
                self.view = view
                return True
            counts = asked[seat]
            start = perf_counter()
            try:
                try:
                    action = decide(view)
                finally:
                    waited = perf_counter() - start
                apply(action)
            except Exception as error:  # a bot may hand over anything
                news = self.players[seat].failed(error)
                if self.players[seat].outside:
                    counts, asked[seat] = news, False
                apply(harmless(view))
            if counts:
                seconds[seat] += waited
                decisions[seat] += 1

    @property
    def waits_for(self) -> _Player:
        """Whose decision it is."""
        assert self.game.turn is not None
        return self.players[self.game.turn]

    def close(self) -> None:
        """Tell each bot what it took."""
        for player, seconds, decisions in zip(
            self.players, self.seconds, self.decisions, strict=True
        ):
            player.effort.seconds += seconds
            player.effort.decisions += decisions


def _told(error: Exception) -> RackoError:
    return RackoError(
        N_("It failed with an error of its own, {kind}: {reason}"),
        kind=type(error).__name__,
        reason=error,
    )


class _Deck:
    """A deck that is being played from all seats."""

    def __init__(self, contest: Contest, number: int) -> None:
        self.rules = contest.rules
        self.seed = seed = contest.seed_of(number)
        rules = contest.rules
        # The same deck is shuffled once, not for every rotation.
        self.decks = cache(lambda round_number: Deck.for_round(rules, seed, round_number))
        count = len(contest.bots)
        self.outcome = Outcome(
            number,
            scores=[Score() for _ in range(count)],
            met=[[0] * count for _ in range(count)],
            beat=[[0.0] * count for _ in range(count)],
        )
        tables = list(contest.tables(number))
        self.open = len(tables)
        self.records = [""] * len(tables)
        self.tables = tables


class Hall:
    """The bots of a contest, and the tables they play at, in this process."""

    def __init__(self, contest: Contest, make: Make, width: int = WIDTH) -> None:
        """Raises what `make` raises, with every bot closed that had been made."""
        self.contest = contest
        self._width = width
        self._players: list[_Player] = []
        try:
            for name in contest.bots:
                self._players.append(_Player(make(name), outside=is_outside(name)))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of whatever the bots hold; nothing can be played after that."""
        for player in self._players:
            close = getattr(player.bot, "close", None)
            if close is not None:
                close()
        self._players = []

    def efforts(self) -> list[Effort]:
        """What it took each bot since this was asked last."""
        told = [player.effort for player in self._players]
        for player in self._players:
            player.effort = Effort()
        return told

    def play(self, decks: Iterable[int]) -> Iterator[Outcome]:
        """Play these decks, and give each one's outcome when its last table is done."""
        only_round = self.contest.unit == "rounds"
        tables = self._tables(decks)
        waiting: list[_Table] = []
        while True:
            while len(waiting) < self._width and (table := next(tables, None)) is not None:
                if table.advance(only_round):
                    waiting.append(table)
                else:
                    yield from self._close(table)
            if not waiting:
                return
            asked, waiting = waiting, []
            self._ask(asked)
            for table in asked:
                if table.advance(only_round):
                    waiting.append(table)
                else:
                    yield from self._close(table)

    def _ask(self, tables: Sequence[_Table]) -> None:
        """Let every bot decide at once for all the tables that wait for it."""
        waiting: dict[_Player, list[_Table]] = {}
        for table in tables:
            waiting.setdefault(table.waits_for, []).append(table)
        for player, mine in waiting.items():
            player.many(mine)

    def _tables(self, decks: Iterable[int]) -> Iterator[_Table]:
        for number in decks:
            deck = _Deck(self.contest, number)
            for match, seating in deck.tables:
                yield _Table(deck, match, seating, self._players)

    def _close(self, table: _Table) -> Iterator[Outcome]:
        deck = table.deck
        table.close()
        _count(deck.outcome, table.game, table.seating, whole=self.contest.unit == "games")
        if self.contest.recorded:
            place = deck.tables.index((table.match, table.seating))
            deck.records[place] = _record(self.contest, table)
        deck.open -= 1
        if not deck.open:
            deck.outcome.records = deck.records if self.contest.recorded else []
            yield deck.outcome


def _count(outcome: Outcome, game: Game, seating: Seating, *, whole: bool) -> None:
    rules = game.rules
    sides = rules.sides
    bots = [seating[seats[0]] for seats in sides]
    scores, rivals = outcome.scores, len(bots) - 1
    outcome.tables += 1
    for ended in game.sheet:
        outcome.rounds += 1
        points = [sum([ended.scores[seat].points for seat in seats]) for seats in sides]
        total = sum(points)
        for bot, mine in zip(bots, points, strict=True):
            score = scores[bot]
            score.rounds += 1
            score.points += mine
            score.margin += mine - (total - mine) / rivals
        out = ended.went_out
        if out is None:
            outcome.stalemates += 1
            for bot in bots:
                scores[bot].stalemates += 1
        else:
            score = scores[seating[out]]
            score.wins += 1
            score.turns += ended.turns[out]
    if whole and game.result is not None:
        for bot in bots:
            scores[bot].games += 1
        for side in game.result.winners:
            scores[bots[side]].games_won += 1 / len(game.result.winners)
    met, beat, totals = outcome.met, outcome.beat, game.totals
    for side, bot in enumerate(bots):
        for other_side, other in enumerate(bots):
            if other != bot:
                mine, theirs = totals[side], totals[other_side]
                met[bot][other] += 1
                beat[bot][other] += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def _record(contest: Contest, table: _Table) -> str:
    seats = [seat_name(contest.bots[bot]) for bot in table.seating]
    return write(table.game, seats, seed=table.deck.seed)


def seat_name(bot: str) -> SeatName:
    """How a bot stands in a record."""
    kind = OUTSIDE if is_outside(bot) else bot
    return SeatName(bot[:MAX_TEXT], kind if re.fullmatch(KEY, kind) else "bot")
