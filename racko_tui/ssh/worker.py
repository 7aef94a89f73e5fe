"""A worker process: takes connections from the host and runs a session for each.

    python -m racko_tui.ssh.worker HANDLE

HANDLE is the worker's end of the control socket. The process ends when the host does.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import socket
import sys
from typing import Final

from racko_core.errors import N_, RackoError
from racko_tui.i18n import sentence
from racko_tui.ssh.connection import Connection, Door, connection_options
from racko_tui.ssh.control import Control, Line
from racko_tui.ssh.farewell import BY_APPLICATION
from racko_tui.ssh.gate import Gate
from racko_tui.ssh.hosted import prepare_process
from racko_tui.ssh.hostkey import host_key
from racko_tui.ssh.options import Options
from racko_tui.ssh.session import Build, Session
from racko_tui.ssh.visit import Identity

_log = logging.getLogger(__name__)

_BEAT: Final = 1.0  # seconds between two rounds of the house
_QUIET: Final = 0.5  # seconds without a key in which a collection disturbs nobody
_REST: Final = 60.0  # seconds between two collections while people only play
_ENDED: Final = 20  # sessions after whose end what they left behind is collected
_ENDED_URGENT: Final = 100  # the same, quiet or not
_GRACE: Final = 5.0  # seconds that sessions have to end when the host stops


class Worker:
    """Serves the connections that one host hands over."""

    def __init__(self, end: socket.socket) -> None:
        self._sessions: set[Session] = set()
        self._numbers: dict[Connection, int] = {}
        self._ended = 0
        self._collected = 0.0
        self.done = asyncio.Event()
        self._control = Control(end, self._hear, self.done.set)

    async def run(self) -> None:
        """Serve until the host says, or is, goodbye."""
        loop = asyncio.get_running_loop()
        while not self.done.is_set():
            try:
                await asyncio.wait_for(self.done.wait(), _BEAT)
            except TimeoutError:
                self.look_round(loop.time())
                self._control.say({"beat": len(self._sessions)})
        await self._say_goodbye(RackoError(N_("The server is stopping. Goodbye.")))
        self._control.close()

    async def _say_goodbye(self, farewell: RackoError) -> None:
        ending = [session.task for session in self._sessions if session.task]
        for session in list(self._sessions):
            session.hang_up(farewell)
        if ending:
            await asyncio.wait(ending, timeout=_GRACE)
        closing = []
        for connection in list(self._numbers):
            words = connection.session.last_words if connection.session else ""
            connection.disconnect(BY_APPLICATION, words or sentence(farewell))
            closing.append(asyncio.ensure_future(connection.wait_closed()))
        if closing:
            await asyncio.wait(closing, timeout=1.0)

    def _hear(self, line: Line, passed: socket.socket | None) -> None:
        if "options" in line:
            self._open(Options.unpacked(line["options"]))
        elif passed is not None:
            self._take(line["take"], passed)

    def _open(self, options: Options) -> None:
        """Get ready: load the app's modules, so that no player waits for them, and keep them."""
        self._options = options
        module, _colon, name = options.app.partition(":")
        self._build: Build = getattr(importlib.import_module(module), name)
        gate = Gate(options)
        self._starting = asyncio.Semaphore(options.limits.starting)
        self._ssh = connection_options(
            host_key(options.data_dir),
            options.limits,
            lambda: Door(gate, options.limits, self._entered, self._left, self._make_session),
        )
        gc.collect()
        gc.freeze()
        # A full collection stops all sessions for half a second; `look_round` finds the moment.
        gc.set_threshold(50_000, 50, 1_000)
        self._control.say({"ready": True})

    def _take(self, number: int, sock: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        connection = Connection(
            loop, self._ssh, self._options.limits, lambda: self._control.say({"wrong": number})
        )
        self._numbers[connection] = number
        self._control.say({"got": number})
        task = loop.create_task(loop.connect_accepted_socket(lambda: connection, sock))
        task.add_done_callback(lambda task: self._taken(task, connection))

    def _taken(self, task: asyncio.Task[object], connection: Connection) -> None:
        if not task.cancelled() and task.exception():
            self._left(connection)

    def _entered(self, connection: Connection) -> None:
        self._control.say({"in": self._numbers[connection]})

    def _left(self, connection: Connection) -> None:
        number = self._numbers.pop(connection, None)
        if number is not None:
            self._control.say({"out": number})

    def _make_session(self, connection: Connection, identity: Identity) -> Session:
        session = Session(
            connection,
            identity,
            self._build,
            self._options,
            self._starting,
            self._session_ended,
        )
        self._sessions.add(session)
        return session

    def _session_ended(self, session: Session) -> None:
        self._sessions.discard(session)
        self._ended += 1

    def look_round(self, now: float) -> None:
        """See to every session, and to the memory of those that have ended."""
        for session in list(self._sessions):
            session.look(now)
        quiet = all(now - session.last_input > _QUIET for session in self._sessions)
        due = self._ended >= _ENDED or now - self._collected > _REST
        if (quiet and due) or self._ended >= _ENDED_URGENT:
            self._ended = 0
            gc.collect()
            self._collected = now


async def _serve(end: socket.socket) -> None:
    await Worker(end).run()


def main(handle: int) -> None:
    """Run a worker on its end of the control socket."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s ssh[%(process)d] %(message)s")
    logging.getLogger("asyncssh").setLevel(logging.WARNING)
    prepare_process()
    asyncio.run(_serve(socket.socket(fileno=handle)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
