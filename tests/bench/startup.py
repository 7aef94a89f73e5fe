"""How soon the first screen stands, and how soon a key shows: on a real pseudo-terminal, beside a
bare Textual app in the same run.

    python -m tests.bench.startup [--quick]

Budgets: `racko` within 1.3 times the bare app; an arrow key at the table 3 ms (median), 10 ms
(99th percentile) and under 400 bytes.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pexpect

SIZE = (24, 80)
BUDGET = 1.3
"""Times the first paint of a bare app."""
RACKO = "import sys; from racko_tui.cli import main; sys.exit(main(sys.argv[1:]))"
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("A bare app. Quit")

Bare().run()
"""
BARE_RACK = """
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.binding import Binding
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

class Rack(Widget, can_focus=True):
    DEFAULT_CSS = "Rack { width: 40; height: 12; }"
    BINDINGS = [Binding("up", "move(-1)"), Binding("down", "move(1)")]
    row = 5

    def action_move(self, by):
        before, self.row = self.row, max(0, min(11, self.row + by))
        self.refresh(Region(0, before, 40, 1), Region(0, self.row, 40, 1))

    def render_line(self, y):
        mark = ">" if y == self.row else " "
        return Strip([Segment(f"{mark} {y:>2} " + "-" * 35, Style(bold=y == self.row))], 40)

class Bare(App):
    def compose(self):
        yield Rack()

    def on_mount(self):
        self.query_one(Rack).focus()

Bare().run()
"""
SETTINGS = 'name = "Ana"\nmotion = "off"\nbot_speed = "instant"\n'
QUIET = 0.03
"""Seconds without output after which a screen is complete."""


@dataclass
class Scale:
    """How much is measured."""

    starts: int = 15
    keys: int = 300


QUICK = Scale(starts=2, keys=10)


@dataclass
class KeyFigures:
    """What a key costs: milliseconds to the first byte of its frame, and bytes."""

    times: list[float]
    sizes: list[int]

    def __str__(self) -> str:
        times = sorted(self.times)
        worst = times[min(len(times) - 1, int(len(times) * 0.99))]
        return (
            f"p50 {median(times):6.2f} ms   p99 {worst:6.2f} ms   {median(self.sizes):5.0f} bytes"
        )


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, code: str, *arguments: str, home: Path) -> None:
        environment = {
            **os.environ,
            "RACKO_HOME": str(home),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
        }
        for name in ("NO_COLOR", "SSH_CONNECTION", "SSH_TTY"):
            environment.pop(name, None)
        self.began = time.perf_counter()
        self.child = pexpect.spawn(
            sys.executable, ["-c", code, *arguments], env=environment, dimensions=SIZE, timeout=30
        )

    def wait_for(self, text: str) -> float:
        """Seconds from the start until the text stands on the screen."""
        self.child.expect_exact(text)
        return time.perf_counter() - self.began

    def settle(self, seconds: float = QUIET) -> int:
        """Read until nothing has come for so long; how many bytes came."""
        size = 0
        while select.select([self.child.child_fd], [], [], seconds)[0]:
            size += len(os.read(self.child.child_fd, 65536))
        return size

    def key(self, key: str) -> tuple[float, int]:
        """Milliseconds until the screen answers a key, and the bytes of the answer."""
        began = time.perf_counter()
        os.write(self.child.child_fd, key.encode())
        if not select.select([self.child.child_fd], [], [], 5.0)[0]:
            raise TimeoutError("the screen did not answer a key")
        took = (time.perf_counter() - began) * 1000
        return took, self.settle()

    def close(self) -> None:
        self.child.close(force=True)


def first_paint(code: str, text: str, home: Path, *arguments: str) -> float:
    """Milliseconds from starting a program to its first screen."""
    terminal = Terminal(code, *arguments, home=home)
    try:
        return terminal.wait_for(text) * 1000
    finally:
        terminal.close()


def first_paints(home: Path, starts: int) -> tuple[list[float], list[float]]:
    """Those of the bare app and of racko."""
    bare, racko = [], []
    for _ in range(starts):  # in turns, so that whatever else runs disturbs both
        bare.append(first_paint(BARE, "Quit", home))
        racko.append(first_paint(RACKO, "Quit", home))
    return bare, racko


def keys(terminal: Terminal, count: int) -> KeyFigures:
    """What arrow keys cost once the screen stands still."""
    figures = KeyFigures([], [])
    try:
        terminal.settle(0.3)
        for number in range(-2, count):
            took, size = terminal.key("\x1b[A" if number % 2 else "\x1b[B")
            if number >= 0:  # the first two warm up
                figures.times.append(took)
                figures.sizes.append(size)
    finally:
        terminal.close()
    return figures


def home_with_settings(folder: str) -> Path:
    home = Path(folder)
    (home / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    return home


def verdict(holds: bool) -> str:
    return "within budget" if holds else "OVER BUDGET"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small size, to see that it runs")
    scale = QUICK if parser.parse_args(arguments).quick else Scale()
    with tempfile.TemporaryDirectory() as folder:
        home = home_with_settings(folder)
        bare, racko = first_paints(home, scale.starts)
        ratio = median(racko) / median(bare)
        print(f"first paint  bare Textual app  {median(bare):6.0f} ms  (best {min(bare):.0f})")
        print(f"             racko             {median(racko):6.0f} ms  (best {min(racko):.0f})")
        print(f"             {ratio:.2f} times the bare app: {verdict(ratio <= BUDGET)}")

        print(f"arrow key    bare line widget  {keys(bare_rack(home), scale.keys)}")
        table = keys(at_the_table(home), scale.keys)
        print(f"             table             {table}")
        small = median(table.sizes) < 400
        print(f"             {verdict(median(table.times) <= 3.0 and small)}")


def bare_rack(home: Path) -> Terminal:
    terminal = Terminal(BARE_RACK, home=home)
    terminal.wait_for("11 ----")
    return terminal


def at_the_table(home: Path) -> Terminal:
    """The table in the player's turn, with a card in hand."""
    terminal = Terminal(RACKO, "play", "--bots", "novice", "--seed", "5", home=home)
    terminal.wait_for("discard")
    terminal.settle(0.5)
    terminal.key("d")
    return terminal


if __name__ == "__main__":
    main()
