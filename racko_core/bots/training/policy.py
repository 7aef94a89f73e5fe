"""The last polish: the network's choices, made by chance, are made more likely where they turned
out better than expected.

Values learnt in self-play tell good moves from bad ones, but moves that are nearly alike differ by
less than the values err. So a second network, the actor, starts as a copy and is taught by results:
it chooses among the candidates with chances that rise with their worth, and every choice is
strengthened by what came of it less what the first network, the critic, had expected (policy
gradient with a baseline).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from racko_core.bots.expert.inputs import (
    DISCARDS,
    DRAWS,
    ORDERED,
    SLOTS,
    TURNOVERS,
    Sight,
    fill_costs,
    fill_row,
    move_inputs,
    saw_declined,
    saw_discard,
    saw_draw,
    saw_place,
    saw_take,
    saw_turnover,
    table_inputs,
)
from racko_core.bots.training.rounds import (
    AFTER,
    DRAWING,
    GUARD,
    LEARNER,
    SCALE,
    Floats,
    Ints,
    Net,
    Work,
    best_programme,
    deal,
    evaluate,
    is_out,
    prepare,
    run_costs,
    score,
    step_part,
    sum_base,
)

_LIMIT: Final = 80
MOST_CHOICES: Final = 330
CANDIDATES: Final = SLOTS + 1
MOVE_INPUTS: Final = 48
_LEAK: Final = 0.05
_UNLIKELY: Final = 0.002
_HOLD: Final = 0.3
"""How strongly the actor's mean value of a decision is held to the critic's: which move is best may
change, what the position is worth may not, so that the actor's values still mean something."""


class Choices(NamedTuple):
    """The choices of one round."""

    table: Ints
    table_size: Ints
    active: Ints
    value: Floats
    size: Ints
    chance: Floats
    head: Ints
    chosen: Ints
    seat: Ints
    expected: Floats
    win_drift: Floats
    margin_drift: Floats
    count: Ints


def choose_softly(
    actor: Net,
    critic: Net,
    weight: float,
    heat: float,
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
    critic_base: Floats,
    worths: Floats,
    wins: Floats,
    margins: Floats,
    choices: Choices,
) -> int:
    """A candidate by chance, and everything that is needed to learn from it."""
    i = choices.count[0]
    unseen = prepare(sight, seat, cards, rack, hand, tables, work)
    n_table = table_inputs(sight, seat, cards, starts, work.status, rack, work.table)
    sum_base(critic, n_table, work)
    for j in range(critic_base.shape[0]):
        critic_base[j] = work.base[j]
    sum_base(actor, n_table, work)
    for j in range(n_table):
        choices.table[i, j] = work.table[j]
    choices.table_size[i] = n_table
    card = hand if hand else sight.discards[sight.counts[DISCARDS] - 1]
    most = -1e9
    for slot in range(-1, SLOTS):
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
        c = slot + 1
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
            choices.active[i, c],
            choices.value[i, c],
        )
        choices.size[i, c] = n
        choices.head[i, c] = head
        evaluate(actor, head, work.base, n, choices.active[i, c], choices.value[i, c], work)
        worths[c] = weight * work.out[0] + (1.0 - weight) * work.out[1]
        wins[0, c], margins[0, c] = work.out[0], work.out[1]
        most = max(most, worths[c])
        evaluate(critic, head, critic_base, n, choices.active[i, c], choices.value[i, c], work)
        wins[1, c], margins[1, c] = work.out[0], work.out[1]
    total = 0.0
    for c in range(CANDIDATES):
        worths[c] = math.exp((worths[c] - most) / heat)
        total += worths[c]
    draw = np.random.random() * total
    chosen = 0
    found = False
    choices.expected[i] = 0.0
    choices.win_drift[i] = 0.0
    choices.margin_drift[i] = 0.0
    for c in range(CANDIDATES):
        chance = worths[c] / total
        choices.chance[i, c] = chance
        choices.expected[i] += chance * (weight * wins[1, c] + (1.0 - weight) * margins[1, c])
        choices.win_drift[i] += chance * (wins[0, c] - wins[1, c])
        choices.margin_drift[i] += chance * (margins[0, c] - margins[1, c])
        draw -= worths[c]
        if draw < 0.0 and not found:
            chosen, found = c, True
    choices.chosen[i] = chosen
    choices.seat[i] = seat
    choices.count[0] += 1
    return chosen - 1


def play_softly(
    actor: Net,
    critic: Net,
    kinds: Ints,
    weight: float,
    heat: float,
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
    critic_base: Floats,
    worths: Floats,
    wins: Floats,
    margins: Floats,
    choices: Choices,
) -> int:
    """Play one round, learners by chance; the seat that goes out, or -1."""
    players = len(racks)
    runs = 1 if bonus or min_run else 0
    winner = deal(deck, first, cards, min_run, sight, racks)
    if winner >= 0:
        return winner
    seat = int(first)
    while True:
        rack = racks[seat]
        for step in range(2):
            card = 0
            if step:
                saw_declined(sight, seat)
                card = sight.draw[sight.counts[DRAWS] - 1]
                saw_draw(sight)
            if kinds[seat] == LEARNER and choices.count[0] < MOST_CHOICES:
                slot = choose_softly(
                    actor,
                    critic,
                    weight,
                    heat,
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
                    critic_base,
                    worths,
                    wins,
                    margins,
                    choices,
                )
            else:
                slot = best_programme(sight, seat, cards, min_run, rack, card, tables, work)
            if slot >= 0:
                out = rack[slot]
                if step:
                    rack[slot] = card
                    saw_place(sight, seat, slot, card if sight.counts[ORDERED] else 0, out)
                else:
                    rack[slot] = sight.discards[sight.counts[DISCARDS] - 1]
                    saw_take(sight, seat, slot, out)
                break
            if step:
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


