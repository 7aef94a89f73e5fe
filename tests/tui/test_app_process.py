"""The application as a process: signals, terminals that go away, and errors of our own."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from racko_core.record import SeatName
from racko_core.rules import Rules
from racko_tui.local.games import Choice, Games
from tests.tui.terminals import Room

MAIN = "import sys; from racko_tui.cli import main; sys.exit(main())"
BROKEN = (
    "from racko_tui.screens.home import HomeScreen\n"
    "def fail(self): raise ValueError('a secret of ours')\n"
    "HomeScreen.{where} = fail\n"
)
SIGNALLED = (
    "import os\n"
    "from {module} import {cls}\n"
    "call = {cls}.{method}\n"
    "def signalled(self, *given):\n"
    "    result = call(self, *given)\n"
    "    os.kill(os.getpid(), {number})\n"
    "    return result\n"
    "{cls}.{method} = signalled\n"
)
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
LEFT = "\x1b[?1049l"
"""The alternate screen is left, so what was there before is there again."""


@pytest.fixture
def children() -> Iterator[list[pexpect.spawn]]:
    children: list[pexpect.spawn] = []
    yield children
    for child in children:
        child.close(force=True)


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.close()


def start(
    children: list[pexpect.spawn], *arguments: str, code: str = "", columns: int = 80
) -> pexpect.spawn:
    child = pexpect.spawn(
        sys.executable,
        ["-c", f"{code}{MAIN}", *arguments],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        dimensions=(24, columns),
        encoding="utf-8",
        timeout=20,
    )
    children.append(child)
    return child


def signalled(moment: str, number: int) -> str:
    """Code that sends the process a signal whenever it has passed a method."""
    module, _, name = moment.partition(" ")
    cls, _, method = name.partition(".")
    return SIGNALLED.format(module=module, cls=cls, method=method, number=int(number))


def ended(child: pexpect.spawn) -> tuple[str, int | None]:
    child.expect(pexpect.EOF)
    child.wait()
    return child.before or "", child.exitstatus


def assert_restored(child: pexpect.spawn, out: str) -> None:
    assert LEFT in out
    assert "\x1b[?25h" in out  # the cursor
    assert "\x1b[?1000l" in out  # the mouse
    assert child.getecho()


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_ends_it_and_leaves_the_terminal_in_order(
    children: list[pexpect.spawn], number: signal.Signals
) -> None:
    child = start(children)
    child.expect("Quit")
    child.kill(number)
    out, status = ended(child)
    assert status == 128 + number
    assert_restored(child, out)
    assert "Traceback" not in out


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize(
    ("moment", "keys"),
    [
        ("textual.drivers.linux_driver LinuxDriver.start_application_mode", ""),
        ("racko_tui.screens.home HomeScreen.compose", ""),
        ("racko_tui.screens.table TableScreen.compose", ""),
        ("racko_tui.screens.scorecard ScorecardScreen.compose", "s"),
    ],
)
def test_a_signal_ends_it_as_well_while_screens_are_half_there(
    children: list[pexpect.spawn], home: Path, number: signal.Signals, moment: str, keys: str
) -> None:
    child = start(children, "play", "--bots", "novice", code=signalled(moment, number))
    if keys:
        child.expect("discard")
        child.send(keys)
    out, status = ended(child)
    assert status == 128 + number
    assert_restored(child, out)
    assert "Something went wrong" not in out
    assert not (home / "racko.log").exists()


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_ends_it_while_it_is_imported(
    children: list[pexpect.spawn], home: Path, number: signal.Signals
) -> None:
    # Out of a call by the interpreter, an interrupt comes as another error, or not at all.
    moment = "textual.reactive Reactive.__set_name__"
    out, status = ended(start(children, code=signalled(moment, number)))
    assert status == 128 + number
    assert out == ""
    assert not (home / "racko.log").exists()


def test_a_signal_ends_it_though_it_is_deaf_and_the_terminal_is_left_in_order(
    children: list[pexpect.spawn],
) -> None:
    code = BROKEN.replace("raise ValueError('a secret of ours')", "__import__('time').sleep(600)")
    child = start(children, code=code.format(where="on_resize").replace("(self)", "(self, *_)"))
    child.expect_exact("\x1b[?2004h")
    child.kill(signal.SIGTERM)
    out, status = ended(child)
    assert status == 143
    assert_restored(child, out)


@pytest.mark.parametrize(
    "nonsense",
    [
        (
            b"\xe9d",
            b"caf\xe9 ",
            b"\xff\xff\xff",
            b"\x1b[M \x84*\x1b[M#\x84*",
            b"\x1b[M \xe8*\x1b[M#\xe8*",
            b"\x1b[4294967295u",
        ),
        (b"\x1b[48;99999;99999;1;1t",),  # what comes after such a size stands elsewhere
        (b"\x1b[48;0;0;0;0t\x1b[<0;5;5M",),
    ],
    ids=["letters", "huge", "none"],
)
@pytest.mark.parametrize("arguments", [(), ("play", "--bots", "novice")])
def test_whatever_a_terminal_sends_the_next_key_is_heard(
    room: Room, home: Path, arguments: tuple[str, ...], nonsense: tuple[bytes, ...]
) -> None:
    terminal = room.open(home, *arguments, size=(240, 24))
    room.until(lambda: "help" in terminal.text.lower(), "the first screen")
    for each in nonsense:
        os.write(terminal.child.child_fd, each + b"?")
        room.see(terminal, " back")
        if each != nonsense[-1]:
            terminal.press("\x1b")
            room.gone(terminal, " back")
    terminal.child.kill(signal.SIGTERM)
    assert room.ends(terminal) == 143


def test_no_size_is_too_large_for_it(children: list[pexpect.spawn]) -> None:
    code = "import os; os.environ.update(COLUMNS='100000', LINES='100000')\n"
    child = start(children, code=code)
    child.expect("Quit")
    child.kill(signal.SIGTERM)
    assert ended(child)[1] == 143
    child = start(children)
    child.expect("Quit")
    child.setwinsize(65_000, 65_000)
    child.expect("\x1b\\[150;[0-9]+H")
    child.expect("Quit")
    child.send("q")
    out, status = ended(child)
    assert status == 0
    assert "\x1b[151;" not in out


@pytest.mark.parametrize(
    "hangup", ["", "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})\n"]
)
def test_a_terminal_that_goes_away_takes_the_process_with_it(
    children: list[pexpect.spawn], hangup: str
) -> None:
    child = start(children, code=hangup)
    child.expect("Quit")
    child.ptyproc.fileobj.close()
    until = time.monotonic() + 20
    status = 0
    done = 0
    while not done and time.monotonic() < until:
        done, status = os.waitpid(child.pid, os.WNOHANG)
        time.sleep(0.05)
    children.remove(child)
    child.closed = child.ptyproc.closed = True
    assert done == child.pid, "it went on without a terminal"
    assert os.waitstatus_to_exitcode(status) == 129


@pytest.mark.parametrize("where", ["on_resize", "look_for_saved"])
def test_an_error_of_ours_ends_with_a_sentence_and_a_log(
    children: list[pexpect.spawn], home: Path, where: str
) -> None:
    code = BROKEN.format(where=where).replace("(self)", "(self, *_)")
    out, status = ended(start(children, code=code))
    assert status == 1
    _, _, after = out.rpartition(LEFT)
    assert "Something went wrong in racko" in after
    assert str(home / "racko.log") in after.replace("\r\n", "")
    assert "Traceback" not in out
    assert "a secret of ours" not in out
    log = (home / "racko.log").read_text("utf-8")
    assert "ValueError: a secret of ours" in log


def test_an_error_is_survived_where_nothing_can_be_logged(
    children: list[pexpect.spawn], home: Path
) -> None:
    home.write_text("a file where a folder should be")
    code = BROKEN.format(where="on_resize").replace("(self)", "(self, *_)")
    out, status = ended(start(children, code=code))
    assert status == 1
    assert "Something went wrong" in out
    assert "Traceback" not in out


def test_a_game_is_continued_after_kill_9_and_not_twice(
    children: list[pexpect.spawn], home: Path
) -> None:
    child = start(children, "play", "--bots", "novice", "--seed", "5")
    child.expect("discard")
    out, status = ended(start(children, "continue"))
    assert status == 1
    assert "another window" in out
    assert LEFT not in out
    child.kill(signal.SIGKILL)
    child.wait()
    again = start(children, "continue")
    again.expect("discard")
    again.kill(signal.SIGTERM)
    assert ended(again)[1] == 143


def test_nothing_to_continue_is_said_without_a_screen(children: list[pexpect.spawn]) -> None:
    out, status = ended(start(children, "continue"))
    assert status == 1
    assert "no game to continue" in out
    assert "\x1b[?1049h" not in out


async def test_a_session_that_was_closed_lets_its_table_rest(tmp_path: Path) -> None:
    games = Games(tmp_path / "data")
    choice = Choice(Rules(), (SeatName("Ana"), SeatName("Bo", "novice")), "7")
    game = games.start(choice, 0.0)
    await game.session.close()
    games.leave(game)
    assert games.saved() is not None
