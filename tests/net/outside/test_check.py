"""`racko bot check`: a good program passes; of every other it says what is wrong."""

from __future__ import annotations

import json
import os
import re
import sys
import sysconfig
from itertools import islice
from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core.bots import LEVELS, REFERENCES
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.view import Phase
from racko_net.outside_bot import messages, program
from racko_net.outside_bot.check import Check, Finding, positions
from racko_net.outside_bot.permission import Limits, OutsideError
from racko_net.outside_bot.player import OutsideBot
from racko_tui.cli import FAILURE, OK, WRONG_USAGE, main
from racko_tui.commands.bot import _tell
from racko_tui.i18n import install, sentence
from tests.net.outside import strict
from tests.net.outside.document import examples
from tests.net.outside.positions import PATIENT, strange

EXAMPLE = Path(program.__file__).parent / "examples" / "middle.py"


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


def test_every_question_agrees_with_itself_and_with_the_document() -> None:
    told: list[Finding] = []
    Check(f"{sys.executable} {strict.__file__}", PATIENT, told.append).run()
    assert [str(finding.fault) for finding in told if finding.fault] == []


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("round", 3, "rounds should be [1, 2], not [1]"),
        ("totals", [5, 120], "totals should be"),
        ("legal", ["d"], "legal should be"),
        ("known", [[7] * 10, [None] * 10], "known should be"),
        ("draw_count", 3, "draw_count should be"),
        ("history", [], "not enough values"),
    ],
)
def test_a_strict_program_sees_what_does_not_agree(
    field: str, value: object, complaint: str
) -> None:
    plain = examples()["call"]
    hello = json.loads(messages.encode(messages.hello(Rules.preset("bonus", 2), 10.0, 5.0)))
    assert strict.Strict(hello).decide(plain) == "!"
    with pytest.raises((SystemExit, ValueError), match=re.escape(complaint)):
        strict.Strict(hello).decide({**plain, field: value})


def test_the_rules_of_a_trial_are_called_as_everywhere_else() -> None:
    _, told = checked("mortal")
    install("da")
    assert "(Klassisk)" in sentence(told[1].about)
    assert not any("=" in sentence(finding.about) for finding in told)


@pytest.mark.parametrize(
    ("kind", "trial", "fault"),
    [
        ("stillborn", "Starting", "status 3"),
        ("chatty", "Starting", "is not JSON"),
        ("foreign", "Starting", "version 7"),
        ("mortal", "Playing with 2 players (Classic).", "status 1"),
        ("cheat", "Playing with 2 players (Classic).", "chose “!”"),
        ("talkative", "Writing answers and nothing else", "that was good"),
        ("unasked", "Passing over messages", "“null” to a message of the type “weather”"),
        ("narrow", "Reading very long lines.", "status 1"),
        ("forgetful-after-restart", "Starting in the middle", "status 1"),
        ("classicist", "Deciding whether to go out", "chose “d”"),
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


@pytest.mark.parametrize("kind", ["immortal", "shy-at-the-end"])
def test_a_program_that_does_not_end_is_told_of(kind: str) -> None:
    with pytest.raises(OutsideError, match="did not end within 1 s of the end of its input"):
        Check(strange(kind), PATIENT, lambda finding: None)._ends()


def test_a_child_that_holds_the_output_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(OutsideError, match="what it had started still holds its output open 1 s"):
        Check(strange("parent", tmp_path / "child"), PATIENT, lambda finding: None)._ends()


@pytest.mark.parametrize("rounds", [1, 12, 30])
def test_as_many_rounds_are_played_as_are_asked_for(rounds: int) -> None:
    told: list[Finding] = []
    check = Check(f"{sys.executable} {EXAMPLE}", PATIENT, told.append, rounds)
    check._plays(Rules())
    assert check.figures.rounds == rounds


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


def test_a_program_that_fails_in_one_way_prints_its_errors_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bot", "check", "--bot-time", "60", "--rounds", "1", strange("mortal")]) == FAILURE
    told = capsys.readouterr()
    assert told.err.count("RuntimeError: it was too much") == 1
    assert "1 thing is wrong." in told.out


def test_what_a_good_program_writes_to_itself_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bot", "check", "--bot-time", "60", "--rounds", "1", strange("sighing")]) == OK
    assert "no newline at the end" in capsys.readouterr().err


def test_of_a_bot_of_ours_it_is_said_that_it_is_ours(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("solid", "exec:sorter"):
        assert main(["bot", "check", word]) == WRONG_USAGE
        assert "is a bot of racko's own" in capsys.readouterr().err


def test_of_a_late_program_it_is_asked_whether_it_flushes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = OutsideError("bot-late", "late")
    for again in (False, True):
        _tell(Finding(RackoError("It starts."), error, again))
    out = capsys.readouterr().out
    assert out.count("line feed") == out.count("flush") == 1


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
    assert "WRONG  Starting, and answering the hello." in out
    assert "hello, world" in out
    assert "1 thing is wrong." in out
    assert main(["bot", "check", "exec:no-such-program"]) == FAILURE
    assert "cannot be started" in capsys.readouterr().out
    assert main(["bot", "check"]) == WRONG_USAGE


@pytest.mark.parametrize(
    "words", [["--rounds", "3"], ["--rounds=3"], ["x", "--bot-time", "1"], ["--ascii"], ["-h"]]
)
def test_an_option_after_the_command_is_said_to_come_before_it(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", "check", strange("fine"), *words]) == WRONG_USAGE
    told = capsys.readouterr()
    assert "comes before the command" in " ".join(told.err.split())
    assert told.out == ""


def test_options_of_the_program_are_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["no-such-program", "--fast"], ["no-such-program --rounds 3"]):
        assert main(["bot", "check", *words]) == FAILURE
        assert f"“{' '.join(words)}” cannot be started" in capsys.readouterr().out


@pytest.mark.parametrize("given", ["exec:./nowhere", "EXEC:./nowhere", " exec:./nowhere"])
def test_a_program_is_named_as_elsewhere(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", given]) == FAILURE
    assert "“./nowhere” cannot be started" in capsys.readouterr().out


def test_every_bot_of_ours_can_be_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "run", "stranger"]) == WRONG_USAGE
    told = capsys.readouterr().err
    for name in (*LEVELS, *REFERENCES):
        assert name in told
    for name in REFERENCES:
        with OutsideBot(f"{sys.executable} -m racko_tui bot run {name}", PATIENT) as outside:
            outside.start(Rules())
            assert outside.name == name


def test_racko_itself_is_found_where_no_path_leads_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = sysconfig.get_path("scripts")
    places = os.environ["PATH"].split(os.pathsep)
    monkeypatch.setenv("PATH", os.pathsep.join(place for place in places if place != scripts))
    program.check("racko bot run solid")
    with OutsideBot("racko bot run solid", PATIENT) as outside:
        outside.start(Rules())
        assert outside.name == "solid"


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
