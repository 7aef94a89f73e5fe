"""What another player has shown not to want."""

from __future__ import annotations

from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.rules import Card, Seat
from racko_core.view import View


def unwanted(view: View, player: Seat) -> set[Card]:
    """Cards that `player` left on the discard pile, or dropped, this round."""
    cards = set()
    top = 0
    for event in view.history:
        match event:
            case Drew():
                if event.seat == player:
                    cards.add(top)
            case Placed() | Discarded():
                top = event.discarded if isinstance(event, Placed) else event.card
                if event.seat == player:
                    cards.add(top)
            case Dealt() | Renewed():
                top = event.discard
            case _:
                pass
    return cards
