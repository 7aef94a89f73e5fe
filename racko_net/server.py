"""The server: sockets in front of a lobby.

    config = ServerConfig(data=Path("games"), name="Living room")
    await serve(config, started=lambda server: print(server.addresses))  # until SIGTERM, Ctrl+C

or, inside a program that has something else to do:

    server = Server(config)
    await server.start()      # RackoError: one sentence for the person who wanted to host
    ...
    await server.stop()       # clients are told; nothing is lost

Everything runs on one event loop. Times of tables are seconds since 1970 on a clock that never
jumps; limits and heartbeats go by `ticks`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import secrets
import signal
import ssl
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_core.seating import Input, Options
from racko_net import protocol as p
from racko_net.certificates import fingerprint, first_of
from racko_net.keys import same
from racko_net.outside_bot.permission import Programs
from racko_net.sentence import Sentence
from racko_net.serverside import doors
from racko_net.serverside.authority import USUAL
from racko_net.serverside.backstage import Backstage
from racko_net.serverside.catchup import CatchUp
from racko_net.serverside.connection import Connection
from racko_net.serverside.entrance import Entrance
from racko_net.serverside.limits import Buckets, Keep, Limits
from racko_net.serverside.lobby import Lobby
from racko_net.serverside.logline import line
from racko_net.serverside.room import Room
from racko_net.software import SOFTWARE
from racko_net.store import Store
from racko_net.text import harmless

_log = logging.getLogger(__name__)

_SWEEP: Final = 1.0
"""Seconds between two looks at every connection."""
_QUIET: Final = 0.0001
"""Seconds without a request that make a quiet moment."""
_SHOUT_EVERY: Final = 0.02
"""Seconds in which what watchers hear is gathered."""
_SHOUT_AT_ONCE: Final = 8
"""Watchers served before the players' sockets are looked at again."""


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """How to run a server. Times are in seconds."""

    data: Path
    """Folder of the tables; one server at a time uses it."""
    host: str | None = None
    """Address to listen at; None for every one of this machine, IPv4 and IPv6."""
    port: int = p.PORT
    """0 for any that is free."""
    name: str = ""
    """What people see in a list of hosts; empty for the name of this machine."""
    password: str | None = None
    """Asked of everyone; see `doors.read_password`."""
    tls_cert: Path | None = None
    """Certificate chain (PEM); with `tls_key`, connections are encrypted."""
    tls_key: Path | None = None
    discovery: bool = True
    """Whether to tell the local network about this server."""
    options: Options = USUAL
    """How a table is run unless its maker says otherwise."""
    limits: Limits = field(default_factory=Limits)
    keep: Keep = field(default_factory=Keep)
    programs: Programs = field(default_factory=Programs)
    """Programs that the host offers as bots."""


