"""How long the bots think, and how many rounds they win against `solid`.

    python -m tests.bench.bots [--quick]

Every deck is played once from each seat. The first line is the yardstick: empty decisions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import perf_counter

from racko_core.actions import DEAL, Action
from racko_core.bots import LEVELS, Bot, bot
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import View

GUARD = 3
RULES = {
    "two players": Rules(stalemate_turnovers=GUARD),
    "four players": Rules(players=4, stalemate_turnovers=GUARD),
    "a run of three": Rules(min_run=3, stalemate_turnovers=GUARD),
    "bonus": Rules(bonus=True, stalemate_turnovers=GUARD),
}


class Timed:
    """A bot and how long it thought."""

    def __init__(self, player: Bot) -> None:
        self._player = player
        self.seconds = 0.0
        self.decisions = 0

    def decide(self, view: View) -> Action:
        start = perf_counter()
        action = self._player.decide(view)
        self.seconds += perf_counter() - start
        self.decisions += 1
        return action

    @property
    def microseconds(self) -> float:
        return 1e6 * self.seconds / max(1, self.decisions)


class Empty:
    """Decides on the first legal action."""

    def decide(self, view: View) -> Action:
        return view.legal[0]


def share_won(rules: Rules, player: Bot, others: Bot, decks: int) -> float:
    wins = 0
    for deck in range(decks):
        for place in range(rules.players):
            players = [others] * rules.players
            players[place] = player
            game = Game.new(rules, seed_from(deck))
            game.apply(DEAL)
            while not game.sheet:
                assert game.turn is not None
                game.apply(players[game.turn].decide(game.view(game.turn)))
            wins += game.sheet[0].went_out == place
    return wins / (decks * rules.players)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    decks = 2 if parser.parse_args(arguments).quick else 200
    empty = Timed(Empty())
    share_won(RULES["two players"], empty, Empty(), decks)
    print(f"yardstick: {empty.microseconds:.2f} us an empty decision")
    for name, rules in RULES.items():
        for level in LEVELS:
            player = Timed(bot(level))
            share = share_won(rules, player, bot("solid"), decks)
            print(f"{name:15} {level:8} {player.microseconds:7.1f} us  {share:6.1%} of rounds")


if __name__ == "__main__":
    main()
