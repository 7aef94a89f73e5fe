"""Train one network, in steps that can be interrupted and repeated."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from racko_core.bots.casual import gaps
from racko_core.bots.chances import tables
from racko_core.bots.distance import waits
from racko_core.bots.expert import costs, inputs, memory, others, run_costs
from racko_core.bots.pace import share_with_run
from racko_core.bots.sums import powers
from racko_core.bots.training import learning, rounds, thinking
from racko_core.bots.training.compiling import compiled

Array = NDArray[Any]

CARDS: Final = {2: 40, 3: 50, 4: 60}
_SECOND: Final = 32
_HEADS: Final = 2

Load = Callable[[Iterable[ModuleType]], dict[str, Any]]
"""How modules of loops are made ready; see `compiling`."""


@dataclass(frozen=True)
class Plan:
    """What to train, and how. A run is repeated by the same plan."""

    players: int = 2
    min_run: int = 0
    bonus: bool = False
    teams: bool = False
    hidden: int = 96
    seed: int = 1
    rounds: int = 1_000_000
    warm_up: int = 40_000
    """Rounds of programmes only, before the network plays."""
    sparring: float = 0.12
    """Share of seats that a programme plays after that."""
    casual: float = 0.3
    """Share of these that play as `casual` does, ..."""
    sorter: float = 0.0
    """... and that sort first and then look for a run; the rest play as `solid`."""
    rate: float = 1e-3
    """Step of Adam at first; it falls to a thirtieth with the cosine of the way."""
    fade: float = 0.85
    """Lambda, from one valuation to the next (about two in a turn)."""
    weight: float = 0.8
    """A move is worth so much of the chance to win, and the rest of the margin in hundreds."""
    keep: float = 0.9995
    """How slowly the mean of the weights follows, from batch to batch."""


class Trainer:
    """A network on its way."""

    def __init__(self, plan: Plan, load: Load = compiled) -> None:
        self.plan = plan
        cards = CARDS[plan.players]
        starts = np.array(inputs.layout(plan.players, cards))
        self.terms = thinking.Terms(
            cards=cards,
            min_run=plan.min_run,
            bonus=int(plan.bonus),
            teams=int(plan.teams),
            weight=plan.weight,
            starts=starts,
            waits=np.array(waits()),
            powers=np.array([powers(table) for table in tables()]),
            gaps=np.array(gaps()),
            share=share_with_run(plan.min_run),
        )
        self.table = table(plan.players, cards, plan.hidden)
        size, hidden = int(starts[inputs.SIZE]), plan.hidden
        self._shapes = [
            (size, hidden),
            (hidden,),
            (_HEADS, hidden, _SECOND),
            (_HEADS, _SECOND),
            (_HEADS, _SECOND, 2),
            (_HEADS, 2),
        ]
        self.flats = np.zeros((5, sum(prod(shape) for shape in self._shapes)), np.float32)
        random = np.random.default_rng(plan.seed)
        net = self.net(0)
        # The rest begins at 0: what never occurs is to mean nothing.
        cards_known = int(starts[inputs.ORDER])
        net.w1[:cards_known] = random.normal(0, 0.05, (cards_known, hidden))
        net.w2[:] = random.normal(0, (2 / hidden) ** 0.5, net.w2.shape)
        net.w3[:] = random.normal(0, 0.1, net.w3.shape)
        self.flats[4] = self.flats[0]
        self.done = 0
        """Rounds played."""
        self._load = load
        self._code = load([memory, costs, run_costs, others, inputs, thinking, rounds, learning])

    def net(self, row: int) -> thinking.Net:
        """The network that lies in a row of `flats`: 0 the weights, 1 the gradient, 4 the mean."""
        parts, start = [], 0
        for shape in self._shapes:
            parts.append(self.flats[row, start : start + prod(shape)].reshape(shape))
            start += prod(shape)
        return thinking.Net(*parts)

    def step(self, batches: int = 100, rounds_each: int = 8) -> Array:
        """Play and learn some batches of rounds; loss, samples, rounds and stalemates of these."""
        plan = self.plan
        warm = self.done < plan.warm_up
        way = min(1.0, self.done / plan.rounds)
        tallies = np.zeros(4)
        self._code["play_batches"](
            self.terms,
            self.table,
            self.net(0),
            self.net(1),
            self.flats,
            (plan.seed * 1_000_003 + self.done) % 2**32,
            batches,
            rounds_each,
            0.9 if warm else plan.sparring,
            rounds.TEACHER if warm else rounds.PROGRAMME,
            plan.casual,
            plan.sorter,
            plan.rate * (1 / 30 + 29 / 30 * 0.5 * (1 + np.cos(np.pi * way))),
            min(plan.keep, 1 - 1 / (2 + self.done / 40)),
            plan.fade,
            tallies,
        )
        self.done += batches * rounds_each
        return tallies

    def compare(self, decks: int, rival: thinking.Net | None = None, seed: int = 9) -> Array:
        """The mean network against the programme, or another one: share of rounds and its standard
        error, margin and its standard error. Every deck is played from every seat.
        """
        net = self.net(4)
        shares, margins = np.zeros(decks), np.zeros(decks)
        self._code["compare"](
            self.terms,
            self.table,
            (net, net if rival is None else rival),
            rounds.PROGRAMME if rival is None else rounds.LEARNER,
            seed,
            decks,
            shares,
            margins,
        )
        root = decks**0.5
        return np.array([shares.mean(), shares.std() / root, margins.mean(), margins.std() / root])

    def save(self, path: Path) -> None:
        """Write everything that going on needs; complete or not at all."""
        part = path.with_suffix(".part.npz")
        np.savez(part, flats=self.flats, done=self.done, plan=np.array(repr(asdict(self.plan))))
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on from what `save` wrote."""
        with np.load(path) as saved:
            self.flats[:] = saved["flats"]
            self.done = int(saved["done"])

    @classmethod
    def read(cls, path: Path, load: Load = compiled) -> Self:
        """A network as `save` wrote it, with its plan."""
        with np.load(path) as saved:
            trainer = cls(Plan(**literal_eval(str(saved["plan"]))), load)
        trainer.load(path)
        return trainer

    def start_from(self, paths: Sequence[Path]) -> None:
        """Begin with the mean weights of other networks, their hidden units side by side. At first
        only those of the first one count: to the others there are no connections yet.
        """
        net, start = self.net(0), 0
        net.w2[:] = 0
        for path in paths:
            other = self.read(path, self._load).net(4)
            units = slice(start, start + len(other.b1))
            net.w1[:, units] = other.w1
            net.b1[units] = other.b1
            if not start:
                net.w2[:, units] = other.w2
                for ours, theirs in zip(net[3:], other[3:], strict=True):
                    ours[:] = theirs
            start = units.stop
        if start != self.plan.hidden:
            raise ValueError(f"these networks have {start} hidden units, not {self.plan.hidden}")
        self.flats[4] = self.flats[0]

    def train(self, report: Callable[[str], None], path: Path, every: int, decks: int) -> None:
        """Train to the end of the plan; a line of the strength curve every so many rounds."""
        from time import perf_counter

        tallies = np.zeros(4)
        begin = perf_counter()
        next_report = self.done + every
        while self.done < self.plan.rounds:
            tallies += self.step()
            if self.done >= next_report or self.done >= self.plan.rounds:
                next_report = self.done + every
                seconds = perf_counter() - begin
                share, error, margin, margin_error = self.compare(decks)
                report(
                    f"{self.done:9d} rounds {tallies[2] / seconds:6.0f}/s"
                    f"  loss {tallies[0] / max(1, tallies[1]):.4f}"
                    f"  stalemates {tallies[3] / tallies[2]:.3f}"
                    f"  wins {share:.2%} +-{error:.2%}"
                    f"  margin {margin:+.2f} +-{margin_error:.2f}"
                )
                self.save(path)
                tallies[:] = 0
                begin = perf_counter()


