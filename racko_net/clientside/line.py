"""One connection from a client to a server: dialling, hello, heartbeats, and its end."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from racko_core.errors import N_, RackoError
from racko_net import protocol as p
from racko_net.certificates import fingerprint, unsafe, unusable
from racko_net.clientside import sense
from racko_net.files import check_plain
from racko_net.framing import FrameError, FrameReader
from racko_net.reasons import Unfit, reason
from racko_net.serverside.limits import Bucket, Limits
from racko_net.text import quoted

_DIAL: Final = 10.0
"""Seconds for a connection and its welcome."""
_LIMITS: Final = Limits()
"""A server is given up as it gives up us, unless it has limits of its own."""
_UNSENT: Final = 1024 * 1024
"""Bytes that may wait for a server that does not read."""
_ADDRESS: Final = re.compile(
    r"(?:(?P<host>[^\s:\[\]]+)|\[(?P<six>[^\s\[\]]+)\])(?::(?P<port>[0-9]{1,5}))?"
    r"|(?P<bare>[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*(?:%\w+)?)"
)
_SHARE: Final = 0.8
"""How much of what the server allows is used."""


class LinkError(RackoError):
    """A connection that could not be made, or that ended."""


class ByeError(LinkError):
    """The server said goodbye."""

    code: p.ByeCode = "fault"
    retry: bool = False
    """Whether it is worth coming back by oneself."""

    @classmethod
    def of(cls, bye: p.Bye) -> ByeError:
        """The goodbye as an error."""
        reason = bye.reason.error()
        error = cls(reason.template, **reason.values)
        error.code, error.retry = bye.code, bye.retry
        return error


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is."""

    host: str
    port: int = p.PORT

    @classmethod
    def parse(cls, text: str) -> Address:
        """From `host`, `host:port`, `[v6]:port` or a bare IPv6 address. Raises `LinkError`."""
        found = _ADDRESS.fullmatch(text.strip())
        port = int(found["port"] or p.PORT) if found else 0
        six = (found["six"] or found["bare"]) if found else None
        if found is None or not 0 < port < 65536 or (six is not None and not _is_ipv6(six)):
            raise LinkError(
                N_("“{text}” is no address; write it as host or host:port."), text=quoted(text, 60)
            )
        return cls(six or found["host"], port)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == p.PORT else f"{host}:{self.port}"


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def tls_context(authority: Path | None = None) -> ssl.SSLContext:
    """What checks a server's certificate: the system's authorities, or the one in a PEM file."""
    try:
        if authority is not None:
            check_plain(authority)  # OpenSSL would wait at a pipe
        return ssl.create_default_context(cafile=authority)
    except (OSError, ssl.SSLError) as error:
        raise LinkError(
            N_("The certificate “{path}” cannot be used ({reason})."),
            path=authority,
            reason=unusable(error),
        ) from error


