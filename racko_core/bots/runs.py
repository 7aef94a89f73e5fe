"""Which runs a rack could be built around."""

from __future__ import annotations

from collections.abc import Sequence

from racko_core.rules import SLOTS, Card, Slot


def runs_around(rack: Sequence[Card], length: int, cards: int) -> set[tuple[Slot, Card]]:
    """First slot and first card of every run of that length that keeps a card of the rack, in a
    deck of so many cards.
    """
    return {
        (slot - back, card - back)
        for slot, card in enumerate(rack, 1)
        for back in range(max(0, slot + length - 1 - SLOTS), min(length, slot))
        # The slots in front of the run and behind it need numbers left for them.
        if 0 <= card - slot <= cards - SLOTS
    }