def table(players: int, cards: int, hidden: int) -> rounds.Table:
    """Arrays to play a round in: what was seen, racks, room to think in, and what to learn from."""

    def whole(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    def real(*shape: int) -> Array:
        return np.zeros(shape, np.float32)

    slots = memory.SLOTS
    sight = memory.Sight(
        known=whole(players, slots),
        left=whole(players, cards + 2),
        dropped=whole(players, cards + 2),
        declined=whole(players, cards + 2),
        unknown=whole(players, slots),
        last=whole(players),
        swaps=whole(players),
        turns=whole(players),
        discards=whole(cards + 2),
        draw=whole(cards + 2),
        pile=whole(cards + 2),
        counts=whole(memory.COUNTS),
    )
    work = thinking.Work(
        status=whole(cards + 2),
        below=whole(cards + 2),
        row=whole(slots + 2),
        rack=whole(slots),
        fronts=np.zeros((costs.COSTS + 1, slots + 2)),
        backs=np.zeros((costs.COSTS + 1, slots + 2)),
        without=np.zeros(slots),
        costs=np.zeros(costs.COSTS),
        weights=np.zeros((_HEADS, costs.HORIZONS)),
        run_costs=np.zeros(run_costs.RUN_COSTS),
        runs=whole(3, run_costs.MOST_RUNS),
        others=np.zeros((players - 1, len(others.TRUSTS))),
        known=others.Known(
            places=whole(slots + 2),
            cards=whole(slots + 2),
            filled=whole(slots + 2),
            fronts=np.zeros(slots + 2),
            backs=np.zeros(slots + 2),
        ),
        table=whole(inputs.MOST_INPUTS),
        active=whole(inputs.MOST_INPUTS),
        value=real(inputs.MOST_INPUTS),
        base=real(hidden),
        h1=real(hidden),
        h2=real(_SECOND),
        out=real(2),
        best_active=whole(inputs.MOST_INPUTS),
        best_value=real(inputs.MOST_INPUTS),
        result=np.zeros(3),
    )
    most = rounds.MOST_SAMPLES
    samples = rounds.Samples(
        active=whole(most, inputs.MOST_INPUTS),
        value=real(most, inputs.MOST_INPUTS),
        size=whole(most),
        head=whole(most),
        seat=whole(most),
        win=real(most),
        margin=real(most),
        count=whole(1),
    )
    return rounds.Table(sight, whole(players, slots), work, samples)
