"""What a worker process takes away from Textual: no app notices, and what is gone is gone."""

from __future__ import annotations

import ast
import asyncio
import gc
import inspect
import re
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Any

import pytest
from textual import events, work
from textual._ansi_theme import MONOKAI
from textual._compositor import Compositor
from textual._node_list import NodeList
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.css.styles import Styles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.signal import Signal
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets._toast import Toast, ToastRack
from textual.worker import Worker

from racko_tui.ssh import thrift
from racko_tui.ssh.hosted import HostedApp
from racko_tui.ssh.visit import Terminal
from tests.tui.ssh.test_driver import Port, RecordingPort


@pytest.fixture(autouse=True)
def thrifty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is replaced for the time of a test."""
    for owner, name, instead in thrift._replacements():
        # Of a widget's attributes the class knows nothing; of all else, another name is an error.
        monkeypatch.setattr(owner, name, instead, raising=owner is not Widget)


class Below(Screen[None]):
    """A screen that opens others from a worker."""

    def compose(self) -> ComposeResult:
        yield Static("what lies below")
        yield Input("typed", id="line")

    @work
    async def ask(self) -> None:
        self.app.run_worker(opened(self.app))
        self.dismiss()


class Above(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Static("what lies above")


async def opened(app: App[Any]) -> None:
    await app.push_screen_wait(Above())


class Question(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("a question", id="question")


class Shown(HostedApp):
    CSS = "#question { width: 12; height: 1; } Question { align: right bottom; }"

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("the first screen", id="first")

    @property
    def _background_screens(self) -> list[Screen[Any]]:  # as `RackoApp` has it
        return [] if self.screen.styles.background.a == 1 else super()._background_screens

    def on_key(self, event: events.Key) -> None:
        self.query_one("#first", Static).update(f"key {event.key}")


@asynccontextmanager
async def running() -> AsyncIterator[tuple[Shown, RecordingPort]]:
    port = RecordingPort(Terminal("xterm-256color", (60, 12)))
    app = Shown()
    app.host(Port(port), 1e6)
    task = asyncio.create_task(app.run_async(size=port.client.size))
    try:
        await port.until("the first screen")
        yield app, port
    finally:
        port.driver.hang_up()
        await task


async def settled(condition: Any) -> None:
    """Wait until it holds, whatever is still to be cleared away."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)
            gc.collect()


def alive(kind: type[Widget]) -> int:
    return sum(type(each) is kind for each in gc.get_objects())


# Screens above one another


async def test_what_was_covered_is_drawn_again() -> None:
    async with running() as (app, port):
        below = Below()
        port.driver.ask(app.push_screen, below)
        await port.until("what lies below")
        before = port.text
        port.driver.ask(app.push_screen, Above())
        await port.until("what lies above")
        assert not any(widget._styles_cache._cache for widget in below.query(Widget))
        port.driver.ask(app.pop_screen)
        await port.until("what lies below")
        await port.until(lambda text: text == before)


async def test_what_can_be_seen_below_a_question_stays_on_the_screen() -> None:
    async with running() as (app, port):
        port.driver.ask(app.push_screen, Question())
        await port.until("a question")
        assert "the first screen" in port.text
        port.driver.ask(app.query_one("#first", Static).update, "it changes")
        port.driver.ask(app.pop_screen)
        await port.until(lambda text: "it changes" in text and "question" not in text)


async def test_a_screen_does_not_live_on_in_what_its_worker_has_opened() -> None:
    async with running() as (app, port):
        below = Below()
        gone = weakref.ref(below)
        port.driver.ask(app.push_screen, below)
        await port.until("what lies below")
        port.driver.ask(below.ask)
        del below
        await port.until("what lies above")
        await settled(lambda: gone() is None)
        assert isinstance(app.screen, Above)