def learn_choice(
    actor: Net,
    grad: Net,
    weight: float,
    choices: Choices,
    i: int,
    gain: float,
    work: Work,
    summed: Floats,
) -> None:
    """Add the gradient that makes a choice more likely by how much better it was than expected."""
    hidden = work.h1.shape[0]
    second = work.h2.shape[0]
    n_table = choices.table_size[i]
    for j in range(hidden):
        work.base[j] = actor.b1[j]
        summed[j] = 0.0
    for m in range(n_table):
        line = actor.w1[choices.table[i, m]]
        for j in range(hidden):
            work.base[j] += line[j]
    h1, h2, out = work.h1, work.h2, work.out
    for c in range(CANDIDATES):
        chance = choices.chance[i, c]
        mine = c == choices.chosen[i]
        if chance < _UNLIKELY and not mine:
            continue
        slope = gain * (chance - (1.0 if mine else 0.0))
        head = choices.head[i, c]
        n = choices.size[i, c]
        evaluate(actor, head, work.base, n, choices.active[i, c], choices.value[i, c], work)
        hold = _HOLD * chance
        g0 = np.float32(slope * weight * out[0] * (1.0 - out[0]) + hold * choices.win_drift[i])
        g1 = np.float32(slope * (1.0 - weight) + hold * choices.margin_drift[i])
        grad.b3[head, 0] += g0
        grad.b3[head, 1] += g1
        for k in range(second):
            g = actor.w3[head, k, 0] * g0 + actor.w3[head, k, 1] * g1
            grad.w3[head, k, 0] += g0 * h2[k]
            grad.w3[head, k, 1] += g1 * h2[k]
            if h2[k] < 0.0:
                g *= np.float32(_LEAK)
            h2[k] = g
            grad.b2[head, k] += g
        for j in range(hidden):
            x = h1[j]
            line, rise = actor.w2[head, j], grad.w2[head, j]
            g = np.float32(0.0)
            for k in range(second):
                g += line[k] * h2[k]
            for k in range(second):
                rise[k] += x * h2[k]
            if x < 0.0:
                g *= np.float32(_LEAK)
            h1[j] = g
            summed[j] += g
        for m in range(n):
            rise = grad.w1[choices.active[i, c, m]]
            v = choices.value[i, c, m]
            for j in range(hidden):
                rise[j] += v * h1[j]
    for j in range(hidden):
        grad.b1[j] += summed[j]
    for m in range(n_table):
        rise = grad.w1[choices.table[i, m]]
        for j in range(hidden):
            rise[j] += summed[j]


def polish_batches(
    seed: int,
    batches: int,
    rounds: int,
    sparring: float,
    rival: int,
    actor: Net,
    critic: Net,
    grad: Net,
    flats: Floats,
    rate: float,
    keep: float,
    fade: float,
    weight: float,
    heat: float,
    cards: int,
    starts: Ints,
    min_run: int,
    bonus: int,
    teams: int,
    sight: Sight,
    racks: Ints,
    tables: Floats,
    work: Work,
    choices: Choices,
    tallies: Floats,
) -> None:
    """Play `batches` of so many rounds, one step of learning after each."""
    np.random.seed(seed)
    players = len(racks)
    deck = np.arange(1, cards + 1)
    kinds = np.zeros(players, np.int64)
    points = np.zeros(players, np.float32)
    hidden = work.h1.shape[0]
    critic_base = np.zeros(hidden, np.float32)
    summed = np.zeros(hidden, np.float32)
    worths = np.zeros(CANDIDATES)
    wins, margins = np.zeros((2, CANDIDATES)), np.zeros((2, CANDIDATES))
    for _ in range(batches):
        seen = 0.0
        for _ in range(rounds):
            for i in range(cards - 1, 0, -1):
                j = np.random.randint(0, i + 1)
                deck[i], deck[j] = deck[j], deck[i]
            for seat in range(players):
                kinds[seat] = rival if np.random.random() < sparring else LEARNER
            choices.count[0] = 0
            winner = play_softly(
                actor,
                critic,
                kinds,
                weight,
                heat,
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
                critic_base,
                worths,
                wins,
                margins,
                choices,
            )
            score(racks, winner, bonus, teams, points)
            total = 0.0
            for seat in range(players):
                total += points[seat]
            tallies[2] += 1.0
            tallies[3] += winner < 0
            for seat in range(players):
                if kinds[seat] != LEARNER:
                    continue
                mine = winner >= 0 and (seat == winner or (teams and seat % 2 == winner % 2))
                if teams:
                    margin = points[seat] - points[(seat + 1) % players]
                else:
                    margin = points[seat] - (total - points[seat]) / (players - 1)
                target = weight * (1.0 if mine else 0.0) + (1.0 - weight) * margin / SCALE
                for i in range(choices.count[0] - 1, -1, -1):
                    if choices.seat[i] != seat:
                        continue
                    gain = target - choices.expected[i]
                    learn_choice(actor, grad, weight, choices, i, gain, work, summed)
                    seen += 1.0
                    tallies[0] += gain * gain
                    tallies[1] += 1.0
                    target = fade * target + (1.0 - fade) * choices.expected[i]
        if seen:
            for i in range(flats.shape[1]):
                flats[1, i] /= np.float32(seen)
            step_part(flats[0], flats[1], flats[2], flats[3], flats[4], rate, keep)
