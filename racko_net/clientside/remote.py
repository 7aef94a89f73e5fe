"""A session with a table behind a server; it comes back by itself when the connection is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from racko_core.actions import Action
from racko_core.errors import N_, RackoError
from racko_core.rules import Seat
from racko_core.seating import Do, Input, Say, Stage, Stand
from racko_core.view import Phase, View
from racko_net import protocol as p
from racko_net.clientside.line import LinkError
from racko_net.clientside.memory import Memory
from racko_net.clientside.tokens import SavedSeat
from racko_net.codec import input_to_plain
from racko_net.session import Link, Seen, Session, Update

if TYPE_CHECKING:
    from racko_net.client import Host


class Stale(RackoError):
    """A move made on a screen that was no longer true; by now it is corrected."""


class RemoteSession(Session):
    """One table of a server, at a seat of it or watching. Made by `Host`."""

    def __init__(
        self,
        host: Host,
        code: str,
        seat: Seat | None,
        *,
        server_id: str,
        saved: SavedSeat | None,
        password: str | None = None,
    ) -> None:
        self.code = code
        """The table's code: what others join with."""
        self.server_id = server_id
        """Whose table it is."""
        self.password = password
        """The table's, for who watches."""
        self.saved = saved
        """The seat as it is kept on disk; None for who watches."""
        self.link = Link()
        self.seats = () if seat is None else (seat,)
        self.shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when it is known how the table stands."""
        self._host = host
        self._memory = Memory()
        self._updates: asyncio.Queue[Update] = asyncio.Queue()
        self._asked: dict[str, tuple[p.Ask, asyncio.Future[None]]] = {}
        self._catching_up = True

    # The port

    def view(self, seat: Seat | None) -> View | None:  # noqa: D102
        if seat not in (self.seats or (None,)):
            raise LookupError("this terminal does not play that seat")
        return self._memory.view()

    def clock(self) -> float:  # noqa: D102
        return self._host.clock()

    def record(self) -> str | None:  # noqa: D102
        return None  # it tells the seed, which no client has

    async def ask(self, given: Input) -> None:  # noqa: D102
        seq = self._memory.seq
        await self._host.pace()
        if not self.link.up:
            raise self.link.trouble or LinkError(N_("The connection was lost."))
        message = p.Ask(self._host.next_id(), input_to_plain(given), seq)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked[message.id] = (message, future)
        self._host.send(message)
        try:
            await future
        finally:
            self._asked.pop(message.id, None)

    async def update(self) -> Update:  # noqa: D102
        return await self._updates.get()

    async def close(self) -> None:  # noqa: D102
        self.let_go()

    def let_go(self) -> None:
        """Let go of the table and wait for nothing. The seat is kept."""
        if not self.link.closed:
            self._host.let_go(self)
            self._close(None)

    def give_up(self) -> None:
        """Leave the seat for good and wait for nothing: nobody wants it any more."""
        if not self.link.closed:
            self._host.let_go(self, for_good=True)
            self._close(None)

    async def begin(self, patience: float) -> None:
        """Wait until it is known how the table stands, at most so many seconds.

        Raises `RackoError`.
        """
        try:
            async with asyncio.timeout(patience):
                await asyncio.shield(self.shown)
        except TimeoutError:
            raise LinkError(N_("The server does not answer.")) from None

    # For programs

    @property
    def seat(self) -> Seat | None:
        """The seat played from here; None for who watches."""
        return self.seats[0] if self.seats else None

    async def act(self, action: Action) -> None:
        """Do something in the game. Raises `RackoError` (`Stale` if it came too late)."""
        if self.seat is None:
            raise LookupError("this session only watches")
        await self.ask(Do(self.seat, action))

    async def watchers(self) -> int:
        """How many watch the table, as its server lists it. Raises `RackoError`."""
        tables = await self._host.tables()
        return next((each.watchers for each in tables if each.table == self.code), 0)

    async def say(self, text: str) -> None:
        """Say something to everyone at the table."""
        await self.ask(Say(self.seat, "", text))

    async def stand(self) -> None:
        """Leave the seat for good; the session is closed by it."""
        if self.seat is None:
            await self.close()
        else:
            await self.ask(Stand(self.seat))

    async def turns(self) -> AsyncIterator[View]:
        """The view of each position in which this seat has to act, until the game is over.

        Is ready for every deal. Reads `update`, so nobody else may. Ends when the game does, or
        the session; raises the reason when the server ended it.
        """
        while not self.link.closed:
            update = await self.update()
            view = self._memory.view()
            if self.link.closed:
                break
            if update.info.stage is Stage.FINISHED:
                return
            if not self.link.up or view is None or self.seat is None:
                continue
            if view.phase is Phase.DEAL:
                await self.ready()
            elif view.my_turn and self._updates.empty():
                yield view
        if self.link.trouble is not None:
            raise self.link.trouble

    # From the host

    def again(self, request: str) -> p.Resume | p.Watch:
        """The request that brings this session back on a new connection."""
        if self.saved is None:
            return p.Watch(request, self.code, self.password)
        resume = p.Resume(request, self.code, seq=self._memory.seq)
        return self._host.prove(resume, self.saved)

    def lost(self, error: RackoError) -> None:
        """The connection is gone for now."""
        if self.link.closed:
            return
        self.link = Link(up=False, trouble=error)
        if self.saved is None:  # a spectator's words are not kept for later
            self._fail(error)
        self._emit(())

    def resumed(self, seat: Seat | None) -> None:
        """A new connection stands, and the server is about to show how the table stands."""
        self.seats = () if seat is None else (seat,)
        self._catching_up = True

    def take(self, message: p.Snapshot | p.Page | p.Update) -> None:
        """What the server says of the table."""
        notices = self._memory.take(message)
        if notices is None:
            return
        info = self._memory.info
        assert info is not None
        self.info = info
        self.seats = () if self._memory.seat is None else (self._memory.seat,)
        self.link = Link(trouble=self._memory.trouble)
        caught_up, self._catching_up = self._catching_up, False
        self._emit(notices, caught_up=caught_up)
        if not self.shown.done():
            self.shown.set_result(None)
        elif caught_up:
            for ask, _ in list(self._asked.values()):
                self._host.send(ask)

    def reply(self, reply: p.Reply) -> bool:
        """What became of a request; False if it is not one of this session."""
        asked = self._asked.get(reply.id)
        if asked is None:
            return False
        future = asked[1]
        if future.done():
            return True
        if reply.result == "accepted":
            future.set_result(None)
            return True
        error = reply.error.error() if reply.error else RackoError(N_("That was refused."))
        if reply.result == "stale":
            error = Stale(error.template, **error.values)
        future.set_exception(error)
        return True

    def end(self, error: RackoError | None) -> None:
        """The server has ended it for good."""
        if not self.link.closed:
            self._close(error)

    def _close(self, error: RackoError | None) -> None:
        self.link = Link(up=False, trouble=error, closed=True)
        gone = error or LinkError(N_("You have left the table."))
        self._fail(gone)
        if self.shown.done():
            self._emit(())
        else:
            self.shown.set_exception(gone)
            self.shown.exception()  # perhaps nobody else looks at it

    def _fail(self, error: RackoError) -> None:
        for ask, future in list(self._asked.values()):
            if not future.done():
                if ask.input.get("input") == "stand" and self.link.closed:
                    future.set_result(None)
                else:
                    future.set_exception(error)

    def _emit(self, notices: tuple[object, ...], *, caught_up: bool = False) -> None:
        if self._memory.info is None:
            return
        view = self._memory.view()
        seen = {self.seat: Seen(notices, view)}  # type: ignore[arg-type]
        helped = self._memory.helped is not False
        self._updates.put_nowait(Update(self.info, self.link, seen, caught_up, helped=helped))
