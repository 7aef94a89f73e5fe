"""How fast bots play in the arena, how long they think, and how many rounds they win.

    python -m tests.bench.bots [--quick]

First each level against itself, on one core. Aims: 1,000 rounds a second between novices, 250
between solid bots, 10 between experts. The line above them is the baseline: the same arena, games
and views with bots that decide nothing. Seconds there are those of the processor, so that other
programs count for little. Then each level against `solid`, under several rules; how long it thinks
is by the clock, for many tables at once where a level can. Last the expert at a single table, as
people meet it: the mean of its decisions, the time that 99 of 100 keep to, and the worst, by the
processor again, for a single interruption would be the worst.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from time import process_time

from racko_core.actions import Action
from racko_core.arena import Contest, Standing, Tally, play
from racko_core.bots import LEVELS, Bot, bot
from racko_core.rules import Rules
from racko_core.view import View

RULES = {
    "two players": Rules(),
    "four players": Rules(players=4),
    "a run of three": Rules(min_run=3),
    "bonus": Rules(bonus=True),
}
BASELINE = "empty"
AIMS = {"novice": 1000, "solid": 250, "expert": 10}
ROUNDS = {BASELINE: 500, "novice": 4000, "expert": 300}
"""Rounds for the speed, where they are not `USUAL`."""
USUAL = 600
MATCH = 100
"""Rounds of a match, in each rotation."""
SLOWEST = "expert"
"""The level whose single decisions are timed."""


class Empty:
    """Decides on the first legal action."""

    def decide(self, view: View) -> Action:
        return view.legal[0]


class Timed:
    """A bot that is asked for one decision at a time, and the seconds that each of them took."""

    def __init__(self, player: Bot) -> None:
        self._player = player
        self.seconds: list[float] = []

    def decide(self, view: View) -> Action:
        start = process_time()
        action = self._player.decide(view)
        self.seconds.append(process_time() - start)
        return action


def named(name: str) -> Bot:
    return Empty() if name == BASELINE else bot(name)


@dataclass
class Run:
    """What came of a contest, and the seconds it took."""

    standing: Standing
    seconds: float

    @property
    def speed(self) -> float:
        """Rounds a second."""
        return self.standing.rounds / self.seconds

    @property
    def decisions(self) -> int:
        return sum(row.effort.decisions for row in self.standing.rows)


def run(names: Sequence[str], rules: Rules, rounds: int) -> Run:
    contest = Contest.of(names, rules, count=rounds, seed="bench")
    tally = Tally(contest)
    start = process_time()
    for report in play(contest, named):
        tally.add(report)
    return Run(tally.standing(), process_time() - start)


def warm(level: str, rules: Rules) -> None:
    """Let a level make its tables, or read its networks."""
    run([level, level], rules, 1)


def single(rules: Rules, rounds: int) -> list[float]:
    """Seconds of each decision of the slowest level against `solid`, the longest last."""
    timed = Timed(bot(SLOWEST))
    contest = Contest.of([SLOWEST, "solid"], rules, count=rounds, seed="bench")
    for _report in play(contest, lambda name: timed if name == SLOWEST else bot(name)):
        pass
    return sorted(timed.seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    quick = parser.parse_args(arguments).quick
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

    print(f"{'on one core':22}{'rounds/s':>10}{'aim':>8}{'us a decision, games and views too':>37}")
    for level in (BASELINE, *LEVELS):
        warm(level, Rules())
        alike = run([level, level], Rules(), 2 if quick else ROUNDS.get(level, USUAL))
        whole = 1e6 * alike.seconds / alike.decisions
        aim = f"{AIMS[level]:,}" if level in AIMS else ""
        match = f"{level} v {level}"
        print(f"{match:22}{alike.speed:10,.0f}{aim:>8}{whole:37.1f}")

    print()
    for name, rules in RULES.items():
        for level in LEVELS:
            warm(level, rules)
            rounds = 2 if quick else MATCH * rules.players
            row = run([level, "solid"], rules, rounds).standing.rows[0]
            share = row.share_of_rounds
            print(
                f"{name:15} {level:8} {1000 * (row.effort.milliseconds or 0):8.1f} us"
                f"  {share.value or 0:6.1%} of rounds against solid"
                + ("" if share.error is None else f" +/- {share.error:.1%}")
            )

    print(f"\n{SLOWEST + ', one table':22}{'decisions':>10}{'mean ms':>9}{'99 %':>8}{'worst':>8}")
    for name, rules in RULES.items():
        warm(SLOWEST, rules)
        found = single(rules, 2 if quick else MATCH * rules.players)
        figures = fmean(found), found[99 * len(found) // 100], found[-1]
        mean, most, worst = (1000 * seconds for seconds in figures)
        print(f"{name:22}{len(found):10,}{mean:9.2f}{most:8.2f}{worst:8.2f}")


if __name__ == "__main__":
    main()
