"""A client of a server: for screens, bots and tools.

A whole bot:

    import asyncio
    from racko_core.bots import bot, decide_safely
    from racko_net.client import connect

    async def main() -> None:
        player = bot("solid")
        async with await connect("localhost:7225", name="Robby") as host:
            table = await host.join("KAFU")          # a table that somebody else starts
            async for view in table.turns():         # until the game is over
                await table.act(decide_safely(player, view))
            print("final scores:", table.view(table.seat).totals)

    asyncio.run(main())

`act` raises `Stale` where the turn's clock was faster, and `turns` goes on with what follows. A bot
that makes the table itself, by `host.create(Rules(players=2))`, asks for `Start()` when all sit.

For a lobby screen:

    host = await connect(address, name="Ana", password=None, tls=None, tokens=Tokens(folder))
    host.welcome.name, host.welcome.server_id    # what the server is called; who it is
    tables = await host.tables()                 # list[Listed]: code, info, locked, watchers
    host.offers(tables)                          # list[Offer]: seats to take back at them
    session = await host.create(rules, options, name="", password=None, seat=0)
    session = await host.join(code, seat=None, password=None)
    session = await host.watch(code, password=None)
    session = await host.resume(offer.seat)
    await host.status()                          # Status
    await host.close()

All raise `RackoError` with the sentence to show. `session` is a `RemoteSession`, an ordinary
`Session` for the table screen; a host has one at a time. What an owner does is asked of the
session like everything else: `Sit(seat, "", Kind.BOT, level)` seats a bot, `Stand(seat)` removes
a bot or a person, `Start()`, `Pause(True)`, `HandOver(seat)`, `Configure(rules, options)`; each
person asks for `Ready(seat)`, `Move(seat, to)`, `Return(seat)`, `Say(seat, "", text)`. `stand()`
gives the seat up for good, `close()` only lets go of it: it is kept, and the token too.
"""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from racko_core.errors import N_, RackoError
from racko_core.rules import Rules, Seat
from racko_core.seating import Kind, Options, Stand
from racko_net import keys
from racko_net import protocol as p
from racko_net.clientside import wire
from racko_net.clientside.line import Address, ByeError, LinkError
from racko_net.clientside.remote import RemoteSession, Stale
from racko_net.clientside.sitting import SitDown, Sitting
from racko_net.clientside.tokens import Offer, SavedSeat, TokenError, Tokens
from racko_net.clientside.wire import Wire, hung_up, refusal, resolve
from racko_net.codec import input_to_plain
from racko_net.serverside.limits import MOST_TABLES
from racko_net.software import SOFTWARE

_FIRST_WAIT: Final = 0.4
_LONGEST_WAIT: Final = 10.0
_GOODBYE: Final = 2.0
"""Seconds in which a chair can be given back that was asked for when the connection is closed."""

__all__ = ["Address", "Host", "LinkError", "RemoteSession", "Stale", "connect"]


