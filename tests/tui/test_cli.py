"""The command `racko`: usage, languages, letters and exit statuses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from racko_core import __version__
from racko_core.rules import PRESETS
from racko_tui import __main__, cli, config
from racko_tui.cli import FAILURE, OK, WRONG_USAGE, main
from racko_tui.commands.options import OneOf, Seconds, number

RUN = [sys.executable, "-c", "import sys; from racko_tui.cli import main; sys.exit(main())"]


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == OK
    assert capsys.readouterr().out == f"racko {__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == OK
    out = capsys.readouterr().out
    for name in cli.COMMANDS:
        assert f"\n  {name} " in out


@pytest.mark.parametrize("name", cli.COMMANDS)
@pytest.mark.parametrize("language", ["en", "fr", "da"])
def test_every_command_has_help_in_every_language(
    name: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help", "--lang", language]) == OK
    out = capsys.readouterr().out
    assert "--ascii" in out
    assert ("Show this message" in out) == (language == "en")
    assert ("Usage:" in out) == (language == "en")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "There is no command “nonsense”."),
        (["--nonsense"], "No such option"),
        (["--lang", "tlh", "score"], "“--lang” is en / fr / da, not “tlh”"),
        (["score"], "“CARD...” is missing."),
        (["rules", "partners", "--seats", "3"], "Teams need four players, not 3"),
        (["rules", "duel", "--seats", "3"], "for two players, not 3"),
        (["rules", "--target", "7"], "a positive multiple of 5, not 7"),
        (["rules", "--target", "ten"], "“--target” is a whole number, not “ten”"),
        (["rules", "--max-rounds", "9999999999"], "“--max-rounds” is at most 1000000000, not"),
        (["rules", "--min-run", "1"], "0 (none) or 2 to 6 cards, not 1"),
        (["rules", "--scoring", "all"], "“--scoring” is prefix / ascents, not “all”"),
        (["rules", "bonus", "extra"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_says_what_is_wrong(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == WRONG_USAGE
    told = capsys.readouterr()
    assert complaint in told.err
    assert "--help" in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "La commande « nonsense » n’existe pas."),
        (["--nonsense"], "L’option « --nonsense » n’existe pas."),
        (["score"], "manque."),
        (["score", "1"], "Un porte-cartes contient dix cartes"),
        (["rules", "--target", "ten"], "« --target » vaut un nombre entier, pas « ten »."),
        (["rules", "--scoring", "all"], "« --scoring » vaut prefix / ascents, pas « all »."),
        (["rules", "--target", "7"], "multiple de 5"),
        (["rules", "--target"], "L’option « --target » attend une valeur."),
        (["rules", "bonus", "extra"], "argument en trop"),
    ],
)
@pytest.mark.usefixtures("french")
def test_complaints_are_translated_too(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == WRONG_USAGE
    err = capsys.readouterr().err.replace("\N{NO-BREAK SPACE}", " ")
    assert complaint in err
    for english in ("Error", "Usage:", "Try", "No such", "Missing", "value"):
        assert english not in err


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Every command, and what is typed for it."""
    for name, module in cli.COMMANDS.items():
        command: click.Command = import_module(module).command()
        if isinstance(command, click.Group):
            yield from (([name, each], sub) for each, sub in command.commands.items())
        else:
            yield [name], command


