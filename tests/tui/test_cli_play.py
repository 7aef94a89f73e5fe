"""`racko play`: who sits down, by which rules; and the other ways to the screen."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from racko_core.rules import Rules
from racko_core.seating import USUAL
from racko_tui import config
from racko_tui.begin import Continue, Home, Play
from racko_tui.cli import OK, WRONG_USAGE, main
from racko_tui.local.drafts import Draft
from racko_tui.terminal import console

if TYPE_CHECKING:
    from racko_tui.begin import Begin

READY = """
input()
print('{"type": "ready", "version": 1}', flush=True)
input()
"""


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Begin]:
    """Where the application was asked to begin."""
    begun: list[Begin] = []

    def run(settings: config.Settings, begin: Begin, *_: object, **__: Any) -> int:
        begun.append(begin)
        return 7

    monkeypatch.setattr(console, "require_screen", lambda: None)
    monkeypatch.setattr("racko_tui.commands.screen.Lifeline", nullcontext)
    monkeypatch.setattr("racko_tui.app.run", run)
    return begun


def played(shown: list[Begin], *arguments: str) -> Play:
    assert main(["play", *arguments]) == 7, "the exit status is that of the application"
    (begin,) = shown
    assert isinstance(begin, Play)
    return begin


@pytest.mark.parametrize(
    ("arguments", "people", "levels", "rules"),
    [
        ([], 1, [USUAL], Rules()),
        (["--bots", "solid,novice"], 1, ["solid", "novice"], Rules(players=3)),
        (["--bots", "SOLID, Novice"], 1, ["solid", "novice"], Rules(players=3)),
        (["--players", "Ana,Bo"], 2, [], Rules()),
        (["--players", "Ana, Bo ,Cy"], 3, [], Rules(players=3)),
        (["--players", "Ana,Bo", "--bots", "casual"], 2, ["casual"], Rules(players=3)),
        (["--rules", "duel"], 1, [USUAL], Rules.preset("duel")),
        (["--rules", "partners"], 1, [USUAL] * 3, Rules.preset("partners")),
        (["--players", "Ana,Bo", "--teams"], 2, [USUAL] * 2, Rules(players=4, teams=True)),
        (["--rules", "vintage", "--bots", "novice"], 1, ["novice"], Rules.preset("vintage", 2)),
        (
            ["--rules", "bonus", "--no-bonus", "--target", "150", "--min-run", "4"],
            1,
            [USUAL],
            Rules(call="manual", target=150, min_run=4),
        ),
        (
            [
                *["--scoring", "ascents", "--exhausted", "shuffle", "--first-dealer", "low"],
                *["--call", "manual", "--max-rounds", "3", "--stalemate-turnovers", "2", "--bonus"],
            ],
            1,
            [USUAL],
            Rules(
                scoring="ascents",
                exhausted="shuffle",
                first_dealer="low",
                call="manual",
                max_rounds=3,
                stalemate_turnovers=2,
                bonus=True,
            ),
        ),
    ],
)
def test_options_become_a_table(
    arguments: list[str], people: int, levels: list[str], rules: Rules, shown: list[Begin]
) -> None:
    choice = played(shown, *arguments).choice
    assert [seat.kind for seat in choice.seats] == ["human"] * people + levels
    assert choice.rules == rules
    assert len({seat.name for seat in choice.seats}) == rules.players
    assert choice.seed == ""


def test_who_chooses_no_bot_meets_the_same_one_everywhere(
    shown: list[Begin], capsys: pytest.CaptureFixture[str]
) -> None:
    first = Draft.fresh().choice(config.Settings())
    assert [seat.kind for seat in played(shown).choice.seats] == [seat.kind for seat in first.seats]
    assert USUAL == "casual", "not too strong for a first game"
    assert main(["play", "--help"]) == OK
    assert f"“{USUAL}” takes every seat" in " ".join(capsys.readouterr().out.split())
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    assert re.search(rf"racko play +# you against a {USUAL} bot", readme)


def test_names_and_seed_are_those_given(shown: list[Begin]) -> None:
    choice = played(shown, "--players", "Ana,Bo", "--seed", "42").choice
    assert [seat.name for seat in choice.seats] == ["Ana", "Bo"]
    assert choice.seed == "42"


def test_a_program_is_a_bot_too(shown: list[Begin], tmp_path: Path) -> None:
    (tmp_path / "my, bot.py").write_text(READY)
    program = f"""exec:{sys.executable} '{tmp_path}/my, bot.py'"""
    bots = f"""solid, {program} --depth "3,4",{program} it"""
    play = played(shown, "--bots", bots, "--bot-time", "30")
    assert [seat.kind for seat in play.choice.seats] == [
        "human",
        "solid",
        f'{program} --depth "3,4"',
        f"{program} it",
    ]
    assert play.bot_time == 30.0


@pytest.mark.parametrize("terminal", [True, False])
def test_whoever_waits_at_a_terminal_for_a_program_is_told(
    terminal: bool,
    shown: list[Begin],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr(console, "complain", told.append)
    (tmp_path / "slow.py").write_text(READY)
    program = f"{sys.executable} {tmp_path}/slow.py"
    played(shown, "--bots", f"solid,exec:{program},exec:{program}")
    assert told == ([f"Trying {program} …"] if terminal else [])


def test_the_own_name_is_the_settled_one(shown: list[Begin]) -> None:
    config.save(config.Settings(name="Ana"))
    assert played(shown).choice.seats[0].name == "Ana"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--bots", "grandmaster"], "There is no bot called “grandmaster”"),
        (["--bots", "sharpp"], "(do you mean “sharp”?)"),
        (["--bots", "sorter"], "There is no bot called “sorter”"),
        (["--bots", "exec:no-such-program"], "“no-such-program” cannot be started"),
        (["--bots", "exec:true"], "“true” ended with the status 0 before it had answered “hello”"),
        (["--bots", "exec:it's"], "“it's” cannot be started"),
        (["--bots", "exec:"], "The command that starts the program is missing"),
        (["--bots", "outside:mine"], "There is no bot called “outside:mine”"),
        (["--bots", "solid,solid,solid,solid"], "2, 3 or 4 players, not 5"),
        (["--players", "Ana", "--bots", ","], "2, 3 or 4 players, not 1"),
        (["--players", ",", "--bots", "solid,solid"], "Somebody has to play"),
        (["--players", "Ana,Ana"], "Two seats are called “Ana”"),
        (["--players", "A" * 25], "A name has 1 to 24 characters"),
        (["--rules", "duel", "--bots", "solid,novice"], "for two players, not 3"),
        (["--rules", "partners", "--bots", "solid"], "Teams need four players, not 2"),
        (["--target", "0"], "a positive multiple of 5, not 0"),
        (["--max-rounds", "0"], "must be 1 or more, not 0"),
    ],
)
def test_a_table_that_makes_no_sense_is_wrong_usage(
    arguments: list[str],
    complaint: str,
    shown: list[Begin],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", *arguments]) == WRONG_USAGE
    assert complaint in capsys.readouterr().err
    assert shown == []


def test_without_a_command_the_application_begins_at_home(shown: list[Begin]) -> None:
    main([])
    main(["--lang", "da"])
    assert shown == [Home(), Home()]


def test_continue_begins_where_the_last_game_was_left(shown: list[Begin]) -> None:
    main(["continue"])
    assert shown == [Continue()]
    main(["continue", "--bot-time", "30"])
    assert shown[1] == Continue(30.0)
    for mark in ".,":
        main(["continue", "--bot-time", f"1{mark}5"])
        assert shown.pop() == Continue(1.5), "the mark of any language"
    main(["continue", "--replace-programs"])
    assert shown[2] == Continue(replace_programs=True)
