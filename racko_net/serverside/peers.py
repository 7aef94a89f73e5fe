"""Who is at a room of a server, and what they and the room need of one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from racko_core.rules import Seat
from racko_net.protocol import Bye
from racko_net.serverside.limits import Bucket, Buckets, Limits
from racko_net.store import Store

if TYPE_CHECKING:
    from racko_net.serverside.room import Room

_KEPT: Final = 100


class Peer(Protocol):
    """A client's connection."""

    name: str
    address: str
    """Empty for this machine."""
    nonce: str
    """What it has to prove its token with, ..."""
    certificate: str
    """... and this: see `keys.Meeting`."""
    guesses: Bucket
    """Wrong passwords of tables that it may still try, where its address tells nothing."""
    asked: bool
    """Whether it has asked the lobby for anything; kept by the lobby."""
    place: Place | None
    """Where it sits or watches; kept by the room."""

    def send(self, frames: bytes) -> None:
        """Send whole frames; never blocks."""

    def end(self, bye: Bye) -> None:
        """Say goodbye and close."""


class Desk(Protocol):
    """What a room needs of its lobby."""

    store: Store
    limits: Limits
    words_from: Buckets
    """What spectators may say, by their addresses."""
    records_from: Buckets
    """Records that are kept, by where tables were made, or by whom."""
    records_here: Bucket
    """Records that are kept of all tables made on this machine."""
    visits_from: Buckets
    """How often people may begin to watch, by their addresses, or by their names."""

    def clock(self) -> float:
        """The time, in seconds, for what is measured."""

    def admit(self, level: str) -> None:
        """Raise `RackoError` if nobody may seat a bot of that level now."""

    def write(self, room: Room, job: Callable[[], None]) -> None:
        """Have `job` write about a room to the store, all of it or nothing, before anything that
        is sent from now on.
        """

    def send(self, peer: Peer, frames: bytes) -> None:
        """Send after everything has been written."""

    def broadcast(self, room: Room, number: int, frames: bytes) -> None:
        """Send the room's broadcast of that number to its watchers, after everything has been
        written.
        """


class Replies(dict[str, int]):
    """Requests that were done, the last hundred, with the number that the reply had: one that
    comes again is not done again.
    """

    def keep(self, request: str, seq: int) -> None:
        """Remember a request."""
        self[request] = seq
        if len(self) > _KEPT:
            del self[next(iter(self))]


@dataclass(slots=True, eq=False)
class Member:
    """The person on a seat."""

    number: int
    """Unlike the seat, it stays the same."""
    seat: Seat
    digest: bytes
    """SHA-256 of the token."""
    words: Bucket
    """What may still be said."""
    wishes: Bucket
    """What may still be asked, beside moves."""
    peer: Peer | None = None
    replies: Replies = field(default_factory=Replies)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a connection is: at a seat of a room, or watching it."""

    room: Room
    member: Member | None
    """None for who only watches."""
    replies: Replies
    words: Bucket
    """What may still be said by this person, or on this visit; see `Measures.words`."""
