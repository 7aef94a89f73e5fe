"""Why something did not work, for the middle of a sentence to a person.

For what happens often we have words, which are translated; else the system's own stay as they are.
What Python and libraries say is written for programmers, in English, and may hold anything: of
that, only what we have words for is told.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from pathlib import Path
from typing import Any, Final

from racko_core.errors import N_, RackoError
from racko_net.text import quoted

NOT_UTF8: Final = N_("that is not UTF-8")
TOO_DEEP: Final = N_("it is nested too deep")
CANNOT_HOLD: Final = N_("the field “{field}” holds what it cannot hold")
_LONGEST: Final = 60
"""Characters of what was read."""
_SYSTEM: Final = {
    errno.EACCES: N_("that is not permitted"),
    errno.EADDRINUSE: N_("the address is in use"),
    errno.EADDRNOTAVAIL: N_("no network here has that address"),
    errno.ECONNREFUSED: N_("the connection was refused"),
    errno.ECONNRESET: N_("the other side hung up"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EEXIST: N_("it is there already"),
    errno.EFBIG: N_("no file may be that large"),
    errno.EHOSTDOWN: N_("no way leads there"),
    errno.EHOSTUNREACH: N_("no way leads there"),
    errno.EIO: N_("the disk does not work"),
    errno.EISDIR: N_("it is a folder"),
    errno.ELOOP: N_("its links lead in a circle"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENAMETOOLONG: N_("its name is too long"),
    errno.ENETDOWN: N_("no way leads there"),
    errno.ENETUNREACH: N_("no way leads there"),
    errno.ENFILE: N_("too many files are open"),
    errno.ENOENT: N_("there is no such file or folder"),
    errno.ENOEXEC: N_("it is no program"),
    errno.ENOMEM: N_("there is not enough memory"),
    errno.ENOSPC: N_("the disk is full"),
    errno.ENOTDIR: N_("a part of its path is no folder"),
    errno.ENXIO: N_("nothing is at its other end"),
    errno.EPERM: N_("that is not permitted"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ETIMEDOUT: N_("no answer came in time"),
}
_NAMELESS: Final = N_("no machine is known by that name")
_SQLITE: Final = {
    5: N_("another program uses it"),
    6: N_("another program uses it"),
    8: N_("it can only be read"),
    10: N_("it cannot be written"),
    11: N_("it is no sound database"),
    13: N_("the disk is full"),
    14: N_("it cannot be opened"),
    26: N_("it is no sound database"),
}
"""By the primary result code, see https://www.sqlite.org/rescode.html."""
_IOERR: Final = 10
_FULL: Final = 13
_UNREADABLE: Final = (266, 522, 8202, 8458)
"""Those with the primary code 10 that only a broken disk brings about."""
_ROOM: Final = 64 * 1024
"""Bytes with which SQLite can do whatever it does beside the file of games."""
_ERRNO: Final = re.compile(r"\[Errno ([0-9]+)\]")
_AT: Final = re.compile(r"at `(?:key in )?\$\.?([^`]*)`$")
_MISSING: Final = re.compile(r"missing required field `([^`]*)`")
_TYPES: Final = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")


class Unfit(RackoError, ValueError):
    """What was read makes no sense."""


def reason(error: Exception, path: Path | None = None) -> str | RackoError:
    """Why the system, or what stands between it and us, did not do something.

    Where SQLite cannot write beside `path`, for whatever reason, a full disk is told as one.
    """
    sqlite = getattr(error, "sqlite_errorcode", None)
    match error:
        case RackoError():
            return error
        case UnicodeError():
            return RackoError(NOT_UTF8)
        case RecursionError():
            return RackoError(TOO_DEEP)
        case OSError(errno=number, strerror=words) if type(error).__name__ == "gaierror":
            import socket  # whoever looked a name up has it already

            nameless = number in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None))
            return RackoError(_NAMELESS) if nameless else words or str(number)
        case OSError(errno=int(number)) if number > 0:
            return system(number)  # `strerror` may be asyncio's, with the address
        case OSError(strerror=str(words)) if words:
            return words
        case OSError() if several := _ERRNO.search(str(error)):
            return system(int(several[1]))  # asyncio tried several addresses: the first
        case _ if isinstance(sqlite, int) and sqlite & 0xFF in _SQLITE:
            if sqlite in _UNREADABLE:
                return RackoError(N_("the disk does not work"))
            full = sqlite & 0xFF == _IOERR and path is not None and _is_full(path)
            return RackoError(_SQLITE[_FULL if full else sqlite & 0xFF])
        case ValueError():
            return RackoError(N_("something in it makes no sense"))
    return str(getattr(error, "sqlite_errorname", "")) or type(error).__name__


def system(number: int) -> str | RackoError:
    """What an error number of the system means."""
    return RackoError(_SYSTEM[number]) if number in _SYSTEM else os.strerror(number)


def _is_full(path: Path) -> bool:
    """Whether there is no room beside a file."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free < _ROOM
    return False


def unfit(error: Exception) -> Unfit:
    """Why something that was read is refused: what msgspec or we ourselves say of it."""
    text = str(error)
    if isinstance(error, RecursionError):
        return Unfit(TOO_DEEP)
    if isinstance(error, RackoError):  # it may quote what was read
        return Unfit(error.template, **{name: _safe(it) for name, it in error.values.items()})
    at = _AT.search(text)
    path = _safe(at[1]) if at else ""
    if missing := _MISSING.search(text):
        field = ".".join(filter(None, [path, _safe(missing[1])]))
        return Unfit(N_("the field “{field}” is missing"), field=field)
    if types := _TYPES.search(text):
        wanted, given = map(_safe, types.groups())
        if not path:
            return Unfit(N_("it should be “{wanted}”, not “{given}”"), wanted=wanted, given=given)
        return Unfit(
            N_("the field “{field}” should be “{wanted}”, not “{given}”"),
            field=path,
            wanted=wanted,
            given=given,
        )
    if path:
        return Unfit(CANNOT_HOLD, field=path)
    return Unfit(N_("it is damaged"))


def _safe(value: object) -> Any:
    return value if isinstance(value, int | float) else quoted(str(value), _LONGEST)
