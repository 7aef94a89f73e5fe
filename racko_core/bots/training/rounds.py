"""Rounds played among learners and programmes, and what the learners learn from them.

Plain loops over arrays, compiled by `compiling`; a round of two players takes less than a
millisecond then. Only the rules that the network must know are here: no scores of a game, no draw
pile that is shuffled.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from racko_core.bots.expert.inputs import (
    DISCARDS,
    DRAWS,
    NEVER,
    ORDERED,
    SLOTS,
    TABLES,
    TURNOVERS,
    Sight,
    count_below,
    fill_backs,
    fill_costs,
    fill_fronts,
    fill_programmes,
    fill_row,
    fill_status,
    front_cards,
    move_inputs,
    run_cost,
    run_length,
    saw_declined,
    saw_discard,
    saw_draw,
    saw_place,
    saw_take,
    saw_turnover,
    table_inputs,
)

Floats = Any
Ints = Any

AFTER: Final = 0
"""The head of the network that values a position after one's own move."""
DRAWING: Final = 1
"""The head that values a position before a card is drawn."""

LEARNER: Final = 0
PROGRAMME: Final = 1
TEACHER: Final = 2
"""Who plays a seat: the network, a programme, or a programme that the network learns from."""

MOST_INPUTS: Final = 640
MOST_SAMPLES: Final = 512
GUARD: Final = 3
"""Turn-overs that end a round without a winner."""
SCALE: Final = 100.0
"""Points of margin that are 1 in the network."""
_FREE: Final = -3
_LIMIT: Final = 80
"""Turns of a player after which a round has no winner: nobody may ever draw a card."""
_EAGER: Final = 0.87
_FEEDING: Final = 0.02
_FRONT: Final = 0.002
_LATE: Final = 10
_LEAK: Final = 0.05


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
    run_waits: Floats
    table: Ints
    active: Ints
    value: Floats
    base: Floats
    h1: Floats
    h2: Floats
    out: Floats
    best_active: Ints
    best_value: Floats
    draw_active: Ints
    draw_value: Floats


class Samples(NamedTuple):
    """The positions that a learner valued in one round."""

    active: Ints
    value: Floats
    size: Ints
    head: Ints
    seat: Ints
    win: Floats
    margin: Floats
    count: Ints


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
            x *= np.float32(_LEAK)
            h1[j] = x
        line = net.w2[head, j]
        for k in range(second):
            h2[k] += x * line[k]
    out[0] = net.b3[head, 0]
    out[1] = net.b3[head, 1]
    for k in range(second):
        x = h2[k]
        if x < 0.0:
            x *= np.float32(_LEAK)
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


def run_costs(cards: int, min_run: int, runs: int, tables: Floats, work: Work) -> None:
    """Fill in the costs of runs for `work.rack`; -1 where runs do not matter."""
    work.run_waits[0] = -1.0
    work.run_waits[1] = -1.0
    if not runs:
        return
    fill_row(cards, work.rack, work.row)
    fill_fronts(work.row, work.below, tables[0], work.fronts[TABLES])
    fill_backs(work.row, work.below, tables[0], work.backs[TABLES])
    first = min_run if min_run else 3
    for which in range(2):
        work.run_waits[which] = run_cost(
            first + which,
            cards,
            work.row,
            work.below,
            tables[0],
            work.fronts[TABLES],
            work.backs[TABLES],
        )


def prepare(
    sight: Sight, seat: int, cards: int, rack: Ints, hand: int, tables: Floats, work: Work
) -> int:
    """Fill in what all candidates share; returns the number of unseen cards."""
    unseen = fill_status(sight, seat, cards, rack, hand, work.status)
    count_below(cards, work.status, work.below)
    fill_row(cards, rack, work.row)
    fill_programmes(work.row, work.below, tables, work.fronts, work.backs, work.without)
    return unseen


