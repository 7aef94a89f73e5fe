"""An analysis in plain values: what `racko analyse --json` prints. COACH.md describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from racko_core import __version__
from racko_core.actions import encode
from racko_core.bots.appraisal import Appraisal
from racko_core.coach.analysis import Analysis, Decision, Luck, Outcome, Report, RoundAnalysis
from racko_core.coach.grading import Label
from racko_core.record import SeatName

FORMAT: Final = 1
"""Of the object; it changes when something is renamed, removed, or means something else."""

_DIGITS: Final = 5


def to_dict(analysis: Analysis, seats: Sequence[SeatName]) -> dict[str, Any]:
    """The analysis under names that stay. `seats` tells who sat where."""
    return {
        "format": FORMAT,
        "racko": __version__,
        "rules": analysis.rules.to_dict(),
        "seats": [{"name": seat.name, "kind": seat.kind} for seat in seats],
        "players": list(map(_report, analysis.reports)),
        "sides": _outcomes(analysis, analysis.outcomes),
        "rounds": [_round(analysis, part) for part in analysis.rounds],
    }


def _round(analysis: Analysis, part: RoundAnalysis) -> dict[str, Any]:
    return {
        "round": part.number,
        "went_out": None if part.ended is None else part.ended.went_out,
        "how": None if part.ended is None else part.ended.how,
        "players": list(map(_report, part.reports)),
        "sides": _outcomes(analysis, part.outcomes),
        "decisions": list(map(_decision, part.decisions)),
    }


def _report(report: Report) -> dict[str, Any]:
    accuracy = report.accuracy
    return {
        "seat": report.seat,
        "turns": report.turns,
        "accuracy": None if accuracy is None else round(accuracy, 1),
        "loss": round(report.loss, _DIGITS),
        "labels": {str(label): count for label, count in report.labels.items()},
        "luck": _luck(report.luck),
    }


def _outcomes(analysis: Analysis, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            "seats": list(side),
            "rounds": outcome.rounds,
            "points": outcome.points,
            "rounds_without_luck": round(outcome.rounds_without_luck, _DIGITS),
            "points_without_luck": round(outcome.points_without_luck, _DIGITS),
        }
        for side, outcome in zip(analysis.rules.sides, outcomes, strict=bool(outcomes))
    ]


def _decision(decision: Decision) -> dict[str, Any]:
    view = decision.view
    return {
        "number": decision.number,
        "seat": decision.seat,
        "phase": str(view.phase),
        "rack": list(view.rack),
        "discard": view.discard,
        "drawn": view.hand,
        "action": encode(decision.action),
        "best": encode(decision.best.action),
        "before": _worth(decision.best),
        "after": _worth(decision.chosen),
        "loss": round(decision.loss, _DIGITS),
        "error": round(decision.chosen.error, _DIGITS),
        "label": str(decision.label),
        "why": None if decision.label is Label.FINE else str(decision.why()),
        "luck": None if decision.luck is None else _luck(decision.luck),
        "actions": [{"action": encode(one.action), **_worth(one)} for one in decision.ranked],
    }


def _worth(appraisal: Appraisal) -> dict[str, float]:
    return {"win": round(appraisal.win, _DIGITS), "points": round(appraisal.points, _DIGITS)}


def _luck(luck: Luck) -> dict[str, float]:
    return {"win": round(luck.win, _DIGITS), "points": round(luck.points, _DIGITS)}
