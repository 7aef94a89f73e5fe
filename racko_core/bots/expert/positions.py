"""From views to what the network says of every candidate, many views at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress
from typing import Final

import numpy as np

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots.distance import waits
from racko_core.bots.expert.costs import (
    HORIZONS,
    fill_row,
    fill_weights,
)
from racko_core.bots.expert.feeding import Feeding
from racko_core.bots.expert.inputs import (
    MOST_INPUTS,
    layout,
    move_inputs,
    table_inputs,
)
from racko_core.bots.expert.memory import (
    DRAWS,
    ORDERED,
    SLOTS,
    UNSEEN,
    count_below,
    fill_status,
)
from racko_core.bots.expert.network import AFTER, DRAWING, Floats, Network
from racko_core.bots.expert.others import (
    TRUSTS,
    Known,
    fill_known,
    fill_known_waits,
)
from racko_core.bots.expert.programmes import Programmes
from racko_core.bots.expert.run_costs import run_that_matters
from racko_core.bots.expert.sight import sight_of
from racko_core.bots.pace import share_with_run
from racko_core.rules import Card, Rules, Slot
from racko_core.view import View

_MOVE_INPUTS: Final = 64
_RUN_INPUTS: Final = 32
_MOST_MOVE_INPUTS: Final = _MOVE_INPUTS + _RUN_INPUTS
_AT_ONCE: Final = 44
"""Racks whose costs with a run are computed together."""
_layout = cache(layout)


@dataclass(frozen=True, slots=True)
class Valued:
    """What the network says of one view."""

    actions: tuple[Action, ...]
    """All legal actions that draw, take, place or discard."""
    wins: Floats
    """By member of the network and action: the chance to win the round."""
    margins: Floats
    """By member and action: the expected margin of the round, in points."""

    @property
    def win(self) -> Floats:
        """By action: the chance to win."""
        win: Floats = self.wins.mean(axis=0)
        return win

    @property
    def points(self) -> Floats:
        """By action: the expected margin."""
        points: Floats = self.margins.mean(axis=0)
        return points


def valued(views: Sequence[View], rules: Rules, net: Network, most: int = SLOTS) -> list[Valued]:
    """What the network says of each view; all are of games by these rules. It is asked about no
    more than `most` slots: those where the card leaves a rack that is likeliest in order in time.
    """
    positions = [_Position(view, rules) for view in views]
    costs_of = Programmes(
        np.array([position.row for position in positions]),
        np.array([position.below for position in positions]),
    )
    now = costs_of.now().tolist()
    by_slot = costs_of.with_cards(np.array([position.card for position in positions]))
    costs = by_slot.tolist()
    if most < SLOTS:
        weights = np.array([position.weights[AFTER] for position in positions])
        chances = (np.exp(-np.maximum(by_slot[:, :, 1:], 0)) * weights[:, None]).sum(axis=2)
        for position, order in zip(positions, np.argsort(-chances).tolist(), strict=True):
            position.leave_out(order[:most])
    counts = [len(position.slots) for position in positions]
    run = run_that_matters(rules.min_run, rules.bonus)
    run_costs = _with_run(positions, run) if run else [[0.0]] * sum(counts)
    fed = _feeding(positions)
    width = _MOVE_INPUTS + _RUN_INPUTS * (run > 0)
    sums = np.empty((sum(counts), len(net.b1)), np.float32)
    heads = []
    line = 0
    # One by one, since the weights that a position needs stay in the processor's cache so.
    for number, position in enumerate(positions):
        shared = net.b1 + net.w1[position.table].sum(axis=0)
        indices = np.zeros((len(position.slots), width), np.int64)
        values = np.zeros((len(position.slots), 1, width), np.float32)
        for row, slot in enumerate(position.slots):
            heads.append(DRAWING if slot < 0 and not position.hand else AFTER)
            active, value = position.move(
                slot,
                now[number] if slot < 0 else costs[number][slot],
                run_costs[line + row],
                fed[line + row],
                heads[-1],
            )
            indices[row, : len(active)] = active
            values[row, 0, : len(value)] = value
        # Zeros fill up what a candidate does not use, so that all are one array.
        rows = slice(line, line := line + len(position.slots))
        sums[rows] = np.matmul(values, net.w1[indices])[:, 0]
        sums[rows] += shared
    wins, margins = net.values(sums, np.array(heads))
    ends = np.cumsum(counts)
    return [
        Valued(position.actions, wins[:, end - count : end], margins[:, end - count : end])
        for position, count, end in zip(positions, counts, ends, strict=True)
    ]


def _feeding(positions: Sequence[_Position]) -> list[float]:
    """By candidate of all positions: what the next player waits for once it has what is dropped."""
    feeding = Feeding(
        [position.next for position in positions],
        [position.next_count for position in positions],
        [position.below for position in positions],
    )
    line = [number for number, position in enumerate(positions) for _ in position.slots]
    dropped = [position.dropped(slot) for position in positions for slot in position.slots]
    waits: list[float] = feeding.waits(np.array(line), np.array(dropped)).tolist()
    return waits


def _with_run(positions: Sequence[_Position], length: int) -> list[list[float]]:
    """By candidate of all positions: what its rack costs that is to hold a run."""
    rows, below = [], []
    for position in positions:
        for slot in position.slots:
            row = [*position.row]
            if slot >= 0:
                row[slot + 1] = position.card
            rows.append(row)
            below.append(position.below)
    cards = len(below[0]) - 2
    costs: list[list[float]] = []
    # In parts, so that what is worked on stays in the processor's cache.
    for start in range(0, len(rows), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        costs_of = Programmes(np.array(rows[part]), np.array(below[part]))
        costs += costs_of.with_run(length, cards).tolist()
    return costs


def may_come(view: View) -> list[Card]:
    """The cards that may lie on top of the draw pile, as far as the seat can know."""
    sight = sight_of(view)
    if sight.counts[ORDERED]:
        return [sight.draw[sight.counts[DRAWS] - 1]]
    assert view.seat is not None
    cards = view.rules.cards
    status = [0] * (cards + 2)
    fill_status(sight, view.seat, cards, view.rack, 0, status)
    return [card for card in range(1, cards + 1) if status[card] == UNSEEN]


@lru_cache(maxsize=256)
def _weights(
    turns: tuple[int, ...], seat: int, teams: bool, share: float, unseen: int, head: int
) -> list[float]:
    """Those of the horizons, from `fill_weights`: all cards that may come have them in common."""
    weights = [0.0] * HORIZONS
    fill_weights(turns, seat, teams, share, unseen, head, weights)
    return weights


class _Position:
    """One view: what all its candidates share, and the inputs of each."""

    def __init__(self, view: View, rules: Rules) -> None:
        assert view.seat is not None
        cards = rules.cards
        self._rules = rules
        self._run = run_that_matters(rules.min_run, rules.bonus)
        """The length of the run that matters."""
        self._seat = view.seat
        self._rack = list(view.rack)
        self._sight = sight = sight_of(view)
        self._starts = _layout(rules.players, cards)
        self.hand = view.hand or 0
        self.card: Card = view.hand or view.discards[-1]
        """The one that a candidate puts somewhere."""
        self.actions = tuple(
            action
            for action in view.legal
            if isinstance(action, Take | Place) or action in (act.DRAW, act.DISCARD)
        )
        self.slots = [
            action.slot - 1 if isinstance(action, Take | Place) else -1 for action in self.actions
        ]
        """By action, 0 up; -1 for an action that changes no slot."""
        status = [0] * (cards + 2)
        self._unseen = fill_status(sight, view.seat, cards, self._rack, self.hand, status)
        self.below = [0] * (cards + 2)
        count_below(cards, status, self.below)
        self.row = [0] * (SLOTS + 2)
        fill_row(cards, self._rack, self.row)
        share, turns = share_with_run(rules.min_run), tuple(sight.turns)
        self.weights = {
            head: _weights(turns, view.seat, rules.teams, share, self._unseen, head)
            for head in ((AFTER,) if self.hand else (AFTER, DRAWING))
        }
        """By head, those of the horizons."""
        others = self._look_at_others(rules.players)
        table = [0] * MOST_INPUTS
        count = table_inputs(
            sight,
            view.seat,
            cards,
            self._starts,
            status,
            self._rack,
            self._unseen,
            others,
            table,
        )
        self.table = table[:count]
        """The inputs that all candidates share, each of them 1."""

    def _look_at_others(self, players: int) -> list[list[float]]:
        """What the others wait for, by place behind this seat and trust; remembers what is known of
        the next player's rack.
        """
        found = []
        for away in range(1, players):
            row = []
            for trust in TRUSTS:
                known = Known(*([0] * (SLOTS + 2) for _ in Known._fields))
                other = (self._seat + away) % players
                n = fill_known(self._sight, other, trust, self._rules.cards, known)
                row.append(fill_known_waits(n, self.below, waits(), known))
            if away == 1:
                self.next, self.next_count, self._next_wait = known, n, row[-1]
            found.append(row)
        return found

    def leave_out(self, likely: Sequence[Slot]) -> None:
        """Keep only the candidates that change no slot, or a likely one, counted from 0."""
        kept = [slot < 0 or slot in likely for slot in self.slots]
        self.actions = tuple(compress(self.actions, kept))
        self.slots = list(compress(self.slots, kept))

    def dropped(self, slot: int) -> Card:
        """The card on the discard pile after a candidate."""
        return self._rack[slot] if slot >= 0 else self.card

    def move(
        self, slot: int, costs: list[float], run_costs: list[float], fed: float, head: int
    ) -> tuple[list[int], list[float]]:
        """The further inputs of one candidate, and their values; what it costs as from `fill_costs`
        and `fill_run_costs`, and what the next player waits for once it has what is dropped.
        """
        rack = self._rack
        if slot >= 0:
            rack = [*rack[:slot], self.card, *rack[slot + 1 :]]
        active, value = [0] * _MOST_MOVE_INPUTS, [0.0] * _MOST_MOVE_INPUTS
        count = move_inputs(
            self._sight,
            self._seat,
            self._rules.cards,
            self._starts,
            slot,
            self.card,
            rack,
            self.dropped(slot),
            costs,
            self.weights[head],
            self._run,
            run_costs,
            self._next_wait,
            fed,
            self._unseen,
            self.below,
            active,
            value,
        )
        return active[:count], value[:count]