async def test_of_a_screen_only_what_has_changed_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, int]] = []
    render_lines = Widget.render_lines

    def noting(widget: Widget, crop: Region) -> list[Strip]:
        drawn.append((type(widget).__name__, crop.height))
        return render_lines(widget, crop)

    def draw(compositor: Compositor, *changed: Region) -> None:
        compositor._dirty_regions = set(changed)
        with monkeypatch.context() as patch:
            patch.setattr(Widget, "render_lines", noting)
            compositor.render_partial_update()
        drawn.append(("all there are", len(compositor.visible_widgets)))

    async with running() as (app, port):
        port.driver.ask(app.push_screen, Below())
        await port.until("what lies below")
        port.driver.ask(draw, app.screen._compositor, Region(3, 0, 5, 1), Region(8, 7, 5, 2))
        await settled(lambda: drawn[-1:] == [("all there are", 3)])
    assert drawn[:-1] == [("Static", 1), ("Below", 9)]


async def test_what_is_drawn_bit_by_bit_looks_like_what_is_drawn_at_once() -> None:
    async with running() as (app, port):
        port.driver.ask(app.push_screen, Question())
        await port.until("a question")
        first = app.screen_stack[0].query_one("#first", Static)
        question = app.screen.query_one("#question", Static)

        def change(number: int, place: tuple[int, int]) -> None:
            first.update(f"{number * 111} or so", layout=False)
            first.styles.offset = place
            question.update(f"question {number}", layout=False)

        for number, place in enumerate([(0, 0), (40, 10), (45, 11), (45, 10), (3, 5)], 1):
            port.driver.ask(change, number, place)
            words = (f"{number * 111}", f"question {number}")
            await port.until(lambda text, words=words: all(word in text for word in words))
            bit_by_bit = port.text
            port.feed(b"\x1b[2J")
            port.driver.ask(app.refresh)
            await port.until(lambda text, before=bit_by_bit: text == before)


# Widgets


async def test_a_widget_that_is_removed_is_let_go() -> None:
    async with running() as (app, port):
        extra = Static("for a while", id="extra")
        gone = weakref.ref(extra)
        port.driver.ask(app.screen.mount, extra)
        del extra
        await port.until("for a while")
        port.driver.ask(lambda: app.screen.query_one("#extra").remove())
        await port.until(lambda text: "for a while" not in text)
        await settled(lambda: gone() is None)


async def test_what_a_widget_leaves_to_its_class_can_be_changed() -> None:
    async with running() as (app, port):
        first = app.query_one("#first", Static)
        assert "_cover_widget" not in vars(first)
        assert first._cover_widget is None
        assert len(vars(first)) < len(vars(Static()))
        port.driver.ask(setattr, first, "loading", True)
        await settled(lambda: "_cover_widget" in vars(first))
        assert Static("")._cover_widget is None
        port.driver.ask(setattr, first, "loading", False)
        await port.until("the first screen")


async def test_keys_arrive_in_their_order() -> None:
    async with running() as (_app, port):
        port.driver.receive(b"abcdefghijklmnopqrstuvwxyz")
        await port.until("key z")


async def test_timers_go_off_and_can_be_stopped() -> None:
    async with running() as (app, _port):
        times: list[int] = []
        timers: list[Timer] = []

        def start() -> None:
            timers.append(app.set_interval(0.001, lambda: times.append(1)))
            app.set_timer(0.001, lambda: times.append(2))

        app._driver.ask(start)  # type: ignore[union-attr]
        await settled(lambda: 1 in times and 2 in times)
        timers[0].stop()
        count = times.count(1)
        await settled(lambda: not app._timers or times.count(1) >= count)


