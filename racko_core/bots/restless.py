"""What keeps bots from waiting for each other for ever.

Two players may each hold the card that the other one waits for. Then nothing changes any more,
the same cards go round, and the round never ends. So a bot loses its patience after a while: for
some turns it does what it would rather not do, by chance, then it settles down again to make the
best of it.

The chance follows from what the bot sees, so that the same view gives the same decision.
"""

from __future__ import annotations

from random import Random
from typing import Final

from racko_core.view import View

_PATIENCE: Final = 30
"""Turns of its own before a bot becomes restless; rounds seldom need half as many."""
_BOUT: Final = 8
"""Turns for which it is restless, ..."""
_PERIOD: Final = 32
"""... out of so many, again and again."""
_MOOD: Final = 8
"""Turns before a mood changes."""
_STRENGTHS: Final = (0.5, 1.2)
"""How restless, from one bout to the next."""


def restlessness(view: View) -> float:
    """0 for a bot that has patience, up to 1."""
    assert view.seat is not None
    late = view.turns[view.seat] - _PATIENCE
    if late < 0 or late % _PERIOD >= _BOUT:
        return 0.0
    return _STRENGTHS[late // _PERIOD % len(_STRENGTHS)]


def whim(view: View) -> Random:
    """Chance for one decision."""
    moment = (view.round, view.seat, *view.turns, *view.rack, view.discards[-1])
    return Random(",".join(map(str, moment)))


def mood(view: View) -> tuple[int, Random]:
    """How often the mood has changed this round, and chance that is the same until it changes."""
    assert view.seat is not None
    changes = view.turns[view.seat] // _MOOD
    return changes, Random(f"{view.round},{view.seat},{changes}")
