"""A session with a table in this process: local play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from racko_core.errors import RackoError
from racko_core.rules import Seat
from racko_core.seating import Input, Kind, Notice
from racko_core.table import Table
from racko_core.view import View
from racko_net.archive import record_of
from racko_net.session import Link, Seen, Session, Update

if TYPE_CHECKING:
    from racko_net.outside_bot.permission import Programs
    from racko_net.outside_bot.seats import OutsideSeats

Journal = Callable[[float, Input, str | None], None]
"""Writes an input down for good at its time, together with the record of the game if that ended
with it, or neither; or raises `RackoError` with the sentence to show.
"""


class LocalSession(Session):
    """Runs a table on this event loop, for all persons who sit at it."""

    def __init__(
        self,
        table: Table,
        *,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,
        programs: Programs | None = None,
        first: Iterable[Input] = (),
        link: Link | None = None,
    ) -> None:
        """`programs` may play at the table; None lets no other program be started. `first` is done
        before anything else happens there. `link` says why nothing is written down.
        """
        self.link = link or Link()
        self._table = table
        self._journal = journal
        self._clock = clock
        self._updates: asyncio.Queue[Update] = asyncio.Queue()
        self._timer: asyncio.Handle | None = None
        self._programs = programs
        self._outside: OutsideSeats | None = None
        self._closed = False
        self._record: str | None = None  # made once, when the game ends: it tells when that was
        self.unsaved: list[tuple[float, str]] = []
        """Records, with their times, of games that ended when nothing could be written down."""
        self._announce(())
        for given in first:
            self._put(given)
        self._wake()

    @property
    def table(self) -> Table:
        """The table itself: for who runs it, never for a screen."""
        return self._table

    def view(self, seat: Seat | None) -> View | None:  # noqa: D102
        if seat not in (self.seats or (None,)):
            raise LookupError("this terminal does not play that seat")
        return self._table.view(seat)

    def clock(self) -> float:  # noqa: D102
        return self._clock()

    def record(self) -> str | None:  # noqa: D102
        return self._record

    async def ask(self, given: Input) -> None:  # noqa: D102
        self._put(given)
        self._wake()

    async def update(self) -> Update:  # noqa: D102
        return await self._updates.get()

    async def close(self) -> None:  # noqa: D102
        self._closed = True
        if self._timer:
            self._timer.cancel()
        if self._outside is not None:
            await self._outside.close()

    def _put(self, given: Input, why: RackoError | None = None) -> None:
        """Do it, write it down, then tell; `why` a program failed, if that is what it is."""
        now = self._clock()
        number = self._table.game_number
        playing = self._table.game is not None and self._table.game.result is None
        notices = self._table.apply(given, now)
        game = self._table.game
        ended = None
        if number != self._table.game_number:
            self._record = None
        elif playing and game and game.result:
            self._record = ended = record_of(self._table, now)
        if not self._saved(now, given, ended) and ended is not None:
            self.unsaved.append((now, ended))
        self._announce(notices, why)

    def _saved(self, now: float, given: Input, ended: str | None) -> bool:
        """Write it down, if that is still done."""
        if self._journal is None:
            return False
        try:
            self._journal(now, given, ended)
        except RackoError as trouble:
            self.link = Link(trouble=trouble, kept="part")
            self._journal = None  # a journal with a gap would be worth nothing
            return False
        return True

    def _announce(self, notices: Sequence[Notice], why: RackoError | None = None) -> None:
        self.info = self._table.info
        self.seats = tuple(
            seat for seat, chair in enumerate(self.info.chairs) if chair.kind is Kind.HUMAN
        )
        seen = {
            seat: Seen(self._table.seen(notices, seat), self._table.view(seat))
            for seat in self.seats or (None,)
        }
        self._updates.put_nowait(Update(self.info, self.link, seen, failure=why))

    def _wake(self) -> None:
        """Set the timer for what comes next by itself."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._closed:
            return
        self._look_outside()
        when = self._table.next_due()
        if when is None:
            return
        delay = max(0.0, when - self._clock())
        self._timer = asyncio.get_running_loop().call_later(delay, self._step)

    def _look_outside(self) -> None:
        """See to the bots that are other programs, if there are any."""
        if self._outside is None:
            if self._table.asks() is None:
                return
            from racko_net.outside_bot.seats import OutsideSeats

            self._outside = OutsideSeats(self._table, self._answered, self._clock, self._programs)
        self._outside.look()

    def _answered(self, given: Input, why: RackoError | None) -> None:
        if not self._closed:
            self._put(given, why)
            self._wake()

    def _step(self) -> None:
        """Do one thing that is due, then let the loop breathe."""
        try:
            given = self._table.due(self._clock())
            if given is not None:
                self._put(given)
        except RackoError as trouble:  # at once again it would be the same
            self.link = replace(self.link, trouble=trouble)
            self._announce(())
        else:
            self._wake()