class Line(asyncio.Protocol):
    """An open connection. `on_message` hears everything; `on_lost` is called once, at the end."""

    def __init__(self, hello: p.Hello, ticks: Callable[[], float]) -> None:
        loop = asyncio.get_running_loop()
        self.welcomed: asyncio.Future[p.Welcome] = loop.create_future()
        self.offset = 0.0
        """The server's clock less ours."""
        self.bucket = Bucket(20.0, 20.0, ticks)
        """What may still be asked."""
        self.on_message: Callable[[p.FromServer], None] = lambda message: None
        self.on_lost: Callable[[LinkError], None] = lambda error: None
        self.closed = False
        self._hello = hello
        self._ticks = ticks
        self._reader = FrameReader()
        self.certificate = ""
        """SHA-256 of the server's certificate in hex; empty without TLS."""
        self._transport: asyncio.Transport | None = None
        self._heard = self._pinged = ticks()
        self._pings = 0
        self._trip = float("inf")  # the quickest ping so far
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: p.FromClient) -> None:
        """Send a message; on a closed line it goes nowhere."""
        if self._transport is not None and not self.closed:
            self._transport.write(p.encode(message))
            if self._transport.get_write_buffer_size() > _UNSENT:
                self.close(LinkError(N_("The server does not listen.")))

    def close(self, error: LinkError | None = None) -> None:
        """Hang up; with an error, `on_lost` hears of it."""
        if self.closed:
            return
        if error is None:
            self.send(p.Goodbye())
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.close()
            if error is not None:
                self._transport.abort()
        if error is not None:
            if not self.welcomed.done():
                self.welcomed.set_exception(error)
            else:
                self.on_lost(error)

    # From the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # noqa: D102
        self._transport = cast(asyncio.Transport, transport)
        encryption = transport.get_extra_info("ssl_object")
        if encryption is not None:
            self.certificate = fingerprint(encryption.getpeercert(True) or b"")
        self.send(self._hello)
        self._heard = self._ticks()
        self._tick()

    def data_received(self, data: bytes) -> None:  # noqa: D102
        self._heard = self._ticks()
        try:
            for payload in self._reader.feed(data):
                if self.closed:
                    return
                self._take(_sound(payload))
        except (FrameError, p.ProtocolError) as error:
            if not self.welcomed.done():
                self.close(LinkError(N_("What answers there is no host of Rack-O games.")))
            else:
                self.close(LinkError(error.template, **error.values))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: D102
        if self.welcomed.done():
            self.close(LinkError(N_("The connection was lost.")))
        else:
            self.close(
                LinkError(N_("The other side hung up; perhaps it wants an encrypted connection."))
            )

    def _take(self, message: p.FromServer) -> None:
        match message:
            case p.Ping(n):
                self.send(p.Pong(n))
            case p.Pong(n, time):
                if n == self._pings:
                    trip = self._heard - self._pinged
                    if trip <= self._trip:
                        self._trip = trip
                        self.offset = time + trip / 2 - self._heard
            case p.Bye():
                self.close(ByeError.of(message))
            case p.Welcome():
                if message.version not in self._hello.versions:
                    strange = N_("it speaks version {version} of the protocol")
                    raise sense.unreadable(Unfit(strange, version=message.version))
                self.offset = message.time - self._heard
                burst = max(2.0, _SHARE * message.burst)
                self.bucket = Bucket(max(0.1, _SHARE * message.rate), burst, self._ticks)
                if not self.welcomed.done():
                    self.welcomed.set_result(message)
            case _:
                self.on_message(message)

    def _tick(self) -> None:
        now = self._ticks()
        if now - self._heard > _LIMITS.silence:
            self.close(LinkError(N_("The server went silent.")))
            return
        if self.welcomed.done() and now - self._pinged >= _LIMITS.ping:
            self._pinged = now
            self._pings += 1
            self.send(p.Ping(self._pings))
        self._timer = asyncio.get_running_loop().call_later(1.0, self._tick)


def _sound(payload: bytes) -> p.FromServer:
    try:
        return sense.sound(p.from_server(payload))
    except ValueError as error:
        raise sense.unreadable(error) from None


async def dial(
    address: Address,
    hello: p.Hello,
    *,
    tls: ssl.SSLContext | None = None,
    ticks: Callable[[], float],
) -> tuple[Line, p.Welcome]:
    """Connect and be welcomed. Raises `LinkError`."""
    loop = asyncio.get_running_loop()
    line = Line(hello, ticks)
    welcome: p.Welcome | None = None
    try:
        async with asyncio.timeout(_DIAL):
            await loop.create_connection(
                lambda: line,
                address.host,
                address.port,
                ssl=tls,
                happy_eyeballs_delay=0.25,
            )
            welcome = await asyncio.shield(line.welcomed)
    except TimeoutError:
        raise LinkError(
            N_("“{address}” does not answer; is it the right address?"), address=address
        ) from None
    except ssl.SSLError as error:
        told = unsafe(error, address)
        raise LinkError(told.template, **told.values) from error
    except UnicodeError as error:  # too long, or with letters that no name has
        raise LinkError(
            N_("“{host}” is no name of a machine."), host=quoted(address.host, 100)
        ) from error
    except OSError as error:
        raise LinkError(
            N_("“{address}” cannot be reached ({reason})."),
            address=address,
            reason=reason(error),
        ) from error
    finally:
        if welcome is None:  # perhaps nobody waits for it any more
            line.close()
            if not line.welcomed.cancel():
                line.welcomed.exception()
    return line, welcome
