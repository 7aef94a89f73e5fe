"""What racks cost by the programmes: see `bots.distance` for the first of them.

Plain loops over lists or arrays: the player calls them as they stand, the trainer compiles the very
same functions.

A *row* is a rack between two cards that stay for sure. A *table* gives what open slots cost by the
quarters of the cards that fit (see `training/programmes.py`).
"""

from __future__ import annotations

from typing import Final

from racko_core.bots.expert.memory import SLOTS, Row, Rows

TABLES: Final = 4
"""Programmes: expected wait, and the chance to be in order after so many looks (three of them)."""
NEVER: Final = 1e9

# Offsets of the blocks of inputs, in the list that `layout` makes.


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


def run_cost(
    length: int,
    cards: int,
    row: Row,
    below: Row,
    table: Rows,
    fronts: Row,
    backs: Row,
) -> float:
    """The cost of a rack in order with a run of `length`: several possible runs shorten it."""
    lacking = fronts[SLOTS + 1] + table[length][4 * length]
    total = (1.0 / lacking) ** 4
    for slot in range(1, SLOTS + 2 - length):
        previous = 0
        for offset in range(length):
            card = row[slot + offset] - offset
            fits = 0 <= card - slot <= cards - SLOTS
            # Each run once: the cards that stay in it may name it several times.
            for before in range(offset):
                if row[slot + before] - before == card:
                    fits = False
            if not fits or card == previous:
                continue
            previous = card
            missing = 0
            for place in range(length):
                if row[slot + place] != card + place:
                    missing += 1
            end_slot, end_card = slot + length, card + length
            cost = table[missing][below[end_card] - below[card]]
            least = NEVER
            for at in range(slot):
                if card - row[at] >= slot - at:
                    step = fronts[at] + table[slot - 1 - at][below[card] - below[row[at] + 1]]
                    if step < least:
                        least = step
            cost += least
            least = NEVER
            for at in range(end_slot, SLOTS + 2):
                if row[at] - end_card >= at - end_slot:
                    step = backs[at] + table[at - end_slot][below[row[at]] - below[end_card]]
                    if step < least:
                        least = step
            cost += least
            if cost <= 0.0:
                return 0.0
            total += (1.0 / cost) ** 4
    return float((1.0 / total) ** 0.25)


def fill_costs(
    slot: int,
    card: int,
    row: Row,
    below: Row,
    tables: Rows,
    fronts: Rows,
    backs: Rows,
    without: Rows,
    costs: Row,
) -> None:
    """Fill in what the rack costs, by programme, once `card` is in a slot; -1 for the rack as it
    is. `without[table][slot]` is the cost if the card in that slot does not stay.
    """
    for table in range(TABLES):
        if slot < 0:
            costs[table] = fronts[table][SLOTS + 1]
        else:
            cost = cost_with(card, slot + 1, row, below, tables[table], fronts[table], backs[table])
            costs[table] = min(cost, without[table][slot])


def fill_programmes(
    row: Row, below: Row, tables: Rows, fronts: Rows, backs: Rows, without: Rows
) -> None:
    """Fill in what `fill_costs` asks for, for the rack in `row`."""
    for table in range(TABLES):
        fill_fronts(row, below, tables[table], fronts[table])
        fill_backs(row, below, tables[table], backs[table])
        for slot in range(SLOTS):
            without[table][slot] = cost_without(
                slot + 1, row, below, tables[table], fronts[table], backs[table]
            )
