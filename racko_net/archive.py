"""The record of a finished game at a table, ready for the store."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from racko_core.bots import OUTSIDE, is_outside
from racko_core.record import HUMAN, Record, SeatName, write
from racko_core.seating import Chair, Kind
from racko_core.table import Table

_HINTS: Final = "hints"
"""Name of the note: by seat, the decisions that a person had help with."""
_COUNT: Final = re.compile("[0-9]{1,6}")


def record_of(table: Table, now: float) -> str:
    """The record of the game that was played at a table and has ended at `now` (since 1970).

    It tells the seed of the game, and so every deck. Raises ValueError while the game goes on.
    """
    if table.game is None or table.game.result is None:
        raise ValueError("the game has not ended")
    seats = [SeatName(chair.name, _kind(chair)) for chair in table.chairs]
    ended = datetime.fromtimestamp(now).astimezone().isoformat(timespec="seconds")
    about = {"ended": ended}
    if any(chair.hints for chair in table.chairs):
        about[_HINTS] = " ".join(str(chair.hints) for chair in table.chairs)
    return write(table.game, seats, seed=table.seed, about=about)


def hints_in(record: Record) -> tuple[int, ...]:
    """How many decisions each seat had help with; 0 where nothing is noted of it."""
    noted = record.about.get(_HINTS, "").split(" ")
    if len(noted) != len(record.seats) or not all(_COUNT.fullmatch(word) for word in noted):
        return (0,) * len(record.seats)
    return tuple(map(int, noted))


def _kind(chair: Chair) -> str:
    """Who played; of a program not its command, which is nobody's business."""
    if chair.kind is not Kind.BOT:
        return HUMAN
    return OUTSIDE if is_outside(chair.level) else chair.level
