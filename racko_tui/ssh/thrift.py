"""Where Textual keeps for every widget what a process with many apps cannot afford.

A session at a table is some forty widgets. Each of them has queues, locks, signals and sets of its
own, nearly all of which stay empty for as long as it lives; an empty one still has room for its
first items. Here they get that room when something comes into them, and whatever says the same for
all widgets is said once. Everything is done from outside, to Textual's own classes, and only in the
worker processes: what apps and widgets do stays as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView
from contextlib import suppress
from contextvars import copy_context
from functools import cache, lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import textual.message_pump
import textual.signal
import textual.strip
import textual.timer
from textual._compositor import ChopsUpdate, Compositor
from textual._context import active_message_pump
from textual._node_list import NodeList
from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color
from textual.css.styles import Styles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode, NoScreen
from textual.filter import ANSIToTruecolor
from textual.geometry import NULL_SIZE, Region
from textual.message_pump import MessagePump
from textual.messages import Layout
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget, _RenderCache
from textual.worker import Worker, active_worker


def be_thrifty() -> None:
    """Once in a process, before its first app."""
    for owner, name, instead in _replacements():
        setattr(owner, name, instead)


def _replacements() -> Iterator[tuple[Any, str, Any]]:
    """What to replace in Textual and asyncio: where, its name, and by what."""
    # Every line on every screen has seven caches, each of which keeps other lines. They gain
    # nothing that could be measured, and are a quarter of the memory of a session.
    yield textual.strip, "FIFOCache", lambda maxsize: _FORGETFUL
    # Empty ones.
    yield textual.message_pump, "Queue", _Queue
    yield textual.message_pump, "WeakSet", _Timers
    yield textual.signal, "WeakKeyDictionary", _Subscriptions
    yield textual.timer, "Event", _Event
    yield MessagePump.__dict__["_mounted_event"], "func", lambda pump: _Event()
    # The same for all.
    yield Styles, "__init__", _begin_styles
    yield Stylesheet, "_process_component_classes", _process_and_slim
    yield DOMNode, "_post_mount", _mount_and_slim
    for name, value in _usual().items():
        yield Widget, name, value
    # What is of no use any more, and what it keeps alive. The caches of the last two belong to
    # their classes; they would keep whatever object asked.
    yield asyncio.TimerHandle, "cancel", _cancel_and_forget
    yield Worker, "_start", _start_apart
    yield NodeList, "_remove", _remove_and_forget
    yield Screen, "_on_screen_suspend", _suspend_and_forget
    yield Screen, "_on_layout", _note_layout_and_forget
    # What is drawn though nothing of it has changed: a third of the work for a key.
    yield Compositor, "render_partial_update", _render_what_changed
    yield StylesCache, "get_inner_outer", staticmethod(_inner_outer)
    yield ANSIToTruecolor, "__eq__", _same_theme
    yield ANSIToTruecolor, "__hash__", lambda converter: hash(id(converter._terminal_theme))


class _Forgetful:
    """A cache that keeps nothing."""

    __slots__ = ()

    def get(self, key: object, default: object = None) -> object:
        return default

    def __contains__(self, key: object) -> bool:
        return False

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def set(self, key: object, value: object) -> None:
        pass

    def clear(self) -> None:
        pass


_FORGETFUL: Final = _Forgetful()


class _Event(asyncio.Event):
    """An event that has no room for those who wait until they do."""

    _waiters: tuple[asyncio.Future[bool], ...] = ()  # type: ignore[assignment]
    _value = False

    def __init__(self) -> None:
        pass

    async def wait(self) -> Any:
        if not self._value:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters = (*self._waiters, waiter)
            try:
                await waiter
            finally:
                self._waiters = tuple(each for each in self._waiters if each is not waiter)
        return True


class _Queue:
    """A queue of messages with one reader, short as a rule."""

    __slots__ = ("_reader", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, value: Any) -> None:
        self.values.append(value)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    def qsize(self) -> int:
        return len(self.values)

    def empty(self) -> bool:
        return not self.values

    def task_done(self) -> None:
        pass

    async def get(self) -> Any:
        while not self.values:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self.values.pop(0)

    def get_nowait(self) -> Any:
        if not self.values:
            raise asyncio.QueueEmpty
        return self.values.pop(0)


class _Timers:
    """The timers of a widget; most have none."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: WeakSet[Any] | None = None

    def add(self, timer: object) -> None:
        if self._kept is None:
            self._kept = WeakSet()
        self._kept.add(timer)

    def clear(self) -> None:
        self._kept = None

    def __len__(self) -> int:
        return len(self._kept or ())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._kept or ())


