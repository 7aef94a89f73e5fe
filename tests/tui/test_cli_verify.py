"""`racko verify`: true records, false ones, and what is no record at all."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from racko_core.game import Game
from racko_core.record import SeatName, write
from racko_core.rules import Rules
from racko_tui.cli import FAILURE, OK, main
from tests.core.chance import chooser

SEED = bytes(32)


def played(*, rounds: int, **settings: int | bool) -> str:
    rules = Rules(max_rounds=rounds, stalemate_turnovers=2, **settings)  # type: ignore[arg-type]
    game = Game.new(rules, SEED)
    choose = chooser(random.Random(1), 0.9)
    while game.result is None:
        game.apply(choose(game))
    names = ("Ana", "Bo", "Cy", "Di")
    return write(game, [SeatName(name) for name in names[: rules.players]], seed=SEED)


def test_a_true_record_is_told_with_its_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.racko"
    file.write_text(played(rounds=2), encoding="utf-8")
    assert main(["verify", str(file)]) == OK
    told = capsys.readouterr().out
    assert "The record is true" in told
    assert "\n3 decks fit their commitments.\n" in told
    assert "promised" not in told, "that was before, and a record cannot show it"
    assert "follow from the seed" in told
    assert "after 2 rounds" in told
    assert "\nAna " in told


def test_partners_are_told_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.racko"
    file.write_text(played(rounds=1, players=4, teams=True), encoding="utf-8")
    assert main(["verify", str(file)]) == OK
    assert "\nAna & Cy " in capsys.readouterr().out


def test_a_dash_reads_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(played(rounds=1).encode())))
    assert main(["verify", "-"]) == OK
    assert "after 1 round." in capsys.readouterr().out


def test_a_changed_card_is_found_and_the_line_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = played(rounds=1).split("\n")
    number = next(index for index, line in enumerate(lines) if line.startswith("rack 0"))
    words = lines[number].split()
    words[2], words[3] = words[3], words[2]
    lines[number] = " ".join(words)
    file = tmp_path / "game.racko"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main(["verify", str(file)]) == FAILURE
    told = capsys.readouterr()
    assert told.out == ""
    assert f"Line {number + 1} of the record says" in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(range(256)), b"racko record 99\n"])
def test_what_is_no_record_gets_one_sentence(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.racko"
    file.write_bytes(content)
    assert main(["verify", str(file)]) == FAILURE
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert file.read_bytes() == content


def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (str(tmp_path / "missing"), str(tmp_path)):
        assert main(["verify", name]) == FAILURE
        assert f"“{name}” cannot be read" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe that has a name")
@pytest.mark.parametrize("command", ["verify", "analyse"])
def test_what_is_no_plain_file_is_refused_and_not_waited_for(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes into it
    for name in (os.devnull, str(pipe)):
        assert main([command, name]) == FAILURE
        told = capsys.readouterr()
        assert f"“{name}” is no plain file" in told.err
        assert told.err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "analyse"])
def test_a_standard_input_that_does_not_wait_is_refused(command: str) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "racko_tui", command, "-"],
            stdin=reading,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == FAILURE
    assert done.stderr.startswith("The standard input cannot be read (")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="what has no end")
def test_what_has_no_end_is_not_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/zero").open(encoding="utf-8") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert main(["verify", "-"]) == FAILURE
    assert "The standard input is too large to be the record" in capsys.readouterr().err


def test_a_closed_standard_input_is_no_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["verify", "-"]) == FAILURE
    assert "not a Rack-O record" in capsys.readouterr().err
