"""What another player has shown not to want."""

from __future__ import annotations

from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed, TurnStarted
from racko_core.rules import Card, Seat
from racko_core.view import View


def unwanted(view: View, player: Seat) -> set[Card]:
    """Cards that `player` left on the discard pile, or dropped, this round."""
    cards = set()
    top = 0
    for event in view.history:
        if isinstance(event, TurnStarted):
            continue
        if isinstance(event, Placed):
            top = event.discarded
        elif isinstance(event, Discarded):
            top = event.card
        elif isinstance(event, Dealt | Renewed):
            top = event.discard
            continue
        elif not isinstance(event, Drew):
            continue
        if event.seat == player:
            cards.add(top)
    return cards
