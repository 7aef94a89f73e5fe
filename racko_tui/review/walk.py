"""Which decision of an analysis is looked at, and the way from one to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from racko_core.rules import Seat

if TYPE_CHECKING:
    from racko_core.coach import Analysis, Decision, RoundAnalysis


class Walk:
    """A walk through the decisions of one seat, or of all; before the first is the overview."""

    def __init__(self, analysis: Analysis, seat: Seat | None = None) -> None:
        """`seat`: whose decisions to look at; None for everybody's."""
        from racko_core.coach import Label

        self.analysis = analysis
        self.seat = seat
        self._steps = [
            (number, decision)
            for number, part in enumerate(analysis.rounds)
            for decision in part.decisions
        ]
        self._wrong = [decision.label is not Label.FINE for _number, decision in self._steps]
        self._at = -1

    @property
    def decision(self) -> Decision | None:
        """What is looked at; None for the overview."""
        return self._steps[self._at][1] if self._at >= 0 else None

    @property
    def round(self) -> RoundAnalysis | None:
        """The round that is looked at; None for the overview."""
        return self.analysis.rounds[self._steps[self._at][0]] if self._at >= 0 else None

    @property
    def slip_number(self) -> tuple[int, int]:
        """Which slip is looked at, 1 up, 0 for none; and how many there are."""
        slips = self._slips()
        return (slips.index(self._at) + 1 if self._at in slips else 0), len(slips)

    @property
    def slips_around(self) -> tuple[bool, bool]:
        """Whether there are slips before what is looked at, and after it."""
        slips = self._slips()
        return any(step < self._at for step in slips), any(step > self._at for step in slips)

    def step(self, by: int) -> bool:
        """Go one decision on, or back, in the end to the overview; whether there was one."""
        return self._go(self._followed(), by)

    def slip(self, by: int) -> bool:
        """Go on, or back, to a decision that is called something else than fine, in the end to
        the overview; whether there was one.
        """
        return self._go(self._slips(), by)

    def turn_page(self, by: int) -> bool:
        """Go to the first decision of the next round, or of the one before, in the end to the
        overview; whether there was one.
        """
        firsts: dict[int, int] = {}
        for step in self._followed():
            firsts.setdefault(self._steps[step][0], step)
        here = self._steps[self._at][0] if self._at >= 0 else -1
        return self._go([step for number, step in firsts.items() if (number - here) * by > 0], by)

    def begin(self) -> None:
        """Go to the overview."""
        self._at = -1

    def look_at(self, decision: Decision) -> None:
        """Go to a decision."""
        self._at = next(step for step, one in enumerate(self._steps) if one[1] is decision)

    def follow(self, seat: Seat | None) -> None:
        """Look at another seat's decisions from now on, or at everybody's."""
        self.seat = seat
        followed = self._followed()
        if self._at >= 0 and self._at not in followed:
            before = [step for step in followed if step < self._at]
            self._at = before[-1] if before else next(iter(followed), -1)

    def _followed(self) -> list[int]:
        return [
            step
            for step, (_number, decision) in enumerate(self._steps)
            if self.seat in (None, decision.seat)
        ]

    def _slips(self) -> list[int]:
        return [step for step in self._followed() if self._wrong[step]]

    def _go(self, steps: Sequence[int], by: int) -> bool:
        others = [step for step in steps if (step - self._at) * by > 0]
        if others:
            self._at = others[0] if by > 0 else others[-1]
            return True
        if by < 0 <= self._at:
            self._at = -1
            return True
        return False
