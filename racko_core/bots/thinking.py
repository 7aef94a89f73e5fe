"""How long a bot seems to think. It is done in a moment; a person wants to follow what it does."""

from __future__ import annotations

from typing import Final

from racko_core.view import Phase

TEMPO: Final = {"novice": 0.8, "casual": 0.9, "solid": 1.0, "sharp": 1.15, "expert": 1.3}
"""The stronger, the longer."""
_STEPS: Final = {Phase.TURN: 0.9, Phase.DRAWN: 1.1, Phase.CALL: 1.4}
"""A glance at the discard pile; where to put a card; whether to end the round."""
_LEAST: Final = 0.7
_SPREAD: Final = 0.6
"""Nobody is as regular as a clock: each step takes from 0.7 up to 1.3 times as long."""


def thinking_time(level: str, phase: Phase, moment: int) -> float:
    """How long a bot of that level thinks, in units of the table's pause for bots.

    The same `moment`, any number that grows with the game, always takes the same time, so that a
    table that was restored goes on as it would have.
    """
    chance = moment * 2654435761 % 2**32 / 2**32  # Knuth's multiplicative hash
    return TEMPO.get(level, 1.0) * _STEPS[phase] * (_LEAST + _SPREAD * chance)
