"""Which programs may play at a table, how long they may take, and the error of one that fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from racko_core.bots import EXEC, OFFERED, OURS
from racko_core.errors import N_, RackoError
from racko_core.seating import Failing
from racko_net.text import MAX_NAME, harmless, quoted

LONGEST_NAME: Final = 16
"""Characters in the name of a program that a host offers."""
_NAME: Final = f"[a-z][a-z0-9-]{{0,{LONGEST_NAME - 1}}}"
_HELLO: Final = 10.0


class OutsideError(RackoError):
    """A program that cannot play, or has failed; `why` says how."""

    def __init__(self, why: Failing, template: str, **values: object) -> None:
        super().__init__(template, **values)
        self.why = why

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.why, self.template, self.values))


def _rebuild(why: Failing, template: str, values: dict[str, object]) -> OutsideError:
    return OutsideError(why, template, **values)


def level_of(name: str) -> str:
    """The level of a program that a host offers by this name. Raises `OutsideError` for what can
    be no name, or is a bot's of ours already.
    """
    if not re.fullmatch(_NAME, name):
        raise OutsideError(
            "bot-missing",
            N_(
                "A program cannot be called “{name}”: a name has small letters, digits and hyphens,"
                " begins with a letter, and is at most {most} long."
            ),
            name=quoted(name, MAX_NAME),
            most=LONGEST_NAME,
        )
    if name in OURS:
        raise OutsideError(
            "bot-missing",
            N_("A bot of racko's own is called “{name}”; give the program another name."),
            name=name,
        )
    return OFFERED + name


def is_offered(level: str) -> bool:
    """Whether it is the level of a program that a host could offer."""
    try:
        return level == level_of(level.removeprefix(OFFERED))
    except OutsideError:
        return False


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take, in seconds."""

    hello: float = _HELLO
    """To start, and to answer the first line."""
    decision: float = 5.0

    @classmethod
    def of(cls, decision: float | None) -> Self:
        """The usual ones, or those of a program that may take so long to decide."""
        return cls() if decision is None else cls(max(_HELLO, 2 * decision), decision)


@dataclass(frozen=True, slots=True)
class Programs:
    """Which programs may be started at a table, and how long they may take."""

    at_home: bool = False
    """Whatever command a level tells: for a player at their own machine, and for nobody else."""
    offered: Mapping[str, str] = field(default_factory=dict)
    """Those that the host of a server offers: level to command."""
    limits: Limits = field(default_factory=Limits)
    folder: str | None = None
    """Where they are started; None for the folder that this process is in."""

    def command(self, level: str) -> str:
        """The command that a level stands for. Raises `OutsideError` where none may be run."""
        if self.at_home and level.startswith(EXEC):
            return level.removeprefix(EXEC)
        if level in self.offered:
            return self.offered[level]
        told = N_("No program may be started for “{level}” here.")
        if is_offered(level):
            told = N_("No program called “{level}” is offered here.")
        name = harmless(level).removeprefix(OFFERED)[:MAX_NAME]
        raise OutsideError("bot-missing", told, level=name)
