"""What racks cost: the expected wait, as in `bots.distance`, and the chances to be in order by then
and then, from all choices of cards that stay, as in `bots.sums`.

Plain loops over lists or arrays: the player calls them as they stand, the trainer compiles the very
same functions.

A *row* is a rack between two cards that stay for sure. `waits` gives what open slots cost by the
quarters of the cards that fit; `powers`, by horizon first, powers of the chance that they are
filled by then.
"""

from __future__ import annotations

import math
from typing import Final

from racko_core.bots.chances import HORIZONS as TIMES
from racko_core.bots.expert.memory import SLOTS, Row, Rows
from racko_core.bots.pace import GOING_OUT
from racko_core.bots.sharp import FEWEST, LOOKS, NOBODY
from racko_core.bots.sums import POWER

HORIZONS: Final = len(TIMES)
COSTS: Final = 1 + HORIZONS
"""Of a rack: its wait to the power 1.5, then by horizon -log of the chance to be in order."""
NEVER: Final = 1e9
HOPELESS: Final = 12.0
"""A cost of chances is not told apart from this beyond it."""
LEAST: Final = 1e-60


def fill_row(cards: int, rack: Row, row: Row) -> None:
    """The rack between two cards that stay for sure, 0 in front and cards + 1 behind."""
    row[0] = 0
    for slot in range(SLOTS):
        row[slot + 1] = rack[slot]
    row[SLOTS + 1] = cards + 1


def fill_fronts(
    row: Row,
    below: Row,
    table: Rows,
    fronts: Row,
) -> None:
    """For each card of `row`, if it stays: the least cost of everything in front of it."""
    fronts[0] = 0.0
    for place in range(1, SLOTS + 2):
        least = NEVER
        for before in range(place):
            missing = place - 1 - before
            if row[place] - row[before] > missing:
                cost = fronts[before] + table[missing][below[row[place]] - below[row[before] + 1]]
                if cost < least:
                    least = cost
        fronts[place] = least


def fill_backs(
    row: Row,
    below: Row,
    table: Rows,
    backs: Row,
) -> None:
    """For each card of `row`, if it stays: the least cost of everything behind it."""
    backs[SLOTS + 1] = 0.0
    for place in range(SLOTS, -1, -1):
        least = NEVER
        for behind in range(place + 1, SLOTS + 2):
            missing = behind - 1 - place
            if row[behind] - row[place] > missing:
                cost = backs[behind] + table[missing][below[row[behind]] - below[row[place] + 1]]
                if cost < least:
                    least = cost
        backs[place] = least


def cost_without(
    place: int,
    row: Row,
    below: Row,
    table: Rows,
    fronts: Row,
    backs: Row,
) -> float:
    """The least cost if the card in `place` of the row does not stay."""
    least = NEVER
    for before in range(place):
        for behind in range(place + 1, SLOTS + 2):
            missing = behind - 1 - before
            if row[behind] - row[before] > missing:
                cost = (
                    fronts[before]
                    + table[missing][below[row[behind]] - below[row[before] + 1]]
                    + backs[behind]
                )
                if cost < least:
                    least = cost
    return least


def cost_with(
    card: int,
    place: int,
    row: Row,
    below: Row,
    table: Rows,
    fronts: Row,
    backs: Row,
) -> float:
    """The least cost if `card` goes into `place` of the row and stays there."""
    front = NEVER
    for before in range(place):
        missing = place - 1 - before
        if card - row[before] > missing:
            cost = fronts[before] + table[missing][below[card] - below[row[before] + 1]]
            if cost < front:
                front = cost
    back = NEVER
    for behind in range(place + 1, SLOTS + 2):
        missing = behind - 1 - place
        if row[behind] - card > missing:
            cost = backs[behind] + table[missing][below[row[behind]] - below[card + 1]]
            if cost < back:
                back = cost
    return front + back


def fill_sums(row: Row, below: Row, powers: Rows, fronts: Row, backs: Row) -> None:
    """For each card of `row`, if it stays: what all that may lie in front of it adds up to, and all
    behind it; as powers of the chance by one horizon.
    """
    fronts[0] = 1.0
    for place in range(1, SLOTS + 2):
        total = 0.0
        for before in range(place):
            missing = place - 1 - before
            if row[place] - row[before] > missing:
                total += (
                    fronts[before] * powers[missing][below[row[place]] - below[row[before] + 1]]
                )
        fronts[place] = total
    backs[SLOTS + 1] = 1.0
    for place in range(SLOTS, -1, -1):
        total = 0.0
        for behind in range(place + 1, SLOTS + 2):
            missing = behind - 1 - place
            if row[behind] - row[place] > missing:
                fit = below[row[behind]] - below[row[place] + 1]
                total += backs[behind] * powers[missing][fit]
        backs[place] = total


