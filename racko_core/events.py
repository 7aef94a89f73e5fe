"""What happened: the facts a game tells, in order.

An event holds the whole truth. `seen_by(event, seat)` is the only way to what one seat (or a
spectator, None) may know of it: hidden cards become None. Events that hide nothing are shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from racko_core.rack import Rack
from racko_core.rules import Card, Exhausted, Seat, Slot

Pile = Literal["draw", "discard"]
How = Literal["auto", "hand", "dealt", "stalemate"]
"""How a round ended: the rack went out by itself, its player called, a rack was in order at the
deal, or nobody could."""


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """Every player drew a card for the first deal."""

    cards: tuple[Card, ...]
    """By seat."""
    dealer: Seat
    deck: tuple[Card, ...]
    """The deck they were drawn from, its first card for seat 0."""
    salt: str
    """16 bytes in hex."""
    commitment: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A deck was fixed for a round; nothing has been dealt yet."""

    round: int
    """1 up."""
    dealer: Seat
    commitment: str
    """SHA-256 in hex of the deck and 16 bytes, revealed by `RoundEnded`."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Ten cards each; the top of the rest starts the discard pile."""

    racks: tuple[Rack | None, ...]
    """By seat, slot 1 first; None for a rack that one may not see."""
    discard: Card
    draw_count: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """It is this seat's turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn and looked at."""

    seat: Seat
    card: Card | None
    """None for everyone else."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card went into a slot; the one that stood there went face up on the discard pile."""

    seat: Seat
    slot: Slot
    card: Card | None
    """None for everyone else when it came from the draw pile."""
    source: Pile
    discarded: Card


@dataclass(frozen=True, slots=True)
class Discarded:
    """The drawn card went face up on the discard pile."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Renewed:
    """The discard pile became the draw pile."""

    how: Exhausted
    turnover: int
    """How often this round, 1 up."""
    discard: Card
    """The card that starts, or stays as, the discard pile."""
    draw_count: int


@dataclass(frozen=True, slots=True)
class RackScore:
    """What one rack earned in a round."""

    cards: int
    """Cards that scored 5 points each."""
    went_out: bool
    run: int
    """Length of the longest run, where it earned a bonus; else 0."""
    bonus: int
    points: int
    """All of it: cards, going out, bonus."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """All racks face up, points counted, the deck revealed."""

    round: int
    dealer: Seat
    went_out: Seat | None
    how: How
    racks: tuple[Rack, ...]
    scores: tuple[RackScore, ...]
    """By seat."""
    totals: tuple[int, ...]
    """By side: player, or team."""
    deck: tuple[Card, ...]
    salt: str
    turns: tuple[int, ...]
    """Turns taken this round, by seat."""
    turnovers: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; more than one winner shares the win."""

    winners: tuple[int, ...]
    """Sides with the highest total."""
    totals: tuple[int, ...]
    rounds: int


Event = (
    DealerDrawn
    | RoundStarted
    | Dealt
    | TurnStarted
    | Drew
    | Placed
    | Discarded
    | Renewed
    | RoundEnded
    | GameEnded
)


def seen_by(event: Event, seat: Seat | None) -> Event:
    """The event as `seat` may know it; None is a spectator, who knows what everybody knows."""
    if isinstance(event, Drew):
        return event if event.seat == seat else Drew(event.seat, None)
    if isinstance(event, Placed):
        if event.source == "discard" or event.seat == seat:
            return event
        return Placed(event.seat, event.slot, None, event.source, event.discarded)
    if isinstance(event, Dealt):
        racks = tuple([rack if owner == seat else None for owner, rack in enumerate(event.racks)])
        return Dealt(racks, event.discard, event.draw_count)
    return event
