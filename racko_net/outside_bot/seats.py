"""The seats of one table that programs play: they are asked beside the event loop, never in it.

Whoever runs a table on an event loop calls `look` after everything that happens there. Each answer
comes back as an input of the table, when it is due; so does the failure of a program. A program
is started when its first decision comes, and ended when its seat, its game or the table is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from racko_core.actions import Action
from racko_core.errors import RackoError
from racko_core.rules import Seat
from racko_core.seating import Do, Forfeit, Input, Stage
from racko_core.table import Table
from racko_core.view import View
from racko_net.outside_bot.permission import OutsideError, Programs
from racko_net.outside_bot.player import OutsideBot, seated
from racko_net.outside_bot.program import Unwanted

_log = logging.getLogger(__name__)

Result = TypeVar("Result")


class OutsideSeats:
    """Asks the programs at one table."""

    def __init__(
        self,
        table: Table,
        put: Callable[[Input, RackoError | None], None],
        clock: Callable[[], float],
        programs: Programs | None = None,
    ) -> None:
        """`put` does an input at the table, and calls `look` again; with the failure of a program
        comes the reason, for nobody but whose program it is. `clock` is the table's.
        """
        self._table = table
        self._put = put
        self._clock = clock
        self._programs = programs or Programs()
        self._bots: dict[Seat, tuple[str, OutsideBot]] = {}
        """With their levels."""
        self._question: tuple[int, int, Seat] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def look(self) -> None:
        """See what has changed: ask who has to decide, end what is no longer needed."""
        if self._closed:
            return
        for seat, (level, _) in list(self._bots.items()):
            if not self._needed(seat, level):
                self._end(seat)
        question = self._wanted()
        if question is not None and question != self._question:
            self._question = question
            self._start(self._ask(question))

    def dismiss(self) -> None:
        """End every program, for there is no table any more."""
        self._closed = True
        for seat in list(self._bots):
            self._end(seat)

    async def close(self) -> None:
        """The same; returns when they have ended."""
        self.dismiss()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _needed(self, seat: Seat, level: str) -> bool:
        """Whether the program at a seat will be asked again, as things stand."""
        table = self._table
        if table.stage is Stage.FINISHED or seat >= len(table.chairs):
            return False
        return table.chairs[seat].level == level and not table.deserted

    def _wanted(self) -> tuple[int, int, Seat] | None:
        """What is to be decided now: in which game, after what, by whom."""
        asked = self._table.asks()
        return None if asked is None else (self._table.game_number, self._table.game_seq, asked[0])

    async def _ask(self, question: tuple[int, int, Seat]) -> None:
        seat = question[2]
        view = self._table.view(seat)
        assert view is not None
        given: Input | None = None
        why: RackoError | None = None
        try:
            given = Do(seat, await self._decide(seat, view))
        except OutsideError as failed:
            _log.warning("%s", failed)
            given, why = Forfeit(seat, failed.why), failed
        except Unwanted:
            pass
        except Exception:  # whatever it is, the others at the table must not wait for ever
            _log.exception("a program could not be asked")
            given = Forfeit(seat, "bot-wrong")
        asked = self._table.asks()
        if asked is not None and isinstance(given, Do):
            await asyncio.sleep(asked[1] - self._clock())
        wanted = self._wanted() == question
        if self._question == question:
            self._question = None
        if given is None or not wanted or self._closed:
            self.look()  # paused meanwhile, or gone; what is wanted is asked again
            return
        try:
            self._put(given, why)
        except RackoError as refused:
            _log.error("what a program did was refused: %s", refused)
            if isinstance(given, Do):
                self._put(Forfeit(seat, "bot-wrong"), refused)

    async def _decide(self, seat: Seat, view: View) -> Action:
        if self._closed:
            raise Unwanted
        level = self._table.chairs[seat].level
        if seat not in self._bots:
            self._bots[seat] = level, seated(level, self._programs)
        _, outside = self._bots[seat]
        return await beside(lambda: outside.decide(view))

    def _end(self, seat: Seat) -> None:
        _, outside = self._bots.pop(seat)
        self._start(beside(outside.close))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def beside(work: Callable[[], Result]) -> Result:
    """Do something that waits in a thread of its own.

    Not in one of the loop's: they are few, and the end of this process would wait for them.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def run() -> None:
        try:
            result = work()
        except Exception as error:
            tell = _fail(future, error)
        else:
            tell = _succeed(future, result)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(tell)

    threading.Thread(target=run, name="outside bot", daemon=True).start()
    return await future


def _succeed(future: asyncio.Future[Result], result: Result) -> Callable[[], None]:
    return lambda: None if future.done() else future.set_result(result)


def _fail(future: asyncio.Future[Result], error: Exception) -> Callable[[], None]:
    return lambda: None if future.done() else future.set_exception(error)
