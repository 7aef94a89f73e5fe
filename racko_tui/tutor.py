"""The coach at work for one application, beside the screens: nothing on them waits for it.

Appraising is pure computing, a few milliseconds for a hint and seconds for a game. It is done in
threads that all applications of a process share, one for hints and one for analyses: so however
many players of a host ask at once, no more than two threads ever compete with its event loop, each
for a few milliseconds at a time. Where others play in the same process, an analysis rests after
every decision it judges, so that they have most of the time for themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from time import thread_time
from typing import TYPE_CHECKING, Final

from racko_core.record import HUMAN, Record
from racko_core.rules import Seat
from racko_core.view import View

if TYPE_CHECKING:
    from racko_core.bots.appraisal import Appraisal, Appraiser
    from racko_core.coach import Advice, Analysis, Progress

_REST: Final = 4.0
"""How long an analysis rests where others play, in terms of the time that it has just computed."""

# Their threads start when they are first needed.
_HINTS: Final = ThreadPoolExecutor(1, "racko-hint")
_ANALYSES: Final = ThreadPoolExecutor(1, "racko-analysis")


class Stopped(Exception):
    """An analysis that nobody waits for any more."""


@dataclass(frozen=True, slots=True)
class Played:
    """Rounds that can be judged, and who played them."""

    names: tuple[str, ...]
    """By seat."""
    me: Seat | None
    """The seat whose play matters most to who looks back; None if there are several, or none."""
    judge: Callable[[Appraiser, Progress], Analysis]
    """Judges every decision. Raises `RackoError` where what is known of the rounds is wrong."""

    @classmethod
    def in_record(cls, record: Record) -> Played:
        """The rounds of a game that was written down."""

        def judge(appraiser: Appraiser, progress: Progress) -> Analysis:
            from racko_core.coach import analyse

            return analyse(record, appraiser, progress)

        people = [seat for seat, who in enumerate(record.seats) if who.kind == HUMAN]
        names = tuple(who.name for who in record.seats)
        return cls(names, people[0] if len(people) == 1 else None, judge)

    @classmethod
    def seen(cls, views: Sequence[View], names: Sequence[str], me: Seat | None) -> Played:
        """Rounds that were seen to their end; of each the view after it, and before the next."""

        def judge(appraiser: Appraiser, progress: Progress) -> Analysis:
            from racko_core.coach import analyse_rounds

            return analyse_rounds(views, appraiser, progress)

        return cls(tuple(names), me, judge)


class Tutor:
    """Asks the coach for one application."""

    def __init__(
        self,
        find: Callable[[], Appraiser] | None = None,
        *,
        shared: Callable[[], bool] = lambda: False,
    ) -> None:
        """`find` gives an appraiser, by default the one that ships; `shared` tells whether others
        play in this process.
        """
        self._find = find or _coach
        self._shared = shared

    async def advise(self, view: View) -> Advice:
        """What the seat of the view should do. Raises `RackoError` where there is no coach."""
        return await asyncio.get_running_loop().run_in_executor(_HINTS, self._advise, view)

    def _advise(self, view: View) -> Advice:
        from racko_core.coach import advise

        return advise(view, self._find())

    async def analyse(self, played: Played, tell: Progress) -> Analysis:
        """Judge every decision. `tell` is called on the event loop, the first time when others who
        wait for theirs have had it; who is cancelled need not wait for the end. Raises
        `RackoError` where there is no coach, or nothing that can be judged.
        """
        loop = asyncio.get_running_loop()
        stop = Event()

        def progress(done: int, total: int) -> None:
            if stop.is_set():
                raise Stopped
            loop.call_soon_threadsafe(tell, done, total)

        def work() -> Analysis:
            if stop.is_set():
                raise Stopped
            appraiser = self._find()
            return played.judge(
                _Resting(appraiser, stop) if self._shared() else appraiser, progress
            )

        try:
            return await loop.run_in_executor(_ANALYSES, work)
        finally:
            stop.set()


class _Resting:
    """Appraises one view at a time, and rests after each."""

    def __init__(self, appraiser: Appraiser, stop: Event) -> None:
        self._appraiser = appraiser
        self._stop = stop

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        start = thread_time()
        found = self._appraiser.appraise(view)
        if self._stop.wait(_REST * (thread_time() - start)):
            raise Stopped
        return found


def _coach() -> Appraiser:
    from racko_core import coach

    return coach.coach()