def best_learnt(
    net: Net,
    weight: float,
    sight: Sight,
    seat: int,
    cards: int,
    starts: Ints,
    min_run: int,
    runs: int,
    rack: Ints,
    hand: int,
    forced: int,
    tables: Floats,
    work: Work,
    result: Floats,
) -> int:
    """The learner's choice: a slot, or -1 for drawing (no `hand`) or discarding the card in hand;
    what was chosen by somebody else, if `forced` is not free.

    `result` is filled with win, margin of the choice, then its number of inputs, which are in
    `best_active`; for -1 without a hand they are those of the position before drawing.
    """
    unseen = prepare(sight, seat, cards, rack, hand, tables, work)
    n_table = table_inputs(sight, seat, cards, starts, work.status, rack, work.table)
    sum_base(net, n_table, work)
    top = sight.discards[sight.counts[DISCARDS] - 1]
    card = hand if hand else top
    best, most = -2, -NEVER
    for slot in range(-1, SLOTS):
        if forced not in (_FREE, slot):
            continue
        for place in range(SLOTS):
            work.rack[place] = rack[place]
        dropped = card
        if slot >= 0:
            dropped = rack[slot]
            work.rack[slot] = card
        fill_row(cards, rack, work.row)
        fill_costs(
            slot,
            card,
            work.row,
            work.below,
            tables,
            work.fronts,
            work.backs,
            work.without,
            work.costs,
        )
        run_costs(cards, min_run, runs, tables, work)
        head = DRAWING if slot < 0 and not hand else AFTER
        n = move_inputs(
            sight,
            seat,
            cards,
            starts,
            slot,
            card,
            work.rack,
            dropped,
            work.costs,
            work.run_waits,
            unseen,
            work.below,
            work.active,
            work.value,
        )
        evaluate(net, head, work.base, n, work.active, work.value, work)
        worth = weight * work.out[0] + (1.0 - weight) * work.out[1]
        if worth > most:
            most, best = worth, slot
            result[0], result[1] = work.out[0], work.out[1]
            for i in range(n):
                work.best_active[i] = work.active[i]
                work.best_value[i] = work.value[i]
            for i in range(n_table):
                work.best_active[n + i] = work.table[i]
                work.best_value[n + i] = 1.0
            result[2] = n + n_table
    return best


def rack_cost(
    slot: int, card: int, cards: int, min_run: int, rack: Ints, tables: Floats, work: Work
) -> float:
    """What a rack costs by the first programme once `card` is in a slot; -1 for as it is."""
    if min_run:
        for place in range(SLOTS):
            work.rack[place] = rack[place]
        if slot >= 0:
            work.rack[slot] = card
        run_costs(cards, min_run, 1, tables, work)
        fill_row(cards, rack, work.row)
        return float(work.run_waits[0])
    fill_costs(
        slot, card, work.row, work.below, tables, work.fronts, work.backs, work.without, work.costs
    )
    return float(work.costs[0])


def best_programme(
    sight: Sight,
    seat: int,
    cards: int,
    min_run: int,
    rack: Ints,
    hand: int,
    tables: Floats,
    work: Work,
) -> int:
    """What `solid` chooses, in the same terms."""
    prepare(sight, seat, cards, rack, hand, tables, work)
    card = hand if hand else sight.discards[sight.counts[DISCARDS] - 1]
    now = weigh(sight, seat, -1, card, cards, min_run, rack, tables, work)
    best, least = cheapest(sight, seat, card, cards, min_run, rack, tables, work)
    bar = now
    if not hand:
        if sight.counts[ORDERED]:
            draw = sight.draw[sight.counts[DRAWS] - 1]
            bar = min(now, cheapest(sight, seat, draw, cards, min_run, rack, tables, work)[1])
        else:
            bar = _EAGER * now
    return best if least < bar else -1


def cheapest(
    sight: Sight,
    seat: int,
    card: int,
    cards: int,
    min_run: int,
    rack: Ints,
    tables: Floats,
    work: Work,
) -> tuple[int, float]:
    """The slot for a card that leaves the cheapest rack, and what that costs."""
    best, least = 0, NEVER
    for slot in range(SLOTS):
        cost = weigh(sight, seat, slot, card, cards, min_run, rack, tables, work)
        if cost < least:
            best, least = slot, cost
    return best, least


def weigh(
    sight: Sight,
    seat: int,
    slot: int,
    card: int,
    cards: int,
    min_run: int,
    rack: Ints,
    tables: Floats,
    work: Work,
) -> float:
    """What `solid` thinks of a rack once a card is in a slot (-1 for none); see `bots.weighing`."""
    cost = rack_cost(slot, card, cards, min_run, rack, tables, work) ** (2.0 / 3.0)
    for place in range(SLOTS):
        work.rack[place] = rack[place]
    dropped = card
    if slot >= 0:
        work.rack[slot] = card
        dropped = rack[slot]
    after = (seat + 1) % len(sight.turns)
    if not (
        sight.left[after][dropped]
        or sight.dropped[after][dropped]
        or sight.declined[after][dropped]
    ):
        cost *= 1.0 + _FEEDING
    front = _FRONT * min(_LATE, sight.turns[seat])
    return float(cost * (1.0 - front * (front_cards(work.rack) + 1)))


