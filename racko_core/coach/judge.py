"""The coach's judgement: that of the strongest bot, which plays RACK-O by the game's standing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from racko_core.actions import DRAW
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.calling import with_racko
from racko_core.bots.expert import Expert
from racko_core.bots.expert.called import going_out, holds_racko
from racko_core.coach.room import longer_runs, may_come
from racko_core.view import View

Ranked = tuple[Appraisal, ...]


class Judge:
    """Ranks first what the strongest bot does."""

    def __init__(self) -> None:
        self._expert = Expert()

    def appraise(self, view: View) -> Ranked:
        """Every legal action, the best first."""
        return self.appraise_many([view])[0]

    def appraise_many(self, views: Sequence[View]) -> list[Ranked]:
        """What `appraise` says of each view; faster than one by one."""
        found = self._expert.appraise_many(views)
        return [
            _with_racko(view, ranked) if holds_racko(view) else ranked
            for view, ranked in zip(views, found, strict=True)
        ]


def _with_racko(view: View, ranked: Ranked) -> Ranked:
    """Whoever holds RACK-O keeps it, and goes out or plays on by the chance to win the game, which
    the worth of a round does not tell.
    """
    coming = may_come(view)
    win, points = going_out(view, view.rack)
    gain = sum(longer_runs(view.rack, coming, view.rules).values()) / max(1, len(coming))
    action = with_racko(view)
    ranked = tuple(
        replace(one, win=win, points=points + gain) if one.action == DRAW else one for one in ranked
    )
    best = next(one for one in ranked if one.action == action)
    others = [one for one in ranked if one is not best]
    apart = best.error
    return (
        replace(best, error=0.0),
        *(replace(one, error=one.error or apart) for one in others),
    )
