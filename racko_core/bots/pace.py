"""How soon players go out."""

from __future__ import annotations

from typing import Final

from racko_core.rules import Rules

GOING_OUT: Final = (0.0, 0.0, 0.0, 0.002, 0.009, 0.031, 0.085, 0.17, 0.27, 0.37, 0.44, 0.5)
"""By turns taken. Counted between solid players, whose chances were a little higher."""
_WITH_RUN: Final = {0: 1.0, 2: 0.9, 3: 0.47, 4: 0.25, 5: 0.2, 6: 0.2}
"""The share of it where going out needs a run, by its length. Of five or six cards it takes longer
still, but whoever is not afraid of that loses."""


def share_with_run(min_run: int) -> float:
    """The share of `GOING_OUT` where going out needs a run of that length, 0 for none."""
    return _WITH_RUN[min_run]


def chance_of_going_out(rules: Rules, turns: int) -> float:
    """How likely a player who has had so many turns of a round goes out in the next one."""
    return share_with_run(rules.min_run) * GOING_OUT[min(turns, len(GOING_OUT) - 1)]
