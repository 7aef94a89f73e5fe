"""`racko arena` on the command line."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.cells import cell_len

import racko_core
from racko_core.arena import to_dict
from racko_core.bots.reference import REFERENCES
from racko_core.record import verify
from racko_core.rules import PRESETS, Rules
from racko_tui.cli import FAILURE, INTERRUPTED, OK, WRONG_USAGE, main
from racko_tui.commands.standings import shortened
from tests.tui.terminals import MAIN

DOCUMENT = (Path(racko_core.__file__).parent / "ARENA.md").read_text("utf-8")
QUICK = ["--jobs", "1", "--seed", "1"]

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        answer = {"type": "ready", "version": 1, "name": "first"}
    else:
        action = "nonsense" if "nonsense" in sys.argv else asked["legal"][0]
        answer = {"type": "action", "id": asked["id"], "action": action}
        print("asked", asked["phase"], file=sys.stderr, flush=True)
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    """A bot in another program, as it is named."""
    script = tmp_path / "first.py"
    script.write_text(ECHO)
    return f"exec:{shlex.join([sys.executable, str(script)])}"


def arena(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["arena", *words]) == OK
    told = capsys.readouterr()
    assert told.err == ""  # no terminal, no progress
    return told.out


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(arena(capsys, *words, *QUICK, "--json"))
    return told


def lines(out: str) -> dict[str, list[str]]:
    """The figures by their label."""
    found = {}
    for line in out.splitlines():
        label, *cells = re.split(r"  +", line.strip())
        found[label] = cells
    return found


def test_rounds_are_told_with_their_errors(capsys: pytest.CaptureFixture[str]) -> None:
    out = arena(capsys, "novice", "casual", "--rounds", "40", *QUICK)
    assert out.startswith("40 rounds, 20 decks from every seat, seed 1.\n")
    told = lines(out)
    assert told["novice"] == ["casual"]
    for label in ("rounds won, %", "points a round", "margin a round", "turns when winning"):
        assert all(re.fullmatch(r"[+-]?\d+\.\d ±\d+\.\d", cell) for cell in told[label]), label
    assert all(re.fullmatch(r"[+-]\d+ ±\d+", cell) for cell in told["Elo"])
    assert "games won, %" not in told
    assert "Equal bots win 50 % each." in out
    assert "How often" not in out


def test_games_are_told_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["novice", "casual", "--games", "4", "--target", "100", *QUICK]
    out = arena(capsys, *words)
    assert re.match(r"4 games of \d+ rounds in all, 2 decks from every seat, seed 1\.\n", out)
    assert "games won, %" in lines(out)


def test_many_bots_play_a_round_robin_and_are_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["novice", "casual", "solid", "--seats", "2", "--rounds", "60", *QUICK]
    out = arena(capsys, *words)
    assert out.startswith("A round robin of 3 matches.\n180 rounds, 30 decks")
    ranked = re.findall(r"^\d\. (\w+)", out, re.MULTILINE)
    assert ranked == ["solid", "casual", "novice"]
    first, second = re.findall(r"^[12]\. \w+ +(.*)$", out, re.MULTILINE)
    assert float(first.split()[0]) + float(second.split()[0]) == pytest.approx(100)


def test_a_wide_field_is_told_in_blocks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    words = ["novice", "casual", "solid", "--seats", "2", "--rounds", "2", *QUICK]
    out = arena(capsys, *words)
    block = out.split("How often")[0]
    assert block.count("points a round") == 2
    assert all(len(line) <= 40 for line in block.splitlines()[3:])


@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", ["manches gagnées, %", "Elo"]), ("da", ["vundne runder, %", "Elo"])],
)
def test_figures_are_written_as_in_the_language(
    language: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = arena(capsys, "novice", "casual", "--rounds", "20", *QUICK, "--lang", language)
    for word in words:
        assert word in out
    assert re.search(r"\d,\d ±\d,\d", out)
    assert not re.search(r"\d\.\d", out)


def test_letters_may_be_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    out = arena(capsys, "novice", "casual", "--rounds", "20", *QUICK, "--ascii")
    assert out.isascii()
    assert "+/-" in out


def test_json_is_json_in_any_letters(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--rounds", "4", "--jobs", "1", "--json", "--ascii", "--seed", "“é”")
    found = json.loads(arena(capsys, f"{program} nonsense", "novice", *words))
    assert found["seed"] == "“é”"
    assert "“" in found["bots"][0]["trouble"]


def test_bots_are_seated_as_the_help_says(capsys: pytest.CaptureFixture[str]) -> None:
    def matches(*words: str) -> Any:
        return as_json(capsys, *words, "--rounds", "1")["matches"]

    assert matches("solid", "novice") == [["solid", "novice"]]
    assert matches("solid", "novice", "--seats", "3") == [["solid", "novice", "novice"]]
    assert matches("solid", "novice", "casual") == [["solid", "novice", "casual"]]
    assert len(matches("solid", "novice", "casual", "--rules", "duel")) == 3
    assert matches("solid", "novice", "--rules", "partners") == [["solid", "novice"]]
    assert len(matches("solid", "novice", "casual", "--teams")) == 3
    assert matches(*["solid", "novice"] * 3) == [["solid", "novice"]]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_played(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "novice", "novice", "--rounds", "1", "--rules", preset)
    due = Rules.preset(preset, stalemate_turnovers=5)
    assert found["rules"] == due.to_dict()
    assert found["complete"]


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("--target 100", "target", 100),
        ("--min-run 2", "min_run", 2),
        ("--scoring ascents", "scoring", "ascents"),
        ("--bonus", "bonus", True),
        ("--call manual", "call", "manual"),
        ("--exhausted shuffle", "exhausted", "shuffle"),
        ("--first-dealer low", "first_dealer", "low"),
        ("--teams", "teams", True),
        ("--max-rounds 3", "max_rounds", 3),
        ("--stalemate-turnovers 9", "stalemate_turnovers", 9),
        ("--seats 4", "players", 4),
    ],
)
def test_every_rule_can_be_changed(
    words: str, name: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, "novice", "novice", "--rounds", "1", *words.split())
    assert found["rules"][name] == value


def test_references_play_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "sorter", "novice", "--rounds", "2", "--rules", "duel")
    assert found["bots"][0]["name"] == "sorter"
    assert main(["arena", "--help"]) == OK
    told = " ".join(capsys.readouterr().out.split())
    for name in REFERENCES:
        assert f" {name}" in told or f"({name}" in told
        assert f"`{name}`" in DOCUMENT


def test_a_seed_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["novice", "casual", "--rounds", "20", "--jobs", "1", "--json"]
    first, other = json.loads(arena(capsys, *words)), json.loads(arena(capsys, *words))
    assert first["seed"] != other["seed"]
    again = json.loads(arena(capsys, *words, "--seed", first["seed"]))
    assert {**again, "timing": None} == {**first, "timing": None}


def test_jobs_change_nothing_but_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["novice", "casual", "--rounds", "60", "--seed", "a word", "--json"]
    found = [json.loads(arena(capsys, *words, "--jobs", jobs)) for jobs in ("1", "2")]
    assert [each.pop("timing")["jobs"] for each in found] == [1, 2]
    assert found[0] == found[1]


def documented(section: str) -> set[str]:
    """Names in the first column of the table under this heading of the document."""
    table = DOCUMENT.split(f"| {section} | value |")[1].split("\n\n")[0]
    return {name for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", row)}  # fmt: skip


def test_the_json_is_the_one_that_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "novice", "casual", "--games", "1", "--target", "75")
    assert set(found) == documented("field")
    assert set(found["bots"][0]) == documented("field of a bot")
    assert set(found["pairs"][0]) == documented("field of a pair")
    assert set(found["timing"]) == documented("field of `timing`")
    assert f"| `format` | {found['format']} |" in DOCUMENT
    estimates = [value for value in found["bots"][0].values() if isinstance(value, dict)]
    assert len(estimates) == 7
    assert all(set(estimate) == {"value", "error"} for estimate in estimates)
    assert to_dict.__module__ == "racko_core.arena.plain"


def test_the_python_of_the_document_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    monkeypatch.setattr("racko_core.arena.cores", lambda: 1)
    exec(compile(example, "ARENA.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.startswith("solid Estimate(value=0.")


@pytest.mark.parametrize("mode", [["--rounds", "4"], ["--games", "4", "--target", "100"]])
def test_records_are_written_and_true(
    mode: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "records"
    arena(capsys, "novice", "casual", *mode, "--records", str(folder), *QUICK)
    written = sorted(folder.iterdir())
    names = [f"deck-{deck:06}-{table:02}.txt" for deck in (1, 2) for table in (1, 2)]
    assert [path.name for path in written] == names
    kinds = [[seat.kind for seat in verify(path.read_bytes()).record.seats] for path in written[:2]]
    assert sorted(kinds) == [["casual", "novice"], ["novice", "casual"]]


def test_records_are_never_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["novice", "casual", "--rounds", "2", "--records", str(tmp_path / "records"), *QUICK]
    arena(capsys, *words)
    assert main(["arena", *words]) == FAILURE
    told = capsys.readouterr()
    assert told.err.startswith("There are records of games in “")
    assert told.out == ""


def test_a_folder_that_cannot_be_used_is_told_before_the_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for folder, why in (
        (tmp_path / "file" / "records", "a part of its path is no folder"),
        (tmp_path / "file", "it is no folder"),
    ):
        words = ["novice", "casual", "--records", str(folder)]
        assert main(["arena", *words, *QUICK]) == FAILURE
        told = capsys.readouterr().err
        assert re.fullmatch(rf"The records cannot be written into “.*” \({why}\); .*\.\n", told)


def test_a_disk_that_fills_up_costs_no_results(tmp_path: Path, home: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "import sys; from racko_tui.cli import main; sys.exit(main())"
    )
    words = ["novice", "casual", "--games", "4", "--records", str(tmp_path / "records"), *QUICK]
    done = subprocess.run(
        [sys.executable, "-c", code, "arena", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "RACKO_HOME": str(home)},
        check=False,
    )
    assert done.returncode == FAILURE
    assert done.stdout.startswith("Stopped after 1 of 2 decks.\n")
    assert re.fullmatch(r"The records cannot be written into .*\n", done.stderr)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "is missing"),
        (["solid"], "The arena needs two bots or more"),
        (
            ["solid", "stranger"],
            "There is no bot called “stranger”; choose one of novice, casual, solid, sharp, expert,"
            " sorter, keen, expert-blind, or “exec:COMMAND” for a program",
        ),
        (["solid", "outside:theirs"], "There is no bot called “outside:theirs”"),
        (
            ["solid", "soild"],
            "no bot called “soild” (do you mean “solid”?); choose one of novice, ",
        ),
        (["solid", "SHARPEN"], "no bot called “SHARPEN” (do you mean “sharp”?)"),
        (["solid", "stranger"], "sharp, expert, sorter, keen, expert-blind, or “exec:COMMAND”"),
        (["solid", "x\x07\x1by"], "no bot called “x??y”"),
        (["solid", "solid", "--rounds", "0"], "“--rounds” is a whole number from 1 to 1000000000"),
        (["solid", "solid", "--rounds", "5", "--games", "5"], "exclude each other"),
        (["solid", "solid", "--jobs", "2", "--dask", "there"], "exclude each other"),
        (["solid", "solid", "--seats", "5"], "for 2, 3 or 4 players, not 5"),
        (["solid", "solid", "--seats", "3", "--teams"], "Teams need four players, not 3"),
        (["solid", "solid", "--seats", "3", "--rules", "duel"], "is for two players, not 3"),
        (["solid", "solid", "--target", "7"], "multiple of 5, not 7"),
        (["solid", "solid", "--bot-time", "nan"], "seconds, not “nan”."),
        (["solid", "solid", "--bot-time", "inf"], "seconds, not “inf”."),
        (["solid", "solid", "--seed", "a\udcff"], "“--seed” is no text that can be read; give"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == WRONG_USAGE
    told = capsys.readouterr()
    assert complaint in " ".join(told.err.split())
    assert told.out == ""


def test_a_program_plays_like_any_bot(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, program, "novice", "--rounds", "4")
    first, novice = found["bots"]
    assert first["name"] == program
    assert first["failures"] == novice["failures"] == 0
    assert novice["share_of_rounds"]["value"] > 0.5


def test_a_program_that_fails_is_told_of(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = arena(capsys, f"{program} nonsense", "novice", "--rounds", "4", *QUICK)
    assert re.search(
        r"^\* “….* nonsense” failed, and a novice took its seat 4 times, each", out, re.MULTILINE
    )
    assert out.index("failed") < out.index("rounds won"), "where it is read"
    assert out.count("racko bot check") == out.count("racko.log") == 1
    (head,) = (line for line in out.splitlines() if "nonsense" in line and "“" not in line)
    assert re.fullmatch(r" +….* nonsense\* +novice", head)


def test_a_program_that_fails_is_marked_wherever_it_stands(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"{program} nonsense", "novice", "casual", "--seats", "2"]
    out = arena(capsys, *words, "--rounds", "4", *QUICK)
    assert len(re.findall(r"nonsense\*", out)) == 2
    assert "novice*" not in out


@pytest.mark.parametrize("width", ["40", "80"])
@pytest.mark.parametrize("letters", [[], ["--ascii"]])
def test_two_programs_never_look_the_same(
    width: str,
    letters: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    programs = []
    for folder in "ab":
        script = tmp_path / folder / "my_very_own_bot.py"
        script.parent.mkdir()
        script.write_text(ECHO)
        programs.append(f"exec:{shlex.join([sys.executable, str(script)])}")
    out = arena(capsys, *programs, "novice", "--seats", "2", "--rounds", "1", *QUICK, *letters)
    ranked = re.findall(r"^\d\. (\S+)", out, re.MULTILINE)
    assert len(set(ranked[:3])) == 3
    assert all(len(line) <= int(width) for line in out.splitlines())
    assert out.isascii() == bool(letters)


@pytest.mark.parametrize("language", ["en", "fr", "da"])
def test_wide_letters_and_long_words_fit_into_forty_columns(
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    programs = []
    for folder in ("ひとつ", "ふたつ"):
        script = tmp_path / folder / "とてもつよいプログラム🎴.py"
        script.parent.mkdir()
        script.write_text(ECHO)
        programs.append(f"exec:{shlex.join([sys.executable, str(script), 'nonsense'])}")
    words = [*programs, "novice", "--seats", "2", "--games", "1", "--target", "50", *QUICK]
    out = arena(capsys, *words, "--lang", language)
    assert max(map(cell_len, out.splitlines())) <= 40
    elos = [line for line in out.splitlines() if line.startswith("Elo")]
    heads = [line for line in out.splitlines() if re.match(r"^ +….*\*$", line)]
    assert [cell_len(line.rstrip("*")) + 1 for line in heads[:2]] == [
        cell_len(line) for line in elos[:2]
    ], "figures end where their heads do"


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (["solid", "exec:./bot"], ["solid", "exec:./bot"]),
        (["exec:python3 /there/bot.py --depth 3"], ["…e/bot.py --depth 3"]),
        (
            ["exec:python3 /there/bot.py"] * 1 + ["exec:python3 /where/bot.py"],
            ["…n3 /there/bot.py", "…n3 /where/bot.py"],
        ),
        (
            ["exec:python3 /here/by/someone/bot.py", "exec:python3 /her3/by/someone/bot.py"],
            ["…", "…"],
        ),
        (
            ["exec:" + "a" * 90 + "b" * 30 + "c" * 60, "exec:" + "d" * 90 + "e" * 30 + "c" * 60],
            ["…", "…"],
        ),
        (
            ["exec:bot " + "日" * 30 + "a", "exec:bot " + "日" * 30 + "b"],
            ["日日日日日日日日日a", "日日日日日日日日日b"],
        ),
        (["exec:" + "日本" * 9 + "🎴" * 30, "exec:" + "月本" * 9 + "🎴" * 30], ["…", "…"]),
        (["exec:bot " + "\x1b" * 30, "exec:bot " + "\x1b" * 31], ["1: ", "2: "]),
        (
            [
                "exec:" + "".join(other if place % 30 == at else "x" for place in range(90))
                for at in (0, 10, 20)
                for other in "ab"
            ],
            [],
        ),
    ],
)
def test_names_are_cut_where_they_are_alike(names: list[str], called: list[str]) -> None:
    found = list(shortened(names).values())
    assert len(set(found)) == len(names)
    assert all(cell_len(name) <= 20 for name in found)
    for name, due in zip(found, called, strict=False):
        assert due.strip("…") in name


def test_only_names_that_are_alike_get_a_number() -> None:
    programs = [f"exec:python3 p/{one}/release/good.py --{two}" for one, two in ("ab", "cb", "cd")]
    found = shortened([*programs, "novice", "exec:./a"])
    assert (found["novice"], found["exec:./a"]) == ("novice", "exec:./a")
    assert len(set(found.values())) == 5


def test_bots_are_called_in_any_case(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["SOLID", "solid", "Expert-Blind", program.replace("exec:", "EXEC:")]
    found = as_json(capsys, *words, "--seats", "2", "--rounds", "1")
    assert [each["name"] for each in found["bots"]] == ["solid", "expert-blind", program]


def logged(home: Path) -> str:
    """What the log file holds."""
    log = home / "racko.log"
    return log.read_text() if log.exists() else ""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_program_writes_and_why_it_failed_is_logged_whoever_plays(
    jobs: str, program: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arena(capsys, f"{program} nonsense", "novice", "--rounds", "4", "--seed", "1", "--jobs", jobs)
    assert ": asked turn\n" in logged(home)
    assert "chose “nonsense”, which is not among" in logged(home)


def test_a_program_that_is_not_there_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "exec:not-there", "novice", *QUICK]) == FAILURE
    told = capsys.readouterr()
    assert "not-there" in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.fixture
def long(tmp_path: Path, home: Path) -> Iterator[subprocess.Popen[str]]:
    """An arena that would go on for hours, and writes records into `tmp_path / "records"`."""
    words = ["novice", "casual", "--rounds", "100000000", "--json", "--seed", "1", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "arena", *words, "--records", str(tmp_path / "records")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "RACKO_HOME": str(home)},
        start_new_session=True,
    ) as process:
        yield process
        process.kill()


def test_ctrl_c_ends_it_with_what_is_done(long: subprocess.Popen[str], tmp_path: Path) -> None:
    records = tmp_path / "records"
    while not records.exists() or len(list(records.iterdir())) < 20:
        assert long.poll() is None
    os.killpg(long.pid, signal.SIGINT)  # as a terminal does
    out, err = long.communicate(timeout=60)
    assert long.returncode == INTERRUPTED
    assert err == ""
    found = json.loads(out)
    assert not found["complete"]
    assert found["rounds"] == found["tables"] == 2 * found["decks"] >= 18
    assert found["bots"][0]["rounds"] == found["rounds"]
    assert len(list(records.glob("deck-*.txt"))) == found["tables"]


@pytest.mark.parametrize("columns", [40, 80])
def test_on_a_terminal_one_sees_how_far_it_is(columns: int, home: Path) -> None:
    words = ["novice", "novice", "--rounds", "100000000", "--jobs", "1", "--seed", "1"]
    child = pexpect.spawn(
        sys.executable,
        ["-c", MAIN, "arena", *words],
        env={**os.environ, "RACKO_HOME": str(home)},
        dimensions=(24, columns),
        encoding="utf-8",
        timeout=60,
    )
    child.logfile_read = seen = io.StringIO()
    child.expect(r"Decks .* [1-9]\d*/100000000")
    child.sendintr()
    child.expect("Stopped after ([0-9]+) of 100000000 decks")
    child.expect("rounds won, %")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == INTERRUPTED
    lines = re.split(r"[\r\n]|\^C|\x1b\[[^a-zA-Z]*[a-zA-Z]", seen.getvalue())
    assert max(map(len, lines)) <= columns


def test_a_cluster_plays_as_well(
    program: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from distributed import LocalCluster

    words = [program, "casual", "--rounds", "40", "--seed", "1", "--json"]
    here = json.loads(arena(capsys, *words, "--jobs", "1"))
    (home / "racko.log").unlink()
    with LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=False,
    ) as running:
        there = json.loads(arena(capsys, *words, "--dask", running.scheduler_address))
    assert there.pop("timing")["jobs"] is None
    here.pop("timing")
    assert there == here
    assert "asked drawn" in logged(home), "the machine where it played is this one"


def test_a_missing_extra_is_told_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import racko_core.arena

    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "racko_core.arena.cluster", raising=False)
    monkeypatch.delattr(racko_core.arena, "cluster", raising=False)
    assert main(["arena", "novice", "casual", "--dask", "127.0.0.1:1"]) == FAILURE
    assert "pip install 'racko[cluster]'" in capsys.readouterr().err


def test_what_is_not_asked_for_is_not_imported() -> None:
    code = (
        "import sys; from racko_tui.cli import main;"
        "main('arena novice casual --rounds 2 --jobs 1'.split());"
        "print([name for name in sys.modules if name.partition('.')[0] in"
        " {'textual', 'rich', 'zeroconf', 'asyncssh', 'numpy', 'distributed', 'sqlite3'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
