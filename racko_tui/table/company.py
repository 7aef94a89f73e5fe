"""A table with others at it, as all screens of one visit share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Final

from racko_core.bots import LEVELS
from racko_core.rules import Seat
from racko_core.seating import Input, Kind, Said
from racko_core.view import View
from racko_net.clientside.remote import RemoteSession
from racko_net.session import Session, Update

FRESH: Final = 12.0
"""Seconds in which something said is new."""


class Company(Session):
    """The session of a table at a server, and what was said there last.

    One screen at a time reads `update`; `again` lets the next screen begin where it was.
    """

    def __init__(self, session: RemoteSession, address: str, offered: Sequence[str] = ()) -> None:
        """`address`: what one dials to get there; `offered`: levels of its host's own bots."""
        self.session = session
        self.address = address
        self.levels = (*LEVELS, *offered)
        """Of the bots that can be seated."""
        self.ssh = ""
        """What one types after `ssh -t` to get to the server, where one comes to it like that."""
        self.note = ""
        """What whoever sits down here should know from the start."""
        self.info = session.info
        self.link = session.link
        self.seats = session.seats
        self._newest: Said | None = None
        self._said_at = float("-inf")
        self._latest: Update | None = None
        self._again = False

    @property
    def code(self) -> str:
        """What others join with."""
        return self.session.code

    @property
    def me(self) -> Seat | None:
        """The seat played from here; None for who watches."""
        return self.seats[0] if self.seats else None

    @property
    def owner(self) -> bool:
        """Whether the table is run from here."""
        return self.me is not None and self.me == self.info.owner

    @property
    def friends(self) -> list[str]:
        """The other people at the table, here or away."""
        return [
            chair.name
            for seat, chair in enumerate(self.info.chairs)
            if chair.kind is Kind.HUMAN and seat != self.me
        ]

    @property
    def newest(self) -> Said | None:
        """What somebody else has just said."""
        return self._newest if monotonic() - self._said_at < FRESH else None

    def again(self) -> None:
        """How the table stands is told once more, to the screen that comes next."""
        self._again = self._latest is not None

    # The port

    def view(self, seat: Seat | None) -> View | None:  # noqa: D102
        return self.session.view(seat)

    def clock(self) -> float:  # noqa: D102
        return self.session.clock()

    def record(self) -> str | None:  # noqa: D102
        return self.session.record()

    async def ask(self, given: Input) -> None:  # noqa: D102
        await self.session.ask(given)

    async def update(self) -> Update:  # noqa: D102
        if self._again and self._latest is not None:
            self._again = False
            last = self._latest
            return replace(last, caught_up=True)
        update = await self.session.update()
        self._latest = update
        self.info, self.link, self.seats = update.info, update.link, self.session.seats
        for seen in update.seen.values():
            self._listen([notice.news for notice in seen.notices])
        return update

    async def watchers(self) -> int:
        """How many watch. Raises `RackoError`."""
        return await self.session.watchers()

    async def close(self) -> None:  # noqa: D102
        await self.session.close()

    def _listen(self, news: list[object]) -> None:
        for item in news:
            if isinstance(item, Said) and (item.seat is None or item.seat != self.me):
                self._newest, self._said_at = item, monotonic()