def keep_sample(samples: Samples, work: Work, result: Floats, head: int, seat: int) -> None:
    """Remember the position that was chosen."""
    i = samples.count[0]
    if i >= MOST_SAMPLES:
        return
    n = int(result[2])
    for j in range(n):
        samples.active[i, j] = work.best_active[j]
        samples.value[i, j] = work.best_value[j]
    samples.size[i] = n
    samples.head[i] = head
    samples.seat[i] = seat
    samples.win[i] = result[0]
    samples.margin[i] = result[1]
    samples.count[0] += 1


def choose(
    net: Net,
    kind: int,
    weight: float,
    sight: Sight,
    seat: int,
    cards: int,
    starts: Ints,
    min_run: int,
    runs: int,
    rack: Ints,
    hand: int,
    tables: Floats,
    work: Work,
    samples: Samples,
    result: Floats,
) -> int:
    """What the player of a seat chooses; remembers the position that learners learn from."""
    forced = _FREE
    if kind != LEARNER:
        forced = best_programme(sight, seat, cards, min_run, rack, hand, tables, work)
        if kind == PROGRAMME:
            return forced
    slot = best_learnt(
        net,
        weight,
        sight,
        seat,
        cards,
        starts,
        min_run,
        runs,
        rack,
        hand,
        forced,
        tables,
        work,
        result,
    )
    keep_sample(samples, work, result, DRAWING if slot < 0 and not hand else AFTER, seat)
    return slot


def is_out(rack: Ints, min_run: int) -> bool:
    """Whether the rack is RACK-O."""
    return bool(front_cards(rack) == SLOTS - 1 and (min_run == 0 or run_length(rack) >= min_run))


def bonus_of(length: int) -> float:
    """Points for the longest run."""
    if length < 3:
        return 0.0
    if length == 3:
        return 50.0
    if length == 4:
        return 100.0
    return 200.0 if length == 5 else 400.0


def score(racks: Ints, winner: int, bonus: int, teams: int, points: Floats) -> None:
    """Fill in the points of every player; a team's are halved and given to both."""
    players = racks.shape[0]
    for seat in range(players):
        points[seat] = 5.0 * (front_cards(racks[seat]) + 1)
        if seat == winner:
            points[seat] = 75.0
        mine = winner >= 0 and (seat == winner or (teams and seat % 2 == winner % 2))
        if bonus and mine:
            points[seat] += bonus_of(run_length(racks[seat]))
    if teams:
        for seat in range(2):
            both = 0.5 * (points[seat] + points[seat + 2])
            points[seat] = both
            points[seat + 2] = both


def clear(sight: Sight) -> None:
    """A new round: nothing has been seen."""
    sight.known[:] = 0
    sight.left[:] = 0
    sight.dropped[:] = 0
    sight.declined[:] = 0
    sight.unknown[:] = 0
    sight.last[:] = 0
    sight.swaps[:] = 0
    sight.turns[:] = 0
    sight.pile[:] = 0
    sight.counts[:] = 0


def deal(deck: Ints, first: int, cards: int, min_run: int, sight: Sight, racks: Ints) -> int:
    """Deal from `deck`, to the player `first` first; whoever is out at once, else -1."""
    players = len(racks)
    clear(sight)
    place = 0
    for slot in range(SLOTS - 1, -1, -1):
        for seat in range(players):
            racks[(first + seat) % players, slot] = deck[place]
            place += 1
    sight.discards[0] = deck[place]
    place += 1
    sight.counts[DISCARDS] = 1
    # The draw pile has its top last; nobody looks into it before it was turned over.
    count = cards - place
    for i in range(count):
        sight.draw[count - 1 - i] = deck[place + i]
    sight.counts[DRAWS] = count
    for i in range(players):
        seat = (first + i) % players
        if is_out(racks[seat], min_run):
            return int(seat)
    return -1


