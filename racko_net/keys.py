"""Secrets: the tokens of seats, and passwords, as they are made, kept, proved and compared.

A token goes over the wire once, to its owner. Whoever takes the seat back proves to know it, and
so does the server, by hashes of it (RFC 2104) with numbers that both chose for this connection and
with the server's certificate (as in RFC 5929). So nobody who listens learns what would open the
seat, and no server that only calls itself by another's id can make believe that it has the seat.
Without TLS one that hands everything on to the true server can: it is the connection then.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import Final, Literal, NamedTuple

from racko_core.errors import N_

TOKEN_BYTES: Final = 16

WRONG_PASSWORD: Final = N_("That is not the password of this table.")
"""By this sentence a client knows that it may ask for another."""
NO_SUCH_TABLE: Final = N_("There is no table “{code}” any more.")
NOT_YOURS: Final = N_("Your seat at this table is yours no longer.")
GONE: Final = frozenset({NO_SUCH_TABLE, NOT_YOURS})
"""By these sentences a client knows that a seat is gone for good, and by no others."""
TOO_MANY_GUESSES: Final = N_("Too many wrong passwords; wait a little.")
HASTY: Final = N_("You come and go too often; wait a little.")
LATER: Final = frozenset({TOO_MANY_GUESSES, HASTY})
"""By these sentences a client knows that the same may be had later."""


def new_token() -> str:
    """A token nobody can guess: 128 bits in hex."""
    return secrets.token_hex(TOKEN_BYTES)


def digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_nonce() -> str:
    """A number for one connection: 128 bits in hex, never used again."""
    return secrets.token_hex(TOKEN_BYTES)


class Meeting(NamedTuple):
    """What makes a proof good for one connection only."""

    server: str
    """The number that the server chose."""
    client: str
    """The number that the client chose."""
    certificate: str
    """SHA-256 of the server's certificate in hex; empty without TLS."""


def proof(side: Literal["client", "server"], kept: bytes, meeting: Meeting) -> str:
    """What shows the other side that one knows the token that has the digest `kept`: HMAC-SHA256 in
    hex.
    """
    said = " ".join((side, *meeting))
    return hmac.new(kept, said.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def proves(given: str, side: Literal["client", "server"], kept: bytes, meeting: Meeting) -> bool:
    """Whether it is that side's proof; in constant time."""
    wanted = proof(side, kept, meeting).encode()
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted)


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