def sum_with(
    card: int, place: int, row: Row, below: Row, powers: Rows, fronts: Row, backs: Row
) -> float:
    """What all choices add up to once `card` is in `place` of the row, whether it stays or not."""
    front = 0.0
    for before in range(place):
        missing = place - 1 - before
        if card - row[before] > missing:
            front += fronts[before] * powers[missing][below[card] - below[row[before] + 1]]
    back = 0.0
    for behind in range(place + 1, SLOTS + 2):
        missing = behind - 1 - place
        if row[behind] - card > missing:
            back += backs[behind] * powers[missing][below[row[behind]] - below[card + 1]]
    return float(front * back + fronts[SLOTS + 1] - fronts[place] * backs[place])


def cost_of_sum(total: float) -> float:
    """The cost that such a sum stands for; below 0 where there are many ways."""
    return min(HOPELESS, -math.log(max(total, LEAST)) / POWER)


def fill_weights(
    turns: Row, seat: int, teams: int, share: float, unseen: int, looks: int, weights: Row
) -> None:
    """Fill in how likely it is, by horizon, that another side ends the round about then, as
    `bots.sharp` reckons: `share` of the usual players are as quick, and `looks` cards come first.
    """
    for which in range(HORIZONS):
        weights[which] = 0.0
    nobody, ahead = 1.0, 0
    while nobody > NOBODY:
        before = nobody
        for other in range(len(turns)):
            if other != seat and not (teams and (other - seat) % 2 == 0):
                turn = min(turns[other] + ahead, len(GOING_OUT) - 1)
                nobody *= 1.0 - share * GOING_OUT[turn]
        time = (ahead * LOOKS + looks) / max(FEWEST, float(unseen))
        which = 0
        while which < HORIZONS and TIMES[which] < time:
            which += 1
        if which == HORIZONS:
            weights[which - 1] += before - nobody
        else:
            earlier = TIMES[which - 1] if which else 0.0
            part = (before - nobody) * (time - earlier) / (TIMES[which] - earlier)
            weights[which] += part
            if which:
                weights[which - 1] += before - nobody - part
        ahead += 1


def fill_costs(
    slot: int,
    card: int,
    row: Row,
    below: Row,
    waits: Rows,
    powers: Rows,
    fronts: Rows,
    backs: Rows,
    without: Row,
    costs: Row,
) -> None:
    """Fill in what the rack costs once `card` is in a slot; -1 for the rack as it is.
    `without[slot]` is the wait if the card in that slot does not stay.
    """
    costs[0] = wait_once(slot, card, row, below, waits, fronts[0], backs[0], without)
    if slot < 0:
        for which in range(1, COSTS):
            costs[which] = cost_of_sum(fronts[which][SLOTS + 1])
        return
    for which in range(1, COSTS):
        total = sum_with(card, slot + 1, row, below, powers[which - 1], fronts[which], backs[which])
        costs[which] = cost_of_sum(total)


def wait_once(
    slot: int,
    card: int,
    row: Row,
    below: Row,
    waits: Rows,
    fronts: Row,
    backs: Row,
    without: Row,
) -> float:
    """The wait, to the power 1.5, once `card` is in a slot; -1 for the rack as it is."""
    if slot < 0:
        return float(fronts[SLOTS + 1])
    return min(cost_with(card, slot + 1, row, below, waits, fronts, backs), float(without[slot]))


def fill_waits(row: Row, below: Row, waits: Rows, fronts: Row, backs: Row, without: Row) -> None:
    """Fill in what `wait_once` asks for, for the rack in `row`."""
    fill_fronts(row, below, waits, fronts)
    fill_backs(row, below, waits, backs)
    for slot in range(SLOTS):
        without[slot] = cost_without(slot + 1, row, below, waits, fronts, backs)


def fill_programmes(
    row: Row, below: Row, waits: Rows, powers: Rows, fronts: Rows, backs: Rows, without: Row
) -> None:
    """Fill in what `fill_costs` asks for, for the rack in `row`."""
    fill_waits(row, below, waits, fronts[0], backs[0], without)
    for which in range(1, COSTS):
        fill_sums(row, below, powers[which - 1], fronts[which], backs[which])
