"""All tables of a server: made, found, joined and dropped; and what happens in which order.

Sans-I/O but for the store: connections hand in messages, time comes in as an argument, and what
follows from them goes out by `post`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Collection
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final

from racko_core import seating as s
from racko_core.bots import is_outside, no_such_bot
from racko_core.deck import fresh_seed
from racko_core.errors import N_, RackoError, RulesError
from racko_core.rules import Seat
from racko_core.seating import Do, Input, Kind, Options, Setup, Stage
from racko_core.table import Refused
from racko_net.codec import input_from_plain
from racko_net.keys import (
    HASTY,
    NO_SUCH_TABLE,
    NOT_YOURS,
    TOO_MANY_GUESSES,
    WRONG_PASSWORD,
    Meeting,
    locked,
    new_token,
    proof,
)
from racko_net.protocol import (
    Ask,
    Bye,
    Create,
    Join,
    Leave,
    List,
    Reply,
    Resume,
    Seated,
    Tables,
    Watch,
    encode,
)
from racko_net.reasons import unfit
from racko_net.sentence import Sentence
from racko_net.serverside.authority import USUAL, options_from, rules_from
from racko_net.serverside.backstage import Backstage
from racko_net.serverside.codes import new_code
from racko_net.serverside.limits import Bucket, Buckets, Keep, Limits, take_each
from racko_net.serverside.logline import line
from racko_net.serverside.measures import TOO_OLD
from racko_net.serverside.peers import Peer, Place
from racko_net.serverside.post import Post
from racko_net.serverside.room import Room
from racko_net.serverside.space import superfluous
from racko_net.store import Store
from racko_net.text import clean_name, quoted

_log = logging.getLogger(__name__)

Request = List | Create | Join | Watch | Resume | Leave | Ask

_PAGE: Final = 40
"""Tables in one list."""
_DESERTED: Final = N_("This table was closed, because nobody played at it.")


class Lobby:
    """The rooms of one server."""

    def __init__(
        self,
        store: Store,
        *,
        limits: Limits | None = None,
        keep: Keep | None = None,
        options: Options | None = None,
        rng: random.Random | None = None,
        backstage: Backstage | None = None,
        written: Callable[[], None] = lambda: None,
    ) -> None:
        """Without `backstage` no program plays. `written` is called after each write to `store`."""
        self.store = store
        self.rooms: dict[str, Room] = {}
        """By code, the oldest first."""
        self.post = Post(store, self._tell_trouble, written)
        """What goes to the disk and to the people."""
        self.limits = limits or Limits()
        self._now = 0.0
        self.words_from = Buckets(self.limits.words, self.limits.words_burst, self.clock)
        self.visits_from = Buckets(self.limits.visits, self.limits.visits_burst, self.clock)
        self.records_from = Buckets(self.limits.records, self.limits.records_burst, self.clock)
        many = self.limits.records_here
        self.records_here = Bucket(
            many * self.limits.records, many * self.limits.records_burst, self.clock
        )
        self._guesses_from = Buckets(1.0 / self.limits.guess_every, self.limits.guesses, self.clock)
        self._keep = keep or Keep()
        self._options = options or USUAL
        self._rng = rng or random.SystemRandom()
        self._backstage = backstage
        self._reserved: set[str] = set()  # codes of tables on disk that are not here
        self._alarms: list[tuple[float, int, Room]] = []
        self._order = count()
        self._numbers = count(1)

    def load(self, now: float) -> None:
        """Bring back every table that the store holds."""
        for saved in sorted(self.store.open_tables(), key=lambda saved: saved.id):
            if saved.code is None:
                continue
            try:
                room = Room.restored(self, saved.code, saved.setup, saved.id, saved.extra, now)
            except Exception:  # one damaged table must not keep the others from coming back
                _log.exception("%s", line("table-damaged", table=saved.code))
                continue
            self._add(room)
            self._wake(room)
        self._reserved = self.store.codes() - self.rooms.keys()
        self.post.flush(now)

    # What rooms need (see `Desk`)

    def clock(self) -> float:  # noqa: D102
        return self._now

    def admit(self, level: str) -> None:  # noqa: D102
        if self._backstage is not None:
            self._backstage.admit(level, self.rooms.values())
        elif is_outside(level):
            raise no_such_bot(level)

    def write(self, room: Room, job: Callable[[], None]) -> None:  # noqa: D102
        self.post.write(room, job)

    def send(self, peer: Peer, frames: bytes) -> None:  # noqa: D102
        self.post.send(peer, frames)

    def broadcast(self, room: Room, number: int, frames: bytes) -> None:  # noqa: D102
        self.post.broadcast(room, number, frames)

    # What connections ask

    def handle(self, peer: Peer, request: Request, now: float) -> None:
        """Answer a request."""
        self._now = now
        try:
            self._answer(peer, request, now)
        except RackoError as error:
            self.send(peer, encode(Reply(request.id, "rejected", error=Sentence.of(error))))
        finally:
            peer.asked = True

    def put(self, room: Room, given: Input, now: float) -> None:
        """Do what a program in a room has decided. Raises `RackoError` where that is refused."""
        if not room.closed:
            room.apply(given, now)
            self._wake(room)

    def replace(self, code: str, levels: Collection[str], now: float) -> None:
        """Have a novice play on at a table, for good, in the places of programs of these levels."""
        room = self.rooms.get(code)
        for seat, chair in enumerate(room.table.chairs if room is not None else ()):
            if room is not None and chair.kind is Kind.BOT and chair.level in levels:
                self.put(room, s.Forfeit(seat, "bot-missing"), now)

    def gone(self, peer: Peer, now: float) -> None:
        """A connection is closed."""
        place = peer.place
        if place is not None:
            place.room.let_go(peer, now)
            self._wake(place.room)
            if place.member is not None:
                _log.info("%s", line("away", table=place.room.code, seat=place.member.seat))

    def _answer(self, peer: Peer, request: Request, now: float) -> None:
        match request:
            case Ask():
                self._ask(peer, request, now)
            case List():
                self._list(peer, request)
            case Create():
                self._create(peer, request, now)
            case Join():
                room = self._room(peer, request.table, request.password)
                self._seat(peer, room, request.id, request.seat, now)
            case Watch():
                self._watch(peer, request, now)
            case Resume():
                self._resume(peer, request, now)
            case Leave():
                self._leave(peer, request, now)

    def _list(self, peer: Peer, request: List) -> None:
        rooms = [
            room
            for room in reversed(self.rooms.values())
            if request.below is None or room.number < request.below
        ][request.offset :]
        page, rest = rooms[:_PAGE], rooms[_PAGE:]
        listed = [room.listed for room in page]
        below = page[-1].number if rest else 0
        self.send(peer, encode(Tables(request.id, listed, len(self.rooms), below)))

    def _create(self, peer: Peer, request: Create, now: float) -> None:
        self._free(peer)
        setup = Setup(
            rules_from(request.rules),
            fresh_seed(),
            options_from(request.options, self._options),
            clean_name(request.name) if request.name else "",
        )
        for room in superfluous(self.rooms.values(), peer, self.limits, self._keep, now):
            self._close(room, _DESERTED)
        code = new_code(self._rng, self.rooms, self._reserved)
        room = Room(self, code, setup, password=locked(request.password or ""))
        room.made_from, room.made_by = peer.address, peer.name
        room.trouble = self.post.trouble
        room.create(now)
        self._add(room)
        _log.info("%s", line("table-made", table=room.code, by=peer.name))
        try:
            self._seat(peer, room, request.id, request.seat, now)
        except RackoError:
            self._close(room, N_("This table was closed."))
            raise

    def _add(self, room: Room) -> None:
        room.number = next(self._numbers)
        self.rooms[room.code] = room

    def _seat(self, peer: Peer, room: Room, request: str, seat: Seat | None, now: float) -> None:
        self._free(peer)
        token = new_token()
        member = room.join(peer, peer.name, seat, token, now)
        self.send(peer, encode(Seated(request, room.code, member.seat, token=token)))
        room.show(peer, member.seat)
        self._wake(room)
        _log.info("%s", line("joined", table=room.code, seat=member.seat, name=peer.name))

    def _watch(self, peer: Peer, request: Watch, now: float) -> None:
        self._free(peer)
        room = self._room(peer, request.table, request.password)
        if not room.table.options.spectators:
            raise Refused(N_("Nobody may watch at this table."))
        if len(room.watchers) >= self.limits.watchers:
            raise Refused(N_("Too many people watch this table already."))
        if not take_each(*room.measures.visits(peer)):
            if peer.asked:
                raise Refused(HASTY)
            self._put_off(peer)  # it has come back: refused, a client would give the table up
            return
        room.watch(peer)
        self.send(peer, encode(Seated(request.id, room.code)))
        room.show(peer, None)
        self._wake(room)
        _log.info("%s", line("watching", table=room.code, name=peer.name))

    def _resume(self, peer: Peer, request: Resume, now: float) -> None:
        room = self.rooms.get(request.table.upper())
        if room is None:
            raise Refused(NO_SUCH_TABLE, code=quoted(request.table, 12))
        self._free(peer)
        meeting = Meeting(peer.nonce, request.nonce, peer.certificate)
        member = room.holder(request.proof, meeting)
        if member is None:
            raise Refused(NOT_YOURS)
        if not member.wishes.take():  # its seat is not lost: the client is to try again
            self._put_off(peer)
            return
        room.take_back(peer, member, now)
        shown = proof("server", member.digest, meeting)
        self.send(peer, encode(Seated(request.id, room.code, member.seat, shown)))
        room.show(peer, member.seat, request.seq)
        self._wake(room)
        _log.info("%s", line("back", table=room.code, seat=member.seat))

    def _put_off(self, peer: Peer) -> None:
        """Have a client go, and come back by itself a little later."""
        peer.end(Bye("limit", Sentence.of(RackoError(HASTY)), retry=True))

    def _leave(self, peer: Peer, request: Leave, now: float) -> None:
        place = peer.place
        if place is None:
            raise Refused(N_("You are at no table."))
        place.room.let_go(peer, now)
        self.send(peer, encode(Reply(request.id, seq=place.room.table.seq)))
        place.room.remove(peer, None)
        self._wake(place.room)

    def _ask(self, peer: Peer, request: Ask, now: float) -> None:
        place = peer.place
        if place is None:
            raise Refused(N_("You are at no table."))
        room = place.room
        if room.measures.inputs >= self.limits.inputs and room.table.stage is not Stage.PLAYING:
            self._close(room, TOO_OLD)
            raise Refused(TOO_OLD)
        self.send(peer, b"")  # whoever asks is told first
        done = place.replies.get(request.id)
        reply = Reply(request.id, seq=done) if done else self._do(peer, place, request, now)
        self.send(peer, encode(reply))
        if reply.result == "stale" and place.member is not None:
            room.correct(peer, place.member.seat)
        self._wake(room)

    def _do(self, peer: Peer, place: Place, request: Ask, now: float) -> Reply:
        room, table = place.room, place.room.table
        try:
            given = input_from_plain(request.input)
        except ValueError as error:
            if isinstance(error.__cause__, RulesError):  # a sentence already
                raise error.__cause__ from None
            raise Refused(
                N_("This request cannot be read ({reason})."), reason=unfit(error)
            ) from None
        moves = isinstance(given, Do) and place.member is not None
        if moves and not table.game_seq <= request.seq <= table.seq:
            stale = Refused(N_("The table has moved on; look again."))
            return Reply(request.id, "stale", table.seq, Sentence.of(stale))
        if isinstance(given, s.Say) and not take_each(*room.measures.words(peer, place)):
            raise Refused(N_("You say a lot; wait a little."))
        if place.member is not None:
            room.ask(place.member, given, request.id, now)
        elif isinstance(given, s.Say):
            room.say(peer, given.text, now)
        else:
            raise Refused(N_("You are watching; only the players can do that."))
        place.replies.keep(request.id, table.seq)
        return Reply(request.id, seq=table.seq)

    def _free(self, peer: Peer) -> None:
        if peer.place is not None:
            raise Refused(N_("You are at a table; leave it first."))

    def _room(self, peer: Peer, code: str, password: str | None) -> Room:
        room = self.rooms.get(code.strip().upper())
        if room is None:
            raise Refused(N_("There is no table “{code}”."), code=quoted(code, 12))
        if not room.locked:
            return room
        if not password:
            raise Refused(N_("This table has a password."))
        guesses: tuple[Bucket, ...] = (peer.guesses, room.measures.guesses)
        if peer.address:
            guesses = (self._guesses_from.of(peer.address),)
        if any(bucket.wait() > 0.0 for bucket in guesses):  # the right one is not looked at either
            raise Refused(TOO_MANY_GUESSES)
        if not room.admits(password):
            take_each(*guesses)
            raise Refused(WRONG_PASSWORD)
        return room

    def tidy(self) -> None:
        """Forget what was measured of addresses that asked for nothing in a while."""
        self.words_from.tidy()
        self.visits_from.tidy()
        self.records_from.tidy()
        self._guesses_from.tidy()

    # Time

    def next_due(self) -> float | None:
        """When `run` has something to do; None for never."""
        times = [self._alarms[0][0]] if self._alarms else []
        if self.post.retry_at is not None:  # the disk was full
            times.append(self.post.retry_at)
        return min(times, default=None)

    def run(self, now: float) -> None:
        """Do one thing in each room where something is due."""
        ready: list[Room] = []
        while self._alarms and self._alarms[0][0] <= now:
            when, _, room = heappop(self._alarms)
            if room.wake == when and not room.closed:
                room.wake = None
                ready.append(room)
        for room in ready:
            try:
                useful = room.run(now, self._keep)
            except Exception:  # a fault in one room must not stop the others
                _log.exception("%s", line("fault", table=room.code))
                self._close(room, N_("Something went wrong at this table; it was closed."))
                continue
            if not useful:
                self._close(room, _DESERTED)
                continue
            self._wake(room)

    def _wake(self, room: Room) -> None:
        if room.closed:
            return
        if self._backstage is not None:
            self._backstage.look(room)
        when = room.next_due(self._keep)
        if when is not None and when != room.wake:
            heappush(self._alarms, (when, next(self._order), room))
        room.wake = when
        if len(self._alarms) > 4 * len(self.rooms) + 64:  # most of them are of no use any more
            self._alarms = [alarm for alarm in self._alarms if alarm[2].wake == alarm[0]]
            heapify(self._alarms)

    def _close(self, room: Room, template: str) -> None:
        if room.closed:
            return
        room.close(Sentence.of(RackoError(template)))
        del self.rooms[room.code]
        if room.unsaved:
            self._reserved.add(room.code)
        if self._backstage is not None:
            self._backstage.forget(room)
        _log.info("%s", line("table-closed", table=room.code))

    def close(self) -> None:
        """Let everyone go, for the server stops; the tables stay as they are."""
        for room in self.rooms.values():
            room.watchers.clear()
            for member in room.members.values():
                member.peer = None

    def _tell_trouble(self, trouble: Sentence | None) -> None:
        for room in self.rooms.values():
            room.tell_trouble(trouble)

    # Figures

    def playing(self) -> int:
        """Tables with a game in play."""
        return sum(room.table.stage is Stage.PLAYING for room in self.rooms.values())

    def members(self) -> tuple[int, int]:
        """Persons at tables: who are here, and who are not."""
        members = [member for room in self.rooms.values() for member in room.members.values()]
        here = sum(member.peer is not None for member in members)
        return here, len(members) - here

    def watchers(self) -> int:
        """Spectators at all tables."""
        return sum(len(room.watchers) for room in self.rooms.values())
