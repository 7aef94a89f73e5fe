"""Secrets: the tokens of seats, and passwords, as they are made, kept and compared."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import Final

from racko_core.errors import N_

TOKEN_BYTES: Final = 16

WRONG_PASSWORD: Final = N_("That is not the password of this table.")
"""By this sentence a client knows that it may ask for another."""
TOO_MANY_GUESSES: Final = N_("Too many wrong passwords; wait a little.")


def new_token() -> str:
    """A token nobody can guess: 128 bits in hex."""
    return secrets.token_hex(TOKEN_BYTES)


def digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def locked(password: str) -> str:
    """What is kept of a table's password; empty for none.

    Salted, but not slow: it keeps strangers from a card table, guesses are limited, and the
    seeds of the games lie beside it.
    """
    if not password:
        return ""
    salt = os.urandom(16)
    return salt.hex() + _salted(password, salt)


def opens(password: str | None, lock: str) -> bool:
    """Whether the password is the one of the lock; compared in constant time."""
    if not lock:
        return True
    salt = bytes.fromhex(lock[:32])
    return hmac.compare_digest(_salted(password or "", salt), lock[32:])


def same(password: str | None, wanted: str | None) -> bool:
    """Whether it is the password wanted, None for none; compared in constant time."""
    return wanted is None or hmac.compare_digest(digest(password or ""), digest(wanted))


def _salted(password: str, salt: bytes) -> str:
    return hmac.new(salt, password.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
