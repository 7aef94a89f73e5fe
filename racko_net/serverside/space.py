"""Which table makes room for another one: how many there may be, and who made them.

Whoever comes from this machine itself may be anybody, for all guests of an SSH host do; there a
person is a name, which anybody can take, and only tables where nobody is count. So a name with too
many loses one after a while, and where all names together have too many, one with the most of them
does at once: nobody bars the others. A table where somebody is never goes. A table at which no
game was begun goes first; one's own also if its game has ended; another one only if nobody has
been at it for long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from racko_core.errors import N_
from racko_core.seating import Stage
from racko_core.table import Refused
from racko_net.serverside.limits import Keep, Limits
from racko_net.serverside.peers import Peer
from racko_net.serverside.room import Room


def superfluous(
    rooms: Iterable[Room], peer: Peer, limits: Limits, keep: Keep, now: float
) -> list[Room]:
    """The tables to be closed so that `peer` can make another one; most often none.

    Raises `Refused` where there would have to be some and none may go.
    """
    rooms = list(rooms)
    here = [room for room in rooms if room.made_from == peer.address]
    mine, most = here, limits.tables_per_address
    if not peer.address:
        here = _empty(here)
        mine = [room for room in here if room.made_by == peer.name]
    closed: list[Room] = []
    if len(mine) >= most and peer.address:
        told = N_("You have made many tables already; leave one of them first.")
        closed += _unused(mine, told, Stage.GATHERING, Stage.FINISHED)
    elif len(mine) >= most:
        told = N_(
            "Many tables made under your name are empty; play on at one, or try again in some"
            " minutes."
        )
        closed += _left(mine, keep.surplus, now, told, Stage.GATHERING, Stage.FINISHED)
    elif not peer.address and len(here) >= max(most, limits.tables // 2):
        closed += _surplus(here)
    if len(rooms) - len(closed) >= limits.tables:
        told = N_("This server has no room for another table; join one of them.")
        closed += _left(rooms, keep.finished, now, told, Stage.GATHERING)
    return closed


def _surplus(empty: list[Room]) -> list[Room]:
    """The one that has been empty for longest of the name that has the most of them."""
    made = Counter(room.made_by for room in empty)
    return [max(empty, key=lambda room: made[room.made_by])]


def _empty(rooms: list[Room]) -> list[Room]:
    """Those where nobody is, the one that has been empty for longest first."""
    return sorted(
        (room for room in rooms if room.empty_since is not None),
        key=lambda room: room.empty_since or 0.0,
    )


def _unused(rooms: list[Room], told: str, *stages: Stage) -> list[Room]:
    """The one of these stages, the first before the others, that nobody has been at for longest.

    Raises `Refused`.
    """
    unused = [room for room in _empty(rooms) if room.table.stage in stages]
    if not unused:
        raise Refused(told)
    return [min(unused, key=lambda room: stages.index(room.table.stage))]


def _left(rooms: list[Room], least: float, now: float, told: str, *stages: Stage) -> list[Room]:
    """One of these stages that nobody is at; or the one that nobody has been at for longest, if it
    was so many seconds at least. Raises `Refused`.
    """
    try:
        return _unused(rooms, told, *stages)
    except Refused:
        empty = _empty(rooms)
        if not empty or now - (empty[0].empty_since or now) < least:
            raise
        return empty[:1]
