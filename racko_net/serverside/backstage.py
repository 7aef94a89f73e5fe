"""The programs that play at a server's tables: those that its host offers, and no others.

A client names what it wants to seat by the name that the host gave it. No command ever comes from
a client, or goes to one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from racko_core.bots import is_outside, no_such_bot
from racko_core.errors import N_
from racko_core.seating import Forfeit, Input
from racko_core.table import Refused
from racko_net.outside_bot.permission import Programs
from racko_net.outside_bot.seats import OutsideSeats
from racko_net.serverside.logline import line

if TYPE_CHECKING:
    from racko_net.serverside.room import Room

_log = logging.getLogger(__name__)


class Backstage:
    """Asks the programs at all tables of one server, beside its event loop."""

    def __init__(
        self,
        programs: Programs,
        most: int,
        put: Callable[[Room, Input], None],
        clock: Callable[[], float],
    ) -> None:
        """`most`: seats that programs may have at the same time; `put` does an input at a room."""
        self._programs = programs
        self._most = most
        self._put = put
        self._clock = clock
        self._seats: dict[Room, OutsideSeats] = {}

    @property
    def levels(self) -> list[str]:
        """What a client may name."""
        return list(self._programs.offered)

    def admit(self, level: str, rooms: Iterable[Room]) -> None:
        """Raise `RackoError` if a bot of that level may not be seated now."""
        if not is_outside(level):
            return
        if level not in self._programs.offered:
            raise no_such_bot(level, self.levels)
        seated = sum(is_outside(chair.level) for room in rooms for chair in room.table.chairs)
        if seated >= self._most:
            raise Refused(N_("This server runs as many programs as it can; choose another bot."))

    def look(self, room: Room) -> None:
        """Something may have changed in a room."""
        seats = self._seats.get(room)
        if seats is None:
            if room.closed or room.table.asks() is None:
                return
            seats = self._seats[room] = OutsideSeats(
                room.table,
                lambda given, _why: self._answered(room, given),
                self._clock,
                self._programs,
            )
        seats.look()

    def _answered(self, room: Room, given: Input) -> None:
        """Why a program failed was logged where it was asked; here, what follows from it."""
        if isinstance(given, Forfeit):
            name = room.table.chairs[given.seat].name
            _log.warning("%s", line("novice", table=room.code, seat=given.seat, instead_of=name))
        self._put(room, given)

    def forget(self, room: Room) -> None:
        """A room is closed."""
        seats = self._seats.pop(room, None)
        if seats is not None:
            seats.dismiss()

    async def close(self) -> None:
        """End every program. Returns when they have ended."""
        seats, self._seats = list(self._seats.values()), {}
        await asyncio.gather(*(each.close() for each in seats))
