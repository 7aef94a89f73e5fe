"""One table of a server: who sits at it from where, what they may ask, and what each is told.

Sans-I/O: it writes and sends through its `Desk`. Nothing that is sent is heard before what was
written down is on disk.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from racko_core import seating as s
from racko_core.errors import N_, RackoError
from racko_core.events import RoundStarted
from racko_core.rules import Seat
from racko_core.seating import Input, Kind, Notice, Remark, Said, Setup, Stage, TableInfo
from racko_core.table import Refused, Table
from racko_net.archive import record_of
from racko_net.keys import Meeting, digest, opens, proves
from racko_net.protocol import (
    Bye,
    Listed,
    Removed,
    Update,
    encode,
)
from racko_net.sentence import Sentence
from racko_net.serverside import telling
from racko_net.serverside.authority import allowed, unlike
from racko_net.serverside.limits import Bucket, Keep, take_each
from racko_net.serverside.logline import line
from racko_net.serverside.measures import Measures
from racko_net.serverside.peers import Desk, Member, Peer, Place, Replies
from racko_net.store import Entry
from racko_net.text import clean_chat

_log = logging.getLogger(__name__)

_TAIL: Final = 300
"""Notices kept for who comes back."""


class Room:
    """One table and everyone connected to it."""

    def __init__(self, desk: Desk, code: str, setup: Setup, *, password: str = "") -> None:
        self.code = code
        self.table = Table(setup)
        self.members: dict[int, Member] = {}
        """By number."""
        self.watchers: dict[Peer, int] = {}
        """Who watches, and the number of the first broadcast meant for them."""
        self.made_from = ""
        """The address of whoever made it, and their name."""
        self.made_by = ""
        self.trouble: Sentence | None = None
        """Why it cannot be saved now."""
        self.unsaved = False
        """Whether it is saved no longer, and never will be."""
        self.measures = Measures(desk)
        self.closed = False
        self.wake: float | None = None
        """For when the lobby has set its alarm."""
        self.empty_since: float | None = None
        self.id = 0
        """Its number in the store."""
        self.number = 0
        """Its number among the rooms of this run, in the order in which they are listed."""
        self._password = password  # as `keys.locked` keeps it
        self._desk = desk
        self._numbers = 0
        self._broadcasts = 0
        self._tail: deque[Notice] = deque(maxlen=_TAIL)
        self._told = self.table.info
        self._helped: set[Seat] = set()  # for whom a bot has played in this round
        self._poster: bytes | None = None  # what spectators are shown, until anything changes

    # On disk

    @classmethod
    def restored(
        cls, desk: Desk, code: str, setup: Setup, number: int, extra: dict[str, Any], now: float
    ) -> Room:
        """A room as it was written down; everyone at it is away until they come back."""
        room = cls(desk, code, setup, password=str(extra.get("password", "")))
        room.id = number
        room.made_from = str(extra.get("made_from", ""))
        room.made_by = str(extra.get("made_by", ""))
        for number_text, (seat, kept) in dict(extra.get("members", {})).items():
            room._admit(int(number_text), int(seat), bytes.fromhex(kept))
        room._numbers = int(extra.get("numbers", 0))
        for entry in desk.store.entries(number):
            room._replay(entry)
        room._told = room.table.info
        room.empty_since = now
        for seat, chair in enumerate(room.table.chairs):
            if chair.kind is Kind.HUMAN and not chair.relieved:
                room.apply(s.Lose(seat), now)
        return room

    def _replay(self, entry: Entry) -> None:
        self._tail.extend(self._played(entry.input, entry.at))
        self.measures.count(entry.input)
        owner, _, request = (entry.request or "").partition(":")
        if request and (member := self.members.get(int(owner))):
            member.replies.keep(request, self.table.seq)

    def _played(self, given: Input, at: float) -> Sequence[Notice]:
        """What comes of an input, at the time `at`."""
        helps = isinstance(given, s.Do) and self.table.chairs[given.seat].relieved
        notices = self.table.apply(given, at)
        if any(isinstance(notice.news, RoundStarted) for notice in notices):
            self._helped.clear()
        if helps and isinstance(given, s.Do):
            self._helped.add(given.seat)
        return notices

    def _admit(self, number: int, seat: Seat, kept: bytes, peer: Peer | None = None) -> Member:
        limits, clock = self._desk.limits, self._desk.clock
        wishes = Bucket(limits.wishes, limits.wishes_burst, clock)
        member = self.members[number] = Member(number, seat, kept, self._words(), wishes, peer)
        return member

    def _words(self) -> Bucket:
        limits = self._desk.limits
        return Bucket(limits.words, limits.words_burst, self._desk.clock)

    def create(self, now: float) -> None:
        """Write the new room down."""

        def job() -> None:
            self.id = self._desk.store.create(
                self.table.setup, now, code=self.code, extra=self._extra()
            )

        self._desk.write(self, job)

    def _extra(self) -> dict[str, object]:
        return {
            "password": self._password,
            "made_from": self.made_from,
            "made_by": self.made_by,
            "numbers": self._numbers,
            "members": {
                member.number: [member.seat, member.digest.hex()]
                for member in self.members.values()
            },
        }

    def _remember(self) -> None:
        extra = self._extra()
        self._desk.write(self, lambda: self._desk.store.remember(self.id, extra))

    def _at(self, seat: Seat) -> Member | None:
        return next((member for member in self.members.values() if member.seat == seat), None)

    # Who comes and goes

    def admits(self, password: str | None) -> bool:
        """Whether the password opens this room."""
        return opens(password, self._password)

    @property
    def locked(self) -> bool:
        """Whether it has a password."""
        return bool(self._password)

    def join(self, peer: Peer, name: str, seat: Seat | None, token: str, now: float) -> Member:
        """Seat a person; whoever knows `token` is that person from now on."""
        chairs = self.table.chairs
        if seat is None:
            seat = next((at for at, chair in enumerate(chairs) if chair.kind is Kind.OPEN), None)
        if seat is None:
            raise Refused(N_("Every chair at this table is taken; watch, or choose another table."))
        if self.measures.arrivals.wait() > 0.0:
            raise Refused(N_("Many people come and go at this table; wait a little."))
        self._numbers += 1
        sit = s.Sit(seat, unlike(name, [chair.name for chair in chairs]))
        member = self._admit(self._numbers, seat, digest(token), peer)
        try:
            self.apply(sit, now, without=member)  # the newcomer is shown everything after this
        except RackoError:
            del self.members[member.number]
            raise
        self.measures.arrivals.take()
        self._remember()
        peer.place = Place(self, member, member.replies, member.words)
        self.empty_since = None
        return member

    def holder(self, proof: str, meeting: Meeting) -> Member | None:
        """Whose token is proved."""
        found = None
        for member in self.members.values():  # all of them: the time taken tells nothing
            if proves(proof, "client", member.digest, meeting):
                found = member
        return found

    def take_back(self, peer: Peer, found: Member, now: float) -> None:
        """Give a person's seat to another connection."""
        older, found.peer = found.peer, peer
        peer.place = Place(self, found, found.replies, found.words)
        self.empty_since = None
        if older is not None and older is not peer:
            older.place = None
            older.end(Bye("replaced", _sentence(N_("Your seat was taken over from elsewhere."))))
        if self.table.chairs[found.seat].away:
            self.apply(s.Return(found.seat), now, without=found)

    def watch(self, peer: Peer) -> None:
        """Let somebody watch."""
        self.watchers[peer] = self._broadcasts
        peer.place = Place(self, None, Replies(), self._words())
        self.empty_since = None

    def let_go(self, peer: Peer, now: float) -> None:
        """A connection is gone, or wants to be elsewhere; its seat stays."""
        place, peer.place = peer.place, None
        if place is None:
            return
        member = place.member
        if member is None:
            self.watchers.pop(peer, None)
        elif member.peer is peer:
            member.peer = None
            if not self.table.chairs[member.seat].away:
                self.apply(s.Lose(member.seat), now)
        if not self.watchers and all(each.peer is None for each in self.members.values()):
            self.empty_since = now

    # What is asked

    def ask(self, member: Member, given: Input, request: str, now: float) -> None:
        """Do what a person at the table asks. Raises `RackoError` when it is not done."""
        seat = member.seat
        given = allowed(given, seat, self.table)
        self.measures.ask(member, given)
        if isinstance(given, s.Sit):
            self._desk.admit(given.level)
        if self.table.chairs[seat].away and not isinstance(given, s.Return):
            self.apply(s.Return(seat), now)
        request = f"{member.number}:{request}"
        if isinstance(given, s.Stand):
            self._stand(given, request, seat, now)
        else:
            self.apply(given, now, request=request)

    def _stand(self, given: s.Stand, request: str, by: Seat, now: float) -> None:
        """Somebody leaves, or is asked to leave, for good."""
        self.apply(given, now, request=request)
        gone = self._at(given.seat)
        if gone is None:
            return
        del self.members[gone.number]
        self._remember()
        if gone.peer is not None:
            reason = None
            if given.seat != by:
                reason = _sentence(N_("The owner of the table asked you to leave it."))
            self.remove(gone.peer, reason)

    def say(self, peer: Peer, text: str, now: float) -> None:
        """A spectator says something."""
        self.measures.hear_spectator()
        self.apply(s.Say(None, peer.name, clean_chat(text)), now)

    def remove(self, peer: Peer, reason: Sentence | None) -> None:
        """Tell a connection that it is at no table any more."""
        peer.place = None
        self._desk.send(peer, encode(Removed(reason)))

    def close(self, reason: Sentence) -> None:
        """End the table for good."""
        self.closed = True
        for peer in [
            *(member.peer for member in self.members.values() if member.peer),
            *self.watchers,
        ]:
            self.remove(peer, reason)
        self.members.clear()
        self.watchers.clear()
        self._desk.write(self, lambda: self._desk.store.close_table(self.id))

    # What happens

    def apply(
        self, given: Input, now: float, *, request: str | None = None, without: Member | None = None
    ) -> None:
        """Do it, write it down, tell everyone (except `without`); nothing of that where it changes
        nothing.

        Raises `RackoError`, with nothing changed, when the table does not do it.
        """
        game = self.table.game
        playing = game is not None and game.result is None
        notices = self._played(given, now)
        if not notices and self.table.info == self._told:
            return
        self._poster = None
        self.measures.count(given)
        ended = playing and game is not None and game.result is not None
        record = record_of(self.table, now) if ended and self._may_record() else None
        self._desk.write(self, lambda: self._keep(now, given, request, record))
        if isinstance(given, s.Move):
            moved = self._at(given.seat)
            if moved is not None:
                moved.seat = given.to
                self._remember()
        self._tail.extend(notices)
        self._tell(notices, without)
        if self.watchers and not self.table.options.spectators:
            for peer in list(self.watchers):
                self.remove(peer, _sentence(N_("Nobody may watch at this table.")))
            self.watchers.clear()

    def _may_record(self) -> bool:
        may = take_each(*self.measures.records(self.made_from, self.made_by))
        if not may:
            _log.warning("%s", line("record-not-kept", table=self.code, by=self.made_by))
        return may

    def _keep(self, now: float, given: Input, request: str | None, record: str | None) -> None:
        self._desk.store.append(self.id, now, given, request)
        if record is not None:
            self._desk.store.add_game(self.id, now, record, most=self._desk.limits.records_kept)

    def _tell(self, notices: Sequence[Notice], without: Member | None = None) -> None:
        info = self.table.info
        changed = None if info == self._told else info
        self._told = info
        if not notices and changed is None:
            return
        played = any(not isinstance(notice.news, Remark | Said) for notice in notices)
        for member in self.members.values():
            if member.peer is not None and member is not without:
                self._desk.send(
                    member.peer, encode(self._update(member.seat, notices, changed, played))
                )
        if self.watchers:
            opened = any(
                isinstance(notice.news, Remark) and notice.news.matter == "options"
                for notice in notices
            )
            self._broadcast(self._update(None, notices, changed, played or opened))

    def _update(
        self, seat: Seat | None, notices: Sequence[Notice], info: TableInfo | None, played: bool
    ) -> Update:
        return telling.update(
            self.table, seat, notices, info=info, played=played, trouble=self.trouble
        )

    def _broadcast(self, update: Update) -> None:
        self._desk.broadcast(self, self._broadcasts, encode(update))
        self._broadcasts += 1

    def give_up_saving(self, trouble: Sentence) -> None:
        """Nothing that happens here is written down any more; tell everyone why."""
        self.tell_trouble(trouble)
        self.unsaved = True

    def tell_trouble(self, trouble: Sentence | None) -> None:
        """Tell everyone that nothing can be saved, or (None) that it can be again."""
        if trouble == self.trouble or self.unsaved:
            return
        self.trouble, self._poster = trouble, None
        update = Update(seq=self.table.seq, trouble=trouble)
        self._broadcast(update)
        for member in self.members.values():
            if member.peer is not None:
                update.seat = member.seat
                self._desk.send(member.peer, encode(update))

    def show(self, peer: Peer, seat: Seat | None, seq: int = 0) -> None:
        """Bring a connection up to date: the missing notices, or a snapshot."""
        if seat is None and self._poster is not None:
            self._desk.send(peer, self._poster)
            return
        held = self._tail[0].seq if self._tail else self.table.seq + 1
        if seq and held - 1 <= seq <= self.table.seq:
            notices = [notice for notice in self._tail if notice.seq > seq]
            messages = telling.missing(self.table, seat, notices, self.trouble)
        else:
            helped = seat in self._helped
            messages = telling.snapshot(self.table, seat, self.trouble, helped=helped)
        frames = b"".join([encode(message) for message in messages])
        if seat is None:
            self._poster = frames
        self._desk.send(peer, frames)

    def correct(self, peer: Peer, seat: Seat | None) -> None:
        """Show a client how things stand, without anything that happened."""
        self._desk.send(peer, encode(self._update(seat, (), self.table.info, True)))

    # Time

    def next_due(self, keep: Keep) -> float | None:
        """When time alone brings something about here; None for never."""
        if not self.members:
            return 0.0
        times = [self.table.next_due(), self._forsaken(keep)[0], self._dropped(keep)]
        return min((time for time in times if time is not None), default=None)

    def run(self, now: float, keep: Keep) -> bool:
        """Do one thing that is due; False for a room that nobody needs any more."""
        dropped = self._dropped(keep)
        if not self.members or (dropped is not None and dropped <= now):
            return False
        when, seat = self._forsaken(keep)
        if when is not None and when <= now:
            self._stand(s.Stand(seat), "", seat, now)
            return bool(self.members)
        given = self.table.due(now)
        if given is not None:
            self.apply(given, now)
        return True

    def _dropped(self, keep: Keep) -> float | None:
        """When the room has been empty for too long."""
        if self.empty_since is None:
            return None
        return self.empty_since + keep.of(self.table.stage)

    def _forsaken(self, keep: Keep) -> tuple[float | None, Seat]:
        """When which chair is freed whose person went away before the game."""
        if self.table.stage is not Stage.GATHERING:
            return None, 0
        return min(
            (
                (chair.away_since + keep.chair, seat)
                for seat, chair in enumerate(self.table.chairs)
                if chair.away_since is not None
            ),
            default=(None, 0),
        )

    @property
    def listed(self) -> Listed:
        """The room in a list."""
        return Listed(self.code, self.table.info, self.locked, len(self.watchers))


def _sentence(template: str, **values: object) -> Sentence:
    return Sentence.of(RackoError(template, **values))
