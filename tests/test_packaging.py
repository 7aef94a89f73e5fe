"""What is built: the wheel and the sdist hold all that the program needs, and the wheel plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pexpect
import pytest

from racko_core import __version__
from racko_tui.i18n import LANGUAGES

ROOT = Path(__file__).parent.parent
PACKAGES = ("racko_core", "racko_net", "racko_tui")
DATA = {".po", ".tcss", ".md", ".js", ".typed"}
"""What a package holds besides modules."""


def build(source: Path, target: Path, kind: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", target, source],
        check=True,
        capture_output=True,
        text=True,
    )
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("sdist"), "--sdist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, so that both are tried."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return build(source, tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel was installed into."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "--target", folder, wheel], check=True, capture_output=True)
    return folder


@pytest.fixture
def elsewhere(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment in a folder far from the checkout where only the wheel can be imported."""
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    where = subprocess.run(
        [sys.executable, "-P", "-c", "import racko_tui; print(racko_tui.__file__)"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.strip() == str(installed / "racko_tui" / "__init__.py")
    return environment


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    due = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in DATA | {".py"} or path.name == "py.typed"
    }
    assert due - held == set()
    for language in set(LANGUAGES) - {"en"}:
        assert f"racko_tui/locale/{language}/LC_MESSAGES/racko.mo" in held
    assert {name.split("/")[0] for name in held} == {*PACKAGES, f"racko-{__version__}.dist-info"}


def test_the_sdist_brings_its_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", ".ci/run", "tests/conftest.py"} <= held


def test_the_installed_wheel_scores_in_every_language(elsewhere: dict[str, str]) -> None:
    for language, word in (("en", "going out"), ("fr", "sortie"), ("da", "gå ud")):
        command = [sys.executable, "-P", "-m", "racko_tui", "score", "--lang", language]
        done = subprocess.run(
            [*command, *map(str, range(3, 13))],
            env=elsewhere,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        assert word in done.stdout


def test_the_installed_wheel_plays(elsewhere: dict[str, str]) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-P", "-m", "racko_tui", "play", "--bots", "novice", "--seed", "1"],
        env=elsewhere,
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=30,
    )
    child.expect("RACK-O")
    child.expect("draw")
    child.send("\x03")
    child.expect("Leave")
    child.send("\x03")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_the_installed_command_is_the_one_of_the_project(installed: Path) -> None:
    script = (installed / "bin" / "racko").read_text(encoding="utf-8")
    assert re.search("from racko_tui.__main__ import main", script)
