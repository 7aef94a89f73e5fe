"""The expert's networks: sparse inputs, two hidden layers, two heads. Inference in numpy.

Inputs -> hidden -> for each head: 32 -> (logit of the chance to win, margin / 100). One head
values positions after one's own move, the other positions before one draws a card.

Several networks that were trained apart are asked together: their mean errs less than each of them,
and how far they disagree tells how far they may err. A file holds all members for some rules: the
format's version, and the weights with the members along the first axis; those of the first layer as
bytes with a scale for each input, which costs no strength and saves three quarters of the space.
`training/README.md` tells how the files were made.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from racko_core.rules import Rules

FORMAT: Final = 3
AFTER: Final = 0
"""The head that values a position after one's own move."""
DRAWING: Final = 1
"""The head that values a position before a card is drawn."""
SCALE: Final = 100.0
"""Points of margin that are 1 in the network."""
LEAK: Final = 0.05
"""What is left of a negative sum."""

Floats = NDArray[Any]


class Network:
    """The members for some rules, their first layers side by side."""

    def __init__(self, saved: dict[str, Any]) -> None:
        first = saved["w1"].astype(np.float32) * saved["scale"][:, :, None]
        self.members: int = len(first)
        self.w1: Floats = np.concatenate(first, axis=1)
        """Inputs by hidden units of all members."""
        self.b1: Floats = saved["b1"].reshape(-1)
        self._w2: Floats = saved["w2"].astype(np.float32)
        self._b2: Floats = saved["b2"]
        self._w3: Floats = saved["w3"]
        self._b3: Floats = saved["b3"]

    def values(self, sums: Floats, heads: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """By member and row: the chance to win and the margin in points.

        `sums` are the first-layer sums of all members by row, `heads` the head of each row.
        """
        first = np.where(sums < 0, LEAK * sums, sums)
        first = first.reshape(len(sums), self.members, -1).transpose(1, 0, 2)
        out = np.empty((self.members, len(sums), 2), np.float32)
        for head in (AFTER, DRAWING):
            rows = heads == head
            second = _product(first[:, rows], self._w2[:, head]) + self._b2[:, head, None]
            second = np.where(second < 0, LEAK * second, second)
            out[:, rows] = _product(second, self._w3[:, head]) + self._b3[:, head, None]
        return 1 / (1 + np.exp(-out[:, :, 0])), SCALE * out[:, :, 1]


def _product(rows: Floats, weights: Floats) -> Floats:
    """`rows @ weights` by member, row by row: what comes of a row in a larger product may depend on
    where it stands there, and a view has to be worth the same alone and among many. Else the same
    seed would not always play the same rounds in the arena.
    """
    product: Floats = (rows[:, :, None] @ weights[:, None])[:, :, 0]
    return product


def name_for(rules: Rules) -> str:
    """The network that was trained for the most of what these rules ask."""
    kind = "teams" if rules.teams else "bonus" if rules.bonus else "classic"
    if rules.min_run and rules.players == 2:
        kind = "bonus-run" if rules.bonus else "run"
    return f"{rules.players}-{kind}"


@cache
def network(name: str) -> Network:
    """The members of that name, read from the package when they are first needed."""
    return Network(_read(name))


def _read(name: str) -> dict[str, Any]:
    with as_file(files(__package__) / "weights" / f"{name}.npz") as path, np.load(path) as saved:
        if int(saved["format"]) != FORMAT:
            raise ValueError(f"{name} has format {saved['format']}, not {FORMAT}")
        return dict(saved)
