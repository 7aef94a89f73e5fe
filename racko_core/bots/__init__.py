"""Bots: players that decide from a view, and from nothing else.

A bot keeps nothing between decisions and rolls no dice: the same view gives the same action, so a
game that was saved plays on as it would have. To write one, give a class a `decide` method; see
`novice` for the shortest. To seat it by name, add it to `LEVELS`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.casual import Casual
from racko_core.bots.novice import Novice
from racko_core.bots.reference import REFERENCES
from racko_core.bots.sharp import Sharp
from racko_core.bots.solid import Solid
from racko_core.errors import N_, RackoError
from racko_core.view import View

_log = logging.getLogger(__name__)


class Bot(Protocol):
    """Whoever can decide."""

    def decide(self, view: View) -> Action:
        """One of `view.legal`, which is not empty: it is the turn of `view.seat`."""
        ...


def _expert() -> Bot:
    from racko_core.bots.expert import Expert  # numpy, for whoever meets the expert

    return Expert()


LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "novice": Novice,
    "casual": Casual,
    "solid": Solid,
    "sharp": Sharp,
    "expert": _expert,
}
"""The levels by name, the weakest first."""
OURS: Final = {**LEVELS, **REFERENCES}
"""Every bot that has a name: the levels, and those that others are measured against."""
EXEC: Final = "exec:"
"""What the level of a bot in another program begins with; the command follows. Whoever gives such
a level has a program started: take it from nobody but the player whose machine it is."""
OFFERED: Final = "outside:"
"""The same for a program that the host of a server offers; the name that the host gave it follows,
and nobody else learns the command."""
OUTSIDE: Final = "exec"
"""The kind of all of these in the record of a game."""


def is_outside(level: str) -> bool:
    """Whether a bot of that level is another program, which must be asked."""
    return level.startswith((EXEC, OFFERED))


def check_level(level: str) -> None:
    """Raise `RackoError` if there is no such level; what a program can do is for others to find."""
    if not is_outside(level) and level not in LEVELS:
        raise _no_bot_at_home(level, LEVELS)


def meant(name: str, among: Iterable[str] = LEVELS) -> str:
    """The bot that somebody means who writes its name in small letters or capitals.

    It is one of those `among` which one can choose, or `exec:` and the command as it was written.
    Raises `RackoError` if there is none.
    """
    name = name.strip()
    if (command := without_exec(name)) != name:
        return EXEC + command
    if name.lower() not in among:
        raise _no_bot_at_home(name, among)
    return name.lower()


def without_exec(name: str) -> str:
    """The command behind an `exec:` in small letters or capitals; any other name as it is."""
    return name[len(EXEC) :] if name.lower().startswith(EXEC) else name


def _no_bot_at_home(level: str, among: Iterable[str]) -> RackoError:
    from difflib import get_close_matches

    among = tuple(among)
    allowed = ", ".join(among)
    for nearest in get_close_matches(level.lower(), among, 1):
        return RackoError(
            N_(
                "There is no bot called “{level}” (do you mean “{nearest}”?); choose one of"
                " {allowed}, or “exec:COMMAND” for a program."
            ),
            level=level,
            nearest=nearest,
            allowed=allowed,
        )
    return RackoError(
        N_(
            "There is no bot called “{level}”; choose one of {allowed}, or “exec:COMMAND” for a"
            " program."
        ),
        level=level,
        allowed=allowed,
    )


def no_such_bot(level: str, offered: Iterable[str] = ()) -> RackoError:
    """The refusal of a level; `offered` are those that there are besides `LEVELS`."""
    return RackoError(
        N_("There is no bot called “{level}”; choose one of {allowed}."),
        level=level,
        allowed=", ".join([*LEVELS, *offered]),
    )


def bot(level: str) -> Bot:
    """The bot of that name, one of `OURS`. Raises `RackoError` if there is none."""
    if level not in OURS:
        raise _no_bot_at_home(level, OURS)
    return OURS[level]()


def decide_safely(player: Bot, view: View) -> Action:
    """What `player` decides, or a harmless legal action if it fails; never raises.

    `view.legal` must not be empty.
    """
    try:
        action = player.decide(view)
        if action in view.legal:
            return action
        _log.error("%s decided on %r, which is not legal", type(player).__name__, action)
    except Exception:
        _log.exception("%s failed to decide", type(player).__name__)
    return harmless(view)


def harmless(view: View) -> Action:
    """A legal action that changes no rack where that can be avoided, and goes out if it can."""
    for action in (act.GO_OUT, act.DRAW, act.DISCARD):
        if action in view.legal:
            return action
    return view.legal[0]
