"""One client's connection to a server: hello, limits, heartbeats, and how it ends."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, cast

from racko_core.errors import N_, RackoError
from racko_net import protocol as p
from racko_net.framing import FrameError, FrameReader
from racko_net.keys import TOO_MANY_GUESSES, new_nonce
from racko_net.sentence import Sentence
from racko_net.serverside.limits import Bucket
from racko_net.serverside.logline import line
from racko_net.serverside.peers import Place
from racko_net.text import clean_name

if TYPE_CHECKING:
    from racko_net.server import Server

_log = logging.getLogger(__name__)

_LINGER: Final = 3.0
"""Seconds in which a client may read why its connection is closed."""


class Connection(asyncio.Protocol):
    """What a server knows of one client; a `Peer` of its lobby."""

    def __init__(self, server: Server, address: str, refusal: p.Bye | None = None) -> None:
        """`refusal`: why it cannot stay; that is all it is told."""
        self.name = ""
        self.address = address
        """Where it comes from; empty for this machine."""
        self.asked = False
        self.place: Place | None = None
        self.known = False
        """Whether it has said hello."""
        self.ending = False
        self._refusal = refusal
        self._server = server
        self.nonce, self.certificate = new_nonce(), server.certificate
        self._transport: asyncio.Transport | None = None
        self._reader = FrameReader()
        now = server.ticks()
        limits = server.limits
        self._bucket = Bucket(limits.rate, limits.burst, server.ticks)
        self.guesses = Bucket(1.0 / limits.guess_every, limits.guesses, server.ticks)
        self._since = self._heard = self._pinged = now
        self._pings = 0

    @property
    def made(self) -> bool:
        """Whether it has begun: it is not, as long as encryption is being agreed on."""
        return self._transport is not None

    # From the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # noqa: D102
        self._transport = cast(asyncio.Transport, transport)
        if self._refusal is not None:
            self.end(self._refusal)

    def data_received(self, data: bytes) -> None:  # noqa: D102
        if self.ending:
            return
        self._heard = self._server.ticks()
        try:
            for payload in self._reader.feed(data):
                self._server.received += 1
                if not self._bucket.take():
                    self.end(_bye("limit", N_("You asked for too much at once; wait a little.")))
                else:
                    self._take(p.from_client(payload))
                if self.ending:
                    break
        except (FrameError, p.ProtocolError) as error:
            self.end(p.Bye("protocol", Sentence.of(error)))
        except Exception:  # whatever one client brings about must not stop the server
            _log.exception("%s", line("fault", name=self.name))
            self.end(_bye("fault", N_("Something went wrong on the server."), retry=True))
        self._server.settle()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: D102
        self._server.lost(self)

    # As a peer

    def send(self, frames: bytes) -> None:
        """Send whole frames. A client that does not read is dropped and may come back."""
        transport = self._transport
        if self.ending or transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() > self._server.limits.queue:
            slow = _bye("slow", N_("Your connection was too slow to keep up."), retry=True)
            self._server.later(self, slow)
            return
        self._server.sent += 1
        transport.write(frames)

    def end(self, bye: p.Bye) -> None:
        """Say goodbye and close."""
        if self.ending or self._transport is None:
            return
        self.ending = True
        self._since = self._server.ticks()
        if not self._transport.is_closing():
            self._transport.write(p.encode(bye))
            self._transport.close()
        if bye.code not in ("stopping", "replaced"):
            _log.info("%s", line("dropped", name=self.name, reason=bye.code))
        self._server.ended(self)

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    # Messages

    def _take(self, message: p.FromClient) -> None:
        if not self.known:
            self._hello(message)
            return
        match message:
            case p.Ping(n):
                self.send(p.encode(p.Pong(n, self._server.now())))
            case p.Pong():
                pass
            case p.Goodbye():
                self.ending = True
                if self._transport is not None:
                    self._transport.close()
                self._server.ended(self)
            case p.Hello():
                raise p.ProtocolError(N_("A connection has one hello."))
            case p.AskStatus(request):
                self._server.lobby.send(self, p.encode(self._server.status(request)))
            case _:
                self._server.lobby.handle(self, message, self._server.now())

    def _hello(self, hello: p.FromClient) -> None:
        if not isinstance(hello, p.Hello):
            raise p.ProtocolError(N_("A connection begins with a hello."))
        if p.VERSION not in hello.versions:
            newer = any(version > p.VERSION for version in hello.versions)
            self.end(
                _bye(
                    "version",
                    N_("This server is older than your racko; update the server.")
                    if newer
                    else N_("Your racko is too old for this server; update it."),
                )
            )
            return
        if hello.password and self._server.barred(self):
            self.end(_bye("limit", TOO_MANY_GUESSES))
            return
        if not self._server.may_enter(hello.password):
            if hello.password:
                self._server.guessed(self)
                reason = N_("That is not the password of this server.")
            else:
                reason = N_("This server has a password.")
            self.end(_bye("password", reason))
            return
        try:
            self.name = clean_name(hello.name)
        except RackoError as error:
            self.end(p.Bye("name", Sentence.of(error)))
            return
        self.known = True
        self.send(p.encode(self._server.welcome(self.name, self.nonce)))

    # Time

    def tick(self) -> None:
        """Look at the clock: ping, or give up a silent client."""
        now, limits = self._server.ticks(), self._server.limits
        if self.ending:
            if now - self._since > _LINGER:
                self.abort()
        elif not self.known:
            if now - self._since > limits.hello:
                self.end(_bye("silence", N_("You did not say hello in time.")))
        elif now - self._heard > limits.silence:
            self.end(_bye("silence", N_("Nothing was heard from you."), retry=True))
        elif now - self._pinged >= limits.ping:
            self._pinged = now
            self._pings += 1
            self.send(p.encode(p.Ping(self._pings)))


def _bye(code: p.ByeCode, template: str, *, retry: bool = False) -> p.Bye:
    return p.Bye(code, Sentence.of(RackoError(template)), retry)
