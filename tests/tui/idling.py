"""When an app in a test has done all that follows from a key: by its event loop, not by a nap."""

from __future__ import annotations

import asyncio
from time import monotonic, process_time

SOON = 0.02
"""Seconds: what is to happen within them still belongs to what happens now."""
NAP = 0.002
BUSY = 0.0005
"""Seconds of processor time in a nap: with more, a thread is at work."""


async def wait_for_idle(min_sleep: float = SOON, max_sleep: float = 1.0) -> None:
    """Wait until nothing is left to do now or soon: what Textual's own, which this replaces in the
    tests, guesses from the processor time of naps ten times as long, and wrongly where another
    process has the processor.
    """
    loop = asyncio.get_running_loop()
    began = monotonic()
    while (passed := monotonic() - began) < max_sleep:
        worked = process_time()
        await asyncio.sleep(NAP)
        quiet = process_time() - worked < BUSY and not _something_soon(loop)
        if quiet and passed >= min_sleep:
            return


def _something_soon(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether anything is to be called at once, or by a timer within the next moment."""
    if loop._ready:  # type: ignore[attr-defined]
        return True
    until = loop.time() + SOON
    return any(
        not timer.cancelled() and timer.when() < until
        for timer in loop._scheduled  # type: ignore[attr-defined]
    )
