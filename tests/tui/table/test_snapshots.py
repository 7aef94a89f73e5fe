"""Pictures of the table in the middle of a game, in the sizes that matter.

When one differs, look at the report; if the new picture is meant, run with `--snapshot-update`.
"""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Do, Ready
from racko_core.table import Table
from racko_core.view import Phase
from racko_net.local import LocalSession
from racko_tui.app import RackoApp
from racko_tui.screens.table import TableScreen
from racko_tui.tutor import Tutor
from tests.core.coach.guessing import Guess
from tests.tui.steering import finished, press, still
from tests.tui.table.sitting import seated


def in_play(rules: Rules) -> Table:
    """A table at which it is the person's turn, after some rounds and turns."""
    table = seated(1, rules, seed="a picture")
    player = bot("solid")
    for _ in range(5000):
        view = table.view(0)
        assert view is not None
        if view.round == 2 and view.my_turn and view.phase is Phase.TURN and view.turns[0] > 3:
            return table
        if view.my_turn and view.phase not in (Phase.DEAL, Phase.OVER):
            table.apply(Do(0, decide_safely(player, view)), 1.0)
        elif view.phase is Phase.DEAL and view.sheet and not table.chairs[0].ready:
            table.apply(Ready(0), 1.0)
        else:
            given = table.due(1e9)
            assert given is not None
            table.apply(given, 1.0)
    raise AssertionError("no such moment in this game")


@pytest.mark.parametrize(
    ("size", "rules", "ascii_only"),
    [
        ((80, 24), Rules(), False),
        ((80, 24), Rules.preset("partners"), False),
        ((60, 20), Rules(players=3), True),
        ((200, 60), Rules(players=4, bonus=True), False),
    ],
    ids=["80x24", "80x24-partners", "60x20-ascii", "200x60"],
)
def test_the_table_in_the_middle_of_a_turn(
    snap_compare: Any, size: tuple[int, int], rules: Rules, ascii_only: bool
) -> None:
    table = in_play(rules)
    app = RackoApp(still(), ascii_only=ascii_only)
    app.tutor = Tutor(Guess)

    async def sit_down(pilot: Pilot[int]) -> None:
        await app.push_screen(TableScreen(LocalSession(table)))
        await pilot.pause()
        await press(pilot, "d", "up", "h")
        await finished(pilot, "hint")

    assert snap_compare(app, terminal_size=size, run_before=sit_down)
