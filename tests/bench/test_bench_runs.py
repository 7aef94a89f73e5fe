"""Every benchmark runs, if only in a small size, and prints its figures beside their baseline."""

from __future__ import annotations

import importlib
import re
import tempfile
from pathlib import Path
from statistics import median

import pytest

from tests.bench import startup

_N = r"([\d,.]+)"
PRINTED = {
    "bots": [
        rf"^empty v empty +{_N} +{_N}$",
        rf"^novice v novice +{_N} +1,000 +{_N}$",
        rf"^expert v expert +{_N} +10 +{_N}$",
        rf"^four players +expert +{_N} us .* of rounds against solid$",
        rf"^bonus +\d+ +{_N} +{_N} +{_N}$",
    ],
    "coach": [
        rf"{_N} ms of CPU a decision; {_N} times a replay without a coach$",
        rf"^expert +gives away +[\d.]+ ± [\d.]+ points .* accuracy +{_N} %",
    ],
    "core": [
        rf"^yardstick: {_N} million calls of an empty method a second$",
        rf"^turns, random, bare +{_N} +{_N} +{_N} turns/s$",
        rf"^games, events and record +{_N} +{_N} +{_N} rounds/s$",
    ],
    "net": [
        rf"^bare echo of {_N} bytes +{_N} ms p50 +{_N} ms p99",
        rf"^an action +{_N} ms p50 +{_N} ms p99",
        rf"^ +{_N} times the echo \(aim: 3\)$",
        rf"^ +{_N} times that without \(aim: 1.5\)$",
        rf"^ +{_N} KB a table",
    ],
    "ssh": [
        rf"^yardstick: calls of an empty method a second +{_N} million",
        rf"^open channel to first paint, idle +{_N} ms +aim 80$",
        rf"^key to screen p50 / p99, \d+ players +{_N} / {_N} ms +aim 5 / 25$",
        rf"^a session, on top of the worker +{_N} MB +aim 1.2$",
        rf"^baseline, a process each: first paint +{_N} ms",
        rf"^baseline: key to screen, \d+ players +{_N} / {_N} ms",
        rf"^baseline: a session +{_N} MB",
    ],
    "startup": [
        rf"^first paint +bare Textual app +{_N} ms",
        rf"^ +racko +{_N} ms",
        rf"^ +{_N} times the bare app: (?:within|OVER) ",
        rf"^arrow key +bare line widget +p50 +{_N} ms +p99 +{_N} ms +{_N} bytes$",
        rf"^ +table +p50 +{_N} ms +p99 +{_N} ms +{_N} bytes$",
    ],
}
"""Lines that are looked for; what stands in the place of a number is more than nothing."""


def test_every_benchmark_is_looked_at() -> None:
    names = (path.stem for path in Path(__file__).parent.glob("*.py"))
    assert PRINTED.keys() == {name for name in names if not name.startswith(("_", "test_"))}


@pytest.mark.parametrize("name", PRINTED)
def test_a_benchmark_prints_its_figures_beside_their_baseline(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    importlib.import_module(f"tests.bench.{name}").main(["--quick"])
    text = capsys.readouterr().out
    for line in PRINTED[name]:
        found = re.search(line, text, re.M)
        assert found, f"{line}\n{text}"
        assert all(float(figure.replace(",", "")) > 0 for figure in found.groups()), found[0]


@pytest.mark.slow
def test_the_first_screen_stands_almost_as_soon_as_that_of_a_bare_app() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = startup.home_with_settings(folder)
        bare, racko = startup.first_paints(home, startup.Scale().starts)
    assert median(racko) <= startup.BUDGET * median(bare)
