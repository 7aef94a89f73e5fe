"""What one client may ask of a server, and the buckets that measure it.

Whoever hangs up and comes back is the same person: what is measured belongs to their seat, to
their address, or to the table, wherever a new connection would begin anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from racko_core.seating import Stage

MOST_TABLES: Final = 10_000
"""The most tables that a server may be allowed; a client reads no longer list."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server. Times are in seconds."""

    connections: int = 500
    """At the same time, in total."""
    per_address: int = 20
    """Connections at the same time from one address."""
    from_here: int | None = None
    """The same for this machine itself, whose people may all come through one SSH host; None
    leaves it to `connections`."""
    rate: float = 50.0
    """Messages a second that a client may send in the long run."""
    burst: int = 200
    """Messages that it may send at once after a quiet time."""
    words: float = 1.0
    """Things a second that one person may say in the long run."""
    words_burst: int = 12
    """Things that they may say at once."""
    crowd: float = 2.0
    """Things a second that all spectators of a table together may say in the long run."""
    crowd_burst: int = 24
    """Things that they may say at once."""
    sayings: int = 10_000
    """Things said at one table over its whole life; half of them at most by spectators."""
    wishes: float = 1.0
    """What a person may ask of a table, moves excepted, a second in the long run; to take the seat
    back is such a wish."""
    wishes_burst: int = 60
    """Wishes at once."""
    arrivals: float = 0.2
    """Persons a second who may sit down at a table in the long run."""
    arrivals_burst: int = 20
    """Persons who may do so at once."""
    queue: int = 512 * 1024
    """Bytes that may wait for a slow client before it is dropped."""
    hello: float = 10.0
    """Time to say hello."""
    ping: float = 5.0
    """Time between two pings."""
    silence: float = 13.5
    """Time without a byte after which a connection counts as lost."""
    guesses: int = 8
    """Wrong passwords from one address at once, those of the server and those of its tables
    each; one more every `guess_every`. Each connection from this machine may try so many of the
    tables, for all its people may come through one SSH host."""
    crowd_guesses: int = 40
    """Wrong passwords of one table at once from all of this machine."""
    guess_every: float = 3.0
    tables: int = 200
    """Tables at the same time."""
    tables_per_address: int = 20
    """Tables at the same time that were made from one address. From this machine, see `from_here`,
    as many by each name, and by all together half of `tables` if that is more; there only tables
    count where nobody is, and another one is made in the place of one of them: `Keep.surplus`."""
    watchers: int = 200
    """Spectators of one table."""
    visits: float = 1.0
    """Times a second that people from one address may begin to watch in the long run: each time
    they are shown everything. From this machine, see `from_here`, as often by each name."""
    visits_burst: int = 30
    """Times that they may do so at once."""
    audience: float = 5.0
    """The same for one table, wherever people come from."""
    audience_burst: int = 200
    """Times that they may do so at once: as many as can watch come back after a restart."""
    inputs: int = 200_000
    """Inputs of one table over its whole life, beside what is said. Beyond them a game in play
    goes on to its end, and nothing else is done."""
    records: float = 240 / 3600
    """Records of finished games a second that are kept in the long run of the tables made from one
    address, or from this machine by one name; what is beyond them is played, and not kept."""
    records_burst: int = 500
    """Records at once."""
    records_here: float = 4.0
    """How many times as many are kept of all tables made from this machine together."""
    records_kept: int = 100_000
    """Records in all, about 5 KB each; the oldest go."""
    programs: int = 16
    """Seats at the same time whose bots are other programs."""


class Bucket:
    """A token bucket: `rate` a second in the long run, `burst` at once."""

    __slots__ = ("_clock", "_level", "_since", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._level = float(burst)
        self._since = clock()

    def take(self) -> bool:
        """Take one; False, and nothing taken, if none is left."""
        if self.wait() > 0.0:
            return False
        self._level -= 1.0
        return True

    def wait(self) -> float:
        """Seconds until one can be taken; 0 for now."""
        now = self._clock()
        self._level = min(float(self.burst), self._level + max(0.0, now - self._since) * self.rate)
        self._since = now
        return 0.0 if self._level >= 1.0 else (1.0 - self._level) / self.rate

    @property
    def full(self) -> bool:
        """Whether it is as if nothing had ever been taken."""
        self.wait()
        return self._level >= self.burst


def take_each(*buckets: Bucket) -> bool:
    """Take one of each bucket; False, and nothing taken, if one of them has none left."""
    if any(bucket.wait() > 0.0 for bucket in buckets):
        return False
    for bucket in buckets:
        bucket.take()
    return True


class Buckets:
    """A bucket for every address, and for every name on this machine, for as long as it is not
    full.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._measure = rate, burst, clock
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def of(self, address: str, name: str = "") -> Bucket:
        """That of an address, or of a name where the address is this machine's, whose people are
        many; until it is forgotten, so ask for it again each time.
        """
        return self._buckets.setdefault((address, "" if address else name), Bucket(*self._measure))

    def tidy(self) -> None:
        """Forget those that are full."""
        self._buckets = {at: each for at, each in self._buckets.items() if not each.full}


@dataclass(frozen=True, slots=True)
class Keep:
    """How long a server keeps what nobody uses. Times are in seconds."""

    chair: float = 90.0
    """The chair of somebody who went away before the game."""
    gathering: float = 600.0
    """A table that has not started and where nobody is."""
    playing: float = 7 * 86400.0
    """A table with a game in play and where nobody is."""
    finished: float = 3600.0
    """A table whose game has ended and where nobody is; any other where nobody is, while the server
    has no room for more."""
    surplus: float = 600.0
    """A table where nobody is, made on this machine by a name that has made as many of them as it
    may, when it makes one more. While all names there together have too many, the next one made
    closes at once the table that has been empty for longest of the name with the most."""

    def of(self, stage: Stage) -> float:
        """How long a table is kept where nobody is."""
        times = {
            Stage.GATHERING: self.gathering,
            Stage.PLAYING: self.playing,
            Stage.FINISHED: self.finished,
        }
        return times[stage]
