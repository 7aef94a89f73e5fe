"""Rounds played among learners and programmes.

Plain loops over arrays, compiled by `compiling`; a round of two players takes less than a
millisecond then. Only the rules that the network must know are here: no scores of a game, no draw
pile that is shuffled, and whoever can go out does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from racko_core.bots.expert.inputs import (
    front_cards,
    run_length,
)
from racko_core.bots.expert.memory import (
    DISCARDS,
    DRAWS,
    ORDERED,
    SLOTS,
    TURNOVERS,
    Sight,
    saw_declined,
    saw_discard,
    saw_draw,
    saw_place,
    saw_take,
    saw_turnover,
)
from racko_core.bots.expert.network import AFTER, DRAWING
from racko_core.bots.training.thinking import (
    FREE,
    Floats,
    Ints,
    Net,
    Terms,
    Work,
    best_casual,
    best_learnt,
    best_programme,
    best_sorter,
)

LEARNER: Final = 0
PROGRAMME: Final = 1
TEACHER: Final = 2
CASUAL: Final = 3
SORTER: Final = 4
"""Who plays a seat: the network, a programme, a programme that the network learns from, or one that
plays as `casual` or as `reference.Sorter` does."""

MOST_SAMPLES: Final = 512
GUARD: Final = 3
"""Turn-overs that end a round without a winner."""
_LIMIT: Final = 80
"""Turns of a player after which a round has no winner: nobody may ever draw a card."""


class Samples(NamedTuple):
    """The positions that learners valued in one round."""

    active: Ints
    value: Floats
    size: Ints
    head: Ints
    seat: Ints
    win: Floats
    margin: Floats
    count: Ints


class Table(NamedTuple):
    """Where a round is played."""

    sight: Sight
    racks: Ints
    """By player and slot."""
    work: Work
    samples: Samples


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


def score(terms: Terms, racks: Ints, winner: int, points: Floats) -> None:
    """Fill in the points of every player; a team's are halved and given to both."""
    players = racks.shape[0]
    for seat in range(players):
        points[seat] = 5.0 * (front_cards(racks[seat]) + 1)
        if seat == winner:
            points[seat] = 75.0
        if terms.bonus and is_winner(terms, seat, winner):
            points[seat] += bonus_of(run_length(racks[seat]))
    if terms.teams:
        for seat in range(2):
            both = 0.5 * (points[seat] + points[seat + 2])
            points[seat] = both
            points[seat + 2] = both


def is_winner(terms: Terms, seat: int, winner: int) -> bool:
    """Whether the seat's side went out."""
    if winner < 0:
        return False
    return bool(seat == winner or (terms.teams and seat % 2 == winner % 2))


def margin_of(terms: Terms, seat: int, points: Floats) -> float:
    """The side's points less the mean of the others'."""
    players = points.shape[0]
    if terms.teams:
        return float(points[seat] - points[(seat + 1) % players])
    total = 0.0
    for other in range(players):
        total += points[other]
    return float(points[seat] - (total - points[seat]) / (players - 1))


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


def deal(terms: Terms, table: Table, deck: Ints, first: int) -> int:
    """Deal from `deck`, to the player `first` first; whoever is out at once, else -1."""
    sight, racks = table.sight, table.racks
    players = len(racks)
    clear(sight)
    table.samples.count[0] = 0
    place = 0
    for slot in range(SLOTS - 1, -1, -1):
        for seat in range(players):
            racks[(first + seat) % players, slot] = deck[place]
            place += 1
    sight.discards[0] = deck[place]
    place += 1
    sight.counts[DISCARDS] = 1
    # The draw pile has its top last; nobody looks into it before it was turned over.
    count = terms.cards - place
    for i in range(count):
        sight.draw[count - 1 - i] = deck[place + i]
    sight.counts[DRAWS] = count
    for i in range(players):
        seat = (first + i) % players
        if is_out(racks[seat], terms.min_run):
            return int(seat)
    return -1


def keep_sample(samples: Samples, work: Work, head: int, seat: int) -> None:
    """Remember the position that was chosen."""
    i = samples.count[0]
    if i >= MOST_SAMPLES:
        return
    n = int(work.result[2])
    for j in range(n):
        samples.active[i, j] = work.best_active[j]
        samples.value[i, j] = work.best_value[j]
    samples.size[i] = n
    samples.head[i] = head
    samples.seat[i] = seat
    samples.win[i] = work.result[0]
    samples.margin[i] = work.result[1]
    samples.count[0] += 1


def choose(terms: Terms, table: Table, net: Net, kind: int, seat: int, hand: int) -> int:
    """What the player of a seat chooses; remembers the position that learners learn from."""
    sight, rack, work = table.sight, table.racks[seat], table.work
    forced = FREE
    if kind == CASUAL:
        return best_casual(terms, sight, seat, rack, hand, work)
    if kind == SORTER:
        return best_sorter(terms, sight, seat, rack, hand, work)
    if kind != LEARNER:
        forced = best_programme(terms, sight, seat, rack, hand, work)
        if kind == PROGRAMME:
            return forced
    slot = best_learnt(terms, net, sight, seat, rack, hand, forced, work)
    keep_sample(table.samples, work, DRAWING if slot < 0 and not hand else AFTER, seat)
    return slot


def play_round(
    terms: Terms,
    table: Table,
    nets: tuple[Net, Net],
    which: Ints,
    kinds: Ints,
    deck: Ints,
    first: int,
) -> int:
    """Play one round from a deck; the seat that goes out, or -1 for a stalemate.

    Seat `s` is played by `kinds[s]`, a learner with the net `nets[which[s]]`. What learners
    valued is in `samples` then.
    """
    sight, racks = table.sight, table.racks
    winner = deal(terms, table, deck, first)
    if winner >= 0:
        return winner
    seat = int(first)
    while True:
        rack = racks[seat]
        net = nets[which[seat]]
        slot = choose(terms, table, net, kinds[seat], seat, 0)
        if slot >= 0:
            out = rack[slot]
            rack[slot] = sight.discards[sight.counts[DISCARDS] - 1]
            saw_take(sight, seat, slot, out)
        else:
            saw_declined(sight, seat)
            card = sight.draw[sight.counts[DRAWS] - 1]
            saw_draw(sight)
            slot = choose(terms, table, net, kinds[seat], seat, card)
            if slot >= 0:
                out = rack[slot]
                rack[slot] = card
                saw_place(sight, seat, slot, card if sight.counts[ORDERED] else 0, out)
            else:
                saw_discard(sight, seat, card)
        if is_out(rack, terms.min_run):
            return seat
        if sight.counts[DRAWS] == 0:
            saw_turnover(sight, terms.cards)
            if sight.counts[TURNOVERS] == GUARD:
                return -1
        if sight.turns[seat] == _LIMIT:
            return -1
        seat = (seat + 1) % len(racks)
