"""What the next player has shown not to want."""

from __future__ import annotations

from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.rules import Card
from racko_core.view import View


def unwanted(view: View) -> set[Card]:
    """Cards that the next player left on the discard pile, or dropped, this round."""
    assert view.seat is not None
    neighbour = (view.seat + 1) % view.rules.players
    cards = set()
    top = 0
    for event in view.history:
        match event:
            case Drew():
                if event.seat == neighbour:
                    cards.add(top)
            case Placed() | Discarded():
                top = event.discarded if isinstance(event, Placed) else event.card
                if event.seat == neighbour:
                    cards.add(top)
            case Dealt() | Renewed():
                top = event.discard
            case _:
                pass
    return cards
