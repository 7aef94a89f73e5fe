"""The analysis: judged while one looks on, and read by keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from racko_core.bots.appraisal import Appraisal
from racko_core.errors import RackoError
from racko_core.record import read
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.store import Store
from racko_tui import config, i18n
from racko_tui.app import RackoApp
from racko_tui.i18n import LANGUAGES
from racko_tui.screens.analysis import AnalysisScreen
from racko_tui.screens.game_over import GameOverScreen
from racko_tui.screens.help import HelpScreen
from racko_tui.screens.history import HistoryScreen, PastCardScreen
from racko_tui.screens.home import HomeScreen
from racko_tui.screens.round_end import RoundEndScreen
from racko_tui.tutor import Played, Tutor
from racko_tui.widgets.chance_plot import ChancePlot
from racko_tui.widgets.rack import Rack
from tests.core.coach.guessing import Guess
from tests.tui.steering import SIZES, finished, played, press, shown, still
from tests.tui.table.sitting import seated, sitting
from tests.tui.test_cli_analyse import played as badly_played
from tests.tui.test_cli_analyse import text_of


class Opening(RackoApp):
    """Opens the analysis of a game."""

    def __init__(self, *, coach: Any = Guess, ascii_only: bool = False, theme: str = "") -> None:
        super().__init__(still(theme=theme) if theme else still(), ascii_only=ascii_only)
        self.tutor = Tutor(coach)
        game = Played.in_record(read(text_of(badly_played())))
        self.analysis = AnalysisScreen(Played(game.names, 0, game.judge))

    def on_mount(self) -> None:
        super().on_mount()
        self.push_screen(self.analysis)


async def judged(pilot: Pilot[int]) -> None:
    """Wait until the coach is done."""
    await finished(pilot, "judge")


def text_on(app: RackoApp) -> str:
    """What stands on the screen, in one line."""
    return " ".join(shown(app).split())


@pytest.mark.parametrize("size", SIZES)
async def test_it_begins_with_the_figures_and_leads_from_slip_to_slip(
    size: tuple[int, int],
) -> None:
    app = Opening()
    async with app.run_test(size=size) as pilot:
        await judged(pilot)
        walk = app.analysis.walk
        assert walk is not None
        report = walk.analysis.reports[0]
        assert f"{report.accuracy:.0f} %" in text_on(app)
        assert f"slips: {walk.slip_number[1]}" in text_on(app)
        assert "next slip" in text_on(app)
        await press(pilot, "enter")
        assert f"slip 1 of {walk.slip_number[1]}" in text_on(app)
        assert "Played:" in text_on(app)
        assert "Better:" in text_on(app)
        decision = walk.decision
        assert decision is not None
        assert app.screen.query_one(Rack).state.cards == decision.view.rack
        await press(pilot, "n", "p")
        assert walk.decision is decision
        await press(pilot, "s")
        assert walk.decision is None


async def test_every_decision_can_be_reached_of_everybody() -> None:
    app = Opening()
    async with app.run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        walk = app.analysis.walk
        assert walk is not None
        await press(pilot, "right")
        assert walk.decision is not None
        assert walk.decision.seat == 0
        await press(pilot, "tab")
        assert walk.seat == 1
        assert "Bo" in text_on(app)
        await press(pilot, "tab")
        assert walk.seat is None
        assert "everybody" in text_on(app)
        await press(pilot, "home", "right")
        assert walk.decision is walk.analysis.rounds[0].decisions[0]
        await press(pilot, "pagedown")
        assert walk.round is walk.analysis.rounds[1]
        await press(pilot, "pagedown")
        assert "this is the last round" in text_on(app)
        await press(pilot, "pageup", "left")
        assert walk.decision is None
        while walk.slip(1):
            pass
        await press(pilot, "enter")
        assert "that was the last slip" in text_on(app)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_whoever_made_no_slip_is_told_so(language: str) -> None:
    app = Opening()
    async with app.run_test(size=(60, 20)) as pilot:
        await judged(pilot)
        walk = app.analysis.walk
        assert walk is not None
        i18n.install(language)
        walk._wrong = [False] * len(walk._wrong)
        for key in ("enter", "backspace"):
            await press(pilot, key)
            assert i18n._("there were no slips") in text_on(app)
            assert i18n._("that was the last slip") not in text_on(app)


async def test_only_slips_that_there_are_are_offered() -> None:
    app = Opening()
    async with app.run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        walk = app.analysis.walk
        assert walk is not None
        assert "previous" not in text_on(app)
        while walk.slip_number[0] < walk.slip_number[1]:
            await press(pilot, "enter")
        assert "next slip" not in text_on(app)
        assert "p previous slip" in text_on(app)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_ways_to_help_and_out_are_shown_in_the_smallest_window(language: str) -> None:
    i18n.install(language)
    app = Opening()
    async with app.run_test(size=(60, 20)) as pilot:
        await judged(pilot)
        for key in ("enter", "enter", "s"):
            last = shown(app).splitlines()[-1]
            assert f"? {i18n._('help')}" in last
            assert f"{i18n._('Esc')} {i18n._('back')}" in last
            await press(pilot, key)


@pytest.mark.parametrize("size", SIZES)
async def test_help_explains_keys_and_figures(size: tuple[int, int]) -> None:
    app = Opening()
    async with app.run_test(size=size) as pilot:
        await judged(pilot)
        assert "? help" in text_on(app)
        await press(pilot, "question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert "next slip" in text_on(app)
        read = text_on(app)
        for _ in range(8):
            await press(pilot, "down", "down", "down", "down")
            read += text_on(app)
        assert "What the figures mean" in read
        assert "accuracy: 100 % gives nothing away" in read
        assert "The rules in force" in read
        await press(pilot, "escape")
        assert app.screen is app.analysis


@pytest.mark.parametrize("theme", [*config.THEMES])
async def test_the_graph_is_drawn_on_the_ground_of_the_screen(theme: str) -> None:
    """On paper it was a large bright patch above everything else."""
    app = Opening(theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        await press(pilot, "enter")
        ground = app.screen.query_one(Rack).background_colors[1]
        assert app.screen.query_one(ChancePlot).background_colors[1] == ground
        strip = app.screen.query_one(ChancePlot).render_line(1)
        assert {one.style.bgcolor for one in strip if one.style} <= {ground.rich_color, None}


async def test_a_click_on_the_curve_goes_there() -> None:
    app = Opening()
    async with app.run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        walk = app.analysis.walk
        assert walk is not None
        await pilot.click(ChancePlot, offset=(9, 3))
        assert walk.decision is walk.analysis.rounds[0].decisions[0]


async def test_a_low_window_does_without_the_curve_and_a_resize_brings_it_back() -> None:
    app = Opening()
    async with app.run_test(size=(60, 20)) as pilot:
        await judged(pilot)
        await press(pilot, "enter")
        assert "Played:" in text_on(app)
        await pilot.resize_terminal(100, 40)
        await pilot.pause()
        assert "100 %" in text_on(app)
        assert "Played:" in text_on(app)


class _Held(Guess):
    """Answers when it is let go."""

    let_go = threading.Event()
    begun = threading.Event()

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        self.begun.set()
        self.let_go.wait()
        return super().appraise(view)


@pytest.fixture
def held() -> Iterator[type[_Held]]:
    _Held.let_go.clear()
    _Held.begun.clear()
    yield _Held
    _Held.let_go.set()


async def test_it_tells_how_far_it_is_and_can_be_left_meanwhile(held: type[_Held]) -> None:
    app = Opening(coach=held)
    async with app.run_test(size=(80, 24)) as pilot:
        while not held.begun.is_set():
            await pilot.pause()
        await pilot.pause()
        assert "The coach judges every decision." in text_on(app)
        assert "Decision 0 of " in text_on(app)
        await press(pilot, "enter", "tab", "down")  # nothing to walk through yet
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)
        await pilot.pause()
        assert [worker for worker in app.workers if worker.group == "judge"] == []


def _missing() -> Guess:
    raise RackoError("The coach has gone to lunch.")


def _broken() -> Guess:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("coach", "sentence"),
    [(_missing, "The coach has gone to lunch."), (_broken, "The coach cannot judge this;")],
)
async def test_without_a_coach_it_says_so(coach: Any, sentence: str) -> None:
    app = Opening(coach=coach)
    async with app.run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        assert sentence in text_on(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


# The ways there


async def test_from_the_end_of_a_round_and_of_a_game() -> None:
    async with sitting(seated(1, Rules(target=50))) as at:
        await at.play_round()
        await at.until(lambda: isinstance(at.app.screen, RoundEndScreen), "the end of the round")
        await at.press("a")
        assert isinstance(at.app.screen, AnalysisScreen)
        await judged(at.pilot)
        assert at.app.screen.walk is not None
        assert len(at.app.screen.walk.analysis.rounds) == 1
        assert at.app.screen.walk.seat == 0
        await at.press("escape", "enter")
        assert isinstance(at.app.screen, GameOverScreen)
        await at.press("a")
        assert isinstance(at.app.screen, AnalysisScreen)
        await judged(at.pilot)
        assert at.app.screen.walk is not None
        game = at.table.game
        assert game is not None
        judged_actions = [
            one.action for part in at.app.screen.walk.analysis.rounds for one in part.decisions
        ]
        assert judged_actions == [one for one in game.actions if type(one).__name__ != "Deal"]
        await at.press("escape")
        assert isinstance(at.app.screen, GameOverScreen)


async def test_from_the_games_that_were_played(home: Path) -> None:
    store = Store(home / config.GAMES_FILE)
    store.add_game(None, 500.0, "no record at all")
    store.add_game(None, 1_000.0, text_of(badly_played(rounds=1)))
    store.close()
    app = RackoApp(still())
    app.tutor = Tutor(Guess)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g", "a")
        await judged(pilot)
        assert isinstance(app.screen, AnalysisScreen)
        assert app.screen.walk is not None
        await press(pilot, "q", "enter", "a")
        await judged(pilot)
        assert isinstance(app.screen, AnalysisScreen)
        await press(pilot, "q")
        assert isinstance(app.screen, PastCardScreen)
        await press(pilot, "escape", "down", "a")
        assert isinstance(app.screen, HistoryScreen)
        assert "line 1" in text_on(app)


async def test_the_hints_of_a_game_are_told_at_its_end() -> None:
    table = played(Rules(target=75))
    view = table.view(0)
    assert view is not None
    from dataclasses import replace

    chairs = tuple(
        replace(chair, hints=3 * (1 - seat)) for seat, chair in enumerate(table.info.chairs)
    )
    info = replace(table.info, chairs=chairs)
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(GameOverScreen(view, info, Played.seen([view], ("Ana", "Bo"), 0)))
        await pilot.pause()
        (line,) = [line for line in shown(app).splitlines() if "Hints" in line]
        assert line.split() == ["Hints", "3", "–"]
        await press(pilot, "s")
        assert "hints: Ana 3" in text_on(app)


# Pictures


@pytest.mark.parametrize(
    ("size", "ascii_only", "keys"),
    [
        ((80, 24), False, ()),
        ((80, 24), False, ("enter", "enter")),
        ((60, 20), True, ("enter", "enter")),
        ((200, 60), False, ("tab", "tab", "pagedown", "right")),
    ],
    ids=["80x24-overview", "80x24", "60x20-ascii", "200x60-everybody"],
)
def test_the_analysis(
    snap_compare: Any, size: tuple[int, int], ascii_only: bool, keys: tuple[str, ...]
) -> None:
    app = Opening(ascii_only=ascii_only)

    async def look(pilot: Pilot[int]) -> None:
        await judged(pilot)
        await press(pilot, *keys)

    assert snap_compare(app, terminal_size=size, run_before=look)
