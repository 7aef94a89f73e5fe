"""The port that screens use: one table as seen from one terminal, wherever the table is.

A screen asks with the same `Input`s that a table takes, and is told by `Update`s. It cannot tell
a table in this process from one behind a server.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from racko_core.errors import RackoError
from racko_core.rules import Seat
from racko_core.seating import Input, Notice, Ready, TableInfo
from racko_core.view import View

Kept = Literal["all", "part", "nothing"]
"""What is left of a game when one leaves it: all of it, what was saved last, or nothing."""


@dataclass(frozen=True, slots=True)
class Link:
    """How this terminal and its table are connected."""

    up: bool = True
    """Whether what is asked now reaches the table."""
    trouble: RackoError | None = None
    """One sentence on what is wrong: a lost connection, a game that cannot be saved."""
    closed: bool = False
    """Whether it is over for good: left, or sent away."""
    kept: Kept = "all"
    """How much of the game is there for who comes back."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one seat, or a spectator, learns from an update."""

    notices: tuple[Notice, ...]
    """What happened, in order."""
    view: View | None
    """How the game stands after it; None before the first game."""


@dataclass(frozen=True, slots=True)
class Update:
    """Everything that changed at once. Updates come in order, and none is left out."""

    info: TableInfo
    link: Link
    seen: Mapping[Seat | None, Seen]
    """By the session's `seats`, or under None for who only watches."""
    caught_up: bool = False
    """Whether this stands for many changes at once, as after a lost connection."""
    helped: bool = True
    """Where it stands for many changes: whether a bot may have done some of what the seat did."""
    failure: RackoError | None = None
    """Why the program failed of which the notices tell; known only where it is one's own."""


class Session(ABC):
    """One table as seen from one terminal."""

    info: TableInfo
    link: Link
    seats: tuple[Seat, ...]
    """The seats played from this terminal: one, several at one keyboard, or none."""

    @abstractmethod
    def view(self, seat: Seat | None) -> View | None:
        """What `seat`, one of `seats`, may know now; None for a session that only watches."""

    @abstractmethod
    def clock(self) -> float:
        """The time on the table's clock, in seconds, as in `TableInfo.turn_ends`."""

    @abstractmethod
    def record(self) -> str | None:
        """The record of the game that has just ended; None if only its host has that."""

    @abstractmethod
    async def ask(self, given: Input) -> None:
        """Ask the table to do something; returns when it has.

        Raises `RackoError`, with the sentence to show, when it does not.
        """

    @abstractmethod
    async def update(self) -> Update:
        """Wait for the next update. The first comes at once and shows how things stand."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the table. What becomes of the seats is asked of the table before."""

    async def ready(self) -> None:
        """Say for everyone at this terminal that what comes next may come."""
        for seat in self.seats:
            if not self.info.chairs[seat].ready:
                await self.ask(Ready(seat))
