"""The README: what it says of the code is true, and what it shows works."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import click
import pytest

from racko_core.record import SeatName
from racko_core.rules import PRESETS, Rules
from racko_tui.app import RackoApp
from racko_tui.begin import Play
from racko_tui.cli import COMMANDS, main, racko
from racko_tui.local.games import Choice
from tests.tui.steering import press, shown, still

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PACKAGES = ("racko_core", "racko_net", "racko_tui")


def parts() -> dict[str, str]:
    """Every module and folder directly in a package, with the first line of its docstring."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).iterdir()):
            module = path / "__init__.py" if path.is_dir() else path
            if module.suffix == ".py" and module.exists() and path.name != "__init__.py":
                text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
                name = path.relative_to(ROOT).as_posix()
                found[name + "/" * path.is_dir()] = text.split("\n")[0]
    return found


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    lines = (line for block in blocks("sh") for line in block.splitlines())
    words = [shlex.split(line, comments=True) for line in lines if line.startswith("racko ")]
    return [line[1:] for line in words]


def test_the_list_of_modules_is_that_of_the_tree() -> None:
    listed = dict(re.findall(r"^\| `(racko_[\w./]+)` \| (.*) \|$", README, re.MULTILINE))
    due = {name: summary.removesuffix(".") for name, summary in parts().items()}
    assert listed == due, "run `python -m tests.test_readme` to write the list anew"


def test_the_line_for_a_friends_ssh_key_is_the_one_that_is_tried_with_an_sshd() -> None:
    hosting = (ROOT / "racko_tui" / "ssh" / "HOSTING.md").read_text(encoding="utf-8")
    (tried,) = re.findall(r"^command=.*$", hosting, re.MULTILINE)
    assert re.findall(r"^.*RACKO_HOME=.*$", README, re.MULTILINE) == [tried]


def test_every_command_that_is_shown_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert commands()
    group = racko()
    for words in commands():
        name, *arguments = words
        command = group.get_command(click.Context(group), name)
        assert command is not None, words
        command.make_context(name, arguments)


def test_every_command_is_shown() -> None:
    for name in COMMANDS:
        assert f"racko {name}" in README


async def test_the_picture_is_what_the_program_draws() -> None:
    seats = (SeatName("Ana"), SeatName("Wren", "solid"), SeatName("Opal", "novice"))
    app = RackoApp(still(), Play(Choice(Rules(players=3), seats, "3")))
    async with app.run_test(size=(80, 24)) as pilot:
        while "Your turn" not in shown(app):
            await pilot.pause()
        await press(pilot, "t", "9")
        picture = "\n".join(line.rstrip() for line in shown(app).splitlines())
    assert f"```\n{picture}\n```\n" in README


def test_every_preset_is_explained() -> None:
    for name in PRESETS:
        assert f"\n| `{name}` | " in README


def test_the_bot_of_the_example_plays(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (block for block in blocks("python") if "class Tidy" in block)
    exec(compile(example, "README.md", "exec"), {"__name__": "example"})
    assert re.fullmatch(r"Tidy \d+, novice \d+\n", capsys.readouterr().out)


def test_the_environment_of_the_example_is_played_in(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
    (example,) = (block for block in blocks("python") if "pettingzoo_env" in block)
    exec(compile(example, "README.md", "exec"), {"__name__": "example"})
    assert re.fullmatch(r"player_0 -?\d\.\d+\nplayer_1 -?\d\.\d+\n", capsys.readouterr().out)


def test_scores_that_are_shown_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [words for words in commands() if words[0] == "score"]
    assert shown
    for words in shown:
        assert main(words) == 0
    assert '"points": 125' in capsys.readouterr().out


def write_list() -> None:
    """Write the list of modules in the README anew."""
    rows = [f"| `{name}` | {summary.removesuffix('.')} |" for name, summary in parts().items()]
    table = "\n".join(["| part | what it is for |", "|---|---|", *rows])
    begin, end = "<!-- modules: begin -->\n", "<!-- modules: end -->"
    before, _, rest = README.partition(begin)
    _, _, after = rest.partition(end)
    (ROOT / "README.md").write_text(f"{before}{begin}\n{table}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    write_list()
