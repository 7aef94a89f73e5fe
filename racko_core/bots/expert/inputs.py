"""What the expert's network is told of a position: the numbers of its inputs, most of them 0 or 1.

Plain loops over lists or arrays: the player calls them as they stand, the trainer compiles the very
same functions, so there is one description of the inputs.

A position after one's own move differs between the candidates in a few inputs only. So the inputs
are in two parts: those of the table, the same for all candidates, and those of a move.
"""

from __future__ import annotations

import math
from typing import Final

from racko_core.bots.expert.costs import COSTS, HOPELESS, HORIZONS
from racko_core.bots.expert.memory import (
    DRAWS,
    MINE,
    ORDERED,
    SLOTS,
    TOP,
    TURNOVERS,
    Row,
    Rows,
    Sight,
)
from racko_core.bots.expert.others import TRUSTS
from racko_core.bots.expert.run_costs import RUN_WAITS

MOST_INPUTS: Final = 640
"""Room for the inputs that are not zero."""
_ORDER: Final = 4
"""Cards on top of a draw pile whose order is known."""
TURNS: Final = 20
_COUNTS: Final = 16
_TURNOVERS: Final = 4
BINS: Final = 17
_RUNS: Final = 7
_FIT: Final = 16
_ROOMS: Final = 16
_STEPS: Final = 9
_UNKNOWN: Final = 3
_SWAPS: Final = 13
_COST_SCALE: Final = 0.15
_PROGRESS: Final = 2 * BINS
_GAINS: Final = (0.01, 0.04, 0.08, 0.12, 0.17, 0.23, 0.3, 0.4, 0.6)
"""Shares of a wait that a card saves, from bin to bin."""
_LEAST: Final = 1e-9

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
SCORE: Final = 12
CHANCE_RUN: Final = 13
SCORE_RUN: Final = 14
FEED: Final = 15
OTHERS: Final = 16
OTHER_SIZE: Final = 17
SIZE: Final = 18


def layout(players: int, cards: int) -> list[int]:
    """Where each block of inputs starts, then how many inputs another player takes, then all."""
    sizes = [
        SLOTS * cards,
        5 * cards,
        _ORDER * cards,
        TURNS + _COUNTS + _TURNOVERS,
        SLOTS,
        BINS,
        1 + 2 * HORIZONS,
        _RUNS,
        2 * BINS,
        _FIT,
        SLOTS * _ROOMS,
        (SLOTS - 1) * _STEPS,
        1 + BINS,
        2 * HORIZONS,
        1 + BINS,
        1 + len(_GAINS),
    ]
    other = 2 * SLOTS * cards + 2 * cards + SLOTS * _UNKNOWN + (SLOTS + 1) + _SWAPS
    other += len(TRUSTS) * _PROGRESS
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return [*starts, other, starts[-1] + (players - 1) * other]


def table_inputs(
    sight: Sight,
    seat: int,
    cards: int,
    starts: Row,
    status: Row,
    rack: Row,
    unseen: int,
    others: Rows,
    active: Row,
) -> int:
    """Fill in the inputs that all candidates share, all of them 1; returns how many. `others` are
    the waits of the other players, by place after `seat` and trust.
    """
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
        start += SLOTS + 1 + _SWAPS
        for trust in TRUSTS:
            place = int(2.0 * bin_of(wait_of(others[away - 1][trust], unseen)) + 0.5)
            active[n] = start + trust * _PROGRESS + min(place, _PROGRESS - 1)
            n += 1
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


def wait_of(cost: float, unseen: int) -> float:
    """Turns, for a wait to the power 1.5 in units of the unseen cards."""
    return float(cost ** (2.0 / 3.0) * (unseen + 2)) if cost > 0.0 else 0.0


def wait_inputs(wait: float, start: int, active: Row, value: Row, n: int) -> int:
    """Add a wait in turns as a place among the bins from `start` on."""
    place = bin_of(wait)
    low = int(place)
    active[n], value[n] = start + low, 1.0 - (place - low)
    active[n + 1], value[n + 1] = start + low + 1, place - low
    return n + 2


