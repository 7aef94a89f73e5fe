"""What players think in training: learners by the network, programmes as `solid` does.

Plain loops over arrays, compiled by `compiling`.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from racko_core.bots import casual, solid
from racko_core.bots.distance import QUARTERS
from racko_core.bots.expert.costs import (
    COSTS,
    NEVER,
    fill_backs,
    fill_costs,
    fill_fronts,
    fill_programmes,
    fill_row,
    fill_waits,
    fill_weights,
    wait_once,
)
from racko_core.bots.expert.inputs import (
    front_cards,
    move_inputs,
    table_inputs,
)
from racko_core.bots.expert.memory import (
    DISCARDS,
    DRAWS,
    ORDERED,
    SLOTS,
    Sight,
    count_below,
    fill_status,
)
from racko_core.bots.expert.network import AFTER, DRAWING, LEAK
from racko_core.bots.expert.others import (
    FILLED,
    TRUSTS,
    Known,
    fill_known,
    fill_known_waits,
    wait_with,
)
from racko_core.bots.expert.run_costs import fill_run_costs, run_that_matters, run_wait
from racko_core.bots.weighing import FEEDING, FRONT, LATE

Floats = Any
Ints = Any

FREE: Final = -3
"""No choice is forced."""


class Terms(NamedTuple):
    """What is played, and for what."""

    cards: int
    min_run: int
    bonus: int
    teams: int
    weight: float
    """A move is worth so much of the chance to win, and the rest of the margin in hundreds."""
    starts: Ints
    """Where each block of inputs starts: `inputs.layout`."""
    waits: Floats
    powers: Floats
    """The tables that `costs` asks for."""
    gaps: Floats
    """What `casual` asks in place of the waits."""
    share: float
    """How likely players go out, as a share of what it is without a run."""


class Way(NamedTuple):
    """How a programme weighs racks."""

    min_run: int
    table: Floats
    """What open slots cost."""
    eager: float
    """A discard that leaves a rack no cheaper than this share of what it costs is not taken."""
    feeding: float
    """What it adds to hand the next player a card that may be of use."""


class Net(NamedTuple):
    """The network: inputs -> hidden -> for each head: second -> (logit of a win, margin)."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats


class Work(NamedTuple):
    """Arrays that are filled anew for every decision."""

    status: Ints
    below: Ints
    row: Ints
    rack: Ints
    fronts: Floats
    backs: Floats
    without: Floats
    costs: Floats
    weights: Floats
    """By head, then horizon."""
    run_costs: Floats
    runs: Ints
    others: Floats
    """By place behind the player, and trust: what others wait for."""
    known: Known
    table: Ints
    active: Ints
    value: Floats
    base: Floats
    h1: Floats
    h2: Floats
    out: Floats
    best_active: Ints
    best_value: Floats
    result: Floats
    """Of a choice: the chance to win, the margin, and how many inputs it had."""


def evaluate(
    net: Net, head: int, base: Floats, n: int, active: Ints, value: Floats, work: Work
) -> None:
    """What the network says of the inputs summed up in `base` and `n` further ones."""
    h1, h2, out = work.h1, work.h2, work.out
    hidden = h1.shape[0]
    second = h2.shape[0]
    for j in range(hidden):
        h1[j] = base[j]
    for i in range(n):
        weight = value[i]
        line = net.w1[active[i]]
        for j in range(hidden):
            h1[j] += weight * line[j]
    for k in range(second):
        h2[k] = net.b2[head, k]
    for j in range(hidden):
        x = h1[j]
        if x < 0.0:
            x *= np.float32(LEAK)
            h1[j] = x
        line = net.w2[head, j]
        for k in range(second):
            h2[k] += x * line[k]
    out[0] = net.b3[head, 0]
    out[1] = net.b3[head, 1]
    for k in range(second):
        x = h2[k]
        if x < 0.0:
            x *= np.float32(LEAK)
            h2[k] = x
        out[0] += x * net.w3[head, k, 0]
        out[1] += x * net.w3[head, k, 1]
    out[0] = 1.0 / (1.0 + math.exp(-out[0]))


def sum_base(net: Net, n: int, work: Work) -> None:
    """Sum up the inputs of the table."""
    hidden = work.base.shape[0]
    for j in range(hidden):
        work.base[j] = net.b1[j]
    for i in range(n):
        line = net.w1[work.table[i]]
        for j in range(hidden):
            work.base[j] += line[j]


