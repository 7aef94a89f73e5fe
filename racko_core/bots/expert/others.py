"""How far others are, from the cards that were seen going into their racks: the loops of `costs`,
with what is not known left open.

A slot that was changed unseen holds a card that its player wanted there. So it is taken once for
open and once for filled; what is true lies between. Plain loops, as in `costs`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from racko_core.bots.expert.costs import NEVER
from racko_core.bots.expert.memory import SLOTS, Row, Rows, Sight

OPEN: Final = 0
FILLED: Final = 1
TRUSTS: Final = (OPEN, FILLED)
"""Ways to see a slot that was changed unseen."""


class Known(NamedTuple):
    """What is known of one player's rack: places and cards, between the two ends of a row. Lists,
    or arrays.
    """

    places: Row
    cards: Row
    filled: Row
    """By place: how many slots up to there are taken for filled."""
    fronts: Any
    """For each known card: the least wait, to the power 1.5, for everything in front of it."""
    backs: Any


def fill_known(sight: Sight, other: int, trust: int, cards: int, known: Known) -> int:
    """Fill in what is known of a player's rack; returns how many cards, with the two ends."""
    known.places[0] = known.cards[0] = known.filled[0] = 0
    n = 1
    for slot in range(SLOTS):
        known.filled[slot + 1] = known.filled[slot]
        card = sight.known[other][slot]
        if card:
            known.places[n], known.cards[n] = slot + 1, card
            n += 1
        elif trust == FILLED and sight.unknown[other][slot]:
            known.filled[slot + 1] += 1
    known.places[n], known.cards[n] = SLOTS + 1, cards + 1
    known.filled[SLOTS + 1] = known.filled[SLOTS]
    return n + 1


def step(
    front: int, card: int, back: int, behind: int, below: Row, waits: Rows, known: Known
) -> float:
    """The wait for what lies between a card in one place and another behind it."""
    missing = back - 1 - front
    if behind - card <= missing:
        return NEVER
    missing -= known.filled[back - 1] - known.filled[front]
    return float(waits[missing][below[behind] - below[card + 1]])


def fill_known_waits(n: int, below: Row, waits: Rows, known: Known) -> float:
    """Fill in the waits in front of the known cards and behind them; returns the whole."""
    places, cards, fronts, backs = known.places, known.cards, known.fronts, known.backs
    fronts[0] = backs[n - 1] = 0.0
    for at in range(1, n):
        least = NEVER
        for before in range(at):
            wait = fronts[before] + step(
                places[before], cards[before], places[at], cards[at], below, waits, known
            )
            least = min(least, wait)
        fronts[at] = least
    for at in range(n - 2, -1, -1):
        least = NEVER
        for behind in range(at + 1, n):
            wait = backs[behind] + step(
                places[at], cards[at], places[behind], cards[behind], below, waits, known
            )
            least = min(least, wait)
        backs[at] = least
    return float(fronts[n - 1])


def wait_with(card: int, n: int, below: Row, waits: Rows, known: Known) -> float:
    """The least wait once `card` is in one of the slots, or nowhere."""
    places, cards = known.places, known.cards
    best = float(known.fronts[n - 1])
    for place in range(1, SLOTS + 1):
        front = NEVER
        back = NEVER
        for at in range(n):
            if places[at] < place:
                wait = known.fronts[at] + step(
                    places[at], cards[at], place, card, below, waits, known
                )
                front = min(front, wait)
            elif places[at] > place:
                wait = known.backs[at] + step(
                    place, card, places[at], cards[at], below, waits, known
                )
                back = min(back, wait)
        best = min(best, front + back)
    return best
