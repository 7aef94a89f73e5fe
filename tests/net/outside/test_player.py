"""A program as a bot: asked, bounded, and ended with all that it started."""

from __future__ import annotations

import logging
import os
import re
import threading
from pathlib import Path

import pytest

from racko_core.bots import bot
from racko_core.rules import Rules
from racko_net.outside_bot.permission import Limits, OutsideError, Programs
from racko_net.outside_bot.player import OutsideBot, Understudied, failures, player
from racko_net.outside_bot.program import Unwanted
from tests.net.outside.positions import PATIENT, alive, first, pid_in, strange, views, wait_for


def test_a_program_decides_and_is_asked_again_and_again() -> None:
    with OutsideBot(strange("fine"), PATIENT) as outside:
        for view in views(Rules(players=3)):
            assert outside.decide(view) == view.legal[0]
        assert outside.name == "fine"
        program = outside.program
    assert program is not None
    assert program.end() == 0, "it ended by itself when it was asked no more"
    assert not alive(program.pid)


def test_it_is_not_asked_where_there_is_no_choice() -> None:
    view = first()
    view.legal = view.legal[:1]
    with OutsideBot("no such program") as outside:
        assert outside.decide(view) == view.legal[0]


def test_other_rules_are_told_to_a_new_process() -> None:
    with OutsideBot(strange("fine"), PATIENT) as outside:
        outside.decide(first())
        before = outside.program
        outside.decide(first())
        assert outside.program is before
        outside.decide(first(Rules(players=4)))
        assert outside.program is not before
        assert before is not None
        assert not alive(before.pid)


@pytest.mark.parametrize(
    ("kind", "why", "sentence"),
    [
        ("stillborn", "bot-ended", r"ended with the status 3 before it had answered “hello”\."),
        ("mortal", "bot-ended", r"ended with the status 1 before it had answered “decide”"),
        ("killed", "bot-ended", r"was ended by the signal 9 before"),
        ("foreign", "bot-wrong", r"speaks version 7 of the protocol, not 1\."),
        ("rude", "bot-wrong", r"a “hello” is answered by the type “ready”, not “action”\."),
        ("shy", "bot-ended", r"closed its output before it had answered “decide”\."),
        ("unended-and-gone", "bot-ended", r"wrote “{” and ended with the status 0, without the li"),
        ("half", "bot-wrong", r"“\\ud83d” is only half of a character \(a lone surrogate\)\."),
        ("latin", "bot-wrong", r"that is not UTF-8\."),
        ("chatty", "bot-wrong", r"answered “I am ready!”: that is not JSON: only answers belong"),
        ("garbage", "bot-wrong", r"answered “. \[\[\[\[”: that is not JSON"),
        ("deep", "bot-wrong", r"answered “\[\[\[\[\[.*…”: it is nested too deep"),
        ("cheat", "bot-wrong", r"chose “!”, which is not among d t1 t2 .* t10\."),
        ("forgetful", "bot-wrong", r"the id should be 1, that of the question\."),
        ("long", "bot-wrong", r"wrote more than 65536 bytes in place of an answer\."),
        ("flood", "bot-wrong", r"wrote more than 65536 bytes in place of an answer\."),
        ("rain", "bot-wrong", r"wrote more than 65536 bytes in place of an answer\."),
    ],
)
def test_a_program_that_fails_is_ended_and_said_so_in_one_sentence(
    kind: str, why: str, sentence: str
) -> None:
    outside = OutsideBot(strange(kind), PATIENT)
    with pytest.raises(OutsideError, match=sentence) as failed:
        outside.decide(first())
    assert failed.value.why == why
    assert "\n" not in str(failed.value)
    assert "\x1b" not in str(failed.value)
    assert outside.program is None


