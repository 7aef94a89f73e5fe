"""Secrets: the tokens of seats, and passwords, as they are made, kept, proved and compared.

A token goes over the wire once, to its owner. Whoever takes the seat back proves to know it, by a
hash of it with a number that the server chose for this connection (RFC 2104): so a server that only
calls itself by the other's id learns nothing that would open the seat, nor does who listens.
"""

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
NO_SUCH_TABLE: Final = N_("There is no table “{code}” any more.")
NOT_YOURS: Final = N_("Your seat at this table is yours no longer.")
GONE: Final = frozenset({NO_SUCH_TABLE, NOT_YOURS})
"""By these sentences a client knows that a seat is gone for good, and by no others."""
TOO_MANY_GUESSES: Final = N_("Too many wrong passwords; wait a little.")


def new_token() -> str:
    """A token nobody can guess: 128 bits in hex."""
    return secrets.token_hex(TOKEN_BYTES)


def digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_nonce() -> str:
    """What a server has a client prove its token with: 128 bits in hex, never used again."""
    return secrets.token_hex(TOKEN_BYTES)


def proof(token: str, nonce: str) -> str:
    """What shows a server that one knows the token: HMAC-SHA256 in hex, keyed by its digest."""
    return _proof(digest(token), nonce)


def proves(given: str, kept: bytes, nonce: str) -> bool:
    """Whether it is the proof of the token that has the digest `kept`; in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), _proof(kept, nonce).encode())


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


def _proof(key: bytes, nonce: str) -> str:
    return hmac.new(key, nonce.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _salted(password: str, salt: bytes) -> str:
    return hmac.new(salt, password.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
