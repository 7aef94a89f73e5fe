"""Whether the coach ranks players as they are, whether luck averages out, and how long it takes.

    python -m tests.bench.coach [--games N] [--jobs N] [--seed N] [--quick]

Every level plays every other, on the same decks from both seats, games to 500 for two. Printed
for each level: what it gives away in a turn, its accuracy, and the luck of its draws, each with a
standard error; then whether each level gives away less than the one before it. The errors are those
of games as wholes, since the decisions of one game hang together.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import sqrt
from time import perf_counter, process_time

from racko_core.bots import LEVELS, bot
from racko_core.coach import analyse, coach
from racko_core.coach.grading import accuracy
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.record import SeatName, read, write
from racko_core.rules import Rules

RULES = Rules(stalemate_turnovers=3)
ROUNDS = 10
"""Of the game whose analysis is timed, beside playing it again without a coach; it may take twenty
seconds."""


@dataclass(frozen=True)
class Played:
    """What one player did in one game."""

    level: str
    loss: float
    turns: int
    luck: float
    draws: int


def played(levels: Sequence[str], seed: str, rules: Rules) -> str:
    """The record of a game."""
    game = Game.new(rules, seed_from(seed))
    players = [bot(level) for level in levels]
    while game.result is None:
        assert game.turn is not None
        game.apply(players[game.turn].decide(game.view(game.turn)))
    return write(game, [SeatName(level, level) for level in levels], seed=seed_from(seed))


def judged(task: tuple[tuple[str, ...], str, Rules]) -> list[Played]:
    levels, seed, rules = task
    found = analyse(read(played(levels, seed, rules)), coach())
    draws = [0] * len(levels)
    for part in found.rounds:
        for decision in part.decisions:
            draws[decision.seat] += decision.luck is not None
    return [
        Played(levels[seat], report.loss, report.turns, report.luck.win, draws[seat])
        for seat, report in enumerate(found.reports)
    ]


def ratio(pairs: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """The sum of the first by the sum of the second, and its standard error over the pairs."""
    total, count = sum(a for a, _ in pairs), sum(n for _, n in pairs)
    mean = total / count
    spread = sum((a - mean * n) ** 2 for a, n in pairs)
    return mean, sqrt(spread * len(pairs) / max(1, len(pairs) - 1)) / count


def tasks(games: int, seed: str, rules: Rules) -> Iterator[tuple[tuple[str, ...], str, Rules]]:
    """Every ordered pair of levels on one deck after the other, so many games at least."""
    pairs = list(permutations(LEVELS, 2))
    for deck in range(-(-games // len(pairs))):
        for pair in pairs:
            yield pair, f"{seed} {deck}", rules


def rank(games: int, jobs: int, seed: str, rules: Rules) -> None:
    start = perf_counter()
    found: dict[str, list[Played]] = defaultdict(list)
    work = list(tasks(games, seed, rules))
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            results = list(pool.map(judged, work, chunksize=4))
    else:
        results = list(map(judged, work))
    for result in results:
        for one in result:
            found[one.level].append(one)
    print(f"{len(work)} games, seed {seed}, judged in {perf_counter() - start:.0f} s")
    losses = {}
    for level, ones in found.items():
        loss, error = losses[level] = ratio([(one.loss, one.turns) for one in ones])
        luck, luck_error = ratio([(one.luck, one.draws) for one in ones])
        low, high = (accuracy(loss + side * error, 1) for side in (1, -1))
        score = accuracy(loss, 1)
        assert None not in (low, high, score)
        print(
            f"{level:8} gives away {100 * loss:6.3f} ± {100 * error:.3f} points of win chance a"
            f" turn, accuracy {score:5.1f} % ({low:.1f} to {high:.1f});"
            f" luck {100 * luck:+.3f} ± {100 * luck_error:.3f} a draw"
        )
    everything = [(one.luck, one.draws) for ones in found.values() for one in ones]
    luck, error = ratio(everything)
    print(f"all draws: luck {100 * luck:+.4f} ± {100 * error:.4f} points of win chance")
    for worse, better in pairwise(level for level in LEVELS if level in losses):
        (a, a_error), (b, b_error) = losses[worse], losses[better]
        away = (a - b) / sqrt(a_error**2 + b_error**2)
        print(f"{worse} < {better}: {'yes' if a > b else 'NO'}, by {away:.1f} standard errors")


def time_ten_rounds(rounds: int) -> None:
    record = read(
        played(("solid", "casual"), "ten", RULES.with_changes(max_rounds=rounds, target=10**6))
    )
    busy = process_time()
    record.replay()
    bare = process_time() - busy
    judge = coach()
    start, busy = perf_counter(), process_time()
    found = analyse(record, judge)
    seconds, busy = perf_counter() - start, process_time() - busy
    decisions = sum(len(part.decisions) for part in found.rounds)
    print(
        f"{len(found.rounds)} rounds, {decisions} decisions: {seconds:.2f} s ({busy:.2f} s of CPU),"
        f" {1000 * busy / decisions:.2f} ms of CPU a decision;"
        f" {busy / bare:,.0f} times a replay without a coach"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args(arguments)
    time_ten_rounds(1 if given.quick else ROUNDS)
    if given.quick:
        rank(1, 1, given.seed, RULES.with_changes(max_rounds=1))
    else:
        rank(given.games, given.jobs, given.seed, RULES)


if __name__ == "__main__":
    main()
