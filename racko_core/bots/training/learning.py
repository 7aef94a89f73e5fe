"""What the network learns from rounds: temporal differences, one step of Adam a batch of rounds.

Plain loops over arrays, compiled by `compiling`. Source of the method: Sutton, "Learning to predict
by the methods of temporal differences" (1988); Tesauro's TD-Gammon (1995) for games with dice.
"""

from __future__ import annotations

import math

import numpy as np

from racko_core.bots.expert.network import LEAK, SCALE
from racko_core.bots.training.rounds import (
    CASUAL,
    LEARNER,
    PROGRAMME,
    SORTER,
    Samples,
    Table,
    is_winner,
    margin_of,
    play_round,
    score,
)
from racko_core.bots.training.thinking import Floats, Net, Terms, Work, evaluate


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
            g *= np.float32(LEAK)
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
            g *= np.float32(LEAK)
        base[j] = g
        grad.b1[j] += g
    for m in range(n):
        slope = grad.w1[samples.active[i, m]]
        v = samples.value[i, m]
        for j in range(hidden):
            slope[j] += v * base[j]
    return loss


def learn_round(
    terms: Terms,
    table: Table,
    net: Net,
    grad: Net,
    fade: float,
    winner: int,
    points: Floats,
    tallies: Floats,
) -> None:
    """Add the gradient of everything that learners valued in a round that is over.

    Targets are lambda-returns: each is the next valuation of the same seat and what came of it,
    mixed; `fade` is lambda.
    """
    samples = table.samples
    for seat in range(points.shape[0]):
        win = 1.0 if is_winner(terms, seat, winner) else 0.0
        margin = margin_of(terms, seat, points) / SCALE
        for i in range(samples.count[0] - 1, -1, -1):
            if samples.seat[i] != seat:
                continue
            tallies[0] += learn(net, grad, samples, i, win, margin, table.work)
            tallies[1] += 1.0
            win = fade * win + (1.0 - fade) * samples.win[i]
            margin = fade * margin + (1.0 - fade) * samples.margin[i]


def take_step(flats: Floats, samples: float, rate: float, keep: float) -> None:
    """One step of Adam, and of the mean of the weights; clears the gradient.

    `flats` are the weights, the sum of the gradients of so many samples, the two moments, and the
    mean weights.
    """
    w, g, m, v, mean = flats[0], flats[1], flats[2], flats[3], flats[4]
    for i in range(w.shape[0]):
        slope = g[i] / np.float32(samples)
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * slope
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * slope * slope
        w[i] -= np.float32(rate) * m[i] / (np.sqrt(v[i]) + np.float32(1e-6))
        mean[i] = np.float32(keep) * mean[i] + np.float32(1.0 - keep) * w[i]
        g[i] = 0.0


def shuffle(deck: Floats) -> None:
    """Put the cards in any order, each equally likely."""
    for i in range(len(deck) - 1, 0, -1):
        j = np.random.randint(0, i + 1)
        deck[i], deck[j] = deck[j], deck[i]


def play_batches(
    terms: Terms,
    table: Table,
    net: Net,
    grad: Net,
    flats: Floats,
    seed: int,
    batches: int,
    rounds: int,
    sparring: float,
    rival: int,
    casual: float,
    sorter: float,
    rate: float,
    keep: float,
    fade: float,
    tallies: Floats,
) -> None:
    """Play `batches` of so many rounds, one step of learning after each.

    A seat is played by `rival` with chance `sparring`; where that is the programme, `casual` of
    these seats by the casual one, `sorter` of them by the sorter. `tallies` adds up loss, samples,
    rounds and stalemates.
    """
    np.random.seed(seed)
    players = len(table.racks)
    deck = np.arange(1, terms.cards + 1)
    kinds = np.zeros(players, np.int64)
    which = np.zeros(players, np.int64)
    points = np.zeros(players, np.float32)
    for _ in range(batches):
        before = tallies[1]
        for _ in range(rounds):
            shuffle(deck)
            for seat in range(players):
                kinds[seat] = rival if np.random.random() < sparring else LEARNER
                if kinds[seat] == PROGRAMME:
                    chance = np.random.random()
                    if chance < casual:
                        kinds[seat] = CASUAL
                    elif chance < casual + sorter:
                        kinds[seat] = SORTER
            first = np.random.randint(0, players)
            winner = play_round(terms, table, (net, net), which, kinds, deck, first)
            score(terms, table.racks, winner, points)
            learn_round(terms, table, net, grad, fade, winner, points, tallies)
            tallies[2] += 1.0
            tallies[3] += winner < 0
        if tallies[1] > before:
            take_step(flats, tallies[1] - before, rate, keep)


def compare(
    terms: Terms,
    table: Table,
    nets: tuple[Net, Net],
    rival: int,
    seed: int,
    decks: int,
    shares: Floats,
    margins: Floats,
) -> None:
    """The first net against `rival` in all other seats: a programme, or a learner with the second
    net. By deck: the share of rounds it won over all its seats, and its mean margin.
    """
    np.random.seed(seed)
    players = len(table.racks)
    deck = np.arange(1, terms.cards + 1)
    kinds = np.zeros(players, np.int64)
    which = np.zeros(players, np.int64)
    points = np.zeros(players, np.float32)
    places = 2 if terms.teams else players
    for number in range(decks):
        shuffle(deck)
        for place in range(places):
            for seat in range(players):
                mine = is_winner(terms, seat, place)
                kinds[seat] = LEARNER if mine else rival
                which[seat] = 0 if mine else 1
            winner = play_round(terms, table, nets, which, kinds, deck, 0)
            score(terms, table.racks, winner, points)
            shares[number] += (1.0 if is_winner(terms, place, winner) else 0.0) / places
            margins[number] += margin_of(terms, place, points) / places
