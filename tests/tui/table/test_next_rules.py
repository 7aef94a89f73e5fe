"""After a game its table may have the rules of the next one: what is shown is the one played."""

from __future__ import annotations

from racko_core.rules import Rules
from racko_core.seating import Configure, Rematch, Stage
from racko_core.view import Phase
from racko_tui.screens.help import HelpScreen
from racko_tui.widgets.plot import Plot
from tests.tui.steering import played, shown
from tests.tui.table.sitting import sitting
from tests.tui.table.test_table_secrecy import Watching

SINGLES = Rules(players=4, target=75)
TEAMS = Rules.preset("partners", target=150)
LEVELS = ("novice", "novice", "solid", "novice")


async def test_a_game_of_singles_is_told_though_the_next_one_is_for_teams() -> None:
    table = played(SINGLES, levels=LEVELS)
    assert table.game is not None
    assert table.game.result is not None
    assert table.game.result.winners == (2,)  # no team has this number
    table.apply(Configure(TEAMS), 1.0)
    async with sitting(Watching(table)) as at:
        assert "Something went wrong" not in shown(at.app)
        assert at.screen.chronicle.lines[-1].startswith("Cy wins the game")
        while not at.at_table:
            at.app.pop_screen()
        await at.press("?")
        assert isinstance(at.app.screen, HelpScreen)
        assert at.app.screen.rules == SINGLES


async def test_the_plot_at_the_table_climbs_to_the_target_of_the_game_that_is_played() -> None:
    table = played(Rules(target=75))
    watching = Watching(table)
    async with sitting(watching, size=(200, 60)) as at:
        assert at.screen.query_one(Plot).target == 75
        for given in (Configure(Rules(target=150)), Rematch()):
            watching.tell(*table.apply(given, 1.0))
        while table.game is None or table.game.phase is Phase.DEAL:
            watching.step()
        await at.pilot.pause()
        assert table.stage is Stage.PLAYING
        assert at.screen.query_one(Plot).target == 150
