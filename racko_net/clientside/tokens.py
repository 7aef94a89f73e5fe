"""The seats that a person has on servers, kept on disk so that they can be taken back.

One file a seat, readable by its owner alone. Two terminals never write the same file.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_net.codec import convert
from racko_net.files import make_folder, read_plain
from racko_net.protocol import AnySeat, Hex, Listed, Seconds, ServerId, TableCode
from racko_net.reasons import reason

_KEPT: Final = 30 * 86400.0
"""Seconds. No server keeps a table for half as long at which nobody has been."""


class TokenError(RackoError):
    """Seats that cannot be kept."""


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat and the secret that gives it back."""

    server_id: ServerId
    address: str
    """Where the server was, as it was dialled."""
    table: TableCode
    """The table's code."""
    name: str
    """What the person is called there."""
    seat: AnySeat
    token: Hex
    saved: Seconds = 0.0
    """Seconds since 1970."""

    def __repr__(self) -> str:
        return f"SavedSeat({self.server_id!r}, {self.table!r}, {self.seat!r})"


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat of one's own that can be taken back."""

    seat: SavedSeat
    listed: Listed
    here: bool
    """Whether it is played from another terminal at this moment."""


class Tokens:
    """Saved seats in one folder."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock

    def save(self, seat: SavedSeat) -> None:
        """Keep a seat. Raises `TokenError`."""
        path = self._path(seat)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        text = json.dumps({**asdict(seat), "saved": self._clock()})
        try:
            make_folder(self._folder, mode=0o700)
            draft.unlink(missing_ok=True)
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            draft.replace(path)
        except OSError as error:
            raise TokenError(
                N_("Your seat cannot be kept in “{path}” ({reason}); after a restart it is lost."),
                path=self._folder,
                reason=reason(error),
            ) from error

    def forget(self, seat: SavedSeat) -> None:
        """The seat is not to be taken back any more."""
        with contextlib.suppress(OSError):
            self._path(seat).unlink(missing_ok=True)

    def saved(self, server_id: str | None = None) -> list[SavedSeat]:
        """The seats at a server, or at any; the one kept last first. Unreadable ones are left
        out, and very old ones forgotten.
        """
        seats: list[SavedSeat] = []
        with contextlib.suppress(OSError):
            for path in self._folder.glob("*.seat"):
                with contextlib.suppress(OSError, ValueError):
                    seat: SavedSeat = convert(json.loads(read_plain(path)), SavedSeat)
                    plain = (seat.address + seat.name).isprintable()
                    if self._clock() - seat.saved > _KEPT:
                        path.unlink()
                    elif plain and server_id in (None, seat.server_id):
                        seats.append(seat)
        return sorted(seats, key=lambda seat: seat.saved, reverse=True)

    def _path(self, seat: SavedSeat) -> Path:
        parts = (seat.server_id, seat.table, seat.token[:6])
        return self._folder / ("-".join(re.sub(r"\W", "", part)[:20] for part in parts) + ".seat")