class _Subscriptions:
    """Who listens to a signal; to most, nobody ever does."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Any, Any] | None = None

    def setdefault(self, node: object, default: Any) -> Any:
        if self._kept is None:
            self._kept = WeakKeyDictionary()
        return self._kept.setdefault(node, default)

    def pop(self, node: object, *default: Any) -> Any:
        return ({} if self._kept is None else self._kept).pop(node, *default)

    def keys(self) -> KeysView[Any] | Iterator[Any]:
        return ({} if self._kept is None else self._kept).keys()

    def items(self) -> ItemsView[Any, Any] | Iterator[Any]:
        return ({} if self._kept is None else self._kept).items()

    def __len__(self) -> int:
        return len(self._kept or ())


_cancel: Final = asyncio.TimerHandle.cancel


def _cancel_and_forget(timer: asyncio.TimerHandle) -> None:
    """Cancel a timer; it waits for its time all the same, and would keep what its context knows."""
    _cancel(timer)
    timer._context = None  # type: ignore[attr-defined]


_start: Final = Worker._start


def _start_apart(worker: Worker[Any], app: App[Any], done: Any = None) -> None:
    """Start a worker as its node would; what it starts in turn outlives whoever asked for it, who
    would live on in its context, and a screen with all its widgets with them.
    """
    context = copy_context()
    context.run(active_worker.set, worker)
    context.run(active_message_pump.set, worker.node)
    context.run(_start, worker, app, done)


_remove: Final = NodeList._remove


def _remove_and_forget(nodes: NodeList, widget: Widget) -> None:
    """Take a widget out of a list, and out of what remembers how the list was."""
    _remove(nodes, widget)
    nodes._displayed_nodes = nodes._displayed_visible_nodes = (-1, [])
    parent = nodes._parent and nodes._parent()
    if isinstance(parent, Widget):
        parent._arrangement_cache.clear()
        for node in parent.ancestors_with_self:
            node._query_one_cache.clear()
        with suppress(NoScreen):
            if not parent.screen.is_current:  # others are laid out anew at once
                _forget_places(parent.screen._compositor, [widget, *widget._get_virtual_dom()])


def _forget_places(compositor: Compositor, gone: Iterable[Widget]) -> None:
    for widget in gone:
        compositor.widgets.discard(widget)
        for places in (compositor._full_map, compositor._visible_map or {}):
            places.pop(widget, None)
    compositor._layers = compositor._layers_visible = compositor._visible_widgets = None


_suspend: Final = Screen._on_screen_suspend


def _suspend_and_forget(screen: Screen[Any]) -> None:
    """Cover a screen; if nothing of it can be seen, everything is drawn anew when it can again."""
    _suspend(screen)
    if not screen.is_current:
        screen._dirty_widgets.clear()
        _forget_whom_to_lay_out(screen)
        for widget in screen.walk_children(Widget, with_self=True):
            widget._set_dirty()
            widget._render_cache = _NOT_DRAWN
            widget._arrangement_cache.clear()


_note_layout: Final = Screen._on_layout


async def _note_layout_and_forget(screen: Screen[Any], message: Layout) -> None:
    """Note who has to be laid out; on a covered screen everybody will be."""
    await _note_layout(screen, message)
    if not screen.is_current:
        _forget_whom_to_lay_out(screen)


def _forget_whom_to_lay_out(screen: Screen[Any]) -> None:
    if screen._layout_widgets:
        screen._layout_widgets = {screen: set()}  # somebody; without any it would only scroll


_render_partial_update: Final = Compositor.render_partial_update


def _render_what_changed(compositor: Compositor) -> ChopsUpdate | None:
    """Draw what has changed on a screen.

    Textual draws every line of every widget on it, and then takes the lines that have changed. Here
    it sees only widgets with such lines, and of these only the rows from the first to the last.
    """
    dirty = list(compositor._dirty_regions)
    every, _cuts = compositor.visible_widgets, compositor.cuts  # the cuts are those of all
    compositor._visible_widgets = some = {}
    for widget, (region, clip) in every.items():
        rows = [(each.y, each.bottom) for each in dirty if each.overlaps(region)]
        if rows:
            top, bottom = min(rows)[0], max(bottom for _, bottom in rows)
            some[widget] = region, clip.intersection(Region(clip.x, top, clip.width, bottom - top))
    try:
        return _render_partial_update(compositor)
    finally:
        if compositor._visible_widgets is some:
            compositor._visible_widgets = every


_post_mount: Final[Callable[[DOMNode], None]] = DOMNode._post_mount


@cache
def _usual() -> dict[str, bool | None]:
    """What attributes of any widget are at first, and mostly stay."""
    return {
        name: value
        for name, value in vars(Widget()).items()
        if name.startswith("_") and (value is None or isinstance(value, bool))
    }


def _mount_and_slim(node: DOMNode) -> None:
    """Let the class say what is usual: a widget has a hundred attributes, most of them for things
    that few widgets do.
    """
    _post_mount(node)
    if isinstance(node, Widget):
        usual = _usual()
        node.__dict__ = {
            name: value
            for name, value in vars(node).items()
            if name not in usual or value is not usual[name]
        }


_NOT_DRAWN: Final = _RenderCache(NULL_SIZE, [])
_NONE: Final[frozenset[str]] = frozenset()


def _begin_styles(
    styles: Styles,
    node: DOMNode | None = None,
    _rules: Any = None,
    _updates: int = 0,
    important: Any = None,
) -> None:
    """Begin styles; only those of style sheets, which belong to no node, know of important ones."""
    styles.node = node
    styles._rules = {} if _rules is None else _rules
    styles._updates = _updates
    if important is None:
        important = set() if node is None else _NONE
    styles.important = important
    styles.__post_init__()


_process: Final[Callable[[Stylesheet, DOMNode], None]] = Stylesheet._process_component_classes
_UNUSED: Final = ("_nodes", "_bindings", "_timers", "message_signal", "_query_one_cache")


def _process_and_slim(stylesheet: Stylesheet, node: DOMNode) -> None:
    """Find the styles of a widget's component classes, and keep the styles alone.

    Textual makes a whole node for each. It is never shown and never gets a message.
    """
    _process(stylesheet, node)
    for styles in node._component_styles.values():
        for name in _UNUSED:
            vars(styles.node).pop(name, None)


@lru_cache(1024)
def _inner_outer(base: Color, ground: Color) -> tuple[Style, Style]:
    return Style(background=base + ground), Style(background=base)


def _same_theme(one: ANSIToTruecolor, other: object) -> bool:
    return isinstance(other, ANSIToTruecolor) and one._terminal_theme is other._terminal_theme
