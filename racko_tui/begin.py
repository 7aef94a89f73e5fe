"""Where the application starts. A light module: the first screen waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racko_tui.lan.joining import Join
    from racko_tui.local.games import Choice


@dataclass(frozen=True, slots=True)
class Home:
    """Start at the home screen."""


@dataclass(frozen=True, slots=True)
class Play:
    """Start at a table."""

    choice: Choice
    bot_time: float | None = None
    """Seconds that a bot in another program has for a decision; None for the usual."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Start at the table that was left last."""

    bot_time: float | None = None
    """As in `Play`."""
    replace_programs: bool = False
    """Whether a novice plays on for each program that does not answer."""


if TYPE_CHECKING:
    Begin = Home | Play | Continue | Join
