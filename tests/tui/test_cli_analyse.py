"""`racko analyse`: the report, the JSON, and what cannot be judged."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from racko_core.actions import DEAL
from racko_core.bots import bot
from racko_core.bots.appraisal import Appraisal
from racko_core.game import Game
from racko_core.record import SeatName, write
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.store import Store
from racko_tui import config
from racko_tui.cli import FAILURE, INTERRUPTED, OK, main
from tests.core.chance import chooser
from tests.core.coach.guessing import Guess

SEED = bytes(32)
NAMES = ("Ana", "Bo", "Cy", "Di")


@pytest.fixture(autouse=True)
def guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command judges by a quick guess."""
    monkeypatch.setattr("racko_core.coach.coach", Guess)


def played(*, rounds: int = 2, names: tuple[str, ...] = NAMES, **settings: int | bool) -> Game:
    """A game in which the first player does not play well."""
    rules = Rules(max_rounds=rounds, stalemate_turnovers=2, **settings)  # type: ignore[arg-type]
    game = Game.new(rules, SEED)
    choose, others = chooser(random.Random(1), 0.5), bot("solid")
    while game.result is None:
        view = game.view(game.turn)
        game.apply(choose(game) if game.turn == 0 else others.decide(view))
    return game


def text_of(game: Game, names: tuple[str, ...] = NAMES) -> str:
    return write(game, [SeatName(name) for name in names[: game.rules.players]], seed=SEED)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.racko"
    path.write_text(text_of(played()), encoding="utf-8")
    return path


def test_the_report_tells_players_rounds_and_slips(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["analyse", str(file)]) == OK
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith("Ana and Bo: 2 rounds, judged by what each player could see.\n")
    assert max(map(len, told.out.splitlines())) <= 80
    rows = re.findall(r"^ +(?:[12]|all)? +(Ana|Bo) +(\d+) %", told.out, re.M)
    assert [name for name, _ in rows] == ["Ana", "Bo"] * 3
    assert all(
        int(ours) < int(theirs)
        for (_, ours), (_, theirs) in zip(rows[::2], rows[1::2], strict=True)
    )
    assert "The biggest slips of Ana" in told.out
    assert re.search(
        r"Round \d, turn \d+: blunder\. Chance to win the round \d+ % → \d+ %", told.out
    )
    assert re.search(r"Done: .+\. Better: .+\.\n  \S.+\.\n", told.out)
    assert re.search(r"^Bo +2 +[+−]\d\.\d +150 +[+−]\d+$", told.out, re.M)


def test_the_report_is_told_in_other_languages(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(file), "--lang", "fr"]) == OK
    assert "gaffe" in capsys.readouterr().out
    assert main(["analyse", str(file), "--lang", "da", "--ascii"]) == OK
    told = capsys.readouterr().out
    assert "bommert" in told
    assert told.isascii()


def test_json_tells_all_there_is(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(file), "--json"]) == OK
    told = json.loads(capsys.readouterr().out)
    game = played()
    assert told["format"] == 1
    assert told["rules"] == game.rules.to_dict()
    assert [seat["name"] for seat in told["seats"]] == ["Ana", "Bo"]
    decisions = [one for part in told["rounds"] for one in part["decisions"]]
    assert len(decisions) == sum(action != DEAL for action in game.actions)
    for one in decisions:
        assert {each["action"] for each in one["actions"]} >= {one["action"], one["best"]}
        assert one["actions"][0]["action"] == one["best"]
        assert one["loss"] == pytest.approx(
            max(0, one["before"]["win"] - one["after"]["win"]), abs=2e-5
        )
        assert (one["luck"] is not None) == (one["action"] == "d")
        assert (one["why"] is None) == (one["label"] == "fine")
    assert [part["went_out"] for part in told["rounds"]] == [ended.went_out for ended in game.sheet]
    for seat, player in enumerate(told["players"]):
        mine = [one for one in decisions if one["seat"] == seat]
        assert player["labels"]["blunder"] == sum(one["label"] == "blunder" for one in mine)
    assert [side["points"] for side in told["sides"]] == list(game.totals)


