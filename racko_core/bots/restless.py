"""What keeps bots from waiting for each other for ever.

Two players may each hold the card that the other one waits for. Then nothing changes any more,
the same cards go round, and the round never ends. So a bot loses its patience after a while, and
does what it would rather not do, now and then, by chance.

The chance follows from what the bot sees, so that the same view gives the same decision.
"""

from __future__ import annotations

from random import Random
from typing import Final

from racko_core.view import View

PATIENCE: Final = 2
"""Turn-overs of the pile before a bot becomes restless."""
_STEP: Final = 0.15
_MOST: Final = 1.2


def restlessness(view: View) -> float:
    """0 for a bot that still has patience; then more with every turn-over."""
    return min(_MOST, _STEP * max(0, view.turnovers - PATIENCE))


def whim(view: View) -> Random:
    """Chance for one decision."""
    assert view.seat is not None
    moment = (view.round, view.seat, view.turnovers, *view.turns, *view.rack, view.discards[-1])
    return Random(",".join(map(str, moment)))


def mood(view: View) -> Random:
    """Chance that stays the same from one turn-over to the next."""
    return Random(f"{view.round},{view.seat},{view.turnovers}")
