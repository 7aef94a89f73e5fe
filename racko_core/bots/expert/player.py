"""The expert: plays what its network values most, and can say what every move is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots.calling import with_racko
from racko_core.bots.expert.inputs import (
    SLOTS,
    TABLES,
    Sight,
    count_below,
    fill_backs,
    fill_costs,
    fill_fronts,
    fill_programmes,
    fill_row,
    fill_status,
    layout,
    move_inputs,
    run_cost,
    table_inputs,
)
from racko_core.bots.expert.network import AFTER, DRAWING, Floats, Network, name_for, network
from racko_core.bots.expert.sight import sight_of
from racko_core.bots.restless import restlessness, whim
from racko_core.rack import is_racko
from racko_core.rules import Card, Rules
from racko_core.view import Phase, View

_MOST_INPUTS: Final = 640
_MOVE_INPUTS: Final = 32
_CHANCE: Final = {2: 0.8, 3: 0.5, 4: 0.5}
"""How much of a move's worth is the chance to win, by players; the rest is the margin in hundreds
of points. Where three or four play, the points of those who do not go out decide games."""


@dataclass(slots=True)
class _Position:
    """One view, prepared: what all its candidates share."""

    view: View
    sight: Sight
    status: list[int]
    below: list[int]
    unseen: int
    row: list[int]
    fronts: list[list[float]]
    backs: list[list[float]]
    without: list[list[float]]
    sums: Floats
    """First-layer sums of the inputs that all candidates share."""


class Expert:
    """Looks at everything that it may know, and values it by what came of it in self-play."""

    def __init__(self, *, sees_bonus: bool = True) -> None:
        self._sees_bonus = sees_bonus
        """A reference for measurements plays as if runs scored nothing."""

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        if view.phase is Phase.DEAL:
            return act.DEAL
        if view.rules.call == "manual" and is_racko(view.rack, view.rules):
            return with_racko(view)
        actions, win, points = self._values(view)
        weight = _CHANCE[view.rules.players]
        worth = weight * win + (1 - weight) * points / 100
        restless = restlessness(view)
        if restless:
            chance = whim(view)
            worth = worth - [0.2 * restless * chance.random() for _ in actions]
        return actions[int(np.argmax(worth))]

    def _values(self, view: View) -> tuple[list[Action], Floats, Floats]:
        """Actions, with what each is worth: the chance to win, and the margin in points."""
        net = network(name_for(self._rules(view)))
        position = _prepare(view, net, self._rules(view))
        slots: list[int] = []
        card = view.hand or view.discards[-1]
        actions: list[Action] = []
        for action in view.legal:
            if isinstance(action, Take | Place):
                slots.append(action.slot - 1)
                actions.append(action)
            elif action in (act.DRAW, act.DISCARD):
                slots.append(-1)
                actions.append(action)
        sums = _candidates(position, net, self._rules(view), card, slots)
        head = np.array(
            [DRAWING if action == act.DRAW else AFTER for action in actions], dtype=np.int64
        )
        win, points = net.values(sums, head)
        return actions, win, points

    def _rules(self, view: View) -> Rules:
        rules = view.rules
        return rules if self._sees_bonus or not rules.bonus else rules.with_changes(bonus=False)


def _prepare(view: View, net: Network, rules: Rules) -> _Position:
    assert view.seat is not None
    cards, tables = rules.cards, net.tables
    sight = sight_of(view)
    rack = list(view.rack)
    status, below = [0] * (cards + 2), [0] * (cards + 2)
    unseen = fill_status(sight, view.seat, cards, rack, view.hand or 0, status)
    count_below(cards, status, below)
    row = [0] * (SLOTS + 2)
    fill_row(cards, rack, row)
    fronts = [[0.0] * (SLOTS + 2) for _ in range(TABLES + 1)]
    backs = [[0.0] * (SLOTS + 2) for _ in range(TABLES + 1)]
    without = [[0.0] * SLOTS for _ in range(TABLES)]
    fill_programmes(row, below, tables, fronts, backs, without)
    active = [0] * _MOST_INPUTS
    starts = layout(rules.players, cards)
    count = table_inputs(sight, view.seat, cards, starts, status, rack, active)
    sums = net.b1 + net.w1[active[:count]].sum(axis=0)
    return _Position(view, sight, status, below, unseen, row, fronts, backs, without, sums)


def _candidates(
    position: _Position, net: Network, rules: Rules, card: Card, slots: Sequence[int]
) -> Floats:
    """First-layer sums for `card` put into each of these slots; -1 for put into none."""
    view, cards = position.view, rules.cards
    assert view.seat is not None
    starts = layout(rules.players, cards)
    runs = bool(rules.bonus or rules.min_run)
    active, value = [0] * _MOVE_INPUTS, [0.0] * _MOVE_INPUTS
    costs, run_waits = [0.0] * TABLES, [-1.0, -1.0]
    # Zeros fill up what a candidate does not use, so that all are one array.
    indices = np.zeros((len(slots), _MOVE_INPUTS), np.int64)
    values = np.zeros((len(slots), _MOVE_INPUTS), np.float32)
    for number, slot in enumerate(slots):
        rack, dropped = list(view.rack), card
        if slot >= 0:
            dropped, rack[slot] = rack[slot], card
        fill_costs(
            slot,
            card,
            position.row,
            position.below,
            net.tables,
            position.fronts,
            position.backs,
            position.without,
            costs,
        )
        if runs:
            _fill_runs(position, net, rules, rack, run_waits)
        count = move_inputs(
            position.sight,
            view.seat,
            cards,
            starts,
            slot,
            card,
            rack,
            dropped,
            costs,
            run_waits,
            position.unseen,
            active,
            value,
        )
        indices[number, :count] = active[:count]
        values[number, :count] = value[:count]
    return position.sums + np.einsum("ij,ijk->ik", values, net.w1[indices])


def _fill_runs(
    position: _Position, net: Network, rules: Rules, rack: Sequence[Card], run_waits: list[float]
) -> None:
    row = [0] * (SLOTS + 2)
    fill_row(rules.cards, rack, row)
    fronts, backs = position.fronts[TABLES], position.backs[TABLES]
    fill_fronts(row, position.below, net.tables[0], fronts)
    fill_backs(row, position.below, net.tables[0], backs)
    first = rules.min_run or 3
    for which in range(2):
        run_waits[which] = run_cost(
            first + which, rules.cards, row, position.below, net.tables[0], fronts, backs
        )
