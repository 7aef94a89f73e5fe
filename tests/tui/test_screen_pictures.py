"""Pictures of the screens around the table, from rounds that were made up, so that they stay.

When one differs, look at the report; if the new picture is meant, run with `--snapshot-update`.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from racko_core.events import RackScore, RoundEnded
from racko_core.rules import Rules
from racko_tui.app import RackoApp
from racko_tui.scores import Scorecard
from racko_tui.screens.scorecard import CardScreen
from racko_tui.widgets.scoresheet import Columns, SheetRows
from tests.tui.steering import SIZES, shown, still

RACKS = (
    (3, 9, 10, 11, 26, 33, 38, 40, 47, 55),
    (5, 12, 13, 24, 25, 32, 4, 35, 42, 52),
    (14, 2, 7, 18, 28, 39, 41, 45, 50, 60),
)
ROUNDS = ((0, 50, 30, 5), (1, 0, 20, 45), (0, 0, 15, 10), (2, 0, 50, 35), (1, 100, 5, 20))
"""Who goes out, with which bonus, and what the others score, in the order of their seats."""


def card() -> Scorecard:
    totals = [0, 0, 0]
    sheet = []
    for number, (out, bonus, *others) in enumerate(ROUNDS, 1):
        points = list(others)
        points.insert(out, 75 + bonus)
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        scores = tuple(
            RackScore(10, True, 3, bonus, 75 + bonus)
            if seat == out
            else RackScore(points[seat] // 5, False, 0, 0, points[seat])
            for seat in range(3)
        )
        sheet.append(
            RoundEnded(
                round=number,
                dealer=number % 3,
                went_out=out,
                how="hand",
                racks=RACKS,
                scores=scores,
                totals=tuple(totals),
                deck=(),
                salt="",
                turns=(8, 9, 7),
                turnovers=0,
            )
        )
    return Scorecard(("Ana", "Bo", "Cyril"), Rules(players=3, bonus=True), tuple(sheet), None)


class Showing(RackoApp):
    """Opens the scorecard."""

    def on_mount(self) -> None:
        super().on_mount()
        self.push_screen(CardScreen(card()))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_scorecard(snap_compare: Any, size: tuple[int, int]) -> None:
    assert snap_compare(Showing(still()), terminal_size=size)


def test_the_scorecard_in_the_terminals_own_colours(snap_compare: Any) -> None:
    assert snap_compare(Showing(still(theme="terminal")), terminal_size=(80, 24))


def test_home(snap_compare: Any) -> None:
    assert snap_compare(RackoApp(still()), terminal_size=(80, 24))


@pytest.mark.parametrize("width", [58, 78, 108])
def test_the_columns_of_a_scorecard_are_straight(width: int) -> None:
    sheet = card()
    columns = Columns(width, 3)
    for index, ended in enumerate(sheet.sheet):
        row = SheetRows(sheet)._row(index, columns).plain
        ends = [3 + columns.cell * (side + 1) for side in range(3)]
        assert [row[:end].split()[-1] for end in ends] == [str(total) for total in ended.totals]
        assert not re.search(r"d[\d(]|\d\(", row), "nothing touches"


async def test_the_plot_says_that_rounds_are_counted() -> None:
    app = Showing(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert re.search(r"4 +5 +rounds", shown(app))
