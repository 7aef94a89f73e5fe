"""The end of a round, the scorecard, the end of a game, and the games that were played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.screen import Screen
from textual.widgets import Static

from racko_core.record import SeatName, verify
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.archive import record_of
from racko_tui.app import RackoApp
from racko_tui.begin import Play
from racko_tui.config import Settings
from racko_tui.local.games import Choice, Games, GamesError
from racko_tui.screens.analysis import AnalysisScreen
from racko_tui.screens.game_over import GameOverScreen
from racko_tui.screens.handover import HandOverScreen
from racko_tui.screens.help import HelpScreen, Pairs
from racko_tui.screens.history import HistoryScreen, PastCardScreen
from racko_tui.screens.home import HomeScreen
from racko_tui.screens.round_end import RoundEndScreen
from racko_tui.screens.scorecard import RoundCardScreen, ScorecardScreen
from racko_tui.tutor import Played, Tutor
from racko_tui.widgets.plot import Plot
from racko_tui.widgets.rack import Rack
from tests.core.coach.guessing import Guess
from tests.tui.steering import SIZES, played, press, shown, still


class Opening(RackoApp):
    """Opens a screen and keeps what it returns."""

    def __init__(self, screen: Screen[Any], settings: Settings | None = None) -> None:
        super().__init__(settings or still())
        self.opening = screen
        self.results: list[Any] = []

    def on_mount(self) -> None:
        super().on_mount()
        self.push_screen(self.opening, self.results.append)


def round_end(rules: Rules | None = None, rounds: int | None = 1) -> RoundEndScreen:
    table = played(rules, rounds=rounds)
    view = table.view(0)
    assert isinstance(view, View)
    return RoundEndScreen(view, table.info, (0,))


def states(app: RackoApp) -> list[Any]:
    return [rack.state for rack in app.screen.query(Rack)]


async def test_without_motion_a_round_is_counted_at_once() -> None:
    screen = round_end()
    app = Opening(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen.done
        ended = screen.ended
        for seat, state in enumerate(states(app)):
            assert state.cards == ended.racks[seat]
            assert state.points == str(ended.scores[seat].points)
            assert len(state.scoring) == ended.scores[seat].cards
        assert "25 for going out" in shown(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, ScorecardScreen)
        await press(pilot, "enter")
        assert isinstance(app.screen, HomeScreen)
        assert app.results == [None]


@pytest.mark.parametrize("name", ["Bo", "Bartholomew of the shore", "東京子"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_points_of_a_round_stand_below_one_another(
    name: str, size: tuple[int, int]
) -> None:
    table = played(rounds=1)
    table.chairs[1] = replace(table.chairs[1], name=name)
    view = table.view(0)
    assert view is not None
    screen = RoundEndScreen(view, table.info, (0,))
    app = Opening(screen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        lines = str(screen.query_one("#why", Static).content).splitlines()
    assert len(lines) == 2
    assert max(map(cell_len, lines)) <= size[0] - 2, "each in one line"
    assert len({cell_len(line.partition(":")[0]) for line in lines}) == 1


async def test_with_motion_racks_open_one_by_one_and_any_key_finishes() -> None:
    screen = round_end()
    app = Opening(screen, Settings(motion="on"))
    async with app.run_test(size=(80, 24)) as pilot:
        assert screen._timer is not None
        screen._timer.pause()
        screen._tick = 0
        screen._step()
        await pilot.pause()
        first, second = states(app)
        assert first.cards == screen.ended.racks[0]
        assert second.cards == (None,) * 10
        seen = []
        while not screen.done:
            screen._step()
            seen.append(len(states(app)[1].scoring))
        assert seen == sorted(seen)
        assert seen[-1] == screen.ended.scores[1].cards
        assert app.screen is screen


@pytest.mark.parametrize("key", ["enter", "x", "down"])
async def test_any_key_finishes_the_counting_and_does_nothing_else(key: str) -> None:
    screen = round_end()
    app = Opening(screen, Settings(motion="on"))
    async with app.run_test(size=(80, 24)) as pilot:
        assert not screen.done
        await press(pilot, key)
        assert screen.done
        assert app.screen is screen


async def test_the_break_is_marked_and_the_run_glows() -> None:
    screen = round_end(Rules.preset("bonus", target=2000), rounds=40)
    scored = next(
        ended for ended in screen.view.sheet if any(score.bonus for score in ended.scores)
    )
    screen.ended = scored
    app = Opening(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for seat, state in enumerate(states(app)):
            score = scored.scores[seat]
            assert len(state.run) == score.run
            assert len(state.breaks) == (0 if score.cards == 10 else 1)
            if score.bonus:
                assert state.points == f"{score.points - score.bonus}+{score.bonus}"
                assert f"+ {score.bonus} for the run" in shown(app)


async def test_the_last_round_goes_on_to_the_end_of_the_game() -> None:
    app = Opening(round_end(rounds=None))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, HomeScreen)
        assert app.results == [None]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "rules", [Rules(target=150), Rules.preset("partners", target=300)], ids=["duo", "teams"]
)
async def test_a_scorecard_shows_every_total_at_every_size(
    size: tuple[int, int], rules: Rules
) -> None:
    table = played(rules)
    view = table.view(0)
    assert view is not None
    app = Opening(ScorecardScreen(view, table.info))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        text = shown(app)
        for total in view.totals:
            assert str(total) in text
        assert "The game goes to" in text
        assert "to go" not in text
        assert "go on" in text
        await press(pilot, "escape")
        assert app.results == [None]


async def test_the_scorecard_of_a_game_that_is_over_leads_to_its_analysis() -> None:
    screen = game_over()
    app = Opening(screen)
    app.tutor = Tutor(Guess)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, ScorecardScreen)
        assert "a analysis" in shown(app)
        await press(pilot, "a")
        assert isinstance(app.screen, AnalysisScreen)


async def test_a_scorecard_at_the_table_offers_no_analysis() -> None:
    table = played(rounds=1)
    view = table.view(0)
    assert view is not None
    app = Opening(ScorecardScreen(view, table.info))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "a")
        assert "analysis" not in shown(app)
        assert isinstance(app.screen, ScorecardScreen)


def test_what_a_key_does_goes_on_below_itself() -> None:
    keys = Pairs([("h", "Ask what the best player would do."), ("1 … 0", "Choose a slot.")])
    assert [line.plain for line in keys._lines(24)] == [
        "h      Ask what the best",
        "       player would do.",
        "1 … 0  Choose a slot.",
    ]


async def test_a_long_scorecard_scrolls_and_starts_at_its_end() -> None:
    table = played(Rules(target=4000), rounds=40)
    view = table.view(0)
    assert view is not None
    app = Opening(ScorecardScreen(view, table.info))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rounds = app.screen.query_one("#rounds")
        assert rounds.scroll_offset.y == 40 - rounds.size.height
        await press(pilot, *["pageup"] * 8)
        assert rounds.scroll_offset.y == 0


async def test_a_scorecard_before_the_first_round_has_ended_says_so() -> None:
    table = played(rounds=0)
    view = table.view(0)
    assert view is not None
    app = Opening(ScorecardScreen(view, table.info))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "No round has ended yet; " in shown(app)
        assert shown(app).count("ended yet") == 1
        assert not app.screen.query_one(Plot).display, "there is nothing to draw"
        assert "went out" not in shown(app), "nor to explain"


def game_over(rules: Rules | None = None) -> GameOverScreen:
    table = played(rules)
    view = table.view(0)
    assert view is not None
    played_rounds = Played.seen([view], [chair.name for chair in table.info.chairs], None)
    return GameOverScreen(view, table.info, played_rounds)


@pytest.mark.parametrize(("key", "result"), [("r", "rematch"), ("q", "home")])
async def test_after_a_game_comes_a_rematch_or_home(key: str, result: str) -> None:
    app = Opening(game_over())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "escape")
        assert app.results == []  # Escape leaves nothing
        await press(pilot, key)
        assert app.results == [result]


async def test_the_figures_of_a_game_and_its_scorecard_are_there() -> None:
    app = Opening(game_over(Rules.preset("partners", target=300)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        text = shown(app)
        for title in ("Points", "Rounds ended with RACK-O", "Fastest RACK-O", "Longest run"):
            assert title in text
        await press(pilot, "s")
        assert isinstance(app.screen, ScorecardScreen)
        await press(pilot, "escape")
        assert isinstance(app.screen, GameOverScreen)
        await press(pilot, "e")
        assert "the host keeps it" in shown(app)


async def test_the_winners_name_is_laid_out_card_by_card() -> None:
    screen = game_over()
    app = Opening(screen, Settings(motion="on"))
    async with app.run_test(size=(80, 24)) as pilot:
        from racko_tui.widgets.logo import Logo

        logo = screen.query_one(Logo)
        assert logo.shown < 99
        await press(pilot, "down")
        assert logo.shown == 99


async def test_a_hand_over_shows_nothing_until_a_deliberate_key() -> None:
    asked: list[str] = []
    app = Opening(
        HandOverScreen("Bo [b]x[/b]", lambda: asked.append("leave"), lambda: asked.append("help"))
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "x", "1", "escape", "down", "q", "?")
        assert asked == ["leave", "leave", "help"]
        assert isinstance(app.screen, HandOverScreen)
        assert "Bo [b]x[/b], it is your turn." in shown(app)
        await press(pilot, "enter")
        assert app.results == [None]


async def test_enter_held_down_by_the_player_before_does_not_show_the_next_rack() -> None:
    hand_over = HandOverScreen("Bo", lambda: None, lambda: None)
    hand_over.QUIET = 0.8  # type: ignore[misc]
    app = Opening(hand_over)
    async with app.run_test(size=(80, 24)) as pilot:
        start = events.Key("enter", "\r").time
        held = [start - 0.1, start, *(start + 0.5 + repeat / 30 for repeat in range(60))]
        for at in held:
            key = events.Key("enter", "\r")
            key.time = at
            app.post_message(key)
        await pilot.pause()
        assert app.screen is hand_over
        assert "too soon" in shown(app)
        await pilot.pause(0.9)
        assert "too soon" not in shown(app), "that is done with"
        key = events.Key("enter", "\r")
        key.time = held[-1] + 1.0
        app.post_message(key)
        await pilot.pause()
        assert app.results == [None]


async def test_enter_pressed_twice_after_a_round_does_not_skip_the_scorecard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RoundCardScreen, "QUIET", 0.8)
    app = Opening(round_end())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, RoundCardScreen)
        start = events.Key("enter", "\r").time
        for after in (-0.1, 0.1, 0.6, 1.2):  # since the last of them it was never quiet
            key = events.Key("enter", "\r")
            key.time = start + after
            app.post_message(key)
            await pilot.pause()
            assert isinstance(app.screen, RoundCardScreen), after
        assert "too soon" in shown(app)
        key = events.Key("enter", "\r")
        key.time = start + 60.0
        app.post_message(key)
        await pilot.pause()
        assert app.results == [None]


async def test_enter_held_down_from_the_last_round_does_not_start_a_rematch() -> None:
    app = Opening(game_over())
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(5):
            await press(pilot, "enter")
            assert app.results == []


async def test_history_shows_results_scorecards_and_writes_records(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(home)
    first, second = played(seed="1"), played(Rules.preset("partners", target=300), seed="2")
    games.store().add_game(None, 1_000_000.0, record_of(first, 1_000_000.0))
    games.store().add_game(None, 2_000_000.0, record_of(second, 2_000_000.0))
    games.store().add_game(None, 500.0, "no record at all")
    games.close()
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert isinstance(app.screen, HistoryScreen)
        text = shown(app)
        assert text.index("Ana & Cy") < text.index("Ana ", text.index("Bo & Di") + 8)
        assert "a damaged record" in text
        await press(pilot, "enter")
        assert isinstance(app.screen, PastCardScreen)
        assert "Ana & Cy" in shown(app)
        await press(pilot, "e", "escape", "down", "e")
        assert isinstance(app.screen, HistoryScreen)
        assert "The record is in" in shown(app).replace("\n", "")
        written = sorted(folder.iterdir())
        assert len(written) == 2
        assert {verify(path.read_bytes()).record.rules for path in written} == {
            first.rules,
            second.rules,
        }
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert "line" in shown(app)


async def test_a_record_that_cannot_be_written_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(home)
    games.store().add_game(None, 1_000_000.0, record_of(played(), 1_000_000.0))
    games.close()

    def refuse(*_: object) -> Path:
        raise GamesError("The folder is closed.")

    monkeypatch.setattr("racko_tui.screens.history.export", refuse)
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g", "e")
        assert "The folder is closed." in shown(app)


async def test_history_without_games_says_so() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert "No game has been finished yet" in shown(app)


async def test_history_with_a_damaged_file_says_so(damaged: Path) -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert "damaged" in shown(app)


@pytest.fixture
def damaged(home: Path) -> Path:
    home.mkdir()
    path = home / "games.sqlite"
    path.write_bytes(b"not a database" * 100)
    return path


async def test_help_explains_the_rules_in_force() -> None:
    app = Opening(HelpScreen(HomeScreen(), Rules(target=355, min_run=4)))
    async with app.run_test(size=(80, 50)) as pilot:
        await pilot.pause()
        text = shown(app)
        assert "355 points" in text
        assert "at least 4 consecutive" in text
        assert "5 9 13 24 25 32 4 35 37 39" in text
        await press(pilot, "down", "q")
        assert app.results == [None]


async def test_a_whole_game_is_played_from_the_keyboard_to_a_rematch_and_home(home: Path) -> None:
    choice = Choice(Rules(target=150), (SeatName("Ana"), SeatName("Bo", "solid")), "3")
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        app.play(choice)
        await pilot.pause()
        table = app.local_game.session.table  # type: ignore[union-attr]
        for _ in range(400):
            if isinstance(app.screen, GameOverScreen):
                break
            if isinstance(app.screen, RoundEndScreen | ScorecardScreen):
                await press(pilot, "enter")
            else:
                await press(pilot, "d", "x")
        assert isinstance(app.screen, GameOverScreen)
        assert table.game.result is not None
        await press(pilot, "r")
        await pilot.pause()
        assert table.game_number == 2
        await press(pilot, "q", "y")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        (kept,) = Games(home).finished()
        assert verify(kept.record).game.result is not None


async def test_a_game_of_one_round_is_not_said_to_have_one_rounds() -> None:
    app = Opening(game_over(Rules(target=5)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "1 round " in shown(app)


async def test_help_at_the_table_tells_what_the_marks_beside_a_rack_mean() -> None:
    for rules, runs in ((Rules(), False), (Rules(bonus=True), True)):
        seats = (SeatName("Ana"), SeatName("Bo", "solid"))
        app = RackoApp(still(), Play(Choice(rules, seats, "3")))
        async with app.run_test(size=(90, 80)) as pilot:
            await pilot.pause()
            await press(pilot, "?")
            text = shown(app)
            for mark in "✗+┃╎◆◀":
                assert any(line.strip().startswith(mark) for line in text.splitlines()), mark
            assert ("longest run." in text) is runs


async def test_the_rules_keep_off_the_bar_that_scrolls_them() -> None:
    app = Opening(HelpScreen(HomeScreen()))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        bar = app.screen.query_one("#text").vertical_scrollbar.region.x
        assert bar > 0
        assert all(one.region.right < bar for one in app.screen.query(".paragraph"))


@pytest.mark.parametrize("size", [*SIZES, (100, 40)])
async def test_the_racks_of_a_round_stand_in_the_middle_as_high_as_there_is_room(
    size: tuple[int, int],
) -> None:
    screen = round_end(Rules(players=4))
    app = Opening(screen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        racks = [rack.region for rack in screen.query(Rack)]
        left, right = racks[0].x, size[0] - racks[-1].right
        assert abs(left - right) <= 1
        assert {rack.height for rack in racks} == {12 + 10 * ((size[1] >= 36) + (size[1] >= 46))}
        assert "In the lead" in shown(app)
        assert "scorecard" in shown(app)
