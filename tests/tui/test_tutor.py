"""The coach beside the screens: off the loop, told how far it is, and stopped with its screen."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from racko_core.bots.appraisal import Appraisal
from racko_core.coach import advise, analyse
from racko_core.errors import RackoError, RecordError
from racko_core.record import read
from racko_core.rules import Rules
from racko_core.view import View
from racko_tui.app import RackoApp
from racko_tui.tutor import Played, Stopped, Tutor
from tests.core.coach.guessing import Guess
from tests.core.stacked import dealt_game
from tests.tui.steering import still
from tests.tui.test_cli_analyse import played, text_of


def rounds() -> Played:
    return Played.in_record(read(text_of(played(rounds=1))))


class _Watched(Guess):
    """Notes where it computes, and can be made to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[str] = set()
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        self.threads.add(threading.current_thread().name)
        self.begun.set()
        self.go_on.wait()
        return super().appraise(view)


async def test_advice_is_that_of_the_coach_and_found_off_the_loop() -> None:
    watched = _Watched()
    view = dealt_game(Rules(), {}, (), 26).view(1)
    assert await Tutor(lambda: watched).advise(view) == advise(view, Guess())
    (thread,) = watched.threads
    assert thread != threading.current_thread().name


@pytest.mark.parametrize("shared", [False, True])
async def test_an_analysis_tells_how_far_it_is(shared: bool) -> None:
    told: list[tuple[int, int]] = []
    watched = _Watched()
    tutor = Tutor(lambda: watched, shared=lambda: shared)
    found = await tutor.analyse(rounds(), lambda done, total: told.append((done, total)))
    await asyncio.sleep(0)
    total = len(found.rounds[0].decisions)
    assert told[0] == (0, total)
    assert told[-1] == (total, total)
    assert found == analyse(read(text_of(played(rounds=1))), Guess())
    assert threading.current_thread().name not in watched.threads


async def test_an_analysis_that_nobody_waits_for_stops() -> None:
    watched = _Watched()
    watched.go_on.clear()
    errors: list[BaseException] = []
    game = rounds()

    def judge(*both: Any) -> Any:
        try:
            return game.judge(*both)
        except BaseException as error:
            errors.append(error)
            raise

    tutor = Tutor(lambda: watched, shared=lambda: True)
    task = asyncio.create_task(
        tutor.analyse(Played(game.names, 0, judge), lambda _done, _total: None)
    )
    await asyncio.to_thread(watched.begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    watched.go_on.set()
    # The next analysis has to wait for the end of this one.
    await Tutor(Guess).analyse(rounds(), lambda _done, _total: None)
    assert isinstance(errors[0], Stopped)
    assert watched.asked == 1


async def test_what_is_wrong_is_said_by_the_coach_s_own_sentence() -> None:
    def missing() -> Guess:
        raise RackoError("The coach has gone to lunch.")

    with pytest.raises(RackoError, match="lunch"):
        await Tutor(missing).analyse(rounds(), lambda _done, _total: None)
    false = Played.in_record(read(text_of(played(rounds=1)).replace("1. ", "1. p3 ", 1)))
    with pytest.raises(RecordError):
        await Tutor(Guess).analyse(false, lambda _done, _total: None)


class _Hosted(RackoApp):
    owns_process = False


def test_only_where_others_play_in_this_process_the_coach_rests() -> None:
    assert not RackoApp(still()).shares_process
    assert _Hosted(still()).shares_process
