"""The arena on a Dask cluster that is there already. Needs the extra `cluster`, here and there.

Decks go out in chunks. They may be played twice, when a machine is lost, but are counted once.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Generator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Final

from distributed import Client, Future, KilledWorker, as_completed

from racko_core import __version__
from racko_core.arena.contest import ArenaError, Contest
from racko_core.arena.hall import WIDTH, Hall, Make, Report
from racko_core.errors import N_, RackoError

_TABLES_AT_ONCE: Final = 2 * WIDTH
"""In a chunk."""
_AHEAD: Final = 2
"""Chunks for each thread of the cluster that are sent before one comes back."""
_CHUNKS_EACH: Final = 4
"""Chunks that each thread should get at least, so that all of them end at about the same time."""
_PATIENCE: Final = 10
"""Seconds to wait for the scheduler to answer, and for a first worker."""


def play(contest: Contest, make: Make, address: str) -> Generator[Report, None, None]:
    """Play the contest on the cluster whose scheduler is at `address`; report as it goes on.

    Close the generator to stop before the end. Raises `RackoError` where the cluster cannot be
    reached, lacks racko, or a bot cannot be made there.
    """
    logging.getLogger("distributed").setLevel(
        logging.CRITICAL
    )  # its complaints are not for players
    client = _connected(address)
    try:
        yield from _play(contest, make, client, address)
    finally:
        client.close()


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError):
        pass  # it says why in many words, none of them for players
    # A client that could not connect closes itself when it is collected, and needs a lock for that
    # which Dask holds while it starts a loop. Collected just then, it would wait for ever.
    gc.collect()
    raise ArenaError(
        N_("There is no Dask scheduler at “{address}”; start one, or check the address."),
        address=address,
    )


def _play(
    contest: Contest, make: Make, client: Client, address: str
) -> Generator[Report, None, None]:
    threads = _threads(client, address)
    size = max(1, _TABLES_AT_ONCE // contest.tables_per_deck)
    size = min(size, -(-contest.decks // (threads * _CHUNKS_EACH)))
    chunks = (
        range(start, min(start + size, contest.decks)) for start in range(0, contest.decks, size)
    )

    def submitted(chunk: range) -> Future:
        return client.submit(_chunk, contest, make, chunk, __version__, pure=False)

    first = [submitted(chunk) for chunk in islice(chunks, threads * _AHEAD)]
    running = as_completed(first, loop=client.loop)
    for future in running:
        try:
            report: Report = future.result()
        except CancelledError:
            raise ArenaError(
                N_("The connection to the Dask scheduler at “{address}” was lost."),
                address=address,
            ) from None
        except KilledWorker:
            raise ArenaError(N_("The workers of the cluster ended again and again.")) from None
        except ModuleNotFoundError as missing:
            raise ArenaError(
                N_("The workers of the cluster lack “{module}”; install racko {version} there."),
                module=missing.name,
                version=__version__,
            ) from None
        future.release()
        for chunk in islice(chunks, 1):
            running.add(submitted(chunk))
        yield report


def _threads(client: Client, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise ArenaError(
            N_("The Dask cluster at “{address}” has no workers; start some."), address=address
        ) from None
    return sum(client.nthreads().values())


# On the cluster


def _chunk(contest: Contest, make: Make, decks: range, version: str) -> Report:
    if version != __version__:
        raise RackoError(
            N_("The cluster has racko {theirs}, and here is {ours}; install the same."),
            theirs=__version__,
            ours=version,
        )
    hall = Hall(contest, make)
    try:
        return Report(list(hall.play(decks)), hall.efforts())
    finally:
        hall.close()
