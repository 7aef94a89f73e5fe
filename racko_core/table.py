"""A table: people and bots on chairs, and the games they play there.

Sans-I/O: everything that changes a table is an `Input` given to `apply` together with the time,
and everything it has to say is returned. It starts nothing by itself; `due` says what time alone
has brought about (a bot's step, a clock that ran out, a deal, a rematch), and whoever runs the
table puts that through `apply` like anything else. Only a bot in another program is not asked by
the table: `asks` says when that is wanted. So a table is its `Setup` and the journal of its
inputs: write them down, and `Table.restore` brings it back to the card in a hand.

The same Table runs a game in one terminal and inside the server.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import LEVELS, bot, check_level, decide_safely, no_such_bot
from racko_core.clocks import Clocks, Due, after_rest, deciding, is_program
from racko_core.deck import Deck
from racko_core.errors import N_, RackoError
from racko_core.events import seen_by
from racko_core.game import Game
from racko_core.rules import Seat
from racko_core.seating import Chair, Input, Kind, News, Notice, Remark, Setup, Stage, TableInfo
from racko_core.view import Phase, View

_BY_THE_CLOCK: Final[dict[Phase, act.Action]] = {
    Phase.TURN: act.DRAW,
    Phase.DRAWN: act.DISCARD,
    Phase.CALL: act.GO_OUT,
}
"""What is done, step by step, for whoever let the time of their turn run out."""


class Refused(RackoError):
    """Something that the table does not do now; nothing has changed."""


class Table:
    """One table. `apply` changes it, `due` says what comes next, `view` and `info` show it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.options = setup.options
        self.stage = Stage.GATHERING
        self.chairs: list[Chair] = [Chair() for _ in range(setup.rules.players)]
        self.owner: Seat | None = None
        self.paused = False
        self.game_number = 0
        self.game: Game | None = None
        self.seq = 0
        """Number of the last notice."""
        self.game_seq = 0
        """Number of the last notice that came from the game."""
        self._clocks = Clocks()
        self._rests_since = 0.0
        self._open = False  # whether spectators may see the racks of this round
        self._promise = self._next_opening()
        self._hinted = -1  # the actions done when somebody was helped last

    @classmethod
    def restore(cls, setup: Setup, journal: Iterable[tuple[float, Input]]) -> Table:
        """The table to which these inputs happened at these times."""
        table = cls(setup)
        for at, given in journal:
            table.apply(given, at)
        return table

    # What can be asked

    @property
    def info(self) -> TableInfo:
        """What everybody may know of the table."""
        return TableInfo(
            name=self.setup.name,
            stage=self.stage,
            rules=self.rules,
            options=self.options,
            chairs=tuple(self.chairs),
            owner=self.owner,
            paused=self.paused,
            game=self.game_number,
            turn_ends=self._turn_ends(),
            commitment="" if self.stage is Stage.PLAYING else self._promise,
        )

    def view(self, seat: Seat | None) -> View | None:
        """What `seat` (None: a spectator) may know of the game; None before the first one.

        In rounds that were dealt with `Options.open_racks` a spectator also sees every rack.
        """
        if self.game is None:
            return None
        view = self.game.view(seat)
        if seat is None and self._open and self.options.open_racks and view.racks:
            view.racks = tuple(
                self.game.view(owner).racks[owner] for owner in range(self.rules.players)
            )
        return view

    @staticmethod
    def seen(notices: Iterable[Notice], seat: Seat | None) -> tuple[Notice, ...]:
        """The notices as `seat` may know them."""
        return tuple(
            notice
            if isinstance(notice.news, Remark | s.Said)
            else Notice(notice.seq, seen_by(notice.news, seat))
            for notice in notices
        )

    @property
    def seed(self) -> bytes:
        """The seed of the game in play; secret until it has ended."""
        return self._seed_of(self.game_number)

    def _seed_of(self, game: int) -> bytes:
        name = b"racko game " + game.to_bytes(4, "big")
        return hmac.digest(self.setup.seed, name, "sha256")

    def _next_opening(self) -> str:
        """The commitment to the draw for the dealer of the next game, by the rules as they are."""
        return Deck.for_round(self.rules, self._seed_of(self.game_number + 1), 0).commitment

    def people(self) -> list[Seat]:
        """The seats of persons, here or away."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind is Kind.HUMAN]

    @property
    def deserted(self) -> bool:
        """Whether people play here and not one of them is present."""
        people = self.people()
        return bool(people) and all(self.chairs[seat].away for seat in people)

    @property
    def resting(self) -> bool:
        """Whether no clock runs and no bot plays, for the table is paused or deserted."""
        return self.paused or self.deserted

    # What time brings

    def due(self, now: float) -> Input | None:
        """What has to be done at `now` by itself: `apply` it, then ask again."""
        due = self._next()
        if due is None or due[0] > now:
            return None
        given = due[1]
        if isinstance(given, Seat):
            view = self.view(given)
            assert view is not None
            return s.Do(given, decide_safely(bot(self.chairs[given].level), view))
        return given

    def next_due(self) -> float | None:
        """The time at which `due` will have something, as things stand; None for never."""
        due = self._next()
        return None if due is None else due[0]

    def _next(self) -> Due | None:
        if self.stage is Stage.GATHERING or self.resting:
            return None
        return self._clocks.next(self.game, self.chairs, self.options)

    def _turn_ends(self) -> float | None:
        if self.resting:
            return None
        return self._clocks.turn_ends(self.game, self.chairs, self.options)

    def asks(self) -> tuple[Seat, float] | None:
        """The seat whose bot is another program and has to decide, and when that is due.

        Whoever runs the table asks it, and applies its answer then, or a `Forfeit` at any time.
        """
        if self.resting:
            return None
        return self._clocks.asks(self.game, self.chairs, self.options)

    # What can be done

    def apply(self, given: Input, now: float) -> list[Notice]:
        """Do what is asked at the time `now` and return what happened.

        Raises `Refused` or `IllegalAction`, with nothing changed, when it cannot be done.
        """
        rested = self.resting
        match given:
            case s.Do(seat, action):
                news = self._do(seat, action, now)
            case s.Sit():
                news = self._sit(given)
            case s.Stand(seat):
                news = self._stand(seat)
            case s.Move(seat, to):
                news = self._move(seat, to)
            case s.Ready(seat, ready):
                self._person(seat)
                self._change(seat, ready=ready)
                news = []
            case s.Start():
                news = self._start(now)
            case s.Lose(seat):
                self._person(seat)
                self._change(seat, away_since=now, ready=False)
                news = [self._remark("away", seat)]
            case s.Return(seat):
                news = self._return(seat, now)
            case s.Relieve(seat):
                news = self._relieve(seat, now)
            case s.Expire(seat):
                news = self._expire(seat, now)
            case s.Forfeit(seat, why):
                news = self._forfeit(seat, why)
            case s.Hint(seat):
                news = self._hint(seat)
            case s.Say(seat, name, text):
                news = [s.Said(seat, name, text)]
            case s.Pause(paused):
                news = self._pause(paused)
            case s.HandOver(seat):
                self._person(seat)
                self.owner = seat
                news = [self._remark("owner", seat)]
            case s.Configure():
                news = self._configure(given, now)
            case s.Rematch():
                news = self._rematch(now)
        if self.resting and not rested:
            self._rests_since = now
        elif rested and not self.resting and self.stage is not Stage.GATHERING:
            self._wake(now, self._rests_since if isinstance(given, s.Pause) else None)
        return self._number(news)

    def _wake(self, now: float, since: float | None) -> None:
        """After a pause, `since` then, every clock goes on where it stood: whoever may pause would
        have all the time in the world. After a rest for want of people they all begin anew.
        """
        self._clocks.go_on(now, since)
        for seat, chair in enumerate(self.chairs):
            if chair.away_since is not None and not chair.relieved:
                self._change(seat, away_since=after_rest(chair.away_since, now, since))

    def _number(self, news: Iterable[News]) -> list[Notice]:
        notices = []
        for item in news:
            self.seq += 1
            if not isinstance(item, Remark | s.Said):
                self.game_seq = self.seq
            notices.append(Notice(self.seq, item))
        return notices

    def _do(self, seat: Seat, action: act.Action, now: float) -> list[News]:
        game = self.game
        if game is None or self.stage is not Stage.PLAYING:
            raise Refused(N_("No game is being played at this table now."))
        if self.paused:
            raise Refused(N_("The table is paused; nothing can be done until it goes on."))
        if seat != game.turn:
            raise Refused(N_("It is not your turn."))
        news: list[News] = [*game.apply(action)]
        self._clocks.move(now)
        if action == act.DEAL:  # else an owner in a round could open the racks for a friend
            self._open = self.options.open_racks
        if game.phase is Phase.TURN:
            self._clocks.turn = now
        if self.chairs[seat].missed:
            self._change(seat, missed=0)
        if game.phase in (Phase.DEAL, Phase.OVER):
            self._unready()
        if game.phase is Phase.OVER:
            self.stage = Stage.FINISHED
            self._promise = self._next_opening()
        return news

    def _expire(self, seat: Seat, now: float) -> list[News]:
        game, chair = self.game, self._person(seat)
        if game is None or seat != deciding(game):
            return []  # the turn is over; journals of before may hold a second one for a turn
        news: list[News] = [self._remark("expired", seat)]
        while seat == deciding(game):
            news += self._do(seat, _BY_THE_CLOCK[game.phase], now)
        missed = chair.missed + 1
        self._change(seat, missed=missed)
        if missed >= 2 and not chair.away:
            self._change(seat, away_since=now, ready=False)
            news.append(self._remark("away", seat))
        return news

    def _forfeit(self, seat: Seat, why: s.Failing) -> list[News]:
        self._seat(seat)
        if not is_program(self.chairs[seat]):
            raise Refused(N_("No program plays at that seat."))
        self._change(seat, level=s.UNDERSTUDY)
        return [self._remark(why, seat)]

    def _hint(self, seat: Seat) -> list[News]:
        game, chair = self.game, self._person(seat)
        if game is None or seat != deciding(game):
            raise Refused(N_("A hint comes when it is your turn."))
        if self._hinted != len(game.actions):
            self._hinted = len(game.actions)
            self._change(seat, hints=chair.hints + 1)
        return []

    def _sit(self, given: s.Sit) -> list[News]:
        self._seat(given.seat)
        if self.stage is not Stage.GATHERING or self.chairs[given.seat].kind is not Kind.OPEN:
            raise Refused(N_("That chair is taken; choose another one."))
        if given.kind is Kind.BOT:
            check_level(given.level)
        elif given.level not in LEVELS:
            raise no_such_bot(given.level)  # it would play for this person
        self.chairs[given.seat] = Chair(
            given.kind, given.name, given.level, ready=given.kind is Kind.BOT
        )
        if self.owner is None and given.kind is Kind.HUMAN:
            self.owner = given.seat
        return [self._remark("joined", given.seat)]

    def _stand(self, seat: Seat) -> list[News]:
        self._seat(seat)
        chair = self.chairs[seat]
        if chair.kind is Kind.OPEN:
            raise Refused(N_("Nobody sits on that chair."))
        if chair.kind is Kind.BOT and self.stage is not Stage.GATHERING:
            return []  # as in journals of before this was refused to whoever asks for it
        left = self._remark("left", seat)
        if self.stage is Stage.GATHERING:
            self.chairs[seat] = Chair()
        else:
            self.chairs[seat] = Chair(Kind.BOT, chair.name, chair.level, ready=True)
        if self.owner != seat:
            return [left]
        count = len(self.chairs)
        others = [(seat + step) % count for step in range(1, count)]
        people = [other for other in others if self.chairs[other].kind is Kind.HUMAN]
        self.owner = people[0] if people else None
        return [left, self._remark("owner", self.owner)] if people else [left]

    def _move(self, seat: Seat, to: Seat) -> list[News]:
        self._person(seat)
        self._seat(to)
        if self.stage is not Stage.GATHERING or self.chairs[to].kind is not Kind.OPEN:
            raise Refused(N_("That chair is taken; choose another one."))
        self.chairs[to], self.chairs[seat] = self.chairs[seat], Chair()
        if self.owner == seat:
            self.owner = to
        return [self._remark("moved", to)]

    def _return(self, seat: Seat, now: float) -> list[News]:
        chair = self._person(seat)
        if not chair.away:
            return []
        if chair.relieved and seat == deciding(self.game):
            self._clocks.take_up(self._rests_since if self.resting else now)
        self._change(seat, away_since=None, relieved=False, missed=0)
        return [self._remark("back", seat)]

    def _relieve(self, seat: Seat, now: float) -> list[News]:
        self._person(seat)
        self._change(seat, relieved=True)
        if seat == deciding(self.game):
            self._clocks.call_in(now)
        return [self._remark("relieved", seat)]

    def _pause(self, paused: bool) -> list[News]:
        if paused == self.paused:
            return []
        self.paused = paused
        return [self._remark("paused" if paused else "resumed", self.owner)]

    def _configure(self, given: s.Configure, now: float) -> list[News]:
        news: list[News] = []
        if given.rules is not None and given.rules != self.rules:
            if self.stage is Stage.PLAYING:
                raise Refused(N_("The rules stay as they are until this game has ended."))
            players = given.rules.players
            if any(chair.kind is not Kind.OPEN for chair in self.chairs[players:]):
                raise Refused(N_("Somebody sits on a chair that would go; they must move first."))
            if self.stage is Stage.FINISHED and players != len(self.chairs):
                raise Refused(N_("A rematch has as many players as the game before it."))
            self.chairs = [*self.chairs[:players], *(Chair(),) * (players - len(self.chairs))]
            self.rules = given.rules
            self._promise = self._next_opening()
            self._unready()
            news.append(self._remark("rules"))
        if given.options is not None and given.options != self.options:
            if given.options.turn_limit != self.options.turn_limit:
                self._clocks.limit(now)
            self.options = given.options
            news.append(self._remark("options"))
        return news

    def _start(self, now: float) -> list[News]:
        if self.stage is not Stage.GATHERING:
            raise Refused(N_("The game has started already."))
        if any(chair.kind is Kind.OPEN for chair in self.chairs):
            raise Refused(N_("Some chairs are empty; wait for players or fill them with bots."))
        return self._new_game(now, "started")

    def _rematch(self, now: float) -> list[News]:
        if self.stage is not Stage.FINISHED:
            raise Refused(N_("There is no finished game to follow."))
        return self._new_game(now, "rematch")

    def _new_game(self, now: float, matter: s.Matter) -> list[News]:
        self.game_number += 1
        self.game = Game.new(self.rules, self.seed)
        self.stage = Stage.PLAYING
        self._clocks.begin(now)
        self._hinted = -1
        self._unready()
        self.chairs = [replace(chair, hints=0) for chair in self.chairs]
        return [self._remark(matter), self.game.opening]

    # Small change

    def _seat(self, seat: Seat) -> None:
        if seat not in range(len(self.chairs)):
            raise Refused(N_("There is no such seat at this table."))

    def _person(self, seat: Seat) -> Chair:
        self._seat(seat)
        if self.chairs[seat].kind is not Kind.HUMAN:
            raise Refused(N_("No person sits on that chair."))
        return self.chairs[seat]

    def _change(self, seat: Seat, **changes: object) -> None:
        self.chairs[seat] = replace(self.chairs[seat], **changes)  # type: ignore[arg-type]

    def _unready(self) -> None:
        for seat, chair in enumerate(self.chairs):
            if chair.kind is Kind.HUMAN:
                self._change(seat, ready=False)

    def _remark(self, matter: s.Matter, seat: Seat | None = None) -> Remark:
        return Remark(matter, seat, "" if seat is None else self.chairs[seat].name)
