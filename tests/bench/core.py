"""How fast the core is: turns and rounds per second, and where the time goes.

    python -m tests.bench.core [--quick]

Figures of different machines are compared by the yardstick in the first line. Aims: 100,000 bare
turns a second, and 1,000 two-player rounds a second between novices with views, events and record.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from statistics import median
from time import perf_counter

from racko_core.actions import DEAL, Action
from racko_core.bots import bot
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.record import SeatName, write
from racko_core.rules import Rules
from racko_core.view import Phase

LEVEL = "novice"
GUARD = 3
"""Renewals of the draw pile after which a round ends; simulations always set it."""


@dataclass
class Scale:
    """How much is measured."""

    turns: int = 100_000
    games: int = 40
    repeats: int = 3


QUICK = Scale(turns=200, games=1, repeats=1)


@dataclass
class Shares:
    """Seconds spent in each part of a game between bots."""

    engine: float = 0.0
    views: float = 0.0
    bots: float = 0.0
    record: float = 0.0

    def total(self) -> float:
        return self.engine + self.views + self.bots + self.record


class Empty:
    """What the yardstick calls."""

    def nothing(self) -> None:
        pass


def seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def yardstick(calls: int) -> float:
    """Calls a second of a method that does nothing."""
    nothing = Empty().nothing

    def work() -> None:
        for _ in range(calls):
            nothing()

    return calls / seconds(work)


def random_turns(rules: Rules, turns: int) -> tuple[float, float]:
    """Turns a second of random legal actions: applied alone, and chosen as well."""
    rng = random.Random(1)
    game = Game.new(rules, seed_from(1))
    ended = 0

    def play() -> None:
        nonlocal ended
        while ended < turns:
            ended += game.phase is Phase.TURN
            game.apply(rng.choice(game.legal_actions()))

    chosen = turns / seconds(play)
    again = Game.new(rules, seed_from(1))

    def apply() -> None:
        for action in game.actions:
            again.apply(action)

    return turns / seconds(apply), chosen


def bot_game(rules: Rules, number: int, shares: Shares) -> Game:
    """One game between bots, recorded; adds to `shares` where its time went."""
    seed = seed_from(number)
    player = bot(LEVEL)
    began = perf_counter()
    game = Game.new(rules, seed)
    shares.engine += perf_counter() - began
    while game.result is None:
        action: Action = DEAL
        if game.phase is not Phase.DEAL:
            start = perf_counter()
            view = game.view(game.turn)
            seen = perf_counter()
            action = player.decide(view)
            shares.views += seen - start
            shares.bots += perf_counter() - seen
        start = perf_counter()
        game.apply(action)
        shares.engine += perf_counter() - start
    start = perf_counter()
    record(game, seed)
    shares.record += perf_counter() - start
    return game


def record(game: Game, seed: bytes) -> str:
    return write(game, [SeatName("A bot", LEVEL)] * game.rules.players, seed=seed)


def replayed(games: Sequence[Game]) -> float:
    """Seconds to apply the actions of these games again and write their records."""

    def work() -> None:
        for number, game in enumerate(games):
            again = Game.new(game.rules, seed_from(number))
            for action in game.actions:
                again.apply(action)
            record(again, seed_from(number))

    return seconds(work)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only show that it runs")
    scale = QUICK if parser.parse_args(arguments).quick else Scale()
    rounds_of = range(scale.repeats)

    calls = median(yardstick(scale.turns * 10) for _ in rounds_of)
    print(f"yardstick: {calls / 1e6:.1f} million calls of an empty method a second\n")
    print(f"{'':27}{'2 players':>12}{'3 players':>12}{'4 players':>12}")

    bare, chosen, played, between = [], [], [], []
    shares = {}
    for players in (2, 3, 4):
        rules = Rules(players=players, stalemate_turnovers=GUARD)
        pairs = [random_turns(rules.with_changes(target=10**9), scale.turns) for _ in rounds_of]
        bare.append(median(pair[0] for pair in pairs))
        chosen.append(median(pair[1] for pair in pairs))
        total = shares[players] = Shares()
        games = [bot_game(rules, number, total) for number in range(scale.games)]
        rounds = sum(game.round for game in games)
        played.append(rounds / median(replayed(games) for _ in rounds_of))
        between.append(rounds / total.total())
    for name, figures, unit in (
        ("turns, random, bare", bare, "turns/s"),
        ("turns, chosen at random", chosen, "turns/s"),
        ("games, events and record", played, "rounds/s"),
        (f"{LEVEL}s, views as well", between, "rounds/s"),
    ):
        print(f"{name:27}" + "".join(f"{figure:12,.0f}" for figure in figures) + f" {unit}")
    print("\nwhere the time goes between bots")
    for part in fields(Shares):
        row = [getattr(total, part.name) / total.total() for total in shares.values()]
        print(f"  {part.name:25}" + "".join(f"{share:12.0%}" for share in row))


if __name__ == "__main__":
    main()