def put(rack: Ints, slot: int, card: int, work: Work) -> int:
    """Make `work.rack` the rack with a card in a slot (-1 for none); returns what is dropped."""
    for place in range(SLOTS):
        work.rack[place] = rack[place]
    if slot < 0:
        return card
    work.rack[slot] = card
    return int(rack[slot])


def prepare(terms: Terms, sight: Sight, seat: int, rack: Ints, hand: int, work: Work) -> int:
    """Fill in what all candidates share; returns the number of unseen cards."""
    unseen = fill_status(sight, seat, terms.cards, rack, hand, work.status)
    count_below(terms.cards, work.status, work.below)
    fill_row(terms.cards, rack, work.row)
    return unseen


def costs_with(terms: Terms, slot: int, card: int, rack: Ints, work: Work) -> None:
    """Fill in what a rack costs with a card in a slot; -1 for the rack as it is."""
    fill_row(terms.cards, rack, work.row)
    fill_costs(
        slot,
        card,
        work.row,
        work.below,
        terms.waits,
        terms.powers,
        work.fronts,
        work.backs,
        work.without,
        work.costs,
    )


def look_at_others(terms: Terms, sight: Sight, seat: int, work: Work) -> int:
    """Fill in how far the others are; `work.known` is the next player's then, with what was changed
    unseen taken for filled, and how many cards of it are known is returned.
    """
    players = len(sight.turns)
    n = 0
    for away in range(players - 1, 0, -1):
        for trust in TRUSTS:
            n = fill_known(sight, (seat + away) % players, trust, terms.cards, work.known)
            work.others[away - 1, trust] = fill_known_waits(n, work.below, terms.waits, work.known)
    return n


def offered(sight: Sight, hand: int) -> int:
    """The card that a player may put somewhere: in hand, or on top of the discard pile."""
    return int(hand if hand else sight.discards[sight.counts[DISCARDS] - 1])


def best_learnt(
    terms: Terms,
    net: Net,
    sight: Sight,
    seat: int,
    rack: Ints,
    hand: int,
    forced: int,
    work: Work,
) -> int:
    """The learner's choice: a slot, or -1 for drawing (no `hand`) or discarding the card in hand;
    what was chosen by somebody else, if `forced` is not free.

    `work.result` tells of the choice; its inputs are in `best_active` and `best_value`.
    """
    unseen = prepare(terms, sight, seat, rack, hand, work)
    fill_programmes(
        work.row, work.below, terms.waits, terms.powers, work.fronts, work.backs, work.without
    )
    n_known = look_at_others(terms, sight, seat, work)
    n_table = table_inputs(
        sight, seat, terms.cards, terms.starts, work.status, rack, unseen, work.others, work.table
    )
    sum_base(net, n_table, work)
    for head in (AFTER, DRAWING):
        fill_weights(sight.turns, seat, terms.teams, terms.share, unseen, head, work.weights[head])
    card = offered(sight, hand)
    length = run_that_matters(terms.min_run, terms.bonus)
    best, most = -2, -NEVER
    for slot in range(-1, SLOTS):
        if forced not in (FREE, slot):
            continue
        dropped = put(rack, slot, card, work)
        costs_with(terms, slot, card, rack, work)
        if length:
            fill_row(terms.cards, work.rack, work.row)
            fill_run_costs(
                length,
                terms.cards,
                work.row,
                work.below,
                terms.waits,
                terms.powers,
                work.fronts[COSTS],
                work.backs[COSTS],
                work.runs,
                work.run_costs,
            )
        head = DRAWING if slot < 0 and not hand else AFTER
        n = move_inputs(
            sight,
            seat,
            terms.cards,
            terms.starts,
            slot,
            card,
            work.rack,
            dropped,
            work.costs,
            work.weights[head],
            length,
            work.run_costs,
            work.others[0, FILLED],
            wait_with(dropped, n_known, work.below, terms.waits, work.known),
            unseen,
            work.below,
            work.active,
            work.value,
        )
        evaluate(net, head, work.base, n, work.active, work.value, work)
        worth = terms.weight * work.out[0] + (1.0 - terms.weight) * work.out[1]
        if worth > most:
            most, best = worth, slot
            keep_choice(n, n_table, work)
    return best


