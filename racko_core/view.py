"""What one seat, or a spectator, may know of a game.

A view is built from what that seat has seen, and from nothing else: it holds no reference to the
game, so nobody has to remember to hide anything. Whatever shows, sends or decides gets a view.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from racko_core.actions import Action
from racko_core.events import DealerDrawn, Event, GameEnded, RoundEnded
from racko_core.rack import Rack
from racko_core.rules import SLOTS, Card, Rules, Seat, Slot


class Phase(StrEnum):
    """What the game waits for."""

    DEAL = "deal"
    """The dealer to deal the next round. `View.turn` is the dealer."""
    TURN = "turn"
    """A player to draw, to take the discard, or (with manual calls) to go out."""
    DRAWN = "drawn"
    """A player who has drawn to place or discard the card."""
    CALL = "call"
    """A player whose rack is RACK-O to go out or to play on. Others see `TURN`."""
    OVER = "over"
    """Nothing: the game has ended. `View.turn` is None."""


Known = tuple[Card | None, ...]
"""Per slot, slot 1 first: the card that everybody saw go in, None for the others."""


@dataclass(slots=True)
class View:
    """What `seat` may know now. Lists are by seat unless they say otherwise; treat as read-only."""

    rules: Rules
    seat: Seat | None
    """Whose view it is; None for a spectator."""
    round: int
    """1 up; 0 before the first deal."""
    dealer: Seat
    turn: Seat | None
    """Who has to act."""
    phase: Phase
    hand: Card | None
    """The drawn card, in the view of the seat that drew it."""
    racks: tuple[Rack | None, ...]
    """The racks one may see: one's own, and after a round all of them. Empty before the first."""
    discards: tuple[Card, ...]
    """The discard pile, bottom first; every card of it was seen face up. The last is the top."""
    draw_count: int
    """Cards in the draw pile."""
    turnovers: int
    """How often the draw pile was renewed this round."""
    known: tuple[Known, ...]
    """Cards in racks that everybody saw go in, this round."""
    last_slot: tuple[Slot | None, ...]
    """The slot each player changed last, this round."""
    turns: tuple[int, ...]
    """Turns each player has ended, this round."""
    totals: tuple[int, ...]
    """Points by side (player, or team)."""
    legal: tuple[Action, ...]
    """What `seat` can do now; empty when it is not its turn."""
    commitment: str
    """SHA-256 in hex that fixes this round's deck; empty before the first."""
    history: tuple[Event, ...]
    """This round's events, from `RoundStarted` on, as `seat` saw them."""
    sheet: tuple[RoundEnded, ...]
    """The rounds that have ended, in order: the scorecard."""
    opening: DealerDrawn
    """The draw for the first deal."""
    result: GameEnded | None
    """How the game ended; None while it goes on."""

    @property
    def rack(self) -> Rack:
        """The seat's own rack. Raises LookupError for a spectator, or before the first deal."""
        rack = None if self.seat is None or not self.racks else self.racks[self.seat]
        if rack is None:
            raise LookupError("this view has no rack of its own")
        return rack

    @property
    def discard(self) -> Card | None:
        """The top of the discard pile; None before the first deal."""
        return self.discards[-1] if self.discards else None

    @property
    def my_turn(self) -> bool:
        """Whether the seat has to act."""
        return self.seat is not None and self.turn == self.seat


UNKNOWN: Known = (None,) * SLOTS
"""A rack of which nothing is known."""
