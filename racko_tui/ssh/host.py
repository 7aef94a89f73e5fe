"""The SSH host: listens, counts, and hands every connection to the worker with the fewest."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import socket
import time
from typing import Any, Final

from racko_core.errors import N_, RackoError
from racko_net.reasons import reason
from racko_net.serverside.limits import Bucket
from racko_net.text import quoted
from racko_tui.i18n import sentence
from racko_tui.ssh.census import Census, TurnedAway
from racko_tui.ssh.farewell import farewell
from racko_tui.ssh.gate import Gate
from racko_tui.ssh.hostkey import host_key
from racko_tui.ssh.options import Options
from racko_tui.ssh.supervised import Supervised

_log = logging.getLogger(__name__)

_BACKLOG: Final = 128
_FAREWELLS: Final = 64  # clients being turned away at the same time; the others go without a word
_FAREWELL_TIME: Final = 2.0  # seconds for a farewell to arrive
_PAUSE: Final = 0.1  # seconds until another is accepted when one could not be
_START: Final = 60.0  # seconds for the first worker to be ready


class HostError(RackoError):
    """An SSH host that cannot be started."""


class SshHost:
    """Runs beside the game server, on its event loop."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._clock = time.monotonic
        self._census = Census(options.limits, self._clock)
        self._numbers = itertools.count(1)
        self._listeners: list[socket.socket] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._farewells: set[asyncio.Task[None]] = set()
        self._complaints = Bucket(1.0, 20, self._clock)  # a flood must not fill the log either
        self.workers: list[Supervised] = []
        self.port = options.port
        """The port that it listens on, once it has started."""
        self.fingerprint = ""
        """SHA-256 of the host's public key, as `ssh` shows it."""

    @property
    def connections(self) -> int:
        """How many there are now."""
        return self._census.total

    async def start(self) -> None:
        """Listen. Raises `RackoError`, with the sentence to show, if that is impossible."""
        if not hasattr(socket, "send_fds") or not hasattr(socket, "AF_UNIX"):
            raise HostError(N_("This system cannot run the SSH host; Linux and macOS can."))
        Gate(self.options)  # whatever is wrong with the files is said here, not by a worker
        self.fingerprint = host_key(self.options.data_dir).get_fingerprint()
        self._listen()
        for _ in range(self.options.limits.workers):
            worker = Supervised(self.options, self._told, self._clock)
            self.workers.append(worker)
            self._spawn(worker.run())
        try:
            await asyncio.wait_for(self._first_ready(), _START)
        except (TimeoutError, HostError) as error:
            await self.close()
            raise HostError(N_("The SSH host could not start; the log says why.")) from error
        for listener in self._listeners:
            self._spawn(self._accept(listener))

    async def close(self) -> None:
        """Stop listening, let the sessions end, and end the workers."""
        for listener in self._listeners:
            listener.close()
        running = [task for task in self._tasks if task.get_name() == "run"]
        for task in self._tasks.difference(running) | self._farewells:
            task.cancel()
        for worker in self.workers:
            worker.stop()
        await asyncio.gather(*running, return_exceptions=True)

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine, name=coroutine.__name__)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _first_ready(self) -> None:
        while not any(worker.ready.is_set() for worker in self.workers):
            if any(worker.deaths for worker in self.workers):
                raise HostError(N_("The SSH host could not start; the log says why."))
            await asyncio.sleep(0.01)

    def _listen(self) -> None:
        for family, host in self._addresses():
            try:
                listener = socket.socket(family, socket.SOCK_STREAM)
            except OSError:
                continue  # a system without IPv6
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.bind((host, self.port))
                listener.listen(_BACKLOG)
            except OSError as error:
                listener.close()
                if family == socket.AF_INET6 and self._listeners:
                    continue  # IPv6 is switched off
                raise HostError(
                    N_("SSH cannot listen on port {port} ({reason}); choose another port."),
                    port=self.port,
                    reason=reason(error),
                ) from error
            listener.setblocking(False)
            self.port = listener.getsockname()[1]
            self._listeners.append(listener)

    def _addresses(self) -> list[tuple[int, str]]:
        """What to listen at: the family, and the address in numbers."""
        found: dict[tuple[int, str], None] = {}
        for host in self.options.hosts:
            try:
                for family, _, _, _, address in socket.getaddrinfo(
                    host, None, type=socket.SOCK_STREAM
                ):
                    found[int(family), str(address[0])] = None
            except UnicodeError as error:
                raise HostError(
                    N_("“{host}” is no name of a machine."), host=quoted(host, 100)
                ) from error
            except OSError as error:
                raise HostError(
                    N_("“{host}” is no address of this machine ({reason})."),
                    host=host,
                    reason=reason(error),
                ) from error
        return list(found)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, peer = await loop.sock_accept(listener)
            except OSError as error:  # out of handles, or a client that has left already
                if self._complaints.take():
                    _log.warning("a connection could not be accepted: %s", error)
                await asyncio.sleep(_PAUSE)
                continue
            self._receive(sock, peer[0])

    def _receive(self, sock: socket.socket, address: str) -> None:
        number = next(self._numbers)
        try:
            self._census.arrive(number, address)
        except TurnedAway as reason:
            if self._complaints.take():
                _log.warning("%s was turned away: %s", address, reason)
            self._turn_away(sock, sentence(reason))
            return
        room = [w for w in self.workers if w.load < self.options.limits.per_worker]
        min(room, key=lambda worker: (not worker.ready.is_set(), worker.load)).take(number, sock)

    def _turn_away(self, sock: socket.socket, reason: str) -> None:
        if len(self._farewells) >= _FAREWELLS:
            sock.close()
            return
        task = asyncio.get_running_loop().create_task(_say_farewell(sock, reason))
        self._farewells.add(task)
        task.add_done_callback(self._farewells.discard)

    def _told(self, what: str, number: int) -> None:
        match what:
            case "in":
                self._census.logged_in(number)
            case "wrong":
                self._census.failed(number)
            case "out":
                self._census.leave(number)


async def _say_farewell(sock: socket.socket, reason: str) -> None:
    """Tell the client, and wait until it has read it: a reset would wipe it out."""
    loop = asyncio.get_running_loop()
    with sock, contextlib.suppress(OSError, TimeoutError):
        sock.setblocking(False)
        async with asyncio.timeout(_FAREWELL_TIME):
            await loop.sock_sendall(sock, farewell(reason))
            sock.shutdown(socket.SHUT_WR)
            for _ in range(8):  # what it says in the meantime
                if not await loop.sock_recv(sock, 4096):
                    break
