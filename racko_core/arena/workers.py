"""The arena on all cores: a process for each, and decks handed out as they get on.

A worker holds so many decks that it need not wait for the next one, and hands in what it has
finished as it goes. Which worker plays a deck, and in what order, makes no difference to what comes
of it. Workers are started afresh, not forked: whatever the bots' name stands for is imported there.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic, sleep
from types import FrameType
from typing import Final, NoReturn, cast

from racko_core.arena.contest import ArenaError, Contest
from racko_core.arena.hall import WIDTH, Hall, Make, Outcome, Report
from racko_core.errors import N_, RackoError

_TABLES_IN_HAND: Final = 2 * WIDTH
"""What a worker has been handed and not yet handed in."""
_REPORT_EVERY: Final = 0.1
"""Seconds for which a worker gathers outcomes."""
_GOODBYE: Final = 2.0
"""Seconds that a worker has to close its bots."""

_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play(contest: Contest, make: Make, jobs: int = 1) -> Generator[Report, None, None]:
    """Play the contest in `jobs` processes, or for one in this process; report as it goes on.

    Close the generator to stop before the end. With more than one job, `make` must be a function
    that can be imported by its name, and so must the program's main module.
    Raises `RackoError` where a bot cannot be made, and when a worker dies.
    """
    jobs = min(jobs, contest.decks)
    return _here(contest, make) if jobs <= 1 else _apart(contest, make, jobs)


def _here(contest: Contest, make: Make) -> Generator[Report, None, None]:
    hall = Hall(contest, make)
    try:
        for outcome in hall.play(range(contest.decks)):
            yield Report([outcome], hall.efforts())
    finally:
        hall.close()


def _apart(contest: Contest, make: Make, jobs: int) -> Generator[Report, None, None]:
    context = multiprocessing.get_context("spawn")
    in_hand = decks_in_hand(contest, jobs)
    processes, lines = [], []
    try:
        with _interrupts_kept():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, contest, make), daemon=True)
                lines.append(ours)
                processes.append(process)
                process.start()
                theirs.close()
        supply = _Supply(contest.decks, lines)
        for line in lines:
            supply.hand_out(line, in_hand)
        while lines:
            for ready in wait(lines):
                line = cast(Connection, ready)
                news = _received(line)
                if isinstance(news, Report):
                    supply.hand_out(line, len(news.outcomes))
                    yield news
                elif news is None:
                    lines.remove(line)
                    line.close()
                else:
                    raise news
        for process in processes:
            process.join(_GOODBYE)
    finally:
        for line in lines:
            line.close()
        _end([process for process in processes if process.pid is not None])


def decks_in_hand(contest: Contest, jobs: int) -> int:
    """How many decks a worker holds.

    It wants another one while it plays at fewer tables than `WIDTH`, and gets it for one that is
    done. So it holds `WIDTH` decks: as long as none of them is done, each has a table that is
    still played at. (It would wait for ever otherwise.) If there are fewer, it holds its share of
    all, and is told at once that none are left.
    """
    wanted = max(WIDTH, _TABLES_IN_HAND // contest.tables_per_deck)
    return min(wanted, -(-contest.decks // jobs))


class _Supply:
    """Decks, and the lines to the workers that want them."""

    def __init__(self, decks: int, lines: Sequence[Connection]) -> None:
        self._next, self._end = 0, decks
        self._lines = list(lines)

    def hand_out(self, line: Connection, count: int) -> None:
        """Send so many decks more. All are told at once when none are left.

        (A worker that still waited for a deck would not play on at the tables it has.)
        """
        if not self._lines:
            return
        first, self._next = self._next, min(self._next + count, self._end)
        for deck in range(first, self._next):
            _send(line, deck)
        if self._next == self._end:
            for waiting in self._lines:
                _send(waiting, None)
            self._lines = []


def _send(line: Connection, deck: int | None) -> None:
    with suppress(BrokenPipeError):  # it died; that is noticed when its line is read
        line.send(deck)


def _end(processes: list[SpawnProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_GOODBYE)
        process.kill()
        process.join()
        process.close()


def _received(line: Connection) -> Report | Exception | None:
    try:
        return cast("Report | Exception | None", line.recv())
    except (EOFError, ConnectionResetError):
        return ArenaError(
            N_("A process of the arena ended before its work was done; try it with fewer of them.")
        )


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Keep Ctrl+C waiting while processes start, and for these until they are deaf to it."""
    heard: list[int] = []
    listens = threading.current_thread() is threading.main_thread()  # alone hears of Ctrl+C
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1)) if listens else None
    resource_tracker.ensure_running()  # else it is started now, and lets Ctrl+C in again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # is inherited
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if listens:
            signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


# In the worker


def _work(line: Connection, contest: Contest, make: Make) -> None:
    # Ctrl+C is for the arena, and neither for its processes nor for programs that they start.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for name in _ONE_THREAD:  # there is a process for each core already
        os.environ.setdefault(name, "1")
    logging.getLogger().addHandler(logging.NullHandler())  # nothing belongs on the screen
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # nobody wants it any more
        try:
            hall = Hall(contest, make)
        except RackoError as error:
            line.send(error)
            return
        try:
            try:
                desk = _Desk(line, hall)
                for outcome in hall.play(desk.decks()):
                    desk.hand_in(outcome)
                desk.report()
            finally:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
        finally:  # which nothing interrupts any more
            hall.close()
        line.send(None)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End, but let the bots be closed: some have started programs."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def _end_with_parent() -> None:
    """End although a bot is waited for: else nobody would notice before it answers."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    sleep(_GOODBYE)
    os.kill(os.getpid(), signal.SIGTERM)


class _Desk:
    """Where a worker gets its decks, and hands in what came of them."""

    def __init__(self, line: Connection, hall: Hall) -> None:
        self._line = line
        self._hall = hall
        self._finished: list[Outcome] = []
        self._reported = monotonic()

    def decks(self) -> Iterator[int]:
        while True:
            if not self._line.poll():
                self.report()  # or the next deck would never come
            deck = self._line.recv()
            if deck is None:
                return
            yield deck

    def hand_in(self, outcome: Outcome) -> None:
        self._finished.append(outcome)
        if monotonic() - self._reported > _REPORT_EVERY:
            self.report()

    def report(self) -> None:
        if self._finished:
            self._line.send(Report(self._finished, self._hall.efforts()))
            self._finished = []
        self._reported = monotonic()