def number_inputs(
    costs: Row, weights: Row, unseen: int, starts: Row, active: Row, value: Row, n: int
) -> int:
    """Add the numbers of a rack that costs so much; returns the inputs so far. `weights` are those
    of the horizons.
    """
    wait = wait_of(costs[0], unseen)
    n = wait_inputs(wait, starts[WAIT], active, value, n)
    start = starts[CHANCE]
    active[n], value[n] = start, min(0.1 * wait, 4.0)
    n += 1
    in_time = 0.0
    for which in range(1, COSTS):
        cost = costs[which]
        chance = math.exp(-cost) if cost > 0.0 else 1.0
        in_time += weights[which - 1] * chance
        active[n], value[n] = start + which, 2.0 * chance
        active[n + 1] = start + HORIZONS + which
        value[n + 1] = (HOPELESS - cost) * _COST_SCALE
        n += 2
    return in_time_inputs(in_time, starts[SCORE], active, value, n)


def in_time_inputs(in_time: float, start: int, active: Row, value: Row, n: int) -> int:
    """Add the chance to be in order before another side ends the round."""
    active[n], value[n] = start, 2.0 * in_time
    place = min(2.0 * -math.log(max(in_time, _LEAST)), BINS - 1.001)
    low = int(max(place, 0.0))
    active[n + 1], value[n + 1] = start + 1 + low, 1.0 - (place - low)
    active[n + 2], value[n + 2] = start + 2 + low, place - low
    return n + 3


def run_inputs(
    costs: Row, weights: Row, unseen: int, starts: Row, active: Row, value: Row, n: int
) -> int:
    """Add what a rack costs that is to hold a run, in the order of `run_costs`."""
    for which in range(RUN_WAITS):
        start = starts[WAIT_RUN] + which * BINS
        n = wait_inputs(wait_of(costs[which], unseen), start, active, value, n)
    in_time = 0.0
    for which in range(HORIZONS):
        cost = costs[RUN_WAITS + which]
        chance = math.exp(-cost) if cost > 0.0 else 1.0
        in_time += weights[which] * chance
        active[n], value[n] = starts[CHANCE_RUN] + 2 * which, 2.0 * chance
        active[n + 1] = starts[CHANCE_RUN] + 2 * which + 1
        value[n + 1] = (HOPELESS - cost) * _COST_SCALE
        n += 2
    return in_time_inputs(in_time, starts[SCORE_RUN], active, value, n)


def feed_inputs(
    without: float, with_card: float, start: int, active: Row, value: Row, n: int
) -> int:
    """Add how much of the next player's wait the card on the discard pile saves."""
    gain = 1.0 - (with_card / without) ** (2.0 / 3.0) if without > 0.0 else 0.0
    place = 0
    for bound in _GAINS:
        if gain > bound:
            place += 1
    active[n], value[n] = start + place, 1.0
    return n + 1


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
    weights: Row,
    run: int,
    run_costs: Row,
    next_wait: float,
    next_wait_with: float,
    unseen: int,
    below: Row,
    active: Row,
    value: Row,
) -> int:
    """Fill in the inputs of one candidate, beside those of the table; returns how many.

    `rack` is the rack after the move, in which `card` took the place of `top` in `slot`; -1 for
    none. `top` is then the top of the discard pile. `run` is the length of the run that matters, 0
    for none, and `run_costs` what it costs. `next_wait` is that of the next player, now and once
    `top` is in the rack.
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
    n = number_inputs(costs, weights, unseen, starts, active, value, n)
    if run:
        n = run_inputs(run_costs, weights, unseen, starts, active, value, n)
    n = feed_inputs(next_wait, next_wait_with, starts[FEED], active, value, n)
    return fit_inputs(sight, seat, top, cards, starts, active, value, n)
