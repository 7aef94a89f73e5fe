"""`racko bot check`: a good program passes; of every other it says what is wrong."""

from __future__ import annotations

import sys
from itertools import islice

import pytest

from racko_core import actions as act
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.view import Phase
from racko_net.outside_bot.check import Check, Finding, positions
from racko_net.outside_bot.permission import Limits, OutsideError
from racko_tui.cli import FAILURE, OK, WRONG_USAGE, main
from racko_tui.commands.bot import _tell
from tests.net.outside.positions import PATIENT, strange


def checked(kind: str, limits: Limits | None = None) -> tuple[Check, list[Finding]]:
    told: list[Finding] = []
    check = Check(strange(kind), limits or PATIENT, told.append)
    good = check.run()
    assert good == (not [finding for finding in told if finding.fault])
    return check, told


def test_a_good_program_passes() -> None:
    check, told = checked("fine")
    assert len(told) == 16
    assert not check.faults
    assert check.figures.decisions > 200
    assert check.figures.rounds == 18


@pytest.mark.parametrize(
    ("kind", "trial", "fault"),
    [
        ("stillborn", "It starts", "status 3"),
        ("chatty", "It starts", "is not JSON"),
        ("foreign", "It starts", "version 7"),
        ("mortal", "It plays with 2 players (classic).", "status 1"),
        ("cheat", "It plays with 2 players (classic).", "chose “!”"),
        ("talkative", "It writes answers and nothing else", "that was good"),
        ("unasked", "It passes over messages", "“null” to a message of the type “weather”"),
        ("narrow", "It reads very long lines.", "status 1"),
        ("forgetful-after-restart", "It can be started in the middle", "status 1"),
        ("classicist", "It decides whether to go out", "chose “d”"),
    ],
)
def test_of_a_bad_one_it_is_said_what_is_wrong(kind: str, trial: str, fault: str) -> None:
    _, told = checked(kind)
    wrong = [finding for finding in told if finding.fault is not None]
    assert wrong
    (found,) = [each for each in wrong if str(each.about).startswith(trial)][:1]
    assert fault in str(found.fault)
    if trial == "It starts":
        assert len(told) == 1, "nothing else could go better"


def test_a_program_that_does_not_end_is_told_of() -> None:
    with pytest.raises(OutsideError, match="did not end within 1 s of the end of its input"):
        Check(strange("immortal"), PATIENT, lambda finding: None)._ends()


def test_a_slow_program_is_late() -> None:
    told: list[Finding] = []
    check = Check(strange("slow-to-think"), Limits(60.0, 0.05), told.append, rounds=1)
    check.run()
    assert "did not answer within 0.05 s" in str(told[1].fault)


def test_a_fault_that_comes_again_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "--bot-time", "60", "--rounds", "1", strange("cheat")]) == FAILURE
    out = capsys.readouterr().out
    assert out.count("chose “!”") == 1
    assert out.count(" The same fault.") > 10


def test_of_a_late_program_it_is_asked_whether_it_flushes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = OutsideError("bot-late", "late")
    for again in (False, True):
        _tell(Finding(RackoError("It starts."), error, again))
    assert capsys.readouterr().out.count("flush") == 1


def test_the_rare_positions_are_found_and_asked_about() -> None:
    for trial in ("_calls", "_turned_over"):
        check = Check(strange("fine"), PATIENT, lambda finding: None)
        getattr(check, trial)()
        assert check.figures.decisions == 24
    calls = islice(positions(Rules.preset("bonus", 2), lambda view: act.GO_OUT in view.legal), 30)
    assert {view.phase for view in calls} == {Phase.TURN, Phase.CALL}


def test_the_command_says_it_and_its_status_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "--bot-time", "60", "--rounds", "1", strange("fine")]) == OK
    out = capsys.readouterr().out
    assert out.count("good  ") == 16
    assert "Nothing is wrong: it can play." in out
    assert "9 rounds against novices" in out
    assert (
        main(["bot", "check", "--bot-time", "60", sys.executable, "-c", "print('hello, world')"])
        == FAILURE
    )
    out = capsys.readouterr().out
    assert "WRONG  It starts, and answers the hello." in out
    assert "hello, world" in out
    assert "1 thing is wrong." in out
    assert main(["bot", "check", "exec:no-such-program"]) == FAILURE
    assert "cannot be started" in capsys.readouterr().out
    assert main(["bot", "check"]) == WRONG_USAGE


def test_a_line_that_is_no_question_ends_our_own_bot_with_a_sentence() -> None:
    import subprocess

    for line, complaint in (
        (b"hello\n", "Line 1 cannot be answered"),
        (b'{"type":"decide","id":1}\n', "Line 1 cannot be answered"),
    ):
        ended = subprocess.run(
            [sys.executable, "-m", "racko_tui", "bot", "run", "novice"],
            input=line,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == FAILURE
        assert complaint in ended.stderr.decode()
        assert ended.stdout == b""
        assert b"Traceback" not in ended.stderr
