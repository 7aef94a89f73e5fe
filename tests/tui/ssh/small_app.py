"""A small app for the SSH host's tests: it shows what reaches it, and misbehaves on request."""

from __future__ import annotations

import gc
import os
import sys
import time
import weakref
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from racko_tui.ssh.hosted import HostedApp
from racko_tui.ssh.visit import Visit


class SmallApp(HostedApp):
    CSS = "#keys { background: red 40%; color: white; border: round yellow; height: 5; }"
    BINDINGS: ClassVar = [("ctrl+c", "leave", "leave")]

    alive: ClassVar[weakref.WeakSet[SmallApp]] = weakref.WeakSet()

    def __init__(self, visit: Visit) -> None:
        super().__init__()
        self.alive.add(self)
        self.visit = visit
        self.seen: list[str] = []
        self.repaints = False
        """Whether everything is drawn again for every key."""
        self.keys = 0

    def compose(self) -> ComposeResult:
        visit, terminal = self.visit, self.visit.terminal
        yield Static(
            f"name={visit.identity.name} proof={visit.identity.proof or 'none'}",
            id="who",
            markup=False,
        )
        yield Static(f"id={visit.identity.id or 'none'}", id="id")
        yield Static(f"table={visit.table or 'lobby'} term={terminal.kind}", id="table")
        yield Static(
            f"colours={terminal.colours} mono={terminal.no_color} letters={terminal.encoding}"
            f" language={terminal.language or 'none'}",
            id="terminal",
        )
        yield Static(f"pid={os.getpid()}", id="pid")
        yield Static("", id="size")
        yield Static("", id="keys")

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#size", Static).update(f"size={event.size.width}x{event.size.height}")

    def show(self, what: str) -> None:
        self.seen.append(what)
        self.keys += 1
        if self.repaints:
            self.screen.refresh()
        self.query_one("#keys", Static).update(
            f"count={self.keys} seen={' '.join(self.seen[-6:])}", layout=False
        )

    def on_key(self, event: events.Key) -> None:
        match event.key:
            case "q":
                self.exit()
            case "C":
                raise RuntimeError("crashed on request")
            case "X":
                sys.exit(3)
            case "W":
                self.query_one("#keys").call_later(sys.exit, 4)
            case "H":
                time.sleep(60)
            case "K":
                os._exit(9)
            case "E":
                raise SystemExit(5)
            case "L":
                self.query_one("#keys").call_later(_leave)
            case "B":
                self.run_worker(_leave_behind())
            case "R":
                self.repaints = not self.repaints
            case "A":
                self.animation = self.set_interval(0.001, lambda: self.show("a"))
            case "P":
                self.animation.stop()
                self.show("paused")
            case "G":
                gc.collect()
                self.show(f"alive={len(self.alive)}")
            case "S":
                self.deliver_screenshot()
                self.open_url("http://example.invalid/")
                self.show("harmless")
            case key:
                self.show(key)

    def on_paste(self, event: events.Paste) -> None:
        self.show(f"paste:{event.text}")

    def on_click(self, event: events.Click) -> None:
        self.show(f"click:{event.screen_x},{event.screen_y}")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.show("move")

    def action_leave(self) -> None:
        self.show("ctrl+c")

    def show_line(self, slow: bool) -> None:
        super().show_line(slow)
        self.show("slow" if slow else "fast")

    def action_none(self, *_: Any) -> None:
        pass


def _leave() -> None:
    raise SystemExit


async def _leave_behind() -> None:
    raise SystemExit("from a task")


def build(visit: Visit) -> SmallApp:
    return SmallApp(visit)


def build_nothing(visit: Visit) -> SmallApp:
    raise RuntimeError("no app for anybody")
