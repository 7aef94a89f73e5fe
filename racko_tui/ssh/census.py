"""Who may come in: connections counted by address, logins by minute. Sans-I/O."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable

from racko_core.errors import N_, RackoError
from racko_net.serverside.limits import Bucket
from racko_tui.ssh.options import Limits

_REMEMBERED = 10_000  # addresses whose logins are counted; beyond that, counting starts anew


class TurnedAway(RackoError):
    """Why somebody cannot come in now."""


class Census:
    """Counts the connections of one host. `clock` gives seconds."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._here: dict[int, str] = {}
        self._waiting: set[int] = set()
        self._per_address: Counter[str] = Counter()
        self._logins: dict[str, Bucket] = {}

    @property
    def total(self) -> int:
        """Connections now."""
        return len(self._here)

    @property
    def waiting(self) -> int:
        """Connections that have not logged in yet."""
        return len(self._waiting)

    def arrive(self, number: int, address: str) -> None:
        """Count a connection in. Raises `TurnedAway` if there is no room for it."""
        limits = self._limits
        home = network(address)
        if len(self._here) >= limits.connections:
            raise TurnedAway(N_("This server is full; try again later."))
        if self._per_address[home] >= limits.per_address:
            raise TurnedAway(N_("Too many connections from your address; close one of them."))
        if not self._bucket(home).take():
            raise TurnedAway(N_("Too many logins from your address; wait a minute."))
        if len(self._waiting) >= limits.handshakes:
            raise TurnedAway(N_("Too many are logging in just now; try again in a moment."))
        self._here[number] = home
        self._waiting.add(number)
        self._per_address[home] += 1

    def logged_in(self, number: int) -> None:
        """The connection is that of a player from now on."""
        self._waiting.discard(number)

    def failed(self, number: int) -> None:
        """A wrong password: it counts as one more login."""
        if number in self._here:
            self._bucket(self._here[number]).take()

    def leave(self, number: int) -> None:
        """The connection is gone."""
        self._waiting.discard(number)
        home = self._here.pop(number, None)
        if home is None:
            return
        self._per_address[home] -= 1
        if not self._per_address[home]:
            del self._per_address[home]

    def _bucket(self, home: str) -> Bucket:
        bucket = self._logins.get(home)
        if bucket is None:
            if len(self._logins) >= _REMEMBERED:
                busy = {home: kept for home, kept in self._logins.items() if not kept.full}
                self._logins = busy if len(busy) < _REMEMBERED else {}
            logins = self._limits.logins
            bucket = self._logins[home] = Bucket(logins / 60.0, logins, self._clock)
        return bucket


def network(address: str) -> str:
    """What counts as one address: an IPv6 subscriber has a whole /64 of them."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None:
            return str(ipaddress.ip_network((ip, 64), strict=False))
        ip = ip.ipv4_mapped
    return str(ip)
