"""`racko` on real terminals, and where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from racko_tui.cli import FAILURE, WRONG_USAGE

RUN = ["-c", "import sys; from racko_tui.cli import main; sys.exit(main())"]
ALTERNATE_SCREEN = "\x1b[?1049h"


def on_terminal(command: str, **environment: str) -> pexpect.spawn:
    """Start a shell command on a terminal of its own; `$RACKO` in it is the program."""
    racko = f"{sys.executable} -c '{RUN[1]}'"
    return pexpect.spawn(
        "/bin/sh",
        ["-c", command.replace("$RACKO", racko)],
        env={**os.environ, **environment},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=20,
    )


def ended(child: pexpect.spawn) -> tuple[str, int | None]:
    """What it wrote until its end, and its exit status."""
    child.expect(pexpect.EOF)
    child.close()
    return child.before or "", child.exitstatus


@pytest.mark.parametrize("arguments", [[], ["play"], ["continue"], ["play", "--bots", "novice"]])
def test_without_a_terminal_screens_say_what_to_do_instead(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *RUN, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == WRONG_USAGE
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "racko score" in done.stderr


@pytest.mark.parametrize("command", ["$RACKO <&-", "$RACKO < /dev/null", "$RACKO | cat"])
def test_a_terminal_on_one_side_only_is_not_enough(command: str) -> None:
    out, _ = ended(on_terminal(command))
    assert "needs a terminal" in out
    assert ALTERNATE_SCREEN not in out


@pytest.mark.parametrize("language", ["en", "fr", "da"])
@pytest.mark.parametrize(
    "command",
    [
        "$RACKO arena solid soild",
        "$RACKO arena solid soild > /dev/null",
        "$RACKO serve --bot m!ne=true",
        "$RACKO < /dev/null",
        "$RACKO verify /nowhere/in/a/folder/that/is/not/there/or/anywhere/else/on/this/disk/file",
        "$RACKO nonsense that is no command",
    ],
)
def test_what_went_wrong_is_told_in_lines_that_end_between_words(
    command: str, language: str
) -> None:
    told, _ = ended(on_terminal(command, LC_ALL=f"{language}.UTF-8"))
    whole, _ = ended(on_terminal(f"({command}) 2>&1 | cat", LC_ALL=f"{language}.UTF-8"))
    assert told.split() == whole.split()
    assert all(len(line) <= 80 or " " not in line for line in told.split("\r\n"))


def test_a_dumb_terminal_is_refused() -> None:
    out, status = ended(on_terminal("$RACKO", TERM="dumb"))
    assert "TERM=dumb" in out
    assert "\x1b" not in out
    assert status == WRONG_USAGE


def test_redirected_errors_leave_no_black_nothing(tmp_path: Path) -> None:
    out, status = ended(on_terminal(f"$RACKO 2>{tmp_path}/log"))
    assert "without “2>”" in out
    assert "without “2>”" in (tmp_path / "log").read_text(encoding="utf-8")
    assert status == WRONG_USAGE


def test_home_opens_and_quits_on_a_terminal() -> None:
    child = on_terminal("$RACKO")
    child.expect_exact(ALTERNATE_SCREEN)
    child.expect("Quit")
    child.send("q")
    _, status = ended(child)
    assert status == 0


@pytest.mark.parametrize(
    ("arguments", "environment", "word"),
    [
        ("--lang da", {}, "Afslut"),
        ("", {"LC_ALL": "fr_FR.UTF-8"}, "Quitter"),
        ("--lang fr --ascii", {}, "Reglages"),
        ("--lang fr", {"LC_ALL": "C"}, "Reglages"),
    ],
)
def test_home_speaks_the_language_in_the_letters_there_are(
    arguments: str, environment: dict[str, str], word: str
) -> None:
    child = on_terminal(f"$RACKO {arguments}", **environment)
    child.expect(word)
    child.send("q")
    before, status = ended(child)
    assert status == 0
    if word == "Reglages":
        assert before.isascii()


def test_continue_without_a_game_is_a_sentence() -> None:
    out, status = ended(on_terminal("$RACKO continue"))
    assert "There is no game to continue" in out
    assert ALTERNATE_SCREEN not in out
    assert status == FAILURE


def test_damaged_settings_are_told_and_left_alone(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("language = ", encoding="utf-8")
    child = on_terminal("$RACKO")
    child.expect("cannot be read")
    child.expect_exact(ALTERNATE_SCREEN)
    child.expect("Quit")
    child.expect("The settings in")  # again, where it is seen
    child.send("q")
    assert ended(child)[1] == 0
    assert (home / "settings.toml").read_text(encoding="utf-8") == "language = "
