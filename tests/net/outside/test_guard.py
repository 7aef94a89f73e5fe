"""No program outlives whoever started it, whatever ended that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from racko_net.outside_bot import program as program_module
from racko_net.outside_bot.guard import Guard
from racko_net.outside_bot.permission import OutsideError
from racko_net.outside_bot.program import Program

STUBBORN = """
import signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.stdin.readline()
print("here", flush=True)
while True:
    time.sleep(60)
"""
STARTER = """
import shlex, sys, time
from racko_net.outside_bot.program import Program
programs = [Program(shlex.join([sys.executable, sys.argv[1]])) for _ in range(2)]
for program in programs:
    program.ask(b"?\\n", 20.0, "hello")
print(*(program.pid for program in programs), flush=True)
if sys.argv[2] == "ending":
    programs[0].end(60.0)
time.sleep(60)
"""
PATIENCE = 20.0


@pytest.fixture
def stubborn(tmp_path: Path) -> Path:
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN, encoding="utf-8")
    return path


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def await_end(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(map(lives, pids)):
        assert time.monotonic() < deadline, "a program is left"
        time.sleep(0.01)


@pytest.mark.parametrize("at", ["waiting", "ending"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_programs_end_with_their_starter(stubborn: Path, number: signal.Signals, at: str) -> None:
    command = [sys.executable, "-c", STARTER, str(stubborn), at]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pids = [int(pid) for pid in starter.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(lives, pids))
        starter.send_signal(number)
        starter.wait(PATIENCE)
    await_end(pids)


def test_an_impatient_end_is_an_end_all_the_same(
    stubborn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(f"{sys.executable} {stubborn}")
    assert program.ask(b"?\n", PATIENCE, "hello") == b"here"

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "rest", interrupted)
    with pytest.raises(KeyboardInterrupt):
        program.end()
    await_end([program.pid])
    monkeypatch.undo()
    assert program.end() == -signal.SIGKILL


def test_a_guard_that_was_ended_is_replaced(stubborn: Path) -> None:
    guard = Guard()
    programs = [
        subprocess.Popen(
            [sys.executable, str(stubborn)], start_new_session=True, stdout=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    guard.watch(programs[0].pid)
    first = guard._process
    assert first is not None
    first.kill()
    first.wait()
    guard.watch(programs[1].pid)
    second = guard._process
    assert second is not None
    assert second is not first
    assert second.stdin is not None
    second.stdin.close()  # as if this process had ended
    assert second.wait(PATIENCE) == 0
    for program in programs:
        assert program.wait(PATIENCE) == -signal.SIGKILL
    assert first.stdin is not None
    first.stdin.close()


def test_a_program_without_a_guard_is_not_started_and_not_remembered(
    stubborn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> None:
        raise OSError(11, "no process is left")

    monkeypatch.setattr(Guard, "_started", staticmethod(none_left))
    with pytest.raises(OutsideError, match=os.strerror(11)):
        Program(f"{sys.executable} {stubborn}")
    assert not program_module._guard._groups


def test_what_has_ended_is_not_killed() -> None:
    guard = Guard()
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as watched:
        guard.watch(watched.pid)
        with subprocess.Popen(["sleep", "60"], start_new_session=True) as spared:
            guard.watch(spared.pid)
            guard.forget(spared.pid)
            process = guard._process
            assert process is not None
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(PATIENCE) == 0
            assert watched.wait(PATIENCE) == -signal.SIGKILL
            assert spared.poll() is None
            spared.kill()
