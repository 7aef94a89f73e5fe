"""The password file: who may log in with which password.

One line for each: a name, a colon, and what `line` makes of a password; `*` as the name lets
anybody in who knows the password. Blank lines and lines from `#` on say nothing. To get a line:

    python -m racko_tui.ssh.passwords NAME >> FILE
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_net.files import check_plain, read_plain
from racko_net.reasons import reason

ANYBODY: Final = "*"
_KIND: Final = "scrypt"
_COST: Final = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}  # 50 ms, and 16 MB while it takes them


class PasswordFileError(RackoError):
    """A password file that cannot be used."""


@dataclass(frozen=True, slots=True)
class _Entry:
    salt: bytes
    digest: bytes

    def opens(self, password: str) -> bool:
        return hmac.compare_digest(_digest(password, self.salt), self.digest)


@dataclass(frozen=True, slots=True)
class Passwords:
    """A password file in memory."""

    entries: dict[str, _Entry]

    @classmethod
    def read(cls, path: Path) -> Passwords:
        """The file. Raises `PasswordFileError`."""
        try:
            mode = check_plain(path).st_mode
            lines = read_plain(path).decode().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PasswordFileError(
                N_("The password file “{path}” cannot be read ({reason})."),
                path=path,
                reason=reason(error),
            ) from error
        if os.name == "posix" and mode & 0o077:
            raise PasswordFileError(
                N_("Others can read the password file “{path}”; run “chmod 600” on it."), path=path
            )
        entries: dict[str, _Entry] = {}
        for number, text in enumerate(lines, 1):
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            name, _, secret = text.strip().rpartition(":")
            try:
                kind, salt, digest = secret.split("$")
                entry = _Entry(bytes.fromhex(salt), bytes.fromhex(digest))
            except ValueError:
                kind = ""
            if kind != _KIND or not name:
                raise PasswordFileError(
                    N_(
                        "Line {line} of “{path}” is not a name and a password; "
                        "“python -m racko_tui.ssh.passwords NAME” prints such a line."
                    ),
                    line=number,
                    path=path,
                )
            entries[name] = entry
        return cls(entries)

    def admits(self, name: str, password: str) -> str | None:
        """The entry that the password belongs to, a name or `*`; None for a wrong one.

        It takes as long for a name that nobody has. Slow: call it in a thread.
        """
        admitted = None
        for owner in (name, ANYBODY):
            entry = self.entries.get(owner)
            if (entry or _NOBODY).opens(password) and entry and admitted is None:
                admitted = owner
        return admitted


def line(name: str, password: str) -> str:
    """The line of a password file for somebody."""
    salt = os.urandom(16)
    return f"{name}:{_KIND}${salt.hex()}${_digest(password, salt).hex()}"


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "surrogatepass"), salt=salt, **_COST)


_NOBODY: Final = _Entry(bytes(16), bytes(32))

if __name__ == "__main__":
    from getpass import getpass

    if len(sys.argv) != 2 or ":" in sys.argv[1]:
        sys.exit("usage: python -m racko_tui.ssh.passwords NAME    (* for anybody)")
    print(line(sys.argv[1], getpass()))
