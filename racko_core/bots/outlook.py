"""What a view tells of the cards that may still come: counting cards, and remembering the pile."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from racko_core.bots.distance import QUARTERS
from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.rules import Card
from racko_core.view import View

SURE: Final = QUARTERS
"""A card in the draw pile, or one that may be."""
BURIED: Final = 1
"""A card under the top of the discard pile: it comes back when the pile is turned over."""
HELD: Final = 0
"""A card that another player is known to hold."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The cards that may come to one seat."""

    below: tuple[int, ...]
    """By card, 0 up to cards + 1: how surely the cards below it come, summed up in quarters."""
    next_card: Card | None
    """The card on top of the draw pile, where it is known."""


def outlook(view: View) -> Outlook:
    """What comes, as far as the seat can know it."""
    cards = view.rules.cards
    pile = draw_pile(view) if view.turnovers else None
    if pile is None:
        chance = [SURE] * (cards + 1)
    else:
        # The whole draw pile was seen face up; what is in no pile is in somebody's rack.
        chance = [HELD] * (cards + 1)
        for card in pile:
            chance[card] = SURE
    for card in view.discards:
        chance[card] = BURIED
    for known in view.known:
        for held in known:
            if held is not None:
                chance[held] = HELD
    for card in view.rack:
        chance[card] = 0
    chance[view.discards[-1]] = 0
    if view.hand is not None:
        chance[view.hand] = 0
    chance[0] = 0
    next_card = pile[0] if pile and view.rules.exhausted == "flip" else None
    return Outlook((0, *accumulate(chance)), next_card)


def draw_pile(view: View) -> list[Card]:
    """The draw pile since its renewal: what is left of it, the next card first, if it was turned
    over; all that it held, if it was shuffled.
    """
    draws: list[Card] = []
    pile: list[Card] = []
    drawn = 0
    for event in view.history:
        match event:
            case Dealt():
                pile = [event.discard]
            case Placed(source="discard"):
                pile[-1] = event.discarded
            case Placed() | Discarded():
                pile.append(event.discarded if isinstance(event, Placed) else event.card)
            case Drew():
                drawn += 1
            case Renewed(how="flip"):
                pile, draws, drawn = pile[:1], pile[1:], 0
            case Renewed():
                pile, draws = pile[-1:], pile[:-1]
            case _:
                pass
    return draws[drawn:] if view.rules.exhausted == "flip" else draws
