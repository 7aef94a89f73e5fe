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
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import msgspec

from racko_core.errors import N_, RackoError
from racko_core.rules import Rules, Seat
from racko_core.seating import Kind, Options
from racko_net import protocol as p
from racko_net.clientside.line import Address, ByeError, Line, LinkError, dial
from racko_net.clientside.remote import RemoteSession, Stale
from racko_net.clientside.tokens import Offer, SavedSeat, TokenError, Tokens
from racko_net.software import SOFTWARE

_ANSWER: Final = 15.0
"""Seconds in which a server answers."""
_FIRST_WAIT: Final = 0.4
_LONGEST_WAIT: Final = 10.0

Request = p.List | p.AskStatus | p.Create | p.Join | p.Watch | p.Resume
Answer = TypeVar("Answer", p.Tables, p.Status)
Result = TypeVar("Result")

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


class Host:
    """A server as one person knows it: its lobby, and one session at a time. See `connect`."""

    welcome: p.Welcome
    """What the server said of itself."""

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
        self.address = address
        self.trouble: TokenError | None = None
        """Why a seat could not be kept on disk."""
        self._hello = hello
        self._tls = tls
        self._tokens = tokens
        self._rng = rng
        self._ticks = ticks
        self._sleep = sleep
        self._line: Line | None = None
        self._offset = 0.0
        self._session: RemoteSession | None = None
        self._waiting: dict[str, Callable[[p.FromServer | LinkError], None]] = {}
        self._prefix = f"{rng.getrandbits(48):x}-"
        self._requests = 0
        self._comeback: asyncio.Task[None] | None = None
        self._dialling = asyncio.Lock()

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

    @property
    def connected(self) -> bool:
        """Whether a connection stands now; requests make one where it does not."""
        return self._line is not None and not self._line.closed

    async def tables(self) -> list[p.Listed]:
        """All tables, the newest first."""
        found: dict[str, p.Listed] = {}
        passed = 0
        while True:
            page = await self._ask(p.List(self.next_id(), passed), p.Tables)
            found.update((each.table, each) for each in page.tables)
            passed += len(page.tables)
            if not page.tables or passed >= page.total:
                return list(found.values())

    async def status(self) -> p.Status:
        """How the server is."""
        return await self._ask(p.AskStatus(self.next_id()), p.Status)

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
        """The person's own seats at all the `tables` that there are, the one kept last first.

        Seats at tables that are gone are forgotten.
        """
        if self._tokens is None:
            return []
        found = []
        by_code = {listed.table: listed for listed in tables}
        for seat in self._tokens.saved(self.welcome.server_id):
            listed = by_code.get(seat.table)
            if listed is None:
                self._tokens.forget(seat)
                continue
            for chair in listed.info.chairs:
                if chair.kind is Kind.HUMAN and chair.name == seat.name:
                    found.append(Offer(seat, listed, here=not chair.away))
                    break
        return found

    async def resume(self, saved: SavedSeat) -> RemoteSession:
        """Take a seat back, even from another terminal that plays it now."""
        return await self._sit(p.Resume(self.next_id(), saved.table, saved.token), saved=saved)

    async def close(self) -> None:
        """Hang up. A seat is kept, and its token too."""
        if self._comeback is not None:
            self._comeback.cancel()
            self._comeback = None
        if self._session is not None:
            await self._session.close()
        if self._line is not None:
            self._line.close()
            self._line = None
        self._fail(LinkError(N_("The connection was closed.")))

    # For sessions

    def clock(self) -> float:
        """The time on the server's clock, in seconds since 1970."""
        return self._ticks() + (self._line.offset if self._line else self._offset)

    def next_id(self) -> str:
        """An id that no request of this person had before."""
        self._requests += 1
        return f"{self._prefix}{self._requests:x}"

    async def pace(self) -> None:
        """Wait until the server allows another message."""
        while self._line is not None and not self._line.bucket.take():
            await self._sleep(self._line.bucket.wait())

    def send(self, message: p.FromClient) -> None:
        """Send a message, if a connection stands."""
        if self._line is not None:
            self._line.send(message)

    def let_go(self, session: RemoteSession) -> None:
        """A session does not want to hear of its table any more."""
        if self._session is session:
            self._session = None
            if self._comeback is not None:
                self._comeback.cancel()
                self._comeback = None
            self.send(p.Leave(self.next_id()))

    # Connections

    async def reach(self) -> None:
        """Connect, if no connection stands. Raises `RackoError`."""
        async with self._dialling:
            if self.connected:
                return
            line, self.welcome = await dial(
                self.address, self._hello, tls=self._tls, ticks=self._ticks
            )
            line.on_message = self._hear
            line.on_lost = self._lost
            self._line = line

    def _lost(self, error: LinkError) -> None:
        if self._line is not None:
            self._offset = self._line.offset
        self._line = None
        self._fail(error)
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
                final = isinstance(error, ByeError) and not error.retry
                if final or (self.connected and not isinstance(error, LinkError)):
                    self._comeback = None
                    self._end(session, error)
                    return
                if self._line is not None:
                    self._line.close()
                    self._line = None
                session.lost(error)
            else:
                if self.connected:
                    self._comeback = None
                    return

    async def _again(self, session: RemoteSession) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        request = session.again(self.next_id())

        def hear(message: p.FromServer | LinkError) -> None:
            if isinstance(message, p.Seated) and message.answers(request):
                session.resumed(message.seat)
                _resolve(done, None)
            else:
                _resolve(done, _refusal(message))

        await self._request(request, hear, done)

    def _end(self, session: RemoteSession, error: RackoError | None) -> None:
        """A session is over, and with it the seat."""
        if self._session is session:
            self._session = None
        replaced = isinstance(error, ByeError)
        if session.saved is not None and self._tokens is not None and not replaced:
            self._tokens.forget(session.saved)
        session.end(error)

    # Messages

    async def _ask(self, message: p.List | p.AskStatus, kind: type[Answer]) -> Answer:
        await self.reach()
        await self.pace()
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def hear(answer: p.FromServer | LinkError) -> None:
            _resolve(done, answer if isinstance(answer, kind) else _refusal(answer))

        return await self._request(message, hear, done)

    async def _sit(
        self, message: p.Create | p.Join | p.Watch | p.Resume, saved: SavedSeat | None = None
    ) -> RemoteSession:
        if self._session is not None:
            raise RackoError(N_("You are at a table; leave it first."))
        await self.reach()
        await self.pace()
        done: asyncio.Future[RemoteSession] = asyncio.get_running_loop().create_future()

        def hear(answer: p.FromServer | LinkError) -> None:
            if not isinstance(answer, p.Seated) or not answer.answers(message):
                _resolve(done, _refusal(answer))
                return
            seat = self._saved(answer, saved)
            password = message.password if isinstance(message, p.Watch) else None
            self._session = RemoteSession(
                self, answer.table, answer.seat, saved=seat, password=password
            )
            _resolve(done, self._session)

        session = await self._request(message, hear, done)
        await session.begin(_ANSWER)
        if session.saved is not None:
            self._keep(session)
        return session

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

    async def _request(
        self,
        message: Request,
        hear: Callable[[p.FromServer | LinkError], None],
        done: asyncio.Future[Result],
    ) -> Result:
        request = message.id
        self._waiting[request] = hear
        self.send(message)
        try:
            async with asyncio.timeout(_ANSWER):
                return await done
        except TimeoutError:
            raise LinkError(N_("The server does not answer.")) from None
        finally:
            self._waiting.pop(request, None)

    def _hear(self, message: p.FromServer) -> None:
        session = self._session
        if isinstance(message, p.Seated | p.Tables | p.Status | p.Reply):
            hear = self._waiting.pop(message.id, None)
            if hear is not None:
                hear(message)
            elif session is not None and isinstance(message, p.Reply):
                session.reply(message)
        elif isinstance(message, p.Snapshot | p.Page | p.Update):
            if session is not None:
                session.take(message)
        elif isinstance(message, p.Removed) and session is not None:
            self._end(session, message.reason.error() if message.reason else None)

    def _fail(self, error: LinkError) -> None:
        waiting, self._waiting = self._waiting, {}
        for hear in waiting.values():
            hear(error)


def _resolve(future: asyncio.Future[Any], result: object) -> None:
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


def _refusal(answer: p.FromServer | LinkError) -> RackoError:
    if isinstance(answer, LinkError):
        return answer
    if isinstance(answer, p.Reply) and answer.error is not None:
        return answer.error.error()
    return RackoError(N_("The server answered with something else."))
