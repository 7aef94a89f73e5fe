"""One player's session: what the client asks for, the app that runs for it, and its end."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import asyncssh

from racko_core.errors import N_, RackoError
from racko_tui import i18n
from racko_tui.i18n import sentence
from racko_tui.ssh.driver import SshDriver
from racko_tui.ssh.hosted import HostedApp
from racko_tui.ssh.options import Options
from racko_tui.ssh.visit import (
    ENVIRONMENT,
    Identity,
    Terminal,
    Visit,
    port_in_words,
    table_code,
)
from racko_tui.terminal import asciify
from racko_tui.terminal.size import clamped

if TYPE_CHECKING:
    from racko_tui.ssh.connection import Connection

_log = logging.getLogger(__name__)

Build = Callable[[Visit], HostedApp]
"""Makes the app for a visit; it is run by the session."""

_EARLY: Final = 4096  # bytes typed while the app is starting that are kept for it
_LAST_MOMENTS: Final = 10.0  # seconds that an app and its channel have to end
_SLOW: Final = 0.1  # seconds there and back from which a line is a slow one
_REMEMBERED: Final = 30.0  # seconds for which a dropped frame makes it one


class Session(asyncssh.SSHServerSession[bytes]):
    """Runs an app on a channel. It is the `Port` of the app's driver."""

    terminal: Terminal

    def __init__(
        self,
        connection: Connection,
        identity: Identity,
        build: Build,
        options: Options,
        starting: asyncio.Semaphore,
        ended: Callable[[Session], None],
    ) -> None:
        self._connection = connection
        self._identity = identity
        self._build = build
        self._options = options
        self._limits = options.limits
        self._starting = starting
        self._ended = ended
        self._address: str = connection.get_extra_info("peername")[0]
        self._port: int = connection.get_extra_info("sockname")[1]
        self._kind = ""
        self._size: tuple[int, int] | None = None
        self._table = ""
        self._refusal: RackoError | None = None
        self._early = b""
        self._held: set[str] = set()
        self._first_frame = asyncio.Event()
        self._driver: SshDriver | None = None
        self.task: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._farewell: RackoError | None = None
        self._crashed = False
        self._warned = False
        self._slow = False
        self._dropped = 0
        self._dropped_at = float("-inf")
        self.app: HostedApp | None = None
        self.last_words = ""
        """What the client was told at the end, in the player's language."""

    # What the client asks for

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:  # noqa: D102
        self._channel = chan
        chan.set_write_buffer_limits(high=16384, low=4096)

    def pty_requested(
        self,
        term_type: str,
        term_size: tuple[int, int, int, int],
        term_modes: object,
    ) -> bool:
        """A terminal, as it should be."""
        self._kind = term_type[:64]
        self._size = term_size[:2]
        return True

    def shell_requested(self) -> bool:
        """The usual way: `ssh host` is for the lobby."""
        return True

    def exec_requested(self, command: str) -> bool:
        """`ssh host CODE` is for a table; there is nothing else to run."""
        code = table_code(command)
        if code is None:
            _log.info("%s asked to run %r: refused", self._address, command[:80])
            self._refusal = RackoError(
                N_(
                    "This is a Rack-O server, and runs nothing but the game. “ssh -t {port}HOST” "
                    "shows its tables, “ssh -t {port}HOST CODE” goes to the one with that code."
                ),
                port=port_in_words(self._port),
            )
        else:
            self._table = code
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """None; but whoever asked gets a sentence."""
        _log.info("%s asked for the subsystem %r: refused", self._address, subsystem[:80])
        self._refusal = RackoError(
            N_("This is a Rack-O server: there are no files here, only the game.")
        )
        return True

    def session_started(self) -> None:
        """Everything has been asked: play, or say why not."""
        env = {
            key.decode(): value.decode("latin-1")
            for key, value in self._channel.get_environment_bytes().items()
            if ENVIRONMENT.fullmatch(key)
        }
        self.terminal = Terminal.of(self._kind, self._size or (0, 0), env)
        # The player's own context: what is said in it is said in their language.
        context = contextvars.copy_context()
        context.run(i18n.speak_apart, self.terminal.language)
        refusal = self._refusal or self._unfit()
        if refusal:
            context.run(self._take_leave, refusal)
            self._exit(2)
            return
        self.task = asyncio.get_running_loop().create_task(self._run(), context=context)

    def _unfit(self) -> RackoError | None:
        """Why no game can be shown on the client's terminal."""
        if self._size is None:
            return RackoError(N_("Rack-O needs a terminal: log in with “ssh -t”."))
        if self._kind in ("", "dumb", "unknown"):
            return RackoError(
                N_("Rack-O needs a terminal that can show a screen; TERM is “{kind}”."),
                kind=self._kind,
            )
        return None

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: D102
        if self._driver:
            self._driver.receive(data)
        else:
            self._early = (self._early + data)[:_EARLY]

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: D102
        self._size = (width, height)
        if self._driver:
            self._driver.resize(width, height)

    def eof_received(self) -> bool:
        """The client has no more to say; without keys there is no game."""
        self.hang_up()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: D102
        self.hang_up()

    def pause_writing(self) -> None:  # noqa: D102
        self.hold("channel")

    def resume_writing(self) -> None:  # noqa: D102
        self.release("channel")

    # What the driver needs

    def attach(self, driver: SshDriver) -> None:
        """The app is there: give it what has come in the meantime."""
        self._driver = driver
        if self._size and clamped(*self._size) != self.terminal.size:
            driver.resize(*self._size)
        early, self._early = self._early, b""
        if early:
            driver.receive(early)
        if self._held:
            driver.pause_writing()

    def painted(self) -> None:
        """The player sees something."""
        self._first_frame.set()

    def write(self, data: bytes) -> None:
        """To the client, if it is still there."""
        if not self._channel.is_closing():
            self._channel.write(data)

    def pause_reading(self) -> None:
        """Let the client wait."""
        self._channel.pause_reading()

    def resume_reading(self) -> None:
        """Let it go on."""
        self._channel.resume_reading()

    # What the connection and the worker tell

    def hold(self, why: str) -> None:
        """Something on the way to the client is full."""
        if not self._held and self._driver:
            self._driver.pause_writing()
        self._held.add(why)

    def release(self, why: str) -> None:
        """It has room again."""
        if why in self._held:
            self._held.remove(why)
            if not self._held and self._driver:
                self._driver.resume_writing()

    def look(self, now: float) -> None:
        """Once in a while: whether anybody is there, and how the line is."""
        driver, app = self._driver, self.app
        if not driver or not app or not self.task or self.task.done():
            return
        quiet = now - driver.last_input
        if quiet >= self._limits.idle:
            _log.info("%s has been quiet for too long", self._address)
            self.hang_up(RackoError(N_("You have been away for long. Log in again to play on.")))
        elif quiet >= self._limits.idle - self._limits.idle_warning:
            if not self._warned:
                self._warned = True
                driver.ask(app.warn_idle, self._limits.idle - quiet)
        else:
            self._warned = False
        if driver.dropped > self._dropped:
            self._dropped, self._dropped_at = driver.dropped, now
        slow = now - self._dropped_at < _REMEMBERED
        self._connection.measure()
        slow = slow or self._connection.round_trip() >= _SLOW
        if slow != self._slow:
            self._slow = slow
            self._connection.show_line(slow=slow)
            driver.ask(app.show_line, slow)

    @property
    def last_input(self) -> float:
        """When the client last sent anything, in seconds of the loop's clock."""
        return self._driver.last_input if self._driver else float("-inf")

    def hang_up(self, farewell: RackoError | None = None) -> None:
        """End the app, and with it the session; the client is shown `farewell`."""
        self._farewell = self._farewell or farewell
        if self._driver:
            self._driver.hang_up()
        elif self.task:
            self.task.cancel()
        if self.task and not self.task.done():
            self._set_deadline(self.task.cancel)

    def connection_gone(self) -> None:
        """There is nothing left to close."""
        if self.task is None or self.task.done():
            self._forget_deadline()

    def _forget_deadline(self) -> None:
        """It has been kept; the timer would only keep the app in memory."""
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _set_deadline(self, end: Callable[[], object]) -> None:
        if not self._deadline:
            loop = asyncio.get_running_loop()
            # Even when cancelled a timer waits for its time, and keeps what its context knows.
            bare = contextvars.Context()
            self._deadline = loop.call_later(_LAST_MOMENTS, end, context=bare)

    # The app

    async def _run(self) -> None:
        try:
            await self._play()
        except asyncio.CancelledError:
            pass  # gone before it began, or an app that would not end
        except Exception:
            _log.exception("a session has crashed")
            self._crashed = True
        finally:
            self._end()

    async def _play(self) -> None:
        async with self._starting:
            app = self.app = self._build(
                Visit(
                    self._identity,
                    self.terminal,
                    self._address,
                    self._table,
                    self._options.server,
                    self._options.data_dir,
                    self._port,
                    self._connection.wrong_password,
                )
            )
            if app.greeting:
                self._say(sentence(app.greeting))
            app.host(self, self._limits.keys_per_second)
            loop = asyncio.get_running_loop()
            running = loop.create_task(app.run_async(size=self.terminal.size))
            painted = loop.create_task(self._first_frame.wait())
            try:
                await asyncio.wait((running, painted), return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                running.cancel()
                raise
            finally:
                painted.cancel()
        try:
            await running
        except asyncio.CancelledError:
            running.cancel()
            raise

    def _end(self) -> None:
        crashed = self._crashed or (self.app is not None and self.app.crashed)
        if crashed:
            self._farewell = RackoError(
                N_(
                    "Something went wrong in your session, and the server has written it down. "
                    "Log in again to play on."
                )
            )
        if self._driver:
            self._driver.stop_application_mode()
        if self._farewell:
            self._take_leave(self._farewell)
        if self.app and (parting := self.app.parting()):
            self._say(sentence(parting))
        self._exit(1 if crashed else 0)
        self.app = self._driver = None
        self._ended(self)

    def _take_leave(self, farewell: RackoError) -> None:
        self.last_words = sentence(farewell)
        self._say(self.last_words)

    def _say(self, text: str) -> None:
        """Outside the screen, where it stays when the screen is gone."""
        if not self._channel.is_closing():
            lines = f"{text}\n".replace("\n", "\r\n")
            self._channel.write_stderr(lines.encode(self.terminal.encoding, asciify.ERRORS))

    def _exit(self, status: int) -> None:
        if not self._channel.is_closing():
            self._channel.exit(status)
        self._forget_deadline()
        if not self._connection.wire.is_closing():  # its client closes it, or has it closed
            self._set_deadline(self._connection.abort)
