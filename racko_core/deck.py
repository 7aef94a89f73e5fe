"""Decks: seeded shuffling, dealing, and the proof that the deal was fair.

Everything random in a game follows from its seed, 32 secret bytes. Each deck is shuffled with a
key of its own, derived from the seed by HMAC-SHA256. HMAC cannot be run backwards, so a revealed
deck tells nothing of the seed, nor of any other deck.

The shuffle is the Fisher-Yates one, fed by SHA-256 in counter mode. It is ours, and not that of
the standard library, because a record's reader in another language has to repeat it: see
NOTATION.md. Formats there and here are one promise; change them only with the record's version.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from racko_core.rules import SLOTS, Card, Rules, Seat

SEED_BYTES: Final = 32
SALT_BYTES: Final = 16


def fresh_seed() -> bytes:
    """A seed that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from(text: str | int) -> bytes:
    """The seed for a number or a word that a person chose; as easily guessed as the word is."""
    return hashlib.sha256(b"racko seed " + str(text).encode()).digest()


def _bytes(key: bytes) -> Iterable[int]:
    counter = 0
    while True:
        yield from hashlib.sha256(key + counter.to_bytes(4, "big")).digest()
        counter += 1


def shuffled(cards: Sequence[Card], key: bytes) -> list[Card]:
    """The cards in an order that depends on `key` alone.

    For i from the last index down to 1, swap cards i and j, where j is the next byte below
    256 - 256 % (i + 1) of SHA-256(key + counter as 4 bytes, big-endian), counter 0, 1, ...,
    taken modulo i + 1.
    """
    order = list(cards)
    stream = iter(_bytes(key))
    for i in range(len(order) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        byte = next(stream)
        while byte >= limit:
            byte = next(stream)
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def commitment(order: Sequence[Card], salt: bytes) -> str:
    """SHA-256 in hex of the deck (one byte a card, the first card dealt first) and the salt."""
    return hashlib.sha256(bytes(order) + salt).hexdigest()


@dataclass(frozen=True, slots=True)
class Deck:
    """A shuffled deck, the first card to be dealt first, with what proves it."""

    order: tuple[Card, ...]
    salt: bytes
    commitment: str

    @classmethod
    def for_round(cls, rules: Rules, seed: bytes, number: int) -> Deck:
        """The deck of round `number`, 1 up; number 0 is the one drawn from for the dealer."""
        name = number.to_bytes(4, "big")
        key = hmac.digest(seed, b"racko deck " + name, "sha256")
        salt = hmac.digest(seed, b"racko salt " + name, "sha256")[:SALT_BYTES]
        order = shuffled(range(1, rules.cards + 1), key)
        return cls(tuple(order), salt, commitment(order, salt))


def reshuffled(
    cards: Sequence[Card], order: Sequence[Card], salt: bytes, turnover: int
) -> list[Card]:
    """Discards shuffled to become the draw pile, the first to be drawn first.

    `cards` bottom first; `order` and `salt` those committed to for the round; `turnover` 1 for
    the first renewal of the draw pile, then 2, ...
    """
    key = hashlib.sha256(
        b"racko reshuffle " + bytes(order) + salt + turnover.to_bytes(4, "big")
    ).digest()
    return shuffled(cards, key)


def dealt(
    order: Sequence[Card], players: int, dealer: Seat
) -> tuple[list[list[Card]], Card, list[Card]]:
    """Racks by seat (slot 1 first), the first discard, and the draw pile (its top last).

    One card at a time, clockwise from the dealer's left; a player's first card goes into slot 10,
    the next into slot 9, and so on to the front.
    """
    count = players * SLOTS
    racks: list[list[Card]] = [[] for _ in range(players)]
    for place in range(players):
        cards = list(order[place:count:players])
        cards.reverse()
        racks[(dealer + 1 + place) % players] = cards
    return racks, order[count], list(order[:count:-1])