def play_round(
    nets: tuple[Net, Net],
    which: Ints,
    kinds: Ints,
    weight: float,
    deck: Ints,
    first: int,
    cards: int,
    starts: Ints,
    min_run: int,
    bonus: int,
    sight: Sight,
    racks: Ints,
    tables: Floats,
    work: Work,
    samples: Samples,
    result: Floats,
) -> int:
    """Play one round from a deck; the seat that goes out, or -1 for a stalemate.

    Seat `s` is played by `kinds[s]`, a learner with the net `nets[which[s]]`. What learners
    valued is added to `samples`.
    """
    players = len(racks)
    runs = 1 if bonus or min_run else 0
    winner = deal(deck, first, cards, min_run, sight, racks)
    if winner >= 0:
        return winner
    seat = int(first)
    while True:
        rack = racks[seat]
        card = 0
        slot = choose(
            nets[which[seat]],
            kinds[seat],
            weight,
            sight,
            seat,
            cards,
            starts,
            min_run,
            runs,
            rack,
            card,
            tables,
            work,
            samples,
            result,
        )
        if slot >= 0:
            out = rack[slot]
            rack[slot] = sight.discards[sight.counts[DISCARDS] - 1]
            saw_take(sight, seat, slot, out)
        else:
            saw_declined(sight, seat)
            card = sight.draw[sight.counts[DRAWS] - 1]
            saw_draw(sight)
            slot = choose(
                nets[which[seat]],
                kinds[seat],
                weight,
                sight,
                seat,
                cards,
                starts,
                min_run,
                runs,
                rack,
                card,
                tables,
                work,
                samples,
                result,
            )
            if slot >= 0:
                out = rack[slot]
                rack[slot] = card
                saw_place(sight, seat, slot, card if sight.counts[ORDERED] else 0, out)
            else:
                saw_discard(sight, seat, card)
        if is_out(rack, min_run):
            return seat
        if sight.counts[DRAWS] == 0:
            saw_turnover(sight, cards)
            if sight.counts[TURNOVERS] == GUARD:
                return -1
        if sight.turns[seat] == _LIMIT:
            return -1
        seat = (seat + 1) % players


def learn(
    net: Net, grad: Net, samples: Samples, i: int, win: float, margin: float, work: Work
) -> float:
    """Add the gradient of one sample towards its targets; returns its loss."""
    head = samples.head[i]
    n = samples.size[i]
    hidden = work.h1.shape[0]
    second = work.h2.shape[0]
    evaluate(net, head, net.b1, n, samples.active[i], samples.value[i], work)
    h1, h2, out = work.h1, work.h2, work.out
    p = min(max(float(out[0]), 1e-6), 1.0 - 1e-6)
    loss = -(win * math.log(p) + (1.0 - win) * math.log(1.0 - p))
    g0 = out[0] - np.float32(win)
    g1 = out[1] - np.float32(margin)
    base = work.base
    for j in range(hidden):
        base[j] = 0.0
    grad.b3[head, 0] += g0
    grad.b3[head, 1] += g1
    for k in range(second):
        g = net.w3[head, k, 0] * g0 + net.w3[head, k, 1] * g1
        grad.w3[head, k, 0] += g0 * h2[k]
        grad.w3[head, k, 1] += g1 * h2[k]
        if h2[k] < 0.0:
            g *= np.float32(_LEAK)
        h2[k] = g
        grad.b2[head, k] += g
    for j in range(hidden):
        x = h1[j]
        line, slope = net.w2[head, j], grad.w2[head, j]
        g = np.float32(0.0)
        for k in range(second):
            g += line[k] * h2[k]
        for k in range(second):
            slope[k] += x * h2[k]
        if x < 0.0:
            g *= np.float32(_LEAK)
        base[j] = g
        grad.b1[j] += g
    for m in range(n):
        slope = grad.w1[samples.active[i, m]]
        v = samples.value[i, m]
        for j in range(hidden):
            slope[j] += v * base[j]
    return loss


def learn_round(
    net: Net,
    grad: Net,
    samples: Samples,
    fade: float,
    winner: int,
    teams: int,
    points: Floats,
    tallies: Floats,
    work: Work,
) -> None:
    """Add the gradient of everything that learners valued in a round that is over.

    Targets are lambda-returns: each is the next valuation of the same seat and what came of it,
    mixed; `fade` is lambda.
    """
    players = points.shape[0]
    total = 0.0
    for seat in range(players):
        total += points[seat]
    for seat in range(players):
        mine = winner >= 0 and (seat == winner or (teams and seat % 2 == winner % 2))
        win = 1.0 if mine else 0.0
        if teams:
            margin = points[seat] - points[(seat + 1) % players]
        else:
            margin = points[seat] - (total - points[seat]) / (players - 1)
        margin /= np.float32(SCALE)
        for i in range(samples.count[0] - 1, -1, -1):
            if samples.seat[i] != seat:
                continue
            tallies[0] += learn(net, grad, samples, i, win, margin, work)
            tallies[1] += 1.0
            win = fade * win + (1.0 - fade) * samples.win[i]
            margin = fade * margin + (1.0 - fade) * samples.margin[i]