class Server:
    """One server. `start` it, `stop` it; people play in between."""

    def __init__(
        self,
        config: ServerConfig,
        *,
        wall: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        self.config = config
        self.limits = config.limits
        self.ticks = ticks
        """Seconds on a clock that never jumps."""
        self.name = harmless(config.name)[:60] or doors.machine_name()
        self.port = config.port
        """Where it listens, once started."""
        self.received = 0
        self.sent = 0
        self._zero = wall() - ticks()
        self._started = ticks()
        self._rng = rng
        self._guesses = Buckets(1.0 / self.limits.guess_every, self.limits.guesses, ticks)
        self._exits = contextlib.ExitStack()
        self._context: ssl.SSLContext | None = None
        self.certificate = ""
        """SHA-256 of it, in hex; empty without TLS."""
        self.entrance = Entrance(self, ())
        """Who came in; takes the sockets when there are any."""
        self._tasks: list[asyncio.Task[None]] = []
        self._flushing = False
        self._flushed = ticks()
        self._stopped = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at: float | None = None
        self._shout: Iterator[None] | None = None
        self._lobby: Lobby | None = None
        self._backstage: Backstage | None = None
        self._catchup: CatchUp | None = None

    @property
    def lobby(self) -> Lobby:
        """The tables; only of a server that was started."""
        assert self._lobby is not None
        return self._lobby

    @property
    def connections(self) -> Collection[Connection]:
        """Everyone who came in and may stay."""
        return self.entrance.connections.keys()

    @property
    def addresses(self) -> list[str]:
        """Addresses of this machine at which friends find the server, the likeliest first."""
        return [self.config.host] if self.config.host else doors.own_addresses()

    def now(self) -> float:
        """The time on the tables' clock: seconds since 1970."""
        return self._zero + self.ticks()

    # Start and stop

    async def start(self) -> None:
        """Bring the tables back and listen. Raises `RackoError`, with nothing left open."""
        self.prepare()
        await self.open()

    def prepare(self) -> None:
        """Bring the tables back and take the port, so that nothing keeps `open` from opening; who
        comes waits until then. Raises `RackoError`, with nothing left open.
        """
        try:
            self._prepare()
        except BaseException:
            self._exits.close()
            raise

    def _prepare(self) -> None:
        config = self.config
        self._context = doors.tls_context(config.tls_cert, config.tls_key)
        self.certificate = fingerprint(first_of(config.tls_cert)) if config.tls_cert else ""
        self._exits.callback(doors.lock(config.data))
        store = Store(config.data / "server.sqlite3", durable=False)
        self._exits.callback(store.close)
        self.server_id = store.fact("server", secrets.token_hex(8))
        self._backstage = Backstage(
            config.programs, self.limits.programs, self._program_did, self.now
        )
        self._catchup = CatchUp(store.sync, store.tidy)
        self._lobby = Lobby(
            store,
            limits=self.limits,
            keep=config.keep,
            options=config.options,
            rng=self._rng,
            backstage=self._backstage,
            written=self._catchup.written,
        )
        sockets = doors.listening(config.host, config.port)
        for each in sockets:
            self._exits.callback(each.close)
        self.entrance = Entrance(self, sockets)
        self.lobby.load(self.now())
        self.port = sockets[0].getsockname()[1]

    async def open(self) -> None:
        """Let people in."""
        config, context = self.config, self._context
        self.entrance.open(context)
        self._tasks.append(asyncio.create_task(self._sweep()))
        if config.discovery:
            self._tasks.append(asyncio.create_task(self._advertise(context is not None)))
        self.soon()
        _log.info(
            "%s", line("started", name=self.name, port=self.port, tables=len(self.lobby.rooms))
        )

    async def _advertise(self, tls: bool) -> None:
        """Tell the network about this server until cancelled."""
        from racko_net.discovery import advertised

        try:
            async with advertised(
                self.name,
                self.port,
                server_id=self.server_id,
                host=self.config.host,
                locked=self.config.password is not None,
                tls=tls,
            ):
                await asyncio.Event().wait()
        except RackoError as error:
            _log.warning("%s", line("not-announced", reason=str(error)))

    async def stop(self) -> None:
        """Tell everyone, write everything down and close. Starting again carries on.

        What is asked for while its programs end is still done; nothing happens by itself any more.
        """
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks:
            task.cancel()
        self.entrance.close()
        if self._backstage is not None:
            await self._backstage.close()
        self.lobby.post.flush(self.now())
        self.lobby.close()
        reason = RackoError(N_("The server was stopped; your seat is kept for you."))
        for connection in self.entrance.everyone:
            connection.place = None
            connection.end(p.Bye("stopping", Sentence.of(reason), retry=True))
        for _ in range(50):
            if not self.entrance.everyone:
                break
            await asyncio.sleep(0.02)
        for connection in self.entrance.everyone:
            connection.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._catchup is not None:
            await self._catchup.close()
        self._exits.close()
        if self._tasks:
            _log.info("%s", line("stopped"))

    # What connections need

    def ended(self, connection: Connection) -> None:
        """A connection is about to close: whoever sat there is away."""
        if connection.place is not None:
            self.lobby.gone(connection, self.now())
            self.soon()

    def lost(self, connection: Connection) -> None:
        """A connection is closed."""
        self.entrance.left(connection)
        self.ended(connection)

    def later(self, connection: Connection, bye: p.Bye) -> None:
        """End a connection when whatever is at work now has finished."""
        asyncio.get_running_loop().call_soon(connection.end, bye)

    def may_enter(self, password: str | None) -> bool:
        """Whether that is the server's password."""
        return same(password, self.config.password)

    def guessed(self, connection: Connection) -> None:
        """Count a wrong password of the server against its address."""
        self._guesses.of(connection.address).take()

    def barred(self, connection: Connection) -> bool:
        """Whether too many of them came from its address to look at another."""
        return self._guesses.of(connection.address).wait() > 0.0

    def welcome(self, player: str, nonce: str) -> p.Welcome:
        """The answer to a hello."""
        return p.Welcome(
            version=p.VERSION,
            server=SOFTWARE,
            name=self.name,
            server_id=self.server_id,
            player=player,
            time=self.now(),
            rate=self.limits.rate,
            burst=self.limits.burst,
            nonce=nonce,
            options=self.config.options,
            bots=self._backstage.levels if self._backstage is not None else [],
        )

    def status(self, request: str) -> p.Status:
        """How the server is."""
        here, away = self.lobby.members()
        return p.Status(
            id=request,
            server=SOFTWARE,
            name=self.name,
            uptime=self.ticks() - self._started,
            tables=len(self.lobby.rooms),
            playing=self.lobby.playing(),
            players=here,
            away=away,
            watchers=self.lobby.watchers(),
            connections=len(self.connections),
            received=self.received,
            sent=self.sent,
            memory=doors.memory(),
            trouble=self.lobby.post.trouble,
        )

    def _program_did(self, room: Room, given: Input) -> None:
        self.lobby.put(room, given, self.now())
        self.soon()

    # What runs by itself

    def soon(self) -> None:
        """Have everything written and sent when the sockets that are ready have been read."""
        if not self._flushing and not self._stopped:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def settle(self) -> None:
        """The same, but at once in a quiet moment. When much happens, many requests share one
        write to the disk.
        """
        if not self._flushing and self.ticks() - self._flushed > _QUIET:
            self._flush()
        else:
            self.soon()

    def _flush(self) -> None:
        self._flushing = False
        if self._stopped:
            return
        self._flushed = self.ticks()
        self.lobby.post.flush(self.now())
        self._shout_soon()
        due = self.lobby.next_due()
        if due == self._alarm_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._alarm_at = due
        if due is not None:
            delay = max(0.0, due - self.now())
            self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        """Something is due."""
        self._alarm = self._alarm_at = None
        if self._stopped:
            return
        self.lobby.run(self.now())
        self._flush()

    def _shout_soon(self) -> None:
        if self.lobby.post.shouting and self._shout is None:
            self._shout = self.lobby.post.shout()
            asyncio.get_running_loop().call_later(_SHOUT_EVERY, self._shout_some)

    def _shout_some(self) -> None:
        """Serve a few watchers, then let others have a turn."""
        loop = asyncio.get_running_loop()
        served = 0 if self._shout is None else sum(1 for _ in islice(self._shout, _SHOUT_AT_ONCE))
        if served:
            loop.call_soon(self._shout_some)
            return
        self._shout = None
        self._shout_soon()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            self.sweep()

    def sweep(self) -> None:
        """Look at the clock for every connection."""
        for connection in self.entrance.everyone:
            connection.tick()
        self._guesses.tidy()
        self.lobby.tidy()


async def serve(
    config: ServerConfig,
    *,
    started: Callable[[Server], None] | None = None,
    beside: Callable[[Server], contextlib.AbstractAsyncContextManager[object]] | None = None,
) -> None:
    """Run a server until SIGTERM or Ctrl+C. Raises `RackoError` if it cannot start.

    `beside` makes what is entered before anybody is let in, when the port is known, and left before
    the server stops. `started` is called once people can join. SIGHUP is survived.
    """
    server = Server(config)
    server.prepare()
    gc.freeze()  # what is there now stays; looking through all of it would stop every table
    gc.set_threshold(20_000, 20, 20)
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    loop.add_signal_handler(signal.SIGHUP, lambda: _log.info("%s", line("hangup-ignored")))
    try:
        async with beside(server) if beside is not None else contextlib.nullcontext():
            await server.open()
            if started is not None:
                started(server)
            await done.wait()
    finally:
        await server.stop()
