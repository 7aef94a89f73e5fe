"""What the expert's network is told of a position: the numbers of its inputs, most of them 0 or 1.

Everything here is plain loops over lists or arrays of integers: the player calls it as it stands,
the trainer compiles the very same functions, so there is one description of the inputs.

A position after one's own move differs between the candidates in a few inputs only. So the inputs
are in two parts: those of the table, the same for all candidates, and those of a move.

A card's *quarters* say how surely it still comes, 4 for a card that is unseen (see `outlook`).
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

Row = Any
"""A list of integers, or an array of them; the trainer compiles for either."""
Rows = Any
"""The same, nested."""

SLOTS: Final = 10

UNSEEN: Final = 0
BURIED: Final = 1
TOP: Final = 2
HELD: Final = 3
"""Known to be in another player's slot."""
HIDDEN: Final = 4
"""In some other player's rack, since it is in no pile; the slot is not known."""
MINE: Final = 5
"""Where a card is, as far as a seat knows."""

_ORDER: Final = 4
"""Cards on top of a draw pile whose order is known."""
TURNS: Final = 20
_COUNTS: Final = 16
_TURNOVERS: Final = 4
BINS: Final = 17
TABLES: Final = 4
"""Programmes: expected wait, and the chance to be in order after so many looks (three of them)."""
_RUNS: Final = 7
_FIT: Final = 16
_ROOMS: Final = 16
_STEPS: Final = 9
_UNKNOWN: Final = 3
_SWAPS: Final = 13

NEVER: Final = 1e9

# Offsets of the blocks of inputs, in the list that `layout` makes.
OWN: Final = 0
STATUS: Final = 1
ORDER: Final = 2
MISC: Final = 3
PREFIX: Final = 4
WAIT: Final = 5
CHANCE: Final = 6
RUN: Final = 7
WAIT_RUN: Final = 8
FIT: Final = 9
ROOM: Final = 10
STEP: Final = 11
OTHERS: Final = 12
OTHER_SIZE: Final = 13
SIZE: Final = 14


def layout(players: int, cards: int) -> list[int]:
    """Where each block of inputs starts, then how many inputs another player takes, then all."""
    sizes = [
        SLOTS * cards,
        5 * cards,
        _ORDER * cards,
        TURNS + _COUNTS + _TURNOVERS,
        SLOTS,
        BINS,
        TABLES,
        _RUNS,
        2 * BINS,
        _FIT,
        SLOTS * _ROOMS,
        (SLOTS - 1) * _STEPS,
    ]
    other = 2 * SLOTS * cards + 2 * cards + SLOTS * _UNKNOWN + (SLOTS + 1) + _SWAPS
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return [*starts, other, starts[-1] + (players - 1) * other]


class Sight(NamedTuple):
    """What everybody at the table has seen of a round, and remembers. Lists, or arrays of int64.

    By player first where two lists are nested; slots are 0 up unless said otherwise. Cards that
    were drawn from a pile whose order is known count as seen.
    """

    known: Rows
    """By slot: the card seen going in, 0 for none."""
    left: Rows
    """By card: the slot, 1 up, that it left last."""
    dropped: Rows
    """By card: whether it was drawn and discarded."""
    declined: Rows
    """By card: whether it was left lying on the discard pile."""
    unknown: Rows
    """By slot: how many cards went in unseen since one was seen there."""
    last: Row
    """The slot changed last, 1 up; 0 for none."""
    swaps: Row
    """Turns that changed the rack."""
    turns: Row
    """Turns ended."""
    discards: Row
    """The discard pile, the top last."""
    draw: Row
    """The draw pile where its order is known, the top last."""
    pile: Row
    """By card: 1 if it was in the draw pile when that was last renewed."""
    counts: Row
    """See the constants below."""


DISCARDS: Final = 0
"""Of `Sight.counts`: cards in the discard pile."""
DRAWS: Final = 1
"""Cards in the draw pile."""
TURNOVERS: Final = 2
"""How often the draw pile was renewed."""
ORDERED: Final = 3
"""1 if the order of the draw pile is known, that is, after it was turned over."""
COUNTS: Final = 4


def saw_draw(sight: Sight) -> None:
    """Somebody draws, and so declines the top of the discard pile; `saw_declined` says who."""
    sight.counts[DRAWS] -= 1


def saw_declined(sight: Sight, player: int) -> None:
    """`player` left the top of the discard pile lying."""
    sight.declined[player][sight.discards[sight.counts[DISCARDS] - 1]] = 1


