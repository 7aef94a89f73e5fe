"""What people may still do at one table of a server, and what was done there so far."""

from __future__ import annotations

from typing import Final

from racko_core.errors import N_
from racko_core.seating import Input, Say
from racko_core.table import Refused
from racko_net.serverside.authority import goes_on
from racko_net.serverside.limits import Bucket
from racko_net.serverside.peers import Desk, Member, Peer, Place

TOO_OLD: Final = N_("This table has been played at for very long; make a new one.")


class Measures:
    """The limits of one table, which outlive everybody's connection."""

    def __init__(self, desk: Desk) -> None:
        self.inputs = 0
        """What happened here so far, beside what was said."""
        self.sayings = 0
        self._desk = desk
        limits = desk.limits
        self.guesses = Bucket(1.0 / limits.guess_every, limits.crowd_guesses, desk.clock)
        """Wrong passwords that may still come from this machine."""
        self.arrivals = Bucket(limits.arrivals, limits.arrivals_burst, desk.clock)
        """How often somebody may still sit down."""
        self._crowd = Bucket(limits.crowd, limits.crowd_burst, desk.clock)
        self._visits = Bucket(limits.audience, limits.audience_burst, desk.clock)

    def count(self, given: Input) -> None:
        """Something has happened."""
        if isinstance(given, Say):
            self.sayings += 1
        else:
            self.inputs += 1

    def ask(self, member: Member, given: Input) -> None:
        """A person wants something. Raises `Refused` if it is too much."""
        limits = self._desk.limits
        if isinstance(given, Say):
            self._hear(limits.sayings)
        elif not goes_on(given):
            if self.inputs >= limits.inputs:
                raise Refused(TOO_OLD)
            if not member.wishes.take():
                raise Refused(N_("You asked for too much at once; wait a little."))

    def hear_spectator(self) -> None:
        """A spectator wants to say something: half of all words are left to the players. Raises
        `Refused`.
        """
        self._hear(self._desk.limits.sayings // 2)

    def _hear(self, most: int) -> None:
        if self.sayings >= most:
            raise Refused(N_("So much has been said at this table that it hears no more."))

    def visits(self, peer: Peer) -> tuple[Bucket, ...]:
        """How often somebody may begin to watch, in each way to measure it."""
        return self._desk.visits_from.of(peer.address, peer.name), self._visits

    def records(self, made_from: str, made_by: str) -> tuple[Bucket, ...]:
        """How many records of a table made from there are kept, in each way to measure it."""
        own = self._desk.records_from.of(made_from, made_by)
        return (own,) if made_from else (own, self._desk.records_here)

    def words(self, peer: Peer, place: Place) -> tuple[Bucket, ...]:
        """What somebody here may say, in each way to measure it. To be asked for each time: a
        bucket of an address is forgotten when it is full.
        """
        if place.member is not None:
            return (place.words,)
        own = (self._desk.words_from.of(peer.address),) if peer.address else ()
        return (place.words, *own, self._crowd)
