"""Positions from real games, and commands that start strange programs."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots import bot, harmless
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase, View
from racko_net.outside_bot.permission import Limits

STRANGE = Path(__file__).with_name("strange.py")
SEED = bytes(range(32))
PATIENCE = 100.0
"""Seconds; a machine may be busy."""
PATIENT = Limits(60.0, 60.0)


def strange(kind: str, *arguments: object) -> str:
    """The command of a program of that kind."""
    return shlex.join([sys.executable, str(STRANGE), kind, *map(str, arguments)])


class Idle:
    """Draws and discards, so that the draw pile is soon empty."""

    def decide(self, view: View) -> Action:
        return harmless(view)


def views(rules: Rules, level: str = "novice", rounds: int = 1) -> Iterator[View]:
    """Every decision of so many rounds, as the seat that has it sees it."""
    game = Game.new(rules, SEED)
    player = Idle() if level == "idle" else bot(level)
    while game.phase is not Phase.OVER and len(game.sheet) < rounds:
        if game.phase is Phase.DEAL:
            game.apply(act.DEAL)
            continue
        assert game.turn is not None
        view = game.view(game.turn)
        yield view
        game.apply(player.decide(view))


def first(rules: Rules | None = None) -> View:
    """The first decision of a game."""
    return next(views(rules or Rules()))


def alive(pid: int) -> bool:
    """Whether a process is there, be it as a zombie."""
    return Path(f"/proc/{pid}").exists()


def wait_for(done: object) -> None:
    """Wait until the call says yes."""
    deadline = time.monotonic() + PATIENCE
    while not done():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


def pids_in(path: Path) -> list[int]:
    """The numbers that programs wrote down when they started, the latest last."""
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def pid_in(path: Path) -> int:
    """The number that a program wrote down when it started."""
    wait_for(lambda: pids_in(path))
    return pids_in(path)[-1]
