"""Reading the record of a game from a file that somebody named."""

from __future__ import annotations

import os
import sys
from errno import EAGAIN
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_core.record import Record
from racko_net.files import NotPlain, read_plain
from racko_net.reasons import reason

_MOST_BYTES: Final = 16 * 1024 * 1024
"""Of a record: room for thousands of rounds."""


def read_file(file: str) -> bytes:
    """What is in a file, or in the standard input for “-”. Raises `RackoError`."""
    return _standard_input() if file == "-" else _named(file)


def _standard_input() -> bytes:
    try:
        data = sys.stdin.buffer.read(_MOST_BYTES + 1) if sys.stdin else b""
        if data is None:  # whoever shares it made reading not wait
            raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))
    except OSError as error:
        raise RackoError(
            N_("The standard input cannot be read ({reason})."), reason=reason(error)
        ) from None
    if len(data) > _MOST_BYTES:
        raise RackoError(N_("The standard input is too large to be the record of a game."))
    return data


def _named(file: str) -> bytes:
    try:
        data = read_plain(file, _MOST_BYTES + 1)  # never all of it: some files have no end
    except NotPlain:
        raise RackoError(
            N_("“{path}” is no plain file; “-” reads from the standard input."), path=Path(file)
        ) from None
    except (OSError, ValueError) as error:
        raise RackoError(
            N_("“{path}” cannot be read ({reason})."),
            path=Path(file),
            reason=reason(error)
            if isinstance(error, OSError)
            else RackoError(N_("no file can be called so")),  # it has a NUL in it
        ) from None
    if len(data) > _MOST_BYTES:
        raise RackoError(N_("“{path}” is too large to be the record of a game."), path=Path(file))
    return data


def names_in(record: Record) -> list[str]:
    """Who sat where, fit for a terminal: records come from anywhere."""
    from racko_net.text import MAX_NAME, beginning, harmless

    return [beginning(harmless(seat.name)[:MAX_NAME], MAX_NAME) or "?" for seat in record.seats]
