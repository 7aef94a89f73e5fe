"""Bots for the tests of the arena, by name; worker processes import `entrant`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots import Bot, bot
from racko_core.bots.novice import Novice
from racko_core.errors import N_, RackoError
from racko_core.view import Phase, View


class Crowd:
    """A novice that decides for many at once; it notes for how many."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def decide(self, view: View) -> Action:
        raise AssertionError("it should be asked for many")

    def decide_many(self, views: Sequence[View]) -> Sequence[Action]:
        self.sizes.append(len(views))
        return [Novice().decide(view) for view in views]


class Failing(Crowd):
    """Never decides, neither for many nor for one."""

    def decide_many(self, views: Sequence[View]) -> Sequence[Action]:
        raise ZeroDivisionError("by itself")


class Terse(Crowd):
    """Forgets one of many."""

    def decide_many(self, views: Sequence[View]) -> Sequence[Action]:
        return [Novice().decide(view) for view in views[1:]]


class Wrong:
    """Wants what is not allowed, as a player and as a program."""

    def __init__(self, action: object) -> None:
        self._action = action

    def decide(self, view: View) -> Action:
        return self._action  # type: ignore[return-value]


class Taker:
    """Takes every discard into the front: the draw pile is never empty."""

    def decide(self, view: View) -> Action:
        return act.TAKES[0] if view.phase is Phase.TURN else view.legal[0]


class Drawer(Novice):
    """A novice that takes no discard: weaker, but not hopeless."""

    def decide(self, view: View) -> Action:
        return act.DRAW if view.phase is Phase.TURN else super().decide(view)


class Leaver(Novice):
    """Tells in a file, named after its process, that it is here, and that it was closed."""

    def __init__(self, folder: str) -> None:
        self._file = Path(folder) / f"{os.getpid()}.here"
        self._file.touch()

    def close(self) -> None:
        self._file.rename(self._file.with_suffix(".left"))


def here(folder: Path) -> set[int]:
    """Processes in which a `Leaver` is."""
    return {int(path.stem) for path in folder.glob("*.here")}


def left(folder: Path) -> set[int]:
    """Processes in which a `Leaver` was closed."""
    return {int(path.stem) for path in folder.glob("*.left")}


class Dying:
    """Ends its process."""

    def decide(self, view: View) -> Action:
        os._exit(3)


class Stuck:
    """Says in a file that it has begun to think, and thinks for ever."""

    def __init__(self, file: str) -> None:
        self._file = Path(file)

    def decide(self, view: View) -> Action:
        self._file.touch()
        while True:
            os.sched_yield()


def entrant(name: str) -> Bot:
    """The bot of that name: one of these, or a level."""
    kind, _, rest = name.partition(":")
    match kind:
        case "crowd":
            return Crowd()
        case "failing":
            return Failing()
        case "terse":
            return Terse()
        case "wrong":
            return Wrong(act.PLAY_ON if rest == "action" else rest)
        case "taker":
            return Taker()
        case "drawer":
            return Drawer()
        case "leaver":
            return Leaver(rest)
        case "dying":
            return Dying()
        case "stuck":
            return Stuck(rest)
        case "missing":
            raise RackoError(N_("There is no bot called “{level}”."), level=name)
    return bot(name)
