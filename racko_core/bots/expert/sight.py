"""What a seat has seen of a round, from the history in its view."""

from __future__ import annotations

from racko_core.bots.expert.memory import (
    COUNTS,
    DISCARDS,
    DRAWS,
    ORDERED,
    SLOTS,
    Sight,
    saw_declined,
    saw_discard,
    saw_draw,
    saw_place,
    saw_shuffle,
    saw_take,
    saw_turnover,
)
from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.view import View


def sight_of(view: View) -> Sight:
    """The sight of everybody at the table; a view with a round in play has its history."""
    players, cards = view.rules.players, view.rules.cards
    sight = Sight(
        known=[[0] * SLOTS for _ in range(players)],
        left=[[0] * (cards + 2) for _ in range(players)],
        dropped=[[0] * (cards + 2) for _ in range(players)],
        declined=[[0] * (cards + 2) for _ in range(players)],
        unknown=[[0] * SLOTS for _ in range(players)],
        last=[0] * players,
        swaps=[0] * players,
        turns=[0] * players,
        discards=[0] * (cards + 2),
        draw=[0] * (cards + 2),
        pile=[0] * (cards + 2),
        counts=[0] * COUNTS,
    )
    counts = sight.counts
    drawn = 0
    for event in view.history:
        match event:
            case Drew():
                saw_declined(sight, event.seat)
                drawn = sight.draw[counts[DRAWS] - 1] if counts[ORDERED] else 0
                saw_draw(sight)
            case Placed(source="discard"):
                saw_take(sight, event.seat, event.slot - 1, event.discarded)
            case Placed():
                saw_place(sight, event.seat, event.slot - 1, drawn, event.discarded)
            case Discarded():
                saw_discard(sight, event.seat, event.card)
            case Dealt():
                sight.discards[0] = event.discard
                counts[DISCARDS], counts[DRAWS] = 1, event.draw_count
            case Renewed(how="flip"):
                saw_turnover(sight, cards)
            case Renewed():
                saw_shuffle(sight, cards)
            case _:
                pass
    return sight
