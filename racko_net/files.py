"""Files and folders that somebody named: read as they are, or refused in words.

A pipe would keep us waiting for whoever writes into it, and a device may have no end.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError

_ALL: Final = -1


class NotPlain(RackoError, OSError):
    """Something that is no plain file, or no folder."""


def check_plain(path: str | Path) -> os.stat_result:
    """What the system knows of a plain file. Raises `OSError` for anything else."""
    return _plain(os.stat(path))  # noqa: PTH116 - a name as it was given


def read_plain(path: str | Path, most: int = _ALL) -> bytes:
    """What is in a plain file, or the first `most` bytes of it. Raises `OSError`."""
    check_plain(path)
    with open(path, "rb", opener=_at_once) as file:
        _plain(os.fstat(file.fileno()))  # it may have been put in the place of another
        return file.read(most)


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder, and those that it lies in, where it is not there. Raises `OSError`."""
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotPlain(N_("it is no folder")) from None


def _plain(found: os.stat_result) -> os.stat_result:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise NotPlain(N_("it is no plain file"))
    return found


def _at_once(file: str, flags: int) -> int:
    """Open a file that may be a pipe by now without waiting for somebody at its other end."""
    return os.open(file, flags | getattr(os, "O_NONBLOCK", 0))
