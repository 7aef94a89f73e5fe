"""The way to one server: a connection, made again where it was lost, and what is asked over it."""

from __future__ import annotations

import asyncio
import random
import ssl
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from racko_core.errors import N_, RackoError
from racko_net import protocol as p
from racko_net.clientside.line import Address, Line, LinkError, dial

ANSWER: Final = 15.0
"""Seconds in which a server answers."""

Hear = Callable[[p.FromServer | LinkError], None]
"""Is told the answer to a request, or why there is none."""
Request = p.List | p.AskStatus | p.Create | p.Join | p.Watch | p.Resume | p.Ask
Answer = TypeVar("Answer", p.Tables, p.Status)
Result = TypeVar("Result")


class Wire(ABC):
    """Sends, and hears the answers. What else a server says goes to `heard`, and the loss of the
    connection to `lost`.
    """

    welcome: p.Welcome
    """What the server said of itself."""

    def __init__(
        self,
        address: Address,
        hello: p.Hello,
        tls: ssl.SSLContext | None,
        rng: random.Random,
        ticks: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.address = address
        self.closed = False
        """Whether it was hung up, for good."""
        self._hello = hello
        self._tls = tls
        self._ticks = ticks
        self._sleep = sleep
        self._line: Line | None = None
        self._offset = 0.0
        self._waiting: dict[str, Hear] = {}
        self._prefix = f"{rng.getrandbits(48):x}-"
        self._requests = 0
        self._dialling = asyncio.Lock()

    @property
    def connected(self) -> bool:
        """Whether a connection stands now; requests make one where it does not."""
        return self._line is not None and not self._line.closed

    @property
    def certificate(self) -> str:
        """SHA-256 of the server's certificate in hex; empty without TLS, or a connection."""
        return self._line.certificate if self._line is not None else ""

    def clock(self) -> float:
        """The time on the server's clock, in seconds since 1970."""
        return self._ticks() + (self._line.offset if self._line else self._offset)

    def use_password(self, password: str) -> None:
        """Say another password of the server from the next connection on."""
        self._hello = replace(self._hello, password=password)

    # Asking

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

    def request(self, message: Request, hear: Hear) -> None:
        """Send a request; `hear` is called once, whatever comes of it. Raises `LinkError`, and
        calls nothing, where no connection stands.
        """
        if not self.connected:
            raise LinkError(N_("The connection was lost."))
        self._waiting[message.id] = hear
        self.send(message)

    async def answered(self, message: Request, hear: Hear, done: asyncio.Future[Result]) -> Result:
        """Send a request and wait until `hear` has settled `done`. Raises `RackoError`."""
        self.request(message, hear)
        try:
            async with asyncio.timeout(ANSWER):
                return await done
        except TimeoutError:
            raise LinkError(N_("The server does not answer.")) from None
        finally:
            self._waiting.pop(message.id, None)

    async def ask(self, message: p.List | p.AskStatus, kind: type[Answer]) -> Answer:
        """Ask something about the server. Raises `RackoError`."""
        await self.reach()
        await self.pace()
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def hear(answer: p.FromServer | LinkError) -> None:
            resolve(done, answer if isinstance(answer, kind) else refusal(answer))

        return await self.answered(message, hear, done)

    # The connection

    async def reach(self, server_id: str | None = None) -> None:
        """Connect, if no connection stands. Raises `RackoError`.

        With `server_id`, only that server will do: secrets are for no other.
        """
        async with self._dialling:
            if self.closed:
                raise hung_up()
            if not self.connected:
                line, welcome = await dial(
                    self.address, self._hello, tls=self._tls, ticks=self._ticks
                )
                if self.closed or server_id not in (None, welcome.server_id):
                    line.close()
                    raise self.other() if not self.closed else hung_up()
                line.on_message = self._hear
                line.on_lost = self._line_lost
                self._line, self.welcome = line, welcome
            elif server_id not in (None, self.welcome.server_id):
                raise self.other()

    def other(self) -> LinkError:
        """Why somebody else's server will not do."""
        return LinkError(
            N_(
                "Another server answers at “{address}” now; wait until the one with your table is"
                " back, or ask its host."
            ),
            address=self.address,
        )

    def hang_up(self, error: LinkError) -> None:
        """Close the connection; whoever waits for an answer is told `error`."""
        if self._line is not None:
            self._line.close()
        self._gone(error)

    def _line_lost(self, error: LinkError) -> None:
        self._gone(error)
        self.lost(error)

    def _gone(self, error: LinkError) -> None:
        if self._line is not None:
            self._offset = self._line.offset
        self._line = None
        waiting, self._waiting = self._waiting, {}
        for hear in waiting.values():
            hear(error)

    def _hear(self, message: p.FromServer) -> None:
        if isinstance(message, p.Seated | p.Tables | p.Status | p.Reply):
            hear = self._waiting.pop(message.id, None)
            if hear is not None:
                hear(message)
                return
        self.heard(message)

    @abstractmethod
    def heard(self, message: p.FromServer) -> None:
        """The server said something that answers no request."""

    @abstractmethod
    def lost(self, error: LinkError) -> None:
        """The connection has ended by itself."""


def resolve(future: asyncio.Future[Any], result: object) -> None:
    """Set the result of a future, or the exception, unless it has one."""
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


def refusal(answer: p.FromServer | LinkError) -> RackoError:
    """Why there is no other answer than this."""
    if isinstance(answer, LinkError):
        return answer
    if isinstance(answer, p.Reply) and answer.error is not None:
        return answer.error.error()
    return RackoError(N_("The server answered with something else."))


def hung_up() -> LinkError:
    """What whoever still waits is told then."""
    return LinkError(N_("The connection was closed."))