def keep_choice(n: int, n_table: int, work: Work) -> None:
    """Remember the candidate that was valued last."""
    for i in range(n):
        work.best_active[i] = work.active[i]
        work.best_value[i] = work.value[i]
    for i in range(n_table):
        work.best_active[n + i] = work.table[i]
        work.best_value[n + i] = 1.0
    work.result[0], work.result[1], work.result[2] = work.out[0], work.out[1], n + n_table


def best_programme(terms: Terms, sight: Sight, seat: int, rack: Ints, hand: int, work: Work) -> int:
    """What `solid` chooses, in the same terms."""
    prepare(terms, sight, seat, rack, hand, work)
    way = Way(terms.min_run, terms.waits, solid.EAGERNESS, FEEDING)
    return best_by(way, terms.cards, next_draw(sight), sight, seat, rack, hand, work)


def best_sorter(terms: Terms, sight: Sight, seat: int, rack: Ints, hand: int, work: Work) -> int:
    """What `reference.Sorter` chooses: it looks for a run once its rack is in order."""
    prepare(terms, sight, seat, rack, hand, work)
    min_run = terms.min_run if front_cards(rack) == SLOTS - 1 else 0
    way = Way(min_run, terms.waits, solid.EAGERNESS, FEEDING)
    return best_by(way, terms.cards, next_draw(sight), sight, seat, rack, hand, work)


def next_draw(sight: Sight) -> int:
    """The card on top of the draw pile where that is known, else 0."""
    return int(sight.draw[sight.counts[DRAWS] - 1]) if sight.counts[ORDERED] else 0


def best_casual(terms: Terms, sight: Sight, seat: int, rack: Ints, hand: int, work: Work) -> int:
    """What `casual` chooses, in the same terms."""
    fill_row(terms.cards, rack, work.row)
    work.below[0] = 0
    for card in range(1, terms.cards + 2):
        work.below[card] = QUARTERS * (card - 1)
    way = Way(terms.min_run, terms.gaps, casual.EAGERNESS, 0.0)
    return best_by(way, terms.cards, 0, sight, seat, rack, hand, work)


def best_by(
    way: Way, cards: int, draw: int, sight: Sight, seat: int, rack: Ints, hand: int, work: Work
) -> int:
    """What a bot chooses that weighs racks in this way; `draw` is the card on the draw pile if it
    knows it, else 0.
    """
    fill_waits(work.row, work.below, way.table, work.fronts[0], work.backs[0], work.without)
    card = offered(sight, hand)
    bar = weigh(way, cards, sight, seat, -1, card, rack, work)
    best, least = cheapest(way, cards, sight, seat, card, rack, work)
    if not hand:
        if draw:
            bar = min(bar, cheapest(way, cards, sight, seat, draw, rack, work)[1])
        else:
            bar *= way.eager
    return best if least < bar else -1


def cheapest(
    way: Way, cards: int, sight: Sight, seat: int, card: int, rack: Ints, work: Work
) -> tuple[int, float]:
    """The slot for a card that leaves the cheapest rack, and what that costs."""
    best, least = 0, NEVER
    for slot in range(SLOTS):
        cost = weigh(way, cards, sight, seat, slot, card, rack, work)
        if cost < least:
            best, least = slot, cost
    return best, least


def weigh(
    way: Way, cards: int, sight: Sight, seat: int, slot: int, card: int, rack: Ints, work: Work
) -> float:
    """What a bot thinks of a rack once a card is in a slot (-1 for none); see `bots.weighing`."""
    table = way.table
    dropped = put(rack, slot, card, work)
    if way.min_run:
        fronts, backs = work.fronts[COSTS], work.backs[COSTS]
        fill_row(cards, work.rack, work.row)
        fill_fronts(work.row, work.below, table, fronts)
        fill_backs(work.row, work.below, table, backs)
        cost = run_wait(way.min_run, cards, work.row, work.below, table, fronts, backs, work.runs)
    else:
        cost = wait_once(
            slot, card, work.row, work.below, table, work.fronts[0], work.backs[0], work.without
        )
    cost = cost ** (2.0 / 3.0)
    after = (seat + 1) % len(sight.turns)
    if not (
        sight.left[after][dropped]
        or sight.dropped[after][dropped]
        or sight.declined[after][dropped]
    ):
        cost *= 1.0 + way.feeding
    front = FRONT * min(LATE, sight.turns[seat])
    return float(cost * (1.0 - front * (front_cards(work.rack) + 1)))
