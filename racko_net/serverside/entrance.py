"""Where clients come in: each is counted before anything is done for it, and may be turned away.

Encryption begins behind the count: whoever never gets through with it takes up a place like
everyone else, and for no longer than a hello may take.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from racko_core.errors import N_, RackoError
from racko_net.protocol import Bye
from racko_net.reasons import reason
from racko_net.sentence import Sentence
from racko_net.serverside.connection import Connection
from racko_net.serverside.limits import Limits
from racko_net.serverside.logline import line

if TYPE_CHECKING:
    from racko_net.server import Server

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 32
"""Clients let in before those that are in are looked at again."""
_TOLD: Final = 50
"""Clients at the same time that are told why they are turned away; more just find it closed."""
_COMPLAIN: Final = 60.0
"""Seconds between two lines in the log on clients that cannot be let in."""


class Entrance:
    """The sockets of one server, and who came in by them."""

    pause = 1.0
    """Seconds without letting anybody in when the system has no place for another."""

    def __init__(self, server: Server, sockets: Iterable[socket.socket]) -> None:
        self.connections: dict[Connection, None] = {}
        """Those that may stay."""
        self._server = server
        self._limits: Limits = server.limits
        self._sockets = list(sockets)
        self._context: ssl.SSLContext | None = None
        self._per_address: Counter[str] = Counter()
        self._turned_away: dict[Connection, None] = {}
        self._greetings: set[asyncio.Task[None]] = set()
        self._pauses: dict[socket.socket, asyncio.TimerHandle] = {}
        self._complained: float | None = None

    def open(self, context: ssl.SSLContext | None) -> None:
        """Let people in, encrypted if there is something to do it with."""
        self._context = context
        for listener in self._sockets:
            self._listen(listener)

    def close(self) -> None:
        """Let nobody in any more."""
        loop = asyncio.get_running_loop()
        for pause in self._pauses.values():
            pause.cancel()
        for listener in self._sockets:
            if listener.fileno() != -1:
                loop.remove_reader(listener)
                listener.close()
        for greeting in self._greetings:
            greeting.cancel()

    @property
    def everyone(self) -> list[Connection]:
        """Every connection, those included that are being turned away."""
        return [*self.connections, *self._turned_away]

    def left(self, connection: Connection) -> None:
        """A connection is closed."""
        if connection in self.connections:
            del self.connections[connection]
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]
        self._turned_away.pop(connection, None)

    def _listen(self, listener: socket.socket) -> None:
        self._pauses.pop(listener, None)
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(_AT_ONCE):
            try:
                sock, peer = listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionError:  # gone before its turn came
                continue
            except OSError as error:  # they wait in the system: to ask again at once is of no use
                self._wait(listener, error)
                return
            sock.setblocking(False)
            self._receive(sock, counted_as(str(peer[0])))

    def _wait(self, listener: socket.socket, error: OSError) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)
        self._pauses[listener] = loop.call_later(self.pause, self._listen, listener)
        now = self._server.ticks()
        if self._complained is None or now - self._complained >= _COMPLAIN:
            self._complained = now
            _log.warning("%s", line("not-letting-in", reason=str(reason(error))))

    def _receive(self, sock: socket.socket, address: str) -> None:
        refusal = self._refusal(address)
        if refusal is not None and len(self._turned_away) >= _TOLD:
            sock.close()
            return
        connection = Connection(self._server, address, refusal)
        if refusal is None:
            self.connections[connection] = None
            self._per_address[address] += 1
        else:
            self._turned_away[connection] = None
        greeting = asyncio.get_running_loop().create_task(self._greet(sock, connection))
        self._greetings.add(greeting)
        greeting.add_done_callback(lambda _: self._greeted(greeting, sock, connection))

    def _refusal(self, address: str) -> Bye | None:
        """Why another one from that address cannot stay."""
        limits = self._limits
        most = limits.per_address if address else limits.from_here
        if len(self.connections) >= limits.connections:
            full = N_("This server is full; try again later.")
        elif most is not None and self._per_address[address] >= most:
            full = N_("Too many connections come from your address.")
        else:
            return None
        return Bye("limit", Sentence.of(RackoError(full)))

    async def _greet(self, sock: socket.socket, connection: Connection) -> None:
        """Hand the socket to its connection, when it is encrypted if it is to be."""
        encrypted = self._context is not None
        with contextlib.suppress(OSError):  # no TLS, or not in time
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection,
                sock,
                ssl=self._context,
                ssl_handshake_timeout=self._limits.hello if encrypted else None,
                ssl_shutdown_timeout=1.0 if encrypted else None,
            )

    def _greeted(
        self, greeting: asyncio.Task[None], sock: socket.socket, connection: Connection
    ) -> None:
        self._greetings.discard(greeting)
        if not connection.made:
            sock.close()
            self.left(connection)


def counted_as(host: str) -> str:
    """The address as limits count it: empty for this machine, a network for IPv6."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
