"""The record of a finished game at a table, ready for the store."""

from __future__ import annotations

from datetime import datetime

from racko_core.bots import OUTSIDE, is_outside
from racko_core.record import HUMAN, SeatName, write
from racko_core.seating import Chair, Kind
from racko_core.table import Table


def record_of(table: Table, now: float) -> str:
    """The record of the game that was played at a table and has ended at `now` (since 1970).

    It tells the seed of the game, and so every deck. Raises ValueError while the game goes on.
    """
    if table.game is None or table.game.result is None:
        raise ValueError("the game has not ended")
    seats = [SeatName(chair.name, _kind(chair)) for chair in table.chairs]
    ended = datetime.fromtimestamp(now).astimezone().isoformat(timespec="seconds")
    return write(table.game, seats, seed=table.seed, about={"ended": ended})


def _kind(chair: Chair) -> str:
    """Who played; of a program not its command, which is nobody's business."""
    if chair.kind is not Kind.BOT:
        return HUMAN
    return OUTSIDE if is_outside(chair.level) else chair.level
