"""Polish a trained network: see `policy`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from racko_core.bots.expert import inputs
from racko_core.bots.training import policy, rounds
from racko_core.bots.training.compiling import compiled
from racko_core.bots.training.trainer import CARDS, Array, Load, Plan, Trainer


class Polisher(Trainer):
    """An actor on its way, and the critic that it started from."""

    def __init__(self, plan: Plan, critic: Path, heat: float, load: Load = compiled) -> None:
        super().__init__(plan, load)
        self._heat = heat
        self.start_from(critic)
        self._critic = rounds.Net(*(part.copy() for part in self.net(0)))
        self._code |= load([inputs, rounds, policy])
        self._choices = _choices()

    def step(self, batches: int = 20, rounds_each: int = 64) -> Array:
        """Play and learn some batches of rounds; squared surprises, choices, rounds, stalemates."""
        plan = self.plan
        way = min(1.0, self.done / plan.rounds)
        tallies = np.zeros(4)
        self._code["polish_batches"](
            (plan.seed * 1_000_003 + self.done) % 2**32,
            batches,
            rounds_each,
            plan.sparring,
            rounds.PROGRAMME,
            self.net(0),
            self._critic,
            self.net(1),
            self.flats,
            plan.rate * (1 / 30 + 29 / 30 * 0.5 * (1 + np.cos(np.pi * way))),
            plan.keep,
            plan.fade,
            plan.weight,
            self._heat,
            CARDS[plan.players],
            self.starts,
            plan.min_run,
            int(plan.bonus),
            int(plan.teams),
            self._sight,
            self._racks,
            self.tables,
            self._work,
            self._choices,
            tallies,
        )
        self.done += batches * rounds_each
        return tallies


def _choices() -> policy.Choices:
    def whole(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    def real(*shape: int, kind: Any = np.float32) -> Array:
        return np.zeros(shape, kind)

    most, each = policy.MOST_CHOICES, policy.CANDIDATES
    return policy.Choices(
        table=whole(most, rounds.MOST_INPUTS),
        table_size=whole(most),
        active=whole(most, each, policy.MOVE_INPUTS),
        value=real(most, each, policy.MOVE_INPUTS),
        size=whole(most, each),
        chance=real(most, each, kind=np.float64),
        head=whole(most, each),
        chosen=whole(most),
        seat=whole(most),
        expected=real(most, kind=np.float64),
        win_drift=real(most, kind=np.float64),
        margin_drift=real(most, kind=np.float64),
        count=whole(1),
    )
