"""The shape of the house: what may import what, and what may lie where."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ("racko_core", "racko_net", "racko_tui")
"""Lowest first; imports go down only."""
LONGEST = 450
"""Lines of a module."""

CORE_MAY_NOT = {
    "asyncio", "datetime", "http", "io", "locale", "multiprocessing", "os", "pathlib",
    "queue", "random", "select", "selectors", "shutil", "signal", "socket", "socketserver",
    "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib",
}  # fmt: skip
"""No sockets, files, clock or processes in the core, no chance but the seed's."""
CORE_EXCEPTIONS = {
    "racko_core/arena/cluster": {"distributed"},
    "racko_core/arena/hall": {"time"},
    "racko_core/arena/workers": {"multiprocessing", "os", "signal", "threading", "time"},
    "racko_core/bots/": {"random"},
    "racko_core/bots/expert/": {"numpy"},
    "racko_core/bots/pettingzoo_env": {"gymnasium", "numpy", "pettingzoo"},
    "racko_core/bots/training/": {"numba", "numpy", "pathlib", "time"},
}
"""By the start of a module's path: the arena may start processes, bots may have whims that follow
from what they see, the learnt bot may use numpy, and the environment the extra `rl`. The trainer is
a program of its own, with the extra `train`."""

TOP_LEVEL = {
    "pyproject.toml", "README.md", "LICENSE", "tests", *FLOORS,
}  # fmt: skip
MACHINE_PATHS = re.compile(r"(?<![\w.~/])/(?:work|opt|root|home|Users|mnt)/[\w.-]+")


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """The line and the full name of every import, wherever in the module it stands."""
    return tuple(_imports(ast.parse(path.read_text("utf-8"))))


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in line {node.lineno}"
            yield node.lineno, node.module or ""


def tracked() -> list[Path]:
    """The files of the repository; the test is skipped where there is none, as in an sdist."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout")
    return [ROOT / name for name in listing.stdout.split("\0") if name]


@pytest.mark.parametrize("package", FLOORS)
def test_imports_go_down_only(package: str) -> None:
    above = FLOORS[FLOORS.index(package) + 1 :]
    assert modules(package)
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for line, name in imports(path)
        if name.split(".")[0] in (*above, "tests")
    ]
    assert wrong == []


def test_screens_know_a_table_by_its_session_alone() -> None:
    # Except where hosting is the matter, a screen must not know whose process a table is in.
    wrong = []
    for path in modules("racko_tui/screens"):
        place = path.relative_to(ROOT).as_posix()
        for line, name in imports(path):
            if name.startswith(("racko_core.game", "racko_core.table", "racko_net.local")):
                wrong.append(f"{place}:{line} imports {name}")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "local_game":
                wrong.append(f"{place}:{node.lineno} asks for the local game")
    assert wrong == []


def test_the_core_needs_nothing_but_the_quiet_part_of_the_standard_library() -> None:
    wrong = []
    for path in modules("racko_core"):
        place = path.relative_to(ROOT).as_posix()
        excused = {
            name
            for start, names in CORE_EXCEPTIONS.items()
            if place.startswith(start)
            for name in names
        }
        for line, name in imports(path):
            top = name.split(".")[0]
            known = top in sys.stdlib_module_names or top == "racko_core"
            if top not in excused and (top in CORE_MAY_NOT or not known):
                wrong.append(f"{place}:{line} imports {name}")
    assert wrong == []


def test_the_core_opens_no_file() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("racko_core")
        if "training" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input", "eval", "exec")
    ]
    assert wrong == []


def test_no_module_is_too_long() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8").count("\n")
        for package in FLOORS
        for path in modules(package)
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_every_module_says_what_it_is_for_in_its_first_line() -> None:
    for package in FLOORS:
        for path in modules(package):
            summary = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]
            assert summary, path


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [path for package in FLOORS for path in modules(package) if path.stem in empty] == []


def test_the_top_level_holds_only_what_it_should() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in tops if not name.startswith(".")} <= TOP_LEVEL


def test_no_file_speaks_of_the_machine_it_was_made_on() -> None:
    wrong = []
    for path in tracked():
        if path == Path(__file__) or not path.is_file():
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for found in MACHINE_PATHS.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            wrong.append(f"{path.relative_to(ROOT)}:{line} {found[0]}")
    assert wrong == []
