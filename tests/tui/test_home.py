"""From home to everywhere and back, with keys, letters and the mouse."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from racko_core.errors import RackoError
from racko_core.record import SeatName
from racko_core.rules import Rules
from racko_net.clientside.tokens import SavedSeat
from racko_net.local import LocalSession
from racko_net.outside_bot.permission import OutsideError, Programs
from racko_net.session import Link
from racko_tui import i18n
from racko_tui.app import RackoApp
from racko_tui.begin import Continue, Home, Play
from racko_tui.config import Settings
from racko_tui.i18n import LANGUAGES
from racko_tui.local.games import Choice, Games
from racko_tui.screens.help import HelpScreen
from racko_tui.screens.history import HistoryScreen
from racko_tui.screens.home import HomeScreen
from racko_tui.screens.leave import LeaveScreen
from racko_tui.screens.new_game import NewGameScreen
from racko_tui.screens.question import ReplaceScreen
from racko_tui.screens.settings import SettingsScreen
from racko_tui.screens.table import TableScreen
from racko_tui.screens.too_small import TooSmallScreen
from racko_tui.screens.trial import TrialScreen
from racko_tui.screens.unfinished import UnfinishedScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.menu import Menu
from tests.net.outside.positions import strange
from tests.tui.steering import press, shown, still

FRIENDS = Choice(Rules(target=150), (SeatName("Ana"), SeatName("Bo")), "7")
ALONE = Choice(Rules(target=150), (SeatName("Ana"), SeatName("Bo", "novice")), "7")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_everything_is_can_be_read_in_the_smallest_terminal(language: str) -> None:
    i18n.install(language)
    app = RackoApp(still(language=language))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        cut = [line for line in shown(app).splitlines() if line.rstrip().endswith("…")]
        assert cut == []


async def test_the_keys_of_the_games_stand_in_one_line_in_a_usual_window() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        (line,) = (line for line in shown(app).splitlines() if "Esc" in line)
        assert "scorecard" in line


async def test_hints_in_several_lines_are_about_equally_long() -> None:
    hints = Hints([(letter, "word") for letter in "abcdefg"])
    for width, lengths in ((59, [33, 24]), (20, [15, 15, 15, 6]), (100, [60])):
        assert [line.cell_length for line in hints._lines(width)] == lengths


@pytest.mark.parametrize(
    ("letter", "screen"),
    [
        ("p", NewGameScreen),
        ("g", HistoryScreen),
        ("s", SettingsScreen),
        ("?", HelpScreen),
    ],
)
async def test_a_letter_opens_a_screen_and_escape_comes_back(
    letter: str, screen: type[object]
) -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, letter)
        assert isinstance(app.screen, screen)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_arrows_and_enter_open_what_is_marked() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "up", "up", "enter")  # over the top to the last but one
        assert isinstance(app.screen, HelpScreen)


async def test_the_mouse_opens_what_is_clicked() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        menu = app.screen.query_one(Menu)
        settings = [item.id for item in menu.items].index("settings")
        await pilot.click(Menu, offset=(8, settings))
        assert isinstance(app.screen, SettingsScreen)


async def test_the_mouse_pressed_beyond_the_screen_takes_the_keys_from_nobody() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for x, y in ((80, 5), (5, 24), (-1, 5)):
            app.post_message(events.MouseDown(None, x, y, 0, 0, 1, False, False, False))
            await pilot.pause()
            assert app.focused is app.screen.query_one(Menu)
        app.post_message(events.MouseDown(None, 79, 23, 0, 0, 1, False, False, False))
        await pilot.pause()
        await press(pilot, "up", "up", "enter")
        assert isinstance(app.screen, HelpScreen)


async def test_what_cannot_be_done_says_why() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c")
        assert isinstance(app.screen, HomeScreen)
        assert "There is no game to continue; start a new one." in shown(app)


async def test_where_a_hosted_table_waits_is_said_when_there_is_nothing_to_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = [SavedSeat("server", "127.0.0.1:1", "KAFU", "Ana", 0, "token")]
    monkeypatch.setattr("racko_tui.lan.hosting.left_tables", lambda tokens: left)
    waits = "your table KAFU waits under “Host” on the first screen."
    app = RackoApp(still())
    with pytest.raises(RackoError, match=waits):
        app.check_continue()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c")
        assert waits in " ".join(shown(app).split())


async def test_quitting_from_home_asks_nothing() -> None:
    for key in ("q", "ctrl+c", "ctrl+q"):
        app = RackoApp(still())
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, key)
        assert app.return_value == 0


async def test_continue_shows_what_would_be_continued_and_goes_there(home: Path) -> None:
    app = RackoApp(still(), Play(FRIENDS))
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(app.screen_stack[1], TableScreen)
        await press(pilot, "ctrl+c")
        assert isinstance(app.screen, LeaveScreen)
        await press(pilot, "ctrl+c")
    assert app.return_value == 0

    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Ana and Bo · round 1 · just now" in shown(app)
        await press(pilot, "c")
        await pilot.pause()
        assert any(isinstance(screen, TableScreen) for screen in app.screen_stack)

    app = RackoApp(still(), Continue())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert any(isinstance(screen, TableScreen) for screen in app.screen_stack)


@pytest.mark.parametrize(
    ("language", "letter"), [("en", "y"), ("fr", "o"), ("fr", "y"), ("da", "j"), ("da", "y")]
)
async def test_yes_goes_by_the_letter_of_the_language(language: str, letter: str) -> None:
    i18n.install(language)
    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "q")
        assert {"en": "y  Leave", "fr": "o  Quitter", "da": "j  Forlad"}[language] in shown(app)
        await press(pilot, letter)
        assert isinstance(app.screen, HomeScreen)


async def test_a_game_left_with_q_is_released_and_can_be_continued(home: Path) -> None:
    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "q", "n")
        assert isinstance(app.screen, TableScreen)
        await press(pilot, "escape", "q", "y")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert Games(home).saved() is not None
        await press(pilot, "c")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_of_several_games_the_player_chooses_which_one_to_continue(home: Path) -> None:
    games = Games(home)
    teams = Choice(
        Rules.preset("partners"),
        tuple(SeatName(name) for name in ("Ana", "Bo", "Cyril", "Dominique")),
        "7",
    )
    for choice in (FRIENDS, teams):
        games.leave(games.start(choice, 0.0))
    app = RackoApp(still())
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "c")
        await pilot.pause()
        assert isinstance(app.screen, UnfinishedScreen)
        (newer, older) = (line for line in shown(app).splitlines() if "just now" in line)
        assert "Partners" in newer
        assert "Ana and Bo" in older
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)
        await press(pilot, "c", "down", "enter")
        await pilot.pause()
        assert app.local_game is not None
        assert app.local_game.id == 1


@pytest.fixture
def damaged(home: Path) -> Path:
    home.mkdir()
    path = home / "games.sqlite"
    path.write_bytes(b"not a database" * 100)
    return path


async def test_leaving_a_game_that_cannot_be_saved_says_so(damaged: Path) -> None:
    app = RackoApp(still(), Play(FRIENDS))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+c")
        assert isinstance(app.screen, LeaveScreen)
        assert "It cannot be saved" in shown(app)


async def test_leaving_a_game_that_was_saved_once_does_not_say_that_it_would_be_gone() -> None:
    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.local_game is not None
        app.local_game.session.link = Link(trouble=RackoError("The disk is full."), kept="part")
        await press(pilot, "q")
        await see(pilot, "It can no longer be saved. “Continue” on the")


async def test_a_game_that_is_open_elsewhere_is_not_offered(home: Path) -> None:
    other = Games(home)
    game = other.start(FRIENDS, 0.0)
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "another window" in shown(app)
        await press(pilot, "c")
        assert isinstance(app.screen, HomeScreen)
        assert "another window" in shown(app), "it was tried again, and the reason told again"
        other.leave(game)  # the other window is closed
        await press(pilot, "c")
        assert app.local_game is not None


async def test_a_terminal_that_is_too_small_says_so_and_carries_on_when_it_grows() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        await pilot.resize_terminal(59, 24)
        await pilot.pause()
        assert isinstance(app.screen, TooSmallScreen)
        assert "59x24" in shown(app)
        await press(pilot, "escape", "p")  # nothing below is touched
        await pilot.resize_terminal(60, 19)
        await pilot.pause()
        assert "60x19" in shown(app)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        assert len(app.screen_stack) == 2


async def test_what_opens_meanwhile_opens_below_the_notice() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, TooSmallScreen)
        app.push_screen(HelpScreen(app.screen))
        await pilot.pause()
        assert isinstance(app.screen, TooSmallScreen)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)


@pytest.mark.parametrize(
    ("environment", "motion", "allowed"),
    [
        ({}, "auto", True),
        ({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "auto", False),
        ({"SSH_TTY": "/dev/pts/1"}, "auto", False),
        ({"SSH_TTY": "/dev/pts/1"}, "on", True),
        ({}, "off", False),
    ],
)
def test_motion_rests_over_ssh_unless_the_player_wants_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], motion: str, allowed: bool
) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert RackoApp(Settings(motion=motion)).motion_allowed is allowed  # type: ignore[arg-type]


async def test_a_game_that_was_just_left_is_not_said_to_be_played_in_another_window(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing, closed = asyncio.Event(), asyncio.Event()
    close = LocalSession.close

    async def slowly(session: LocalSession) -> None:
        closing.set()
        await closed.wait()
        await close(session)

    monkeypatch.setattr(LocalSession, "close", slowly)
    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "q", "y")
        await closing.wait()
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert "another window" not in shown(app)
        closed.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "another window" not in shown(app)
        assert "Ana and Bo · round 1 · just now" in shown(app)


async def test_quitting_right_after_a_game_was_left_does_not_ask_about_it_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_session: LocalSession) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(LocalSession, "close", never)
    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "q", "y")
        assert isinstance(app.screen, HomeScreen)
        await press(pilot, "q")
    assert app.return_value == 0


async def test_continue_pressed_right_after_leaving_opens_the_game_that_was_left(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = asyncio.Event()
    close = LocalSession.close

    async def slowly(session: LocalSession) -> None:
        await closed.wait()
        await close(session)

    app = RackoApp(still(), Play(ALONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        monkeypatch.setattr(LocalSession, "close", slowly)
        app.home.query_one(Menu).change("continue", why_not="")
        await press(pilot, "q", "y", "c")
        closed.set()
        for _ in range(50):
            await pilot.pause()
            assert "another window" not in shown(app)
        assert isinstance(app.screen, TableScreen)


async def test_a_game_whose_program_does_not_answer_waits_until_it_does(home: Path) -> None:
    games, level = await left_with_a_program_that_is_gone(home)
    with pytest.raises(RackoError, match=r"ended with the status 3.* --replace-programs") as told:
        RackoApp(still(), Continue()).check_continue()
    assert str(told.value).startswith("“")

    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c")
        await see(pilot, "A program does not answer", "Wait", "Go on")
        assert isinstance(app.screen, ReplaceScreen)
        assert "ended with the status 3" in app.screen.text
        assert "racko bot check" in app.screen.text
        await press(pilot, "enter")
        assert isinstance(app.screen, HomeScreen)
        assert "Trying" not in shown(app)
    saved = games.saved()
    assert saved is not None
    assert saved.levels == (level,)


@pytest.mark.parametrize("at", ["home", "the command line"])
async def test_a_game_whose_program_is_gone_goes_on_with_a_novice_where_the_player_wants_it(
    at: str, home: Path
) -> None:
    games, _level = await left_with_a_program_that_is_gone(home)
    app = RackoApp(still(), Home() if at == "home" else Continue(replace_programs=True))
    if at != "home":
        app.check_continue(replace_programs=True)
    async with app.run_test(size=(80, 24)) as pilot:
        if at == "home":
            await press(pilot, "c")
            await see(pilot, "a novice plays in its place, for good")
            await press(pilot, "y")
        await see(pilot, "Otto stopped working; a novice plays on in its place.")
        assert isinstance(app.screen, TableScreen)
    saved = games.saved()
    assert saved is not None
    assert saved.levels == ("novice",)


async def test_nothing_else_is_begun_while_programs_are_tried(home: Path) -> None:
    await left_with_a_program_that_is_gone(home, "dumb")
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c")
        await see(pilot, "Trying whether the program answers…")
        await press(pilot, "p", "j", "enter", "c")
        assert isinstance(app.screen, TrialScreen)
        await pilot.resize_terminal(50, 24)
        await pilot.resize_terminal(80, 24)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)
        assert "Trying" not in shown(app)
        await press(pilot, "p")
        assert isinstance(app.screen, NewGameScreen)


async def test_a_trial_that_ends_in_too_small_a_window_is_heard(home: Path) -> None:
    await left_with_a_program_that_is_gone(home)
    app = RackoApp(still())
    trial = asyncio.Event()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = TrialScreen(dict)
        app.push_screen(screen, lambda failed: trial.set() if failed == {} else None)
        await pilot.resize_terminal(50, 24)
        async with asyncio.timeout(20):
            await trial.wait()
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


async def test_a_question_with_a_long_text_shows_its_title_and_its_answers() -> None:
    failed = {
        str(number): OutsideError(
            "bot-ended", f"First {number}, " + "word " * 60 + f"last {number}"
        )
        for number in range(3)
    }
    app = RackoApp(still())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        app.push_screen(ReplaceScreen(failed))
        await see(pilot, "Programs do not answer", "First 0", "Wait", "Go on")
        assert "last 2" not in shown(app)
        await press(pilot, *["pagedown"] * 4)
        await see(pilot, "Programs do not answer", "last 2", "Wait", "Go on")


async def test_of_two_games_asked_for_only_the_last_one_is_played() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        async with app._one_game:  # the game before is still being put away
            app.play(FRIENDS)
            app.play(ALONE)
            await pilot.pause()
        await pilot.pause()
        assert app.local_game is not None
        assert app.local_game.session.table.chairs[1].level == "novice"
        await press(pilot, "q", "y")
        assert isinstance(app.screen, HomeScreen)
        assert app.local_game is None


async def test_why_the_settings_cannot_be_read_stands_on_the_first_screen() -> None:
    app = RackoApp(still())
    app.unsaved = RackoError("The settings cannot be read.")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "The settings cannot be read." in shown(app)


async def left_with_a_program_that_is_gone(
    home: Path, kind: str = "stillborn"
) -> tuple[Games, str]:
    """The games of somebody who left one, and the level of the program in it."""
    level = f"exec:{strange(kind)}"
    games = Games(home, programs=Programs(at_home=True))
    game = games.start(Choice(Rules(), (SeatName("Ana"), SeatName("Otto", level)), "7"), 0.0)
    await game.session.close()
    games.leave(game)
    return games, level


async def see(pilot: Pilot[int], *texts: str) -> None:
    """Wait until these are on the screen, wherever its lines end."""
    async with asyncio.timeout(60):
        while not all(text in read(pilot) for text in texts):
            await pilot.pause(0.01)


def read(pilot: Pilot[int]) -> str:
    assert isinstance(pilot.app, RackoApp)
    return " ".join(shown(pilot.app).replace("│", " ").split())


async def test_a_game_taken_by_another_window_meanwhile_is_told_at_home(home: Path) -> None:
    games = Games(home)
    other = games.start(ALONE, 0.0)  # after the command line has looked, before the screen is there
    app = RackoApp(still(), Continue())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert "another window" in shown(app)
    assert not app.failed
    games.leave(other)
