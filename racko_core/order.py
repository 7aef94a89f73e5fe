"""Which cards of a rack are out of place: those that stick out of the rising line.

The scoring looks at the first break only. To put a rack in order one needs to know which cards can
stay: the most that rise from front to back and leave room for a card in every slot between them.
"""

from __future__ import annotations

from functools import lru_cache

from racko_core.rack import Rack
from racko_core.rules import SLOTS, Card, Slot

_Chain = tuple[int, float, tuple[Slot, ...]]
"""Cards in it, how evenly they are spread (0 is best, below it worse), and their slots."""


@lru_cache(1024)
def strays(rack: Rack, highest: Card) -> frozenset[Slot]:
    """The slots whose cards have to go, as few as can be; `highest` is the deck's highest card.

    Where several choices are as good, the cards stay that stand nearest to an even spread.
    """
    best: _Chain = (0, 0.0, ())
    ending: list[_Chain] = []
    for slot, card in enumerate(rack, 1):
        longest: _Chain = (0, 0.0, ())
        if card >= slot:
            longest = max(
                (ending[before - 1] for before in range(1, slot) if _fit(rack, before, slot)),
                key=lambda chain: chain[:2],
                default=longest,
            )
            evenly = longest[1] - abs(card - (slot - 0.5) * highest / SLOTS)
            longest = (longest[0] + 1, evenly, (*longest[2], slot))
            if highest - card >= SLOTS - slot:
                best = max(best, longest, key=lambda chain: chain[:2])
        ending.append(longest)
    return frozenset(range(1, SLOTS + 1)) - frozenset(best[2])


def _fit(rack: Rack, front: Slot, back: Slot) -> bool:
    """Whether two cards leave room for the slots between them."""
    return rack[back - 1] - rack[front - 1] >= back - front and rack[front - 1] >= front
