"""Why something did not work, for the middle of a sentence to a person.

For what happens often we have words, which are translated; else the system's own stay as they are.
What Python and libraries say is written for programmers, in English, and may hold anything: of
that, only what we have words for is told.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Any, Final

from racko_core.errors import N_, RackoError
from racko_net.text import harmless

NOT_UTF8: Final = N_("that is not UTF-8")
TOO_DEEP: Final = N_("it is nested too deep")
_LONGEST: Final = 60
"""Characters of what was read."""
_SYSTEM: Final = {
    errno.EACCES: N_("that is not permitted"),
    errno.EADDRINUSE: N_("the address is in use"),
    errno.ECONNREFUSED: N_("the connection was refused"),
    errno.EHOSTUNREACH: N_("no way leads there"),
    errno.EISDIR: N_("it is a folder"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENETUNREACH: N_("no way leads there"),
    errno.ENFILE: N_("too many files are open"),
    errno.ENOENT: N_("there is no such file or folder"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EPERM: N_("that is not permitted"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ETIMEDOUT: N_("no answer came in time"),
}
_NAMELESS: Final = N_("no machine is known by that name")
_SQLITE: Final = {
    5: N_("another program uses it"),
    6: N_("another program uses it"),
    8: N_("it can only be read"),
    10: N_("the disk does not work"),
    11: N_("it is no sound database"),
    13: N_("the disk is full"),
    14: N_("it cannot be opened"),
    26: N_("it is no sound database"),
}
"""By the primary result code, see https://www.sqlite.org/rescode.html."""
_UNTRUSTED: Final = {
    9: N_("its certificate is not valid yet"),
    10: N_("its certificate has expired"),
    18: N_("nobody but itself vouches for its certificate"),
    19: N_("nobody known here vouches for its certificate"),
    20: N_("nobody known here vouches for its certificate"),
    21: N_("nobody known here vouches for its certificate"),
    62: N_("its certificate is for another name"),
    64: N_("its certificate is for another address"),
}
"""By OpenSSL's code, see its openssl-verification-options(1)."""
_OPENSSL: Final = {
    "": N_("no certificate with its key, in PEM, is there"),
    "KEY_VALUES_MISMATCH": N_("the key belongs to another certificate"),
    "NO_CERTIFICATE_OR_CRL_FOUND": N_("no certificate in PEM is in it"),
}
_ERRNO: Final = re.compile(r"\[Errno ([0-9]+)\]")
_AT: Final = re.compile(r"at `(?:key in )?\$\.?([^`]*)`$")
_MISSING: Final = re.compile(r"missing required field `([^`]*)`")
_TYPES: Final = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")


class Unfit(RackoError, ValueError):
    """What was read makes no sense."""


def reason(error: Exception) -> str | RackoError:
    """Why the system, or what stands between it and us, did not do something."""
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
            return RackoError(_SQLITE[sqlite & 0xFF])
    return str(getattr(error, "sqlite_errorname", "")) or type(error).__name__


def system(number: int) -> str | RackoError:
    """What an error number of the system means."""
    return RackoError(_SYSTEM[number]) if number in _SYSTEM else os.strerror(number)


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
        return Unfit(N_("the field “{field}” holds what it cannot hold"), field=path)
    return Unfit(N_("it is damaged"))


def _safe(value: object) -> Any:
    return value if isinstance(value, int | float) else harmless(str(value))[:_LONGEST]


def tls_reason(error: OSError) -> str | RackoError:
    """Why a certificate is not good enough, or cannot be used."""
    code = getattr(error, "verify_code", 0)
    if code in _UNTRUSTED:
        return RackoError(_UNTRUSTED[code])
    if not hasattr(error, "library"):  # no `ssl.SSLError`, a module that not everybody needs
        return reason(error)
    openssl = str(getattr(error, "reason", None) or "")
    if openssl in _OPENSSL:
        return RackoError(_OPENSSL[openssl])
    return str(getattr(error, "verify_message", "")) or openssl.replace("_", " ").lower()