async def connect(
    address: str | Address,
    *,
    name: str,
    password: str | None = None,
    tls: ssl.SSLContext | None = None,
    tokens: Tokens | None = None,
    rng: random.Random | None = None,
    ticks: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Host:
    """Connect to a server. Raises `RackoError`.

    `tls` from `line.tls_context`. With `tokens`, seats are kept on disk and can be taken back by
    another process. `rng`, `ticks` and `sleep` are for tests.
    """
    if isinstance(address, str):
        address = Address.parse(address)
    hello = p.Hello([p.VERSION], name, password, SOFTWARE)
    host = Host(address, hello, tls, tokens, rng or random.Random(), ticks, sleep)
    await host.reach()
    return host


class Host(Wire):
    """A server as one person knows it: its lobby, and one session at a time. See `connect`."""

    def __init__(
        self,
        address: Address,
        hello: p.Hello,
        tls: ssl.SSLContext | None,
        tokens: Tokens | None,
        rng: random.Random,
        ticks: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        super().__init__(address, hello, tls, rng, ticks, sleep)
        self.trouble: TokenError | None = None
        """Why a seat could not be kept on disk."""
        self._tokens = tokens
        self._rng = rng
        self._session: RemoteSession | None = None
        self._sitting: Sitting | None = None
        self._comeback: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # The lobby

    async def tables(self) -> list[p.Listed]:
        """All tables, the newest first."""
        found: dict[str, p.Listed] = {}
        passed, below = 0, None
        while True:
            offset = passed if below is None else 0
            page = await self.ask(p.List(self.next_id(), offset, below), p.Tables)
            found.update((each.table, each) for each in page.tables)
            passed, below = passed + len(page.tables), page.below
            more = passed < page.total if below is None else below > 0 and passed < MOST_TABLES
            if not page.tables or not more:
                return list(found.values())

    async def status(self) -> p.Status:
        """How the server is."""
        return await self.ask(p.AskStatus(self.next_id()), p.Status)

    async def create(
        self,
        rules: Rules,
        options: Options | None = None,
        *,
        name: str = "",
        password: str | None = None,
        seat: Seat = 0,
    ) -> RemoteSession:
        """Make a table and sit down at it. Without `options` the server's own are taken."""
        plain: dict[str, Any] = {} if options is None else msgspec.to_builtins(options)
        return await self._sit(
            p.Create(self.next_id(), rules.to_dict(), plain, name, password or None, seat)
        )

    async def join(
        self, table: str, seat: Seat | None = None, *, password: str | None = None
    ) -> RemoteSession:
        """Take an open chair, the first one where `seat` is None."""
        return await self._sit(p.Join(self.next_id(), table, seat, password or None))

    async def watch(self, table: str, *, password: str | None = None) -> RemoteSession:
        """Watch a table."""
        return await self._sit(p.Watch(self.next_id(), table, password or None))

    def offers(self, tables: Iterable[p.Listed]) -> list[Offer]:
        """The person's own seats at these tables, the one kept last first."""
        if self._tokens is None:
            return []
        found = []
        by_code = {listed.table: listed for listed in tables}
        for seat in self._tokens.saved(self.welcome.server_id):
            listed = by_code.get(seat.table)
            if listed is None:
                continue
            for chair in listed.info.chairs:
                if chair.kind is Kind.HUMAN and chair.name == seat.name:
                    found.append(Offer(seat, listed, here=not chair.away))
                    break
        return found

    def own_seat(self, table: str) -> SavedSeat | None:
        """The seat that is kept for a table of this server, whether it is still there or not."""
        kept = self._tokens.saved(self.welcome.server_id) if self._tokens is not None else []
        return next((seat for seat in kept if seat.table == table), None)

    async def resume(self, saved: SavedSeat) -> RemoteSession:
        """Take a seat back, even from another terminal that plays it now.

        If the server says that it is gone for good, it is forgotten; but only where the seat was
        played last: anybody may take a server's id.
        """
        return await self._sit(p.Resume(self.next_id(), saved.table), saved=saved)

    async def again(self, ended: RemoteSession) -> RemoteSession:
        """Be at the table of a session once more that ended though the table did not."""
        if ended.saved is not None:
            return await self.resume(ended.saved)
        return await self.watch(ended.code, password=ended.password)

    async def close(self) -> None:
        """Hang up. A seat is kept, and its token too; but none that was only asked for."""
        self.closed = True
        if self._comeback is not None:
            self._comeback.cancel()
            self._comeback = None
        if self._session is not None:
            self._session.let_go()
        try:
            if self._sitting is not None:
                self._sitting.abandon()
                if self._sitting.new:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_GOODBYE):
                            await self._sitting.over.wait()
        finally:
            self.hang_up(hung_up())

    # For sessions

    def prove(self, request: p.Resume, saved: SavedSeat) -> p.Resume:
        """Show the server, on this connection, that the seat is one's own."""
        request.nonce = keys.new_nonce()
        request.proof = keys.proof("client", keys.digest(saved.token), self._meeting(request))
        return request

    def trusts(self, answer: p.Seated, request: SitDown, saved: SavedSeat | None) -> bool:
        """Whether the answer to a request comes from the server that knows the seat."""
        if not isinstance(request, p.Resume) or saved is None:
            return True
        kept = keys.digest(saved.token)
        return keys.proves(answer.proof, "server", kept, self._meeting(request))

    def _meeting(self, request: p.Resume) -> keys.Meeting:
        return keys.Meeting(self.welcome.nonce, request.nonce, self.certificate)

    def let_go(self, session: RemoteSession, *, for_good: bool = False) -> None:
        """A session does not want to hear of its table any more, nor its person of the seat if it
        is `for_good`.
        """
        if self._session is session:
            self._session = None
            if self._comeback is not None:
                self._comeback.cancel()
                self._comeback = None
            self.leave(session.seat if for_good else None, session.saved)

    def leave(self, seat: Seat | None = None, saved: SavedSeat | None = None) -> None:
        """Be at no table any more, and wait for nothing; give up for good the `seat` there, which
        is forgotten once that is done.
        """
        if not self.connected:
            return
        if seat is not None:
            stand = p.Ask(self.next_id(), input_to_plain(Stand(seat)))
            self.request(stand, lambda told: self._forget(saved, told))
        self.send(p.Leave(self.next_id()))  # is refused where the seat was given up

    def seated(self, answer: p.Seated, sitting: Sitting) -> RemoteSession:
        """The session that a request has led to."""
        message = sitting.message
        self._session = RemoteSession(
            self,
            answer.table,
            answer.seat,
            server_id=self.welcome.server_id,
            saved=self._saved(answer, sitting.saved),
            password=message.password if isinstance(message, p.Watch) else None,
        )
        return self._session

    # Connections

    async def reach(self, server_id: str | None = None) -> None:
        """Connect, if no connection stands; during a session only to its server."""
        if self._session is not None:
            server_id = self._session.server_id
        await super().reach(server_id)

    def lost(self, error: LinkError) -> None:  # noqa: D102
        session = self._session
        if session is None:
            return
        if isinstance(error, ByeError) and not error.retry:
            self._session = None
            session.end(error)
            return
        session.lost(error)
        if self._comeback is None:
            self._comeback = asyncio.create_task(self._come_back(session))

    async def _come_back(self, session: RemoteSession) -> None:
        """Try again and again, ever more slowly, and never in step with others."""
        wait = _FIRST_WAIT
        while self._session is session:
            await self._sleep(wait * self._rng.uniform(0.5, 1.0))
            wait = min(_LONGEST_WAIT, 2 * wait)
            try:
                await self.reach()
                await self._again(session)
            except RackoError as error:
                if self._is_final(error):
                    self._comeback = None
                    self._forget(session.saved, error)
                    self._end(session, error)
                    return
                self.hang_up(LinkError(N_("The connection was lost.")))
                session.lost(error)
            else:
                if self.connected:
                    self._comeback = None
                    return

    def _is_final(self, error: RackoError) -> bool:
        if isinstance(error, LinkError):
            return isinstance(error, ByeError) and not error.retry
        return self.connected and error.template not in keys.LATER

    async def _again(self, session: RemoteSession) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        request = session.again(self.next_id())

        def hear(message: p.FromServer | LinkError) -> None:
            if isinstance(message, p.Seated) and message.answers(request):
                if self.trusts(message, request, session.saved):
                    session.resumed(message.seat)
                    resolve(done, None)
                else:
                    resolve(done, self.other())
            else:
                resolve(done, refusal(message))

        await self.answered(request, hear, done)

    def _end(self, session: RemoteSession, error: RackoError | None) -> None:
        """A session is over."""
        if self._session is session:
            self._session = None
        session.end(error)

    def _forget(self, seat: SavedSeat | None, told: p.FromServer | RackoError) -> None:
        """Forget a seat if what the server told means that it is gone for good; only here are any
        forgotten.
        """
        gone = (
            isinstance(told, p.Removed)
            or (isinstance(told, p.Reply) and told.result == "accepted")  # giving it up
            or (
                isinstance(told, RackoError)
                and not isinstance(told, LinkError)
                and told.template in keys.GONE
            )
        )
        if gone and seat is not None and self._tokens is not None:
            self._tokens.forget(seat)

    async def _sit(self, message: SitDown, saved: SavedSeat | None = None) -> RemoteSession:
        server_id = self.welcome.server_id if saved is None else saved.server_id
        await self._settled()
        if self._session is not None:
            raise RackoError(N_("You are at a table; leave it first."))
        if self._sitting is not None and not self._sitting.over.is_set():
            raise RackoError(N_("You are on your way to a table already; wait a moment."))
        self._sitting = Sitting(self, message, saved)
        with self._sitting as sitting:
            await self.reach(server_id)
            await self.pace()
            if isinstance(message, p.Resume) and saved is not None:
                self.prove(message, saved)  # only now it is known for which connection
            try:
                session = await sitting.asked(wire.ANSWER)
            except RackoError as error:
                if saved is not None and saved.address == str(self.address):
                    self._forget(saved, error)  # elsewhere another server may say so
                raise
            await session.begin(wire.ANSWER)
        self._sitting = None
        self._keep(session)
        return session

    async def _settled(self) -> None:
        """Wait for the answer to a request that nobody waits for any more: what it gives has to be
        given back before anything else can be asked for.
        """
        former = self._sitting
        if former is None or not former.unwanted:
            return
        try:
            async with asyncio.timeout(wire.ANSWER):
                await former.over.wait()
        except TimeoutError:
            raise LinkError(N_("The server does not answer.")) from None

    def _saved(self, seated: p.Seated, saved: SavedSeat | None) -> SavedSeat | None:
        if seated.seat is None:
            return None
        if saved is not None:
            return replace(saved, seat=seated.seat, address=str(self.address))
        return SavedSeat(
            server_id=self.welcome.server_id,
            address=str(self.address),
            table=seated.table,
            name=self.welcome.player,
            seat=seated.seat,
            token=seated.token,
        )

    def _keep(self, session: RemoteSession) -> None:
        """Write the seat down, under the name that the table gave."""
        if self._tokens is None or session.saved is None or session.seat is None:
            return
        name = session.info.chairs[session.seat].name
        session.saved = replace(session.saved, name=name)
        try:
            self._tokens.save(session.saved)
        except TokenError as error:
            self.trouble = error

    def heard(self, message: p.FromServer) -> None:  # noqa: D102
        session = self._session
        if session is None:
            return
        if isinstance(message, p.Reply):
            session.reply(message)
        elif isinstance(message, p.Snapshot | p.Page | p.Update):
            session.take(message)
        elif isinstance(message, p.Removed):
            self._forget(session.saved, message)
            self._end(session, message.reason.error() if message.reason else None)