def test_of_control_characters_in_place_of_an_answer_there_is_something_to_see() -> None:
    with pytest.raises(OutsideError, match=re.escape(r"answered “\x00\x1b”: that is not JSON")):
        OutsideBot(r"""sh -c 'read line; printf "\000\033\n"'""", PATIENT).decide(first())
    with pytest.raises(OutsideError, match=r"wrote (“(\\x00)+…” without|more than)"):
        OutsideBot("cat /dev/zero", PATIENT).decide(first())


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo first; echo 'the script is gone'; exit 2", "the script is gone"),
        ("printf '\\033[1mno colours\\n\\n'; exit 2", "no colours"),
        (
            "echo 'Error: Cannot find module'; echo '  at run'; echo v18; exit 2",
            "Error: Cannot find",
        ),
        ("echo $(seq 60); exit 2", r"1 2 3 [0-9 ]+…[0-9 ]+ 59 60"),
    ],
)
def test_what_a_program_said_last_stands_in_the_sentence_about_its_end(
    script: str, said: str
) -> None:
    with pytest.raises(OutsideError, match=rf"status 2 .* “hello”: “{said}.*”\.$") as failed:
        OutsideBot(f'sh -c "exec 1>&2; {script}"', PATIENT).decide(first())
    assert len(str(failed.value)) < 250


@pytest.mark.parametrize("kind", ["dumb", "silent", "stopped", "moaning"])
def test_a_program_that_takes_too_long_is_ended(kind: str) -> None:
    outside = OutsideBot(strange(kind), Limits(0.5 if kind == "dumb" else 60.0, 0.5))
    with pytest.raises(OutsideError, match=r"did not answer within 0\.5 s\.") as failed:
        outside.decide(first())
    assert failed.value.why == "bot-late"
    assert outside.program is None


def test_a_program_that_has_ended_is_not_late_though_its_child_holds_its_output(
    tmp_path: Path,
) -> None:
    noted = tmp_path / "child"
    outside = OutsideBot(strange("heir", noted), Limits(60.0, 2.0))
    with pytest.raises(OutsideError, match="ended with the status 4 before it had ans") as failed:
        outside.decide(first())
    assert failed.value.why == "bot-ended"
    wait_for(lambda: not alive(pid_in(noted)))


def test_an_answer_without_its_line_feed_is_said_to_lack_it() -> None:
    outside = OutsideBot(strange("unended"), Limits(60.0, 0.5))
    with pytest.raises(OutsideError, match=r"wrote “{\"type.*”, and within 0\.5 s no line feed"):
        outside.decide(first())


def test_an_echo_is_told_what_was_expected_and_what_came() -> None:
    with pytest.raises(OutsideError, match=r"a “hello” is answered by the type “ready”, not “he"):
        OutsideBot("cat", PATIENT).decide(first())


def test_what_nobody_asked_for_is_no_answer_to_the_next_question() -> None:
    with OutsideBot(strange("talkative"), PATIENT) as outside:
        outside.decide(first())
        with pytest.raises(OutsideError, match="that was good") as failed:
            outside.decide(first())
        assert failed.value.why == "bot-wrong"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-program --fast", "“no-such-program --fast” cannot be started"),
        ("'half a quote", r"cannot be started \(a quote is not closed\)"),
        ("", "The command that starts the program is missing"),
        (os.devnull, "cannot be started"),
    ],
)
def test_what_cannot_be_started_is_said_so(command: str, sentence: str) -> None:
    with pytest.raises(OutsideError, match=sentence) as failed:
        OutsideBot(command).decide(first())
    assert failed.value.why == "bot-missing"


def test_a_failed_program_is_started_again_by_the_next_decision(tmp_path: Path) -> None:
    with OutsideBot(strange("mortal"), PATIENT) as outside:
        for _ in range(2):
            with pytest.raises(OutsideError, match="status 1"):
                outside.decide(first())


# The end


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "child"
    outside = OutsideBot(strange("parent", noted), PATIENT)
    outside.decide(first())
    child = pid_in(noted)
    assert alive(child)
    outside.close()
    wait_for(lambda: not alive(child))


def test_a_program_that_has_closed_its_output_has_time_to_end_by_itself(tmp_path: Path) -> None:
    noted = tmp_path / "done"
    with OutsideBot(strange("tidy", noted), PATIENT) as outside:
        outside.decide(first())
        program = outside.program
    assert program is not None
    assert program.end() == 5
    assert noted.read_text() == "done"


