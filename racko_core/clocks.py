"""The clocks of a table: when something is due there by itself, and what that is.

Three kinds of them run. One measures since the game last moved: for bots, the next deal and a
rematch. One measures the turn. And whoever is away has a time of grace, since they left. The
table says when the first two begin, and asks nothing while it rests.
"""

from __future__ import annotations

from collections.abc import Sequence

from racko_core import actions as act
from racko_core.bots import is_outside
from racko_core.bots.thinking import thinking_time
from racko_core.game import Game
from racko_core.rules import Seat
from racko_core.seating import Chair, Do, Expire, Input, Kind, Options, Relieve, Rematch
from racko_core.view import Phase

Due = tuple[float, Input | Seat]
"""When what is to be done; a seat stands for the decision of its bot."""


class Clocks:
    """What they measure from, and what that makes due for a game, chairs and options."""

    def __init__(self) -> None:
        self.moved = 0.0
        """When the game last moved, or could move again."""
        self.turn = 0.0
        """When the turn began, or its time did."""
        self._held: float | None = None  # since when the turn's stands, for a bot was called in

    def begin(self, now: float) -> None:
        """Start both: a game begins."""
        self.move(now)
        self.turn = now

    def move(self, now: float) -> None:
        """The game moved."""
        self.moved = now
        self._held = None

    def limit(self, now: float) -> None:
        """The turn has all its time again, for it has another limit."""
        self.turn = now
        if self._held is not None:
            self._held = now

    def call_in(self, now: float) -> None:
        """A bot is to go on with the turn of somebody who is away."""
        self.moved = self._held = now

    def take_up(self, now: float) -> None:
        """Its person is back, and has what was left of its time: all of it, if the game moved
        since; else whoever hangs up before each limit would have all the time in the world.
        """
        self.turn = now if self._held is None else self.turn + now - self._held
        self.move(now)

    def go_on(self, now: float, since: float | None) -> None:
        """After a rest; see `after_rest`."""
        self.moved = after_rest(self.moved, now, since)
        self.turn = after_rest(self.turn, now, since)
        if self._held is not None:
            self._held = after_rest(self._held, now, since)

    def next(self, game: Game | None, chairs: Sequence[Chair], options: Options) -> Due | None:
        """What comes next by itself; None for nothing."""
        waiting: list[Due] = []
        if options.grace is not None:
            waiting += [
                (chair.away_since + options.grace, Relieve(seat))
                for seat, chair in enumerate(chairs)
                if chair.away_since is not None and not chair.relieved
            ]
        step = None if game is None else self._step(game, chairs, options)
        if step is not None:
            waiting.append(step)
        return min(waiting, key=lambda due: due[0], default=None)

    def _step(self, game: Game, chairs: Sequence[Chair], options: Options) -> Due | None:
        people = [chair for chair in chairs if chair.kind is Kind.HUMAN]
        all_ready = all(chair.ready or chair.away for chair in people)
        if game.phase is Phase.OVER:
            return (self.moved, Rematch()) if people and all_ready else None
        assert game.turn is not None
        if game.phase is Phase.DEAL:
            deal = Do(game.turn, act.DEAL)
            if not game.round or all_ready:
                return self.moved, deal
            after = options.deal_after
            return None if after is None else (self.moved + after, deal)
        chair = chairs[game.turn]
        if is_program(chair):
            return None
        if chair.plays_itself:
            thought = thinking_time(chair.level, game.phase, len(game.actions))
            return self.moved + options.bot_pause * thought, game.turn
        ends = self.turn_ends(game, chairs, options)
        return None if ends is None else (ends, Expire(game.turn))

    def asks(
        self, game: Game | None, chairs: Sequence[Chair], options: Options
    ) -> tuple[Seat, float] | None:
        """The seat whose program has to decide, and when that is due."""
        seat = deciding(game)
        if seat is None or not is_program(chairs[seat]):
            return None
        return seat, self.moved + options.bot_pause

    def turn_ends(
        self, game: Game | None, chairs: Sequence[Chair], options: Options
    ) -> float | None:
        """When the time of a person's turn is over; None where there is no end to it."""
        seat = deciding(game)
        if seat is None or options.turn_limit is None or chairs[seat].plays_itself:
            return None
        return self.turn + options.turn_limit


def after_rest(start: float, now: float, since: float | None) -> float:
    """What a clock measures from that measured from `start` before a rest `since` then, in which it
    stood; None if it is to begin anew.
    """
    return now if since is None else start + now - max(start, since)


def deciding(game: Game | None) -> Seat | None:
    """Whose turn it is; None before a game, between its rounds, and after it."""
    return None if game is None or game.phase is Phase.DEAL else game.turn


def is_program(chair: Chair) -> bool:
    """Whether another program plays there, which must be asked."""
    return chair.kind is Kind.BOT and is_outside(chair.level)