def saw_change(sight: Sight, player: int, slot: int, card: int, out: int) -> None:
    """`out` left a slot for `card`, 0 for one that was not seen; then the turn was over."""
    sight.known[player][slot] = card
    if card:
        sight.unknown[player][slot] = 0
        sight.left[player][card] = 0
        sight.dropped[player][card] = 0
        sight.declined[player][card] = 0
    else:
        sight.unknown[player][slot] += 1
    sight.left[player][out] = slot + 1
    sight.last[player] = slot + 1
    sight.swaps[player] += 1
    sight.turns[player] += 1


def saw_take(sight: Sight, player: int, slot: int, out: int) -> None:
    """`player` took the top discard into a slot, and `out` became the top."""
    top = sight.counts[DISCARDS] - 1
    saw_change(sight, player, slot, sight.discards[top], out)
    sight.discards[top] = out


def saw_place(sight: Sight, player: int, slot: int, card: int, out: int) -> None:
    """`player` placed the drawn card, 0 for one that was not seen; `out` became the top."""
    saw_change(sight, player, slot, card, out)
    sight.discards[sight.counts[DISCARDS]] = out
    sight.counts[DISCARDS] += 1


def saw_discard(sight: Sight, player: int, card: int) -> None:
    """`player` discarded the drawn card."""
    sight.dropped[player][card] = 1
    sight.turns[player] += 1
    sight.discards[sight.counts[DISCARDS]] = card
    sight.counts[DISCARDS] += 1


def saw_turnover(sight: Sight, cards: int) -> None:
    """The discard pile was turned over to be the draw pile; its bottom starts the new one."""
    count = sight.counts[DISCARDS]
    for card in range(cards + 1):
        sight.pile[card] = 0
    # What lay at the bottom is drawn first, so the top of the old pile is the bottom of the new.
    for place in range(1, count):
        sight.draw[count - 1 - place] = sight.discards[place]
        sight.pile[sight.discards[place]] = 1
    sight.counts[DISCARDS] = 1
    sight.counts[DRAWS] = count - 1
    sight.counts[TURNOVERS] += 1
    sight.counts[ORDERED] = 1


def saw_shuffle(sight: Sight, cards: int) -> None:
    """The discard pile but its top was shuffled to be the draw pile."""
    count = sight.counts[DISCARDS]
    for card in range(cards + 1):
        sight.pile[card] = 0
    for place in range(count - 1):
        sight.pile[sight.discards[place]] = 1
    sight.discards[0] = sight.discards[count - 1]
    sight.counts[DISCARDS] = 1
    sight.counts[DRAWS] = count - 1
    sight.counts[TURNOVERS] += 1


def fill_status(sight: Sight, seat: int, cards: int, rack: Row, hand: int, status: Row) -> int:
    """Fill in where each card is, as far as `seat` knows; returns how many are unseen."""
    counts = sight.counts
    for card in range(1, cards + 1):
        status[card] = UNSEEN
    if counts[ORDERED]:
        for card in range(1, cards + 1):
            status[card] = HIDDEN
        for place in range(counts[DRAWS]):
            status[sight.draw[place]] = UNSEEN
    elif counts[TURNOVERS]:
        for card in range(1, cards + 1):
            if not sight.pile[card]:
                status[card] = HIDDEN
    for place in range(counts[DISCARDS] - 1):
        status[sight.discards[place]] = BURIED
    for other in range(len(sight.turns)):
        if other != seat:
            for slot in range(SLOTS):
                if sight.known[other][slot]:
                    status[sight.known[other][slot]] = HELD
    for slot in range(SLOTS):
        status[rack[slot]] = MINE
    if hand:
        status[hand] = MINE
        status[sight.discards[counts[DISCARDS] - 1]] = BURIED
    else:
        status[sight.discards[counts[DISCARDS] - 1]] = TOP
    unseen = 0
    for card in range(1, cards + 1):
        if status[card] == UNSEEN:
            unseen += 1
    return unseen


def count_below(cards: int, status: Row, below: Row) -> None:
    """Fill in the quarters of the cards below each card, up to cards + 1."""
    total = 0
    below[0] = 0
    for card in range(1, cards + 1):
        below[card] = total
        if status[card] == UNSEEN:
            total += 4
        elif status[card] == BURIED:
            total += 1
    below[cards + 1] = total