def test_a_program_that_does_not_want_to_end_is_ended(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    outside = OutsideBot(strange("deaf", noted), PATIENT)
    outside.decide(first())
    outside.close()
    assert not alive(pid_in(noted))


def test_a_bot_can_be_closed_while_it_is_waited_for(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    outside = OutsideBot(strange("deaf-and-silent", noted), Limits(60.0, 300.0))
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            outside.decide(first())
        except Unwanted as error:
            raised.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    pid = pid_in(noted)
    outside.close()
    waiting.join(30.0)
    assert raised
    assert not alive(pid)
    with pytest.raises(Unwanted):
        outside.decide(first())


# What it writes beside its answers


def test_what_it_writes_on_its_error_output_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with OutsideBot(strange("sighing"), PATIENT) as outside:
        outside.decide(first())
    told = [record.getMessage().partition(": ")[2] for record in caplog.records]
    assert told == ["well, well", "w" * 300, "no newline at the end"]
    assert all(record.levelno == logging.WARNING for record in caplog.records)


def test_the_log_is_bounded_and_the_program_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    with OutsideBot(strange("deafening"), PATIENT) as outside:
        view = first()
        assert outside.decide(view) == view.legal[0]
    assert len(caplog.records) == 201
    assert "the rest is left out" in caplog.records[-1].getMessage()


def test_the_traceback_of_a_crash_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(OutsideError):
        OutsideBot(strange("mortal"), PATIENT).decide(first())
    assert "RuntimeError: it was too much" in caplog.text


# By name


def test_a_name_is_a_level_or_a_command() -> None:
    view = first()
    assert player("solid").decide(view) == bot("solid").decide(view)
    outside = player(f"exec:{strange('fine')}", PATIENT)
    assert isinstance(outside, Understudied)
    assert outside.decide(view) == view.legal[0]
    outside.close()


def test_a_novice_takes_over_for_the_rest_of_the_round_and_then_it_is_tried_again() -> None:
    outside = player(f"exec:{strange('mortal')}", PATIENT)
    assert isinstance(outside, Understudied)
    novice, begun = bot("novice"), set()
    for view in views(Rules(target=10_000), rounds=6):
        if (view.commitment, view.seat) not in begun:
            begun.add((view.commitment, view.seat))
            with pytest.raises(OutsideError, match="status 1"):
                outside.decide(view)
        else:
            assert outside.decide(view) == novice.decide(view)
    assert len(begun) == 12
    assert outside._outside._questions == 3, "after three failures it is not started any more"
    outside.close()


def test_a_deck_that_is_played_once_more_is_a_round_of_its_own() -> None:
    outside = player(f"exec:{strange('mortal')}", PATIENT)
    assert isinstance(outside, Understudied)
    for _ in range(2):
        with pytest.raises(OutsideError, match="status 1"):
            outside.decide(first())
    assert outside._outside._questions == 2
    outside.close()


def test_only_who_is_at_home_may_start_what_a_level_tells() -> None:
    assert Programs(at_home=True).command("exec:python3 x.py") == "python3 x.py"
    host = Programs(offered={"outside:mine": "python3 mine.py"})
    assert host.command("outside:mine") == "python3 mine.py"
    for programs, level in (
        (Programs(), "exec:python3 x.py"),
        (host, "exec:python3 x.py"),
        (host, "outside:other"),
        (Programs(at_home=True), "outside:mine"),
    ):
        with pytest.raises(OutsideError, match="No program") as failed:
            programs.command(level)
        assert failed.value.why == "bot-missing"


def test_programs_are_tried_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(3)
    start = OutsideBot.start

    def wait_for_the_others(outside: OutsideBot, rules: Rules) -> None:
        together.wait(20)
        start(outside, rules)

    monkeypatch.setattr(OutsideBot, "start", wait_for_the_others)
    levels = [f"exec:{strange(kind)}" for kind in ("stillborn", "fine", "foreign")]
    failed = dict(failures(levels, Rules(), Programs(at_home=True, limits=PATIENT)))
    assert list(failed) == [levels[0], levels[2]]
    assert "speaks version 7" in str(failed[levels[2]])
    advice = [str(failure).endswith("“racko bot check” with the program's command tells more.")
              for failure in failed.values()]  # fmt: skip
    assert advice == [False, True], "it is said once"


def test_of_a_command_that_starts_nothing_one_is_told_to_check_the_command_only() -> None:
    levels = ["exec:no-such-program"]
    failed = failures(levels, Rules(), Programs(at_home=True, limits=PATIENT))
    assert [str(failure).endswith("; check the command.") for _, failure in failed] == [True]
