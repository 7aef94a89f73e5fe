"""The log file: every process of racko writes to it, and no line is lost when it is full."""

from __future__ import annotations

import fcntl
import logging
import os
import subprocess
import sys
from pathlib import Path

from racko_tui import logfile
from racko_tui.logfile import LogFile

WRITE = """
import logging, sys
from racko_tui import logfile
logfile.start()
for number in range(1000):
    logging.warning("%s %d %s", sys.argv[1], number, "." * 150)
"""


def lines(home: Path) -> list[str]:
    """What stands in the file and in those before it, the oldest first."""
    files = sorted(home.glob("racko.log*"), reverse=True)
    return [line for file in files for line in file.read_text().splitlines()]


def said(text: str) -> logging.LogRecord:
    return logging.LogRecord("racko", logging.WARNING, "", 0, text, None, None)


def test_nobody_goes_on_in_a_file_that_another_process_has_put_away(home: Path) -> None:
    here, there = LogFile(), LogFile()  # as in two processes: each has the file for itself
    here.handle(said("first"))
    for _ in range(300):
        there.handle(said("x" * 1000))
    here.handle(said("last"))
    assert len(list(home.glob("racko.log*"))) == 2
    assert (home / "racko.log").read_text().endswith("last\n")


def test_many_processes_lose_no_line(home: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, name]) for name in "abc"]
    for writer in writers:
        assert writer.wait() == 0
    told = [tuple(line.split()[4:6]) for line in lines(home)]
    assert len(list(home.glob("racko.log*"))) == 3
    assert sorted(told) == sorted((name, str(each)) for name in "abc" for each in range(1000))


def test_a_part_is_logged_alone_and_never_twice(home: Path) -> None:
    part = logging.getLogger("racko_part")
    try:
        logfile.start("racko_part")
        logfile.start("racko_part")
        logging.getLogger("racko_part.of.it").warning("ours")
        logging.getLogger("theirs").warning("theirs")
        assert [line.split()[-1] for line in lines(home)] == ["ours"]
    finally:
        for handler in part.handlers[:]:
            part.removeHandler(handler)
    logfile.start()
    logfile.start("racko_part")
    logging.getLogger("racko_part.of.it").warning("again")
    assert [line.split()[-1] for line in lines(home)] == ["ours", "again"]


def test_a_process_that_stopped_while_it_wrote_keeps_nobody_waiting(home: Path) -> None:
    home.mkdir()
    held = os.open(home, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        LogFile().handle(said("all the same"))
    finally:
        os.close(held)
    assert [line.split(": ")[-1] for line in lines(home)] == ["all the same"]


def test_a_pipe_in_the_place_of_the_file_keeps_nobody_waiting(home: Path) -> None:
    home.mkdir()
    os.mkfifo(home / "racko.log")
    LogFile().handle(said("lost"))
