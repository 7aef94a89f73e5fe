"""The driver and its keyboard, on a port that only remembers."""

from __future__ import annotations

import asyncio
import gc
import io
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual._styles_cache import StylesCache

from racko_tui.ssh.backlog import Backlog
from racko_tui.ssh.driver import SshDriver
from racko_tui.ssh.options import Options, Server
from racko_tui.ssh.session import Session
from racko_tui.ssh.visit import Identity, Terminal, Visit
from tests.tui.ssh.small_app import SmallApp
from tests.tui.ssh.terminals import Screen


class RecordingPort(Screen):
    """A port on nothing: a screen, and what the driver asked for."""

    driver: SshDriver

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(terminal.size)
        self.client = terminal
        self.reading = True
        self.waiting = b""

    def attach(self, driver: SshDriver) -> None:
        self.driver = driver

    def painted(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.feed(data)

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True
        self.changed.set()
        waiting, self.waiting = self.waiting, b""
        if waiting:
            self.driver.receive(waiting)


class Port:
    """What the driver sees of it: a screen also has an attribute `terminal`."""

    def __init__(self, port: RecordingPort) -> None:
        self.terminal = port.client
        for name in ("attach", "painted", "write", "pause_reading", "resume_reading"):
            setattr(self, name, getattr(port, name))


@asynccontextmanager
async def running(
    terminal: Terminal | None = None, keys_per_second: float = 1e6
) -> AsyncIterator[tuple[SmallApp, RecordingPort]]:
    port = RecordingPort(terminal or Terminal("xterm-256color", (80, 24)))
    app = SmallApp(Visit(Identity("ana"), port.client, "192.0.2.1", "", Server(), Path()))
    app.host(Port(port), keys_per_second)
    task = asyncio.create_task(app.run_async(size=port.client.size))
    try:
        await port.until("size=80x24")
        port.driver.receive(b"-")  # when this is drawn, all that belongs to the start has been
        await port.until("seen=minus")
        yield app, port
    finally:
        port.driver.hang_up()
        await task
        StylesCache.get_inner_outer.cache_clear()  # as `thrift` has it, it would keep nothing


# What the keyboard makes of bytes


def test_a_backlog_drops_what_later_events_make_superfluous() -> None:
    backlog = Backlog()
    for _ in range(50):
        backlog.add(events.Key("down", None))
    assert len(backlog) == 2
    for letter in "aaa":
        backlog.add(events.Key(letter, letter))
    assert len(backlog) == 5, "what is typed is never dropped"
    for x in range(20):
        backlog.add(events.MouseMove(None, x, 0, 1, 0, 0, False, False, False))
    [*_, last] = backlog.take(100)
    assert isinstance(last, events.MouseMove)
    assert last.x == 19
    assert len(backlog) == 0


# What the driver does with frames and keys


async def test_a_frame_is_sent_whole() -> None:
    async with running() as (_app, port):
        writes: list[bytes] = []
        port.feed, feed = lambda data: (writes.append(data), feed(data))[1], port.feed  # type: ignore[method-assign]
        port.driver.receive(b"a")
        await port.until("seen=minus a")
        assert len(writes) == 1


async def test_what_is_written_without_a_flush_arrives() -> None:
    async with running() as (app, port):
        port.driver.ask(app.bell)
        port.changed.clear()
        async with asyncio.timeout(10):
            while b"\a" not in port.raw:
                await port.changed.wait()
                port.changed.clear()


async def test_frames_for_a_stalled_client_are_dropped_and_the_screen_comes_whole() -> None:
    async with running() as (app, port):
        port.raw = b""
        port.driver.pause_writing()
        for key in "abc":
            port.driver.receive(key.encode())
            async with asyncio.timeout(10):
                while app.seen[-1:] != [key]:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
        async with asyncio.timeout(10):
            while not port.driver.dropped:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        assert port.raw == b""
        port.driver.resume_writing()
        await port.until("seen=minus a b c")
        assert b"name=ana" in port.raw, "everything is drawn, not only what has changed"
        assert port.driver.dropped >= 1


async def test_a_client_that_missed_nothing_is_sent_nothing() -> None:
    async with running() as (_app, port):
        port.raw = b""
        port.driver.pause_writing()
        port.driver.resume_writing()
        port.driver.receive(b"a")
        await port.until("seen=minus a")
        assert b"name=ana" not in port.raw


async def test_a_flood_lets_the_client_wait_and_ends() -> None:
    async with running() as (app, port):
        port.driver.receive(b"abcdefghij" * 200)
        assert not port.reading
        port.driver.receive(b"z")
        await port.until(lambda text: " z" in text and port.reading)
        assert app.keys == 2002, "nothing that was typed is lost"


async def test_what_waited_in_the_channel_arrives_also_if_the_app_took_too_long() -> None:
    async with running() as (app, port):
        port.driver.receive(b"abcdefghij" * 200)
        port.waiting = b"z"
        while not port.driver._reading:
            port.driver._context.run(port.driver._pass_fence)  # as its timer does
        await port.until(" z")
        assert app.keys == 2002, "nothing that was typed is lost"


async def test_keys_come_at_a_pace() -> None:
    async with running(keys_per_second=1.0) as (app, port):
        port.driver.receive(b"x" * 300)
        port.driver.receive(b"\x1b[A")
        async with asyncio.timeout(10):
            while app.keys < 240:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        assert app.keys <= 245


async def test_the_hosts_disk_and_browser_are_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import webbrowser

    monkeypatch.setattr(webbrowser, "open", lambda *_: pytest.fail("opened a browser"))
    monkeypatch.chdir(tmp_path)
    async with running() as (app, port):
        app.open_url("http://example.invalid")
        assert app.save_screenshot() == ""
        app.deliver_screenshot()
        file = io.StringIO("secret")
        port.driver.deliver_binary(file, delivery_key="k", save_path=tmp_path / "leak")
        assert file.closed
        assert not port.driver.can_suspend
    assert not [*tmp_path.glob("*")]  # noqa: ASYNC240


async def test_apps_are_gone_when_they_have_ended() -> None:
    gone = []
    for _ in range(4):
        async with running() as (app, port):
            port.driver.receive(b"\x1b[A\x1b[Bx\x1b[<0;5;5M")
            await port.until(lambda text: " x" in text)
            gone.append(weakref.ref(app))
        del app, port
        await asyncio.sleep(0)
    gc.collect()
    # The task of the test itself may still hold the last one, as the active app of its context.
    assert sum(ref() is not None for ref in gone) <= 1


# How a session looks after itself


class QuietConnection:
    def __init__(self) -> None:
        self.trip = 0.0
        self.slow: list[bool] = []

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return "192.0.2.1", 1

    def measure(self) -> None:
        pass

    def round_trip(self) -> float:
        return self.trip

    def show_line(self, *, slow: bool) -> None:
        self.slow.append(slow)


@asynccontextmanager
async def session_of(
    app: SmallApp, port: RecordingPort
) -> AsyncIterator[tuple[Session, QuietConnection]]:
    connection = QuietConnection()
    session = Session(
        connection,
        Identity("ana"),
        SmallApp,
        Options(Path()),
        asyncio.Semaphore(),
        lambda _: None,
    )
    session.app, session._driver = app, port.driver
    session.task = asyncio.create_task(asyncio.Event().wait())  # type: ignore[arg-type]
    yield session, connection
    session.task.cancel()


async def test_the_idle_are_warned_once_and_then_signed_out() -> None:
    async with running() as (app, port), session_of(app, port) as (session, _):
        start = port.driver.last_input
        warnings: list[float] = []
        app.warn_idle = warnings.append  # type: ignore[method-assign]
        for quiet in (0, 1000, 1739, 1741, 1745):
            session.look(start + quiet)
        await port.until("size=")
        port.driver.receive(b"x")
        await port.until("seen=minus x")
        assert len(warnings) == 1
        assert warnings[0] == pytest.approx(59.0)
        session.look(port.driver.last_input + 1.0)
        session.look(port.driver.last_input + 1741)
        session.look(port.driver.last_input + 1801)
        assert "away for long" in str(session._farewell)


async def test_a_slow_line_has_no_motion() -> None:
    async with running() as (app, port), session_of(app, port) as (session, connection):
        now = port.driver.last_input
        connection.trip = 0.15
        session.look(now)
        await port.until("seen=minus slow")
        assert app.animation_level == "none"
        connection.trip = 0.01
        session.look(now + 1)
        await port.until("seen=minus slow fast")
        port.driver.dropped += 1
        session.look(now + 2)
        await port.until("seen=minus slow fast slow")
        session.look(now + 20)
        session.look(now + 40)
        await port.until("seen=minus slow fast slow fast")
        assert connection.slow == [True, False, True, False]