def options(*kinds: type) -> Iterator[Any]:
    """Every option that takes a value of these types, and what is typed for it."""
    for words, command in commands():
        for param in command.params:
            if isinstance(param, click.Option) and not param.is_flag:  # noqa: SIM102
                if isinstance(param.type, kinds):
                    typed = [*words, param.opts[0]]
                    yield pytest.param(typed, id=" ".join(typed))


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence that refuses them."""
    assert main(arguments) == WRONG_USAGE
    told = capsys.readouterr()
    assert told.out == ""
    usage, _, complaint = told.err.partition("\n\nError: ")
    assert usage.startswith("Usage: ")
    assert re.fullmatch(r"[^\n]+\.\n", complaint)
    assert not re.search(r"'|<|Invalid", complaint), "in our words, not in those of click"
    return complaint


@pytest.mark.parametrize("typed", options(click.ParamType))
@pytest.mark.parametrize("empty", ["", " "])
def test_no_option_may_be_empty(
    typed: list[str], empty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"“{typed[-1]}” is " in refused([*typed, empty], capsys)


@pytest.mark.parametrize("typed", options(type(number()), Seconds))
@pytest.mark.parametrize("wrong", ["ten", "nan", "1e400", "0x10"])
def test_a_number_is_a_number(
    typed: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = refused([*typed, wrong], capsys)
    assert re.match(f"“{typed[-1]}” is a (whole number|time)[^,]*, not “{wrong}”", complaint)


@pytest.mark.parametrize("typed", options(OneOf))
def test_a_word_is_one_of_those_that_there_are(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = refused([*typed, "nonsense"], capsys)
    assert re.match(f"“{typed[-1]}” is .* / .*, not “nonsense”", complaint)


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ("arena --jobs 0", "a whole number from 1 to 1000"),
        ("arena --jobs 1001", "a whole number from 1 to 1000"),
        ("arena --rounds -1", "a whole number from 1 to 1000000000"),
        ("serve --max-connections 0", "a whole number from 1 up"),
        ("arena --bot-time 0", "a time from 0.1 to 3600 seconds"),
        ("bot check --bot-time -inf", "a time from 0.1 to 3600 seconds"),
    ],
)
def test_the_bounds_of_a_number_are_told(
    arguments: str, allowed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, option, value = words = arguments.split()
    assert refused(words, capsys) == f"“{option}” is {allowed}, not “{value}”.\n"


@pytest.mark.parametrize("name", ["verify", "analyse", "join", "status", "rules"])
def test_no_single_argument_may_be_empty(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "” is empty; " in refused([name, ""], capsys)


def test_a_missing_argument_is_said_in_our_words(capsys: pytest.CaptureFixture[str]) -> None:
    missing = 0
    for words, command in commands():
        for param in command.params:
            if isinstance(param, click.Argument) and param.required:
                missing += 1
                told = refused(words, capsys)
                assert "” is missing" in told
                assert ("; it is novice / casual" in told) == (words == ["bot", "run"])
    assert missing > 3


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("analyze", "analyse"), ("plya", "play"), ("Arena", "arena"), ("bot chek", "check")],
)
def test_the_command_nearest_to_a_misspelt_one_is_named(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = typed.split()[-1]
    assert main(typed.split()) == WRONG_USAGE
    told = capsys.readouterr().err
    assert f"There is no command “{wrong}”; do you mean “{meant}”?" in told


@pytest.mark.parametrize(
    ("arguments", "example"),
    [
        (["arena", "exec:perl", "bot.pl", "solid"], "exec:perl bot.pl"),
        (["arena", "exec:perl", "-w", "bot.pl"], "exec:perl -w"),
        (["play", "--bots", "solid,exec:perl", "bot.pl"], "solid,exec:perl bot.pl"),
        (["play", "--bots=exec:perl", "bot.pl"], "exec:perl bot.pl"),
        (["serve", "--bot", "mine=perl", "bot.pl"], "mine=perl bot.pl"),
        (["arena", "exec:./bot", "solid", "nonsense"], ""),
        (["arena", "solid", "nonsense"], ""),
        (["play", "--bots", "exec:perl bot.pl", "more"], ""),
    ],
)
def test_a_command_that_wants_quotes_is_told_of(
    arguments: list[str], example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == WRONG_USAGE
    told = capsys.readouterr().err
    assert ("belongs to the command of a program" in told) == bool(example)
    assert f'"{example}".' in told or not example


@pytest.mark.parametrize(
    "arguments", [["--lang", "da", "rules"], ["rules", "--lang=da"], ["rules", "--lang", "DA"]]
)
def test_lang_works_before_and_after_the_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(arguments)
    assert "trækbunken" in capsys.readouterr().out


def test_lang_then_settings_then_environment_choose_the_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    main(["rules"])
    assert "pioche" in capsys.readouterr().out
    config.save(config.Settings(language="da"))
    main(["rules"])
    assert "trækbunken" in capsys.readouterr().out
    main(["rules", "--lang", "en"])
    assert "draw pile" in capsys.readouterr().out


def test_damaged_settings_do_not_stop_what_needs_none(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("language = ", encoding="utf-8")
    assert main(["rules"]) == OK
    assert "draw pile" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--ascii", "rules"], ["rules", "--ascii"]])
@pytest.mark.parametrize("language", ["en", "fr", "da"])
def test_ascii_prints_ascii_alone(
    arguments: list[str], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--lang", language]) == OK
    out = capsys.readouterr().out
    assert len(out) > 500
    assert out.isascii()
    assert "?" not in out  # every letter has a spelling


@pytest.mark.parametrize("locale", ["C", "POSIX", "da_DK.ISO-8859-1", "da_DK", ""])
def test_a_locale_without_utf8_prints_ascii_by_itself(
    locale: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_ALL")
    monkeypatch.delenv("LC_CTYPE", raising=False)
    monkeypatch.setenv("LANG", locale)
    main(["rules", "--lang", "da"])
    out = capsys.readouterr().out
    assert out.isascii()
    assert "traekbunken" in out


def test_the_plain_locale_is_not_taken_for_the_one_that_python_makes_of_it() -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "PYTHON"))}
    for asked, wanted in (({"LANG": "C"}, True), ({"LANG": "C.UTF-8"}, False)):
        out = subprocess.run(
            [*RUN, "rules", "--lang", "da"],
            env={**environment, "PYTHONPATH": os.pathsep.join(sys.path), **asked},
            capture_output=True,
            check=True,
        ).stdout
        assert out.isascii() is wanted


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_tells_every_preset(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", preset]) == OK
    told = capsys.readouterr().out
    assert ("longest run" in " ".join(told.split())) == PRESETS[preset].get("bonus", False)
    assert all(len(line) <= 80 for line in told.splitlines())


def test_rules_obeys_single_options(capsys: pytest.CaptureFixture[str]) -> None:
    main(
        [
            "rules",
            "bonus",
            "--no-bonus",
            "--target",
            "150",
            "--seats",
            "4",
            "--exhausted",
            "shuffle",
            "--max-rounds",
            "7",
        ]
    )
    told = " ".join(capsys.readouterr().out.split())
    assert "cards 1 to 60" in told
    assert "reached 150 points" in told
    assert "after 7 rounds" in told
    assert "are shuffled" in told
    assert "longest run" not in told


def test_teams_seat_four_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--teams"]) == OK
    assert "Partners sit opposite" in capsys.readouterr().out


def test_a_score_imports_neither_screens_nor_network() -> None:
    code = (
        "import sys; from racko_tui.cli import main;"
        "main('score 5 9 13 24 25 32 4 35 42 55'.split());"
        "print([name for name in sys.modules if name.partition('.')[0] in"
        " {'textual', 'rich', 'zeroconf', 'msgspec', 'msgpack', 'asyncio', 'sqlite3', 'racko_net'}"
        " or name.startswith('racko_core.bots')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_leaves_early_is_no_failure_worth_a_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)  # before the program starts, or it may be done first
    try:
        done = subprocess.run([*RUN, "rules"], stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == FAILURE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_onto_a_full_disk_is_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*RUN, "rules"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == FAILURE
    assert done.stderr == "The output cannot be written: there is no space left.\n"


@pytest.mark.parametrize("closing", [">&-", ">&- 2>&-"])
def test_closed_outputs_are_no_failure(closing: str) -> None:
    command = f"\"$0\" -c '{RUN[2]}' rules {closing}"
    assert subprocess.run(["/bin/sh", "-c", command, sys.executable]).returncode == OK


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("racko_tui.commands.rules.show_rules", interrupt)
    assert main(["rules"]) == cli.INTERRUPTED


def test_an_interrupt_before_there_is_a_command_ends_quietly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupt)
    assert __main__.main() == cli.INTERRUPTED


def test_the_name_of_a_file_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "x\x1b[2J\udcff"]) == FAILURE
    assert "“x?[2J?”" in capsys.readouterr().err


def test_an_error_of_ours_becomes_a_sentence_and_a_log(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("racko_tui.commands.rules.show_rules", fail)
    assert main(["rules"]) == FAILURE
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert str(home / "racko.log") in err
    assert "ZeroDivisionError: a bug" in (home / "racko.log").read_text(encoding="utf-8")