async def test_toasts_are_on_the_screen_for_their_time_and_then_gone_with_their_rack() -> None:
    async with running() as (app, port):
        assert not app.screen.query(ToastRack)
        port.driver.ask(lambda: app.notify("to be read", timeout=0.3))
        await port.until("to be read")
        port.driver.ask(app.push_screen, Below())
        await port.until("what lies below")
        await port.until(lambda text: "to be read" not in text)

        def gone() -> bool:
            port.driver.ask(lambda: None)  # a message is kept, with its sender, until the next
            return not alive(Toast) and not alive(ToastRack)

        await settled(gone)
        port.driver.ask(lambda: app.notify("once more", timeout=60))
        await port.until("once more")
        port.driver.ask(app.clear_notifications)
        await port.until(lambda text: "once more" not in text)
        assert not app.crashed


# What belongs to Textual and asyncio, and has no promise to stay as it is


def test_every_private_name_is_still_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    widget, screen, nodes = Widget(), Screen[None](), NodeList()
    theirs: list[tuple[object, str]] = [
        (asyncio.Event(), "_waiters _value"),
        (asyncio.TimerHandle, "_context"),  # a slot
        (ANSIToTruecolor(MONOKAI), "_terminal_theme"),
        (Compositor(), "_dirty_regions _full_map _layers _layers_visible _visible_map"),
        (Compositor(), "_visible_widgets"),
        (nodes, "_displayed_nodes _displayed_visible_nodes _parent _remove"),
        (screen, "_compositor _dirty_widgets _layout_widgets _on_layout _on_screen_suspend"),
        (Styles(), "_rules _updates"),
        (Stylesheet, "_process_component_classes"),
        (widget, "_arrangement_cache _component_styles _get_virtual_dom _post_mount"),
        (widget, "_query_one_cache _render_cache _set_dirty"),
        (Worker, "_start"),
    ]
    for owner, names in theirs:
        for name in names.split():
            assert hasattr(owner, name), f"{owner!r} has no {name}"
    ours = "_kept _reader"
    known = {*ours.split(), *(name for _, names in theirs for name in names.split())}
    tree = ast.parse(inspect.getsource(thrift))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert {name for name in used if re.match("_[^_]", name)} <= known, "list the new ones above"
    # What they mean.
    assert nodes._displayed_nodes == nodes._displayed_visible_nodes == (-1, [])
    assert set(thrift._UNUSED) <= vars(DOMNode()).keys()
    assert widget._cover_widget is None
    wanted = [field.name for field in fields(Styles) if field.init]
    assert wanted == list(inspect.signature(thrift._begin_styles).parameters)[1:]


# The parts


async def test_a_queue_gives_to_one_who_waits_and_to_one_who_comes_later() -> None:
    queue = thrift._Queue()
    waiting = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait(1)
    queue.put_nowait(2)
    assert queue.qsize() == 2
    assert await waiting == 1
    assert await queue.get() == 2
    assert queue.empty()
    with pytest.raises(asyncio.QueueEmpty):
        queue.get_nowait()


async def test_a_queue_outlives_a_reader_that_was_cancelled() -> None:
    queue = thrift._Queue()
    waiting = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    waiting.cancel()
    queue.put_nowait(1)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await queue.get() == 1


async def test_an_event_wakes_all_who_wait() -> None:
    event = thrift._Event()
    waiting = [asyncio.create_task(event.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    event.set()
    assert await asyncio.gather(*waiting[1:]) == [True, True]
    assert await event.wait() is True
    event.clear()
    assert not event.is_set()


async def test_a_cancelled_timer_keeps_nothing() -> None:
    class Kept:
        pass

    kept = Kept()
    gone = weakref.ref(kept)
    timer = asyncio.get_running_loop().call_later(3600, lambda _: None, kept)
    timer.cancel()
    del kept
    assert gone() is None
    assert timer.cancelled()


async def test_signals_reach_who_listens() -> None:
    class Listening(App[None]):
        pass

    heard: list[str] = []
    async with Listening().run_test() as pilot:
        signal: Signal[str] = Signal(pilot.app, "news")
        signal.publish("nobody")
        signal.subscribe(pilot.app, heard.append, immediate=True)
        signal.publish("one")
        signal.unsubscribe(pilot.app)
        signal.publish("none")
    assert heard == ["one"]
