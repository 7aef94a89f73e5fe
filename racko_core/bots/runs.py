"""Which runs a rack could be built around."""

from __future__ import annotations

from collections.abc import Sequence

from racko_core.rules import SLOTS, Card, Slot

Run = tuple[Slot, Card]
"""First slot and first card."""


def runs_around(rack: Sequence[Card], length: int, cards: int) -> set[Run]:
    """Every run of that length that keeps a card of the rack, in a deck of so many cards."""
    return {
        run for slot, card in enumerate(rack, 1) for run in runs_with(slot, card, length, cards)
    }


def runs_with(slot: Slot, card: Card, length: int, cards: int) -> list[Run]:
    """Every run of that length that has the card in the slot."""
    # The slots in front of the run and behind it need numbers left for them.
    if not 0 <= card - slot <= cards - SLOTS:
        return []
    first = max(0, slot + length - 1 - SLOTS)
    return [(slot - back, card - back) for back in range(first, min(length, slot))]
