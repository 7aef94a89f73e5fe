"""Taking a seat, from the request to the session that somebody holds; or to the seat given back."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Self

from racko_core.errors import N_
from racko_net import protocol as p
from racko_net.clientside.line import LinkError
from racko_net.clientside.remote import RemoteSession
from racko_net.clientside.tokens import SavedSeat
from racko_net.clientside.wire import hung_up, refusal, resolve

if TYPE_CHECKING:
    from racko_net.client import Host

SitDown = p.Create | p.Join | p.Watch | p.Resume
"""Requests that are answered by a seat, or a place to watch from."""


class Sitting:
    """One request to be at a table, and somebody who waits for it: `with sitting`.

    Whoever is cancelled or fails inside, at whatever point, is at no table afterwards, for the
    server too: what was given is given back, and so is what is given only later. A new seat is
    given up for good, one's own is only let go of.
    """

    def __init__(self, host: Host, message: SitDown, saved: SavedSeat | None) -> None:
        """`saved`: one's own seat that is taken back."""
        self.message = message
        self.saved = saved
        self.unwanted = False
        """Whether nobody waits for it any more."""
        self.over = asyncio.Event()
        """Set once no answer is to come any more."""
        self._host = host
        self._sent = False
        self._session: RemoteSession | None = None
        self._answer: asyncio.Future[RemoteSession] = asyncio.get_running_loop().create_future()

    @property
    def new(self) -> bool:
        """Whether it asks for a chair that nobody else can have then."""
        return isinstance(self.message, p.Create | p.Join)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.abandon()

    async def asked(self, patience: float) -> RemoteSession:
        """Ask, and wait for the answer, at most so many seconds. Raises `RackoError`."""
        if self.unwanted:
            raise hung_up()
        self._host.request(self.message, self.hear)
        self._sent = True
        try:
            async with asyncio.timeout(patience):
                return await asyncio.shield(self._answer)
        except TimeoutError:
            raise LinkError(N_("The server does not answer.")) from None

    def hear(self, answer: p.FromServer | LinkError) -> None:
        """The answer has come, or never will."""
        self.over.set()
        if not isinstance(answer, p.Seated) or not answer.answers(self.message):
            resolve(self._answer, refusal(answer))
        elif not self._host.trusts(answer, self.message, self.saved):
            self._host.leave()
            resolve(self._answer, self._host.other())
        elif not self.unwanted:
            self._session = self._host.seated(answer, self)
            resolve(self._answer, self._session)
        else:
            self._host.leave(answer.seat if self.new else None)
            resolve(self._answer, hung_up())
        if self.unwanted and self._session is None:
            self._answer.exception()  # nobody else looks at it

    def abandon(self) -> None:
        """Nobody waits for it any more."""
        self.unwanted = True
        if not self._sent:
            self.over.set()
        if self._session is not None:
            if self.new:
                self._session.give_up()
            else:
                self._session.let_go()
        elif self._answer.done():
            self._answer.exception()
