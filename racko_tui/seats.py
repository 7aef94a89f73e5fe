"""Who sits down to a new game: the names of the people at this keyboard and of the bots."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Sequence

from racko_core.record import HUMAN, SeatName
from racko_tui.config import NAME_LENGTH, Settings
from racko_tui.i18n import _
from racko_tui.words import level_name


def own_name(settings: Settings) -> str:
    """The player's name: as settled, else as the system knows them."""
    if settings.name:
        return settings.name
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without an entry or environment
        name = ""
    return (name[:1].upper() + name[1:])[:NAME_LENGTH] or _("You")


def seated(people: Sequence[str], levels: Iterable[str]) -> tuple[SeatName, ...]:
    """The seats, people first. Bots are named after their levels, numbered where one repeats."""
    seats = [SeatName(name, HUMAN) for name in people]
    for level in levels:
        taken = {seat.name for seat in seats}
        word = level_name(level).capitalize()
        numbered = (f"{word} {number}" for number in range(2, len(seats) + 3))
        name = next(name for name in (word, *numbered) if name not in taken)
        seats.append(SeatName(name, level))
    return tuple(seats)
