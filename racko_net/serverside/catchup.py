"""The disk catches up with what was handed to the system, beside the play and not in its way.

A killed server loses nothing; this is for a power cut, which may cost a server its last second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Final

from racko_core.errors import RackoError

WITHIN: Final = 0.5
"""Seconds after which the disk begins to catch up; the rest of the second is for the disk."""
ROUNDS: Final = 20
"""Of so many times, once the log is moved into the file: the next write then waits for the disk."""


class CatchUp:
    """Has the disk catch up while there is something to catch up with."""

    def __init__(
        self,
        sync: Callable[[], None],
        tidy: Callable[[], None],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`sync` waits for the disk, and so does `tidy`, which clears up besides; both are called
        in another thread.
        """
        self._rounds = cycle([tidy, *[sync] * (ROUNDS - 1)])
        self._sleep = sleep
        self._behind = False
        self._task: asyncio.Task[None] | None = None

    def written(self) -> None:
        """Something was handed to the system."""
        self._behind = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while self._behind:
            await self._sleep(WITHIN)
            self._behind = False
            try:
                await asyncio.to_thread(next(self._rounds))
            except RackoError:  # the next write fails too, and the players are told
                self._behind = True

    async def close(self) -> None:
        """Leave the rest to the store, which catches up when it is closed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
