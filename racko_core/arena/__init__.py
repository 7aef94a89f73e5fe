"""The arena: many games between bots, on all cores, and how strong that shows them to be.

    contest = Contest.of(["solid", "novice"], Rules(), count=1000, seed="1")
    tally = Tally(contest)
    for report in play(contest, bot, jobs=cores()):
        tally.add(report)
    print(tally.standing())

The same contest gives the same standing, whatever the number of jobs; only what is measured, the
`Effort`, differs. ARENA.md says how to read it, and what `racko arena --json` prints.
"""

from racko_core.arena.contest import ArenaError, Contest, Unit
from racko_core.arena.hall import WIDTH, Batching, Effort, Hall, Make, Outcome, Report
from racko_core.arena.plain import FORMAT, to_dict
from racko_core.arena.tally import Estimate, Pair, Row, Standing, Tally
from racko_core.arena.workers import cores, play

__all__ = [
    "FORMAT",
    "WIDTH",
    "ArenaError",
    "Batching",
    "Contest",
    "Effort",
    "Estimate",
    "Hall",
    "Make",
    "Outcome",
    "Pair",
    "Report",
    "Row",
    "Standing",
    "Tally",
    "Unit",
    "cores",
    "play",
    "to_dict",
]
