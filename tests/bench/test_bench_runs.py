"""Every benchmark runs, if only in a small size; its figures are for people to read."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if not path.stem.startswith(("_", "test_", "conftest"))
)


@pytest.mark.parametrize("name", BENCHES)
def test_a_benchmark_runs_and_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(f"tests.bench.{name}").main(["--quick"])
    assert any(character.isdigit() for character in capsys.readouterr().out)