def test_every_name_in_the_json_is_described(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import racko_core.coach

    assert main(["analyse", str(file), "--json"]) == OK
    told = json.loads(capsys.readouterr().out)
    assert racko_core.coach.__file__ is not None
    document = Path(racko_core.coach.__file__).with_name("COACH.md").read_text("utf-8")
    names = set(told) | set(told["rounds"][0]) | set(told["players"][0]) | set(told["sides"][0])
    names |= set(told["rounds"][0]["decisions"][0])
    assert {name for name in names if f"`{name}`" not in document} == set()


def test_teams_and_a_game_that_is_not_over_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.racko"
    path.write_text(text_of(played(rounds=1, players=4, teams=True, bonus=True)), encoding="utf-8")
    assert main(["analyse", str(path)]) == OK
    told = capsys.readouterr().out
    assert re.search(r"^Ana & Cy +[01] ", told, re.M)
    game = Game.new(Rules(), SEED)
    for _ in range(4):
        game.apply(game.legal_actions()[0])
    path.write_text(text_of(game), encoding="utf-8")
    assert main(["analyse", str(path)]) == OK
    told = capsys.readouterr().out
    assert "Ana and Bo: 1 round" in told
    assert not re.search(r"^Bo +\d", told, re.M)  # there is no result yet


def test_no_side_is_said_to_have_won_less_than_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is left without luck can be less than no round; what came by luck can be read."""
    path = tmp_path / "game.racko"
    path.write_text(text_of(played(rounds=1, players=4)), encoding="utf-8")
    assert main(["analyse", str(path), "--json"]) == OK
    sides = json.loads(capsys.readouterr().out)["sides"]
    assert min(side["rounds_without_luck"] for side in sides) < 0
    assert main(["analyse", str(path)]) == OK
    told = capsys.readouterr().out
    for name, side in zip(NAMES, sides, strict=True):
        (row,) = re.findall(rf"^{name} +(\S+) +(\S+) +(\S+) +(\S+)$", told, re.M)
        won, by_luck, points, points_by_luck = (float(cell.replace("−", "-")) for cell in row)
        assert (won, points) == (side["rounds"], side["points"])
        assert by_luck == pytest.approx(won - side["rounds_without_luck"], abs=0.0501)
        assert points_by_luck == pytest.approx(points - side["points_without_luck"], abs=0.501)


@pytest.mark.parametrize("columns", [80, 40])
def test_what_goes_on_in_the_next_line_stands_further_in(
    columns: int, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["analyse", str(file)]) == OK
    lines = capsys.readouterr().out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("slips "))
    legend = lines[start : lines.index("", start)]
    assert max(map(len, [*lines[: lines.index("")], *legend])) <= columns
    first = [line.split()[0] for line in legend if not line.startswith("  ")]
    assert first == ["slips", "accuracy:", "luck:", "by", "Not"]
    assert (len(legend) == 5) == (columns == 80)


@pytest.mark.parametrize("language", ["en", "fr", "da"])
@pytest.mark.parametrize("teams", [False, True])
def test_everything_fits_into_forty_columns(
    language: str,
    teams: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "game.racko"
    names = ("Maximiliane", "田中さくら子", "Bo", "Christopher")
    path.write_text(text_of(played(players=4, teams=teams), names), encoding="utf-8")
    assert main(["analyse", str(path), "--lang", language]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 40
    rows = [line for line in lines if re.match(r"(Max\w*…|田中\w*…|Bo|Chr\w*…) .*% ", line)]
    assert len(rows) == 3 * 4
    assert len({cell_len(line[: line.index("%")]) for line in rows}) == 1  # in one column
    assert "…" in rows[0]


def test_without_a_file_the_game_finished_last_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RACKO_HOME", str(tmp_path))
    assert main(["analyse"]) == FAILURE
    assert capsys.readouterr().err == (
        "No game has been finished yet; name the file of a record.\n"
    )
    assert not list(tmp_path.iterdir())
    store = Store(tmp_path / config.GAMES_FILE)
    store.add_game(None, 1.0, text_of(played(rounds=1)))
    store.add_game(None, 2.0, text_of(played(rounds=2)))
    store.close()
    assert main(["analyse"]) == OK
    assert "2 rounds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"hello", "not a Rack-O record"),
        (text_of(Game.new(Rules(), SEED)).encode(), "There is no turn in this record"),
        (text_of(played(rounds=1)).replace("1. ", "1. p3 ", 1).encode(), "is not allowed"),
    ],
    ids=["no record", "no turn", "false"],
)
def test_what_cannot_be_judged_is_said_in_a_sentence(
    content: bytes,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["analyse", "-"]) == FAILURE
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.count("\n") == 1


def test_verify_and_analyse_agree_about_what_follows_the_end(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with file.open("ab") as record:
        record.write(bytes(512))
    told = []
    for command in ("verify", "analyse"):
        assert main([command, str(file)]) == FAILURE
        told.append(capsys.readouterr().err)
    assert told[0] == told[1]
    assert "The record goes on after its end, in line" in told[0]


@pytest.mark.parametrize("command", ["analyse", "verify"])
def test_names_cannot_move_the_cursor(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.racko"
    names = ("\x1b[2JAna\x9b1m", "日本" + "x" * 100)
    path.write_text(text_of(played(rounds=1), names), encoding="utf-8")
    assert main([command, str(path)]) == OK
    told = capsys.readouterr().out
    assert "Ana" in told
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", told)


def test_progress_is_shown_to_whoever_looks_on(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["analyse", str(file)]) == OK
    told = capsys.readouterr()
    total = sum(action != DEAL for action in played().actions)
    assert f"{total}/{total}" in told.err
    assert "Decisions" not in told.out


def test_ctrl_c_says_that_nothing_is_told_of_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopped(Guess):
        def appraise(self, view: View) -> tuple[Appraisal, ...]:
            if self.asked == 5:
                raise KeyboardInterrupt
            return super().appraise(view)

    monkeypatch.setattr("racko_core.coach.coach", Stopped)
    path = tmp_path / "game.racko"
    path.write_text(text_of(played(rounds=1)), encoding="utf-8")
    assert main(["analyse", str(path)]) == INTERRUPTED
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "You stopped this before every decision was judged; start it again for the whole.\n"
    )
