"""The arena in several processes: the same standing, and no process left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from racko_core.actions import Action
from racko_core.arena import ArenaError, Contest, Tally, cores, play, to_dict
from racko_core.arena.hall import Hall
from racko_core.arena.workers import _interrupts_kept, decks_in_hand
from racko_core.bots import bot, harmless
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.view import View
from tests.core.arena.entrants import entrant, here, left


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def contest(*names: str, count: int = 60, games: bool = False) -> Contest:
    unit = "games" if games else "rounds"
    return Contest.of(names, Rules(target=100), unit=unit, count=count, seed="work")


def stands(given: Contest, jobs: int) -> dict[str, Any]:
    tally = Tally(given)
    for report in play(given, entrant, jobs):
        tally.add(report)
    plain = to_dict(tally.standing(), 1.0, jobs)
    decisions = plain.pop("timing")["decisions"]
    return {**plain, "decisions": decisions}


@pytest.mark.parametrize(
    ("names", "games", "jobs"),
    [
        (("novice", "casual"), False, 2),
        (("crowd", "novice"), True, 3),
        (("wrong:x", "crowd"), False, 2),
    ],
)
def test_any_number_of_jobs_has_the_same_outcome(
    names: tuple[str, ...], games: bool, jobs: int
) -> None:
    given = contest(*names, games=games)
    alone = stands(given, 1)
    assert alone["complete"]
    assert stands(given, jobs) == alone


def test_more_jobs_than_decks_are_no_trouble() -> None:
    assert stands(contest("novice", "casual", count=4), 7)["tables"] == 4


def test_what_keeps_a_bot_from_being_made_is_told() -> None:
    for jobs in (1, 2):
        with pytest.raises(RackoError, match="There is no bot called “missing”"):
            stands(contest("novice", "missing"), jobs)


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(ArenaError, match="ended before its work was done"):
        stands(contest("novice", "dying"), 2)


def test_bots_are_closed_in_every_process(tmp_path: Path) -> None:
    stands(contest(f"leaver:{tmp_path}", "novice"), 2)
    assert len(left(tmp_path)) == 2
    assert os.getpid() not in left(tmp_path)


def test_bots_are_closed_when_play_is_stopped(tmp_path: Path) -> None:
    reports = play(contest(f"leaver:{tmp_path}", "novice", count=100_000), entrant, 2)
    while len(here(tmp_path)) < 2:
        next(reports)
    reports.close()
    assert len(left(tmp_path)) == 2


class _Stopped(Exception):
    pass


def test_play_can_be_stopped_while_a_bot_thinks(tmp_path: Path) -> None:
    began = tmp_path / "began"

    def stop_when_it_thinks() -> None:
        wait_until(lambda: began.exists() and len(here(tmp_path)) == 2)
        os.kill(os.getpid(), signal.SIGUSR1)

    def stop(*_: object) -> None:
        raise _Stopped

    before = signal.signal(signal.SIGUSR1, stop)
    watcher = threading.Thread(target=stop_when_it_thinks)
    watcher.start()
    try:
        with pytest.raises(_Stopped):
            stands(contest(f"leaver:{tmp_path}", f"stuck:{began}"), 2)
    finally:
        watcher.join()
        signal.signal(signal.SIGUSR1, before)
    assert len(left(tmp_path)) == 2


PLAY_ON = """
import sys
from racko_core.arena import Contest, play
from racko_core.rules import Rules
from tests.core.arena.entrants import entrant

if __name__ == "__main__":
    names = [f"leaver:{sys.argv[1]}", "novice"]
    for report in play(Contest.of(names, Rules(), count=10**9, seed="1"), entrant, 2):
        pass
"""


def test_processes_end_when_the_one_that_wants_them_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PLAY_ON)
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as parent:
        wait_until(lambda: len(here(tmp_path)) == 2)
        parent.kill()
    wait_until(lambda: len(left(tmp_path)) == 2)
    wait_until(lambda: not any(map(alive, left(tmp_path))))


def test_an_interrupt_while_processes_start_is_not_lost() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with _interrupts_kept():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("all started")
        steps.append("too far")
    assert steps == ["all started"]


class Together:
    """Decides for many tables at once, as the expert does; only such tables wait for others."""

    def __init__(self, decide: Callable[[View], Action]) -> None:
        self.decide = decide

    def decide_many(self, views: Sequence[View]) -> list[Action]:
        return [self.decide(view) for view in views]


@pytest.mark.parametrize("jobs", [2, 3])
def test_no_process_waits_for_a_deck_while_it_has_tables_to_play_at(jobs: int) -> None:
    names = ["novice1", "novice2", "novice3", "idle1", "idle2"]
    contest = Contest.of(names, Rules(), count=24_000, seed="3")
    assert contest.tables_per_deck == 20
    done: list[int] = []

    def decks() -> Iterator[int]:
        for number in range(60):
            held = number - len(done)
            assert held < decks_in_hand(contest, jobs), "nobody would send another deck"
            yield number

    # The idle ones among themselves play long after everybody else at their deck is done.
    hall = Hall(
        contest,
        lambda name: Together(harmless if name.startswith("idle") else bot("novice").decide),
    )
    for outcome in hall.play(decks()):
        done.append(outcome.deck)
    assert sorted(done) == list(range(60))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_there_is_a_core() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