def table_inputs(
    sight: Sight, seat: int, cards: int, starts: Row, status: Row, rack: Row, active: Row
) -> int:
    """Fill in the inputs that all candidates share, all of them 1; returns how many."""
    n = 0
    counts = sight.counts
    for slot in range(SLOTS):
        active[n] = starts[OWN] + slot * cards + rack[slot] - 1
        n += 1
    for card in range(1, cards + 1):
        # The top of the discard pile is what a move changes.
        if status[card] != MINE and status[card] != TOP:
            active[n] = starts[STATUS] + status[card] * cards + card - 1
            n += 1
    if counts[ORDERED]:
        for place in range(min(_ORDER, counts[DRAWS])):
            active[n] = starts[ORDER] + place * cards + sight.draw[counts[DRAWS] - 1 - place] - 1
            n += 1
    start = starts[MISC]
    active[n] = start + min(sight.turns[seat], TURNS - 1)
    active[n + 1] = start + TURNS + min(counts[DRAWS] // 2, _COUNTS - 1)
    active[n + 2] = start + TURNS + _COUNTS + min(counts[TURNOVERS], _TURNOVERS - 1)
    n += 3
    players = len(sight.turns)
    for away in range(1, players):
        other = (seat + away) % players
        start = starts[OTHERS] + (away - 1) * starts[OTHER_SIZE]
        for slot in range(SLOTS):
            if sight.known[other][slot]:
                active[n] = start + slot * cards + sight.known[other][slot] - 1
                n += 1
        start += SLOTS * cards
        for card in range(1, cards + 1):
            if sight.left[other][card]:
                active[n] = start + (sight.left[other][card] - 1) * cards + card - 1
                n += 1
        start += SLOTS * cards
        for card in range(1, cards + 1):
            if sight.dropped[other][card]:
                active[n] = start + card - 1
                n += 1
            if sight.declined[other][card]:
                active[n] = start + cards + card - 1
                n += 1
        start += 2 * cards
        for slot in range(SLOTS):
            if sight.unknown[other][slot]:
                count = min(sight.unknown[other][slot], _UNKNOWN)
                active[n] = start + slot * _UNKNOWN + count - 1
                n += 1
        start += SLOTS * _UNKNOWN
        active[n] = start + sight.last[other]
        active[n + 1] = start + SLOTS + 1 + min(sight.swaps[other], _SWAPS - 1)
        n += 2
    return n


def fit_inputs(
    sight: Sight, seat: int, card: int, cards: int, starts: Row, active: Row, value: Row, n: int
) -> int:
    """Add what tells whether `card`, on the discard pile, is of use to the player after `seat`;
    returns the number of inputs so far.
    """
    start = starts[FIT]
    after = (seat + 1) % len(sight.turns)
    known, left = sight.known[after], sight.left[after]
    dropped, declined = sight.dropped[after], sight.declined[after]
    nearest = 9
    for away in range(5):
        low, high = card - away, card + away
        if nearest == 9 and (
            (low >= 1 and (left[low] or dropped[low] or declined[low]))
            or (high <= cards and (left[high] or dropped[high] or declined[high]))
        ):
            nearest = away
    if nearest < 5:
        active[n], value[n] = start + nearest, 1.0
        n += 1
    # The slot where the card belongs if the cards were spread evenly.
    slot = (card - 1) * SLOTS // cards
    if known[slot]:
        gap = abs(known[slot] - card)
        active[n], value[n] = start + 5 + (0 if gap <= 2 else 1 if gap <= 5 else 2), 1.0
        n += 1
    elif sight.unknown[after][slot]:
        active[n], value[n] = start + 8, 1.0
        n += 1
    # The slots between the known cards around it: few mean that it fits well.
    front, back = -1, SLOTS
    for place in range(SLOTS):
        if known[place] and known[place] < card:
            front = place
    for place in range(SLOTS - 1, -1, -1):
        if known[place] and known[place] > card:
            back = place
    between = back - front - 1
    if between <= 0:
        active[n] = start + 9
    elif front < 0 and back == SLOTS:
        active[n] = start + 10
    else:
        active[n] = start + 10 + min(between, 5)
    value[n] = 1.0
    return n + 1


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


def bin_of(wait: float) -> float:
    """A place, with fraction, among the bins for an expected wait in turns."""
    if wait < 2.0:
        return wait * 2.0
    if wait < 10.0:
        return 2.0 + wait
    if wait < 18.0:
        return 12.0 + (wait - 10.0) * 0.25
    return min(14.0 + (wait - 18.0) * 0.125, BINS - 1.001)


def rack_inputs(
    cards: int, starts: Row, rack: Row, below: Row, active: Row, value: Row, n: int
) -> int:
    """Add, by slot, how surely a card comes that fits between its neighbours and whether the card
    there does; and, by two adjacent slots, how far their cards are apart.
    """
    for slot in range(SLOTS):
        before = rack[slot - 1] if slot else 0
        behind = rack[slot + 1] if slot < SLOTS - 1 else cards + 1
        room = 0
        if behind - before > 1:
            quarters = below[behind] - below[before + 1]
            room = 1 + (quarters + 3) // 4
            if room > 5:
                room = 6 if room < 8 else 7
            if before < rack[slot] < behind:
                room += 8
        active[n], value[n] = starts[ROOM] + slot * _ROOMS + room, 1.0
        n += 1
        if slot:
            step = rack[slot] - before
            kind = 0
            if step < -5:
                kind = 1
            elif step > 0:
                kind = 1 + min(step, 4) if step < 5 else 6 if step < 7 else 7 if step < 10 else 8
            active[n], value[n] = starts[STEP] + (slot - 1) * _STEPS + kind, 1.0
            n += 1
    return n


def wait_inputs(cost: float, unseen: int, start: int, active: Row, value: Row, n: int) -> int:
    """Add a cost of the first programme as a place among the bins from `start` on."""
    wait = cost ** (2.0 / 3.0) * (unseen + 2) if cost > 0.0 else 0.0
    place = bin_of(wait)
    low = int(place)
    active[n], value[n] = start + low, 1.0 - (place - low)
    active[n + 1], value[n + 1] = start + low + 1, place - low
    return n + 2


def number_inputs(costs: Row, unseen: int, starts: Row, active: Row, value: Row, n: int) -> int:
    """Add the programmes' numbers for a rack that costs so much; returns the inputs so far."""
    n = wait_inputs(costs[0], unseen, starts[WAIT], active, value, n)
    wait = costs[0] ** (2.0 / 3.0) * (unseen + 2) if costs[0] > 0.0 else 0.0
    active[n], value[n] = starts[CHANCE], min(0.1 * wait, 4.0)
    n += 1
    for table in range(1, TABLES):
        active[n] = starts[CHANCE] + table
        value[n] = 2.0 * math.exp(-costs[table]) if costs[table] < 50.0 else 0.0
        n += 1
    return n


def front_cards(rack: Row) -> int:
    """Cards from the front up to the first break, less one: 0 up to 9."""
    count = 0
    while count < SLOTS - 1 and rack[count + 1] > rack[count]:
        count += 1
    return count


def run_length(rack: Row) -> int:
    """Length of the longest run, 1 up to 10."""
    best = length = 1
    for slot in range(1, SLOTS):
        length = length + 1 if rack[slot] == rack[slot - 1] + 1 else 1
        if length > best:
            best = length
    return best


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


def move_inputs(
    sight: Sight,
    seat: int,
    cards: int,
    starts: Row,
    slot: int,
    card: int,
    rack: Row,
    top: int,
    costs: Row,
    run_waits: Row,
    unseen: int,
    below: Row,
    active: Row,
    value: Row,
) -> int:
    """Fill in the inputs of one candidate, beside those of the table; returns how many.

    `rack` is the rack after the move, in which `card` took the place of `top` in `slot`; -1 for
    none. `top` is then the top of the discard pile.
    """
    n = 0
    if slot >= 0:
        active[n], value[n] = starts[OWN] + slot * cards + top - 1, -1.0
        active[n + 1], value[n + 1] = starts[OWN] + slot * cards + card - 1, 1.0
        n += 2
    active[n], value[n] = starts[STATUS] + TOP * cards + top - 1, 1.0
    active[n + 1], value[n + 1] = starts[PREFIX] + front_cards(rack), 1.0
    active[n + 2], value[n + 2] = starts[RUN] + min(run_length(rack), _RUNS) - 1, 1.0
    n += 3
    n = rack_inputs(cards, starts, rack, below, active, value, n)
    n = number_inputs(costs, unseen, starts, active, value, n)
    for which in range(2):
        if run_waits[which] >= 0.0:
            n = wait_inputs(
                run_waits[which], unseen, starts[WAIT_RUN] + which * BINS, active, value, n
            )
    return fit_inputs(sight, seat, top, cards, starts, active, value, n)