def step_part(
    w: Floats, g: Floats, m: Floats, v: Floats, mean: Floats, rate: float, keep: float
) -> None:
    """One step of Adam on one array, and of the mean of the weights; clears the gradient."""
    for i in range(w.shape[0]):
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * g[i]
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * g[i] * g[i]
        w[i] -= np.float32(rate) * m[i] / (np.sqrt(v[i]) + np.float32(1e-6))
        mean[i] = np.float32(keep) * mean[i] + np.float32(1.0 - keep) * w[i]
        g[i] = 0.0


def play_batches(
    seed: int,
    batches: int,
    rounds: int,
    sparring: float,
    rival: int,
    nets: tuple[Net, Net],
    grad: Net,
    flats: Floats,
    rate: float,
    keep: float,
    fade: float,
    weight: float,
    cards: int,
    starts: Ints,
    min_run: int,
    bonus: int,
    teams: int,
    sight: Sight,
    racks: Ints,
    tables: Floats,
    work: Work,
    samples: Samples,
    tallies: Floats,
) -> None:
    """Play `batches` of so many rounds, one step of learning after each.

    A seat is played by `rival` with chance `sparring`; `flats` are the weights, gradient, two
    moments and mean, flat.
    """
    np.random.seed(seed)
    players = racks.shape[0]
    deck = np.arange(1, cards + 1)
    kinds = np.zeros(players, np.int64)
    which = np.zeros(players, np.int64)
    points = np.zeros(players, np.float32)
    result = np.zeros(3)
    for _ in range(batches):
        seen = 0.0
        for _ in range(rounds):
            for i in range(cards - 1, 0, -1):
                j = np.random.randint(0, i + 1)
                deck[i], deck[j] = deck[j], deck[i]
            for seat in range(players):
                kinds[seat] = rival if np.random.random() < sparring else LEARNER
            samples.count[0] = 0
            winner = play_round(
                nets,
                which,
                kinds,
                weight,
                deck,
                np.random.randint(0, players),
                cards,
                starts,
                min_run,
                bonus,
                sight,
                racks,
                tables,
                work,
                samples,
                result,
            )
            score(racks, winner, bonus, teams, points)
            before = tallies[1]
            learn_round(nets[0], grad, samples, fade, winner, teams, points, tallies, work)
            seen += tallies[1] - before
            tallies[2] += 1.0
            tallies[3] += winner < 0
        if seen:
            for i in range(flats.shape[1]):
                flats[1, i] /= np.float32(seen)
            step_part(flats[0], flats[1], flats[2], flats[3], flats[4], rate, keep)


def compare(
    seed: int,
    decks: int,
    nets: tuple[Net, Net],
    rival: int,
    weight: float,
    cards: int,
    starts: Ints,
    min_run: int,
    bonus: int,
    teams: int,
    sight: Sight,
    racks: Ints,
    tables: Floats,
    work: Work,
    samples: Samples,
    shares: Floats,
    margins: Floats,
) -> None:
    """The first net against `rival` in all other seats: a programme, or a learner with the second
    net. By deck: the share of rounds it won over all its seats, and its mean margin.
    """
    np.random.seed(seed)
    players = racks.shape[0]
    deck = np.arange(1, cards + 1)
    kinds = np.zeros(players, np.int64)
    which = np.zeros(players, np.int64)
    points = np.zeros(players, np.float32)
    result = np.zeros(3)
    for number in range(decks):
        for i in range(cards - 1, 0, -1):
            j = np.random.randint(0, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        for place in range(2 if teams else players):
            kinds[:] = rival
            which[:] = 1
            for seat in range(players):
                if seat == place or (teams and seat % 2 == place % 2):
                    kinds[seat], which[seat] = LEARNER, 0
            samples.count[0] = MOST_SAMPLES
            winner = play_round(
                nets,
                which,
                kinds,
                weight,
                deck,
                0,
                cards,
                starts,
                min_run,
                bonus,
                sight,
                racks,
                tables,
                work,
                samples,
                result,
            )
            score(racks, winner, bonus, teams, points)
            total = 0.0
            for seat in range(players):
                total += points[seat]
            mine = winner >= 0 and (winner == place or (teams and winner % 2 == place % 2))
            shares[number] += (1.0 if mine else 0.0) / (2 if teams else players)
            if teams:
                margin = points[place] - points[(place + 1) % players]
            else:
                margin = points[place] - (total - points[place]) / (players - 1)
            margins[number] += margin / (2 if teams else players)
