"""A standing in plain values: what `racko arena --json` prints.

ARENA.md tells it to its readers.
"""

from __future__ import annotations

from typing import Any, Final

from racko_core import __version__
from racko_core.arena.tally import Estimate, Pair, Row, Standing

FORMAT: Final = 1
"""Of the object; it changes when something is renamed, removed, or means something else."""


def to_dict(standing: Standing, seconds: float, jobs: int | None) -> dict[str, Any]:
    """The standing under names that stay. Everything that a clock has to do with is in `timing`.

    `seconds` is how long the play took, in `jobs` processes, None for those of a cluster.
    """
    contest, rows = standing.contest, standing.rows
    return {
        "format": FORMAT,
        "racko": __version__,
        "complete": standing.complete,
        "unit": contest.unit,
        "seed": contest.seed,
        "rules": contest.rules.to_dict(),
        "matches": [[contest.bots[bot] for bot in match] for match in contest.matches],
        "decks": standing.decks,
        "tables": standing.tables,
        "rounds": standing.rounds,
        "stalemates": standing.stalemates,
        "bots": [_bot(row) for row in rows],
        "pairs": [_pair(pair) for pair in standing.pairs],
        "timing": {
            "seconds": round(seconds, 3),
            "jobs": jobs,
            "decisions": {row.name: row.effort.decisions for row in rows},
            "milliseconds_a_decision": {row.name: row.effort.milliseconds for row in rows},
        },
    }


def _bot(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "rounds": row.rounds,
        "share_of_rounds": _estimate(row.share_of_rounds),
        "share_of_games": _estimate(row.share_of_games),
        "points": _estimate(row.points),
        "margin": _estimate(row.margin),
        "turns_when_winning": _estimate(row.turns_when_winning),
        "stalemates": _estimate(row.stalemates),
        "elo": _estimate(row.elo),
        "failures": row.effort.failures,
        "trouble": str(row.effort.trouble) if row.effort.trouble else None,
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {"bots": list(pair.bots), "met": pair.met, "score": _estimate(pair.score)}


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "error": estimate.error}
