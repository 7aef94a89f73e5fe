"""Settings hold at once, are on disk at once, and keys can be given away without harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from racko_core.record import SeatName
from racko_core.rules import Rules
from racko_tui import config, i18n, keys
from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.keys import Bound, KeyTaken
from racko_tui.local.games import Choice
from racko_tui.screens.help import HelpScreen
from racko_tui.screens.key_map import KeyMapScreen
from racko_tui.screens.shared_table import SharedTableScreen
from racko_tui.screens.table import TableScreen
from racko_tui.screens.table_keys import TABLE_KEYS
from racko_tui.themes import shown_name
from racko_tui.widgets.form import Form
from tests.tui.steering import press, shown, still, write


async def mark(pilot: Pilot[int], id: str) -> None:
    form = pilot.app.screen.query_one(Form)
    form.marked = [row.id for row in form.visible_rows].index(id)
    await pilot.pause()


@pytest.mark.parametrize(
    ("id", "setting", "value"),
    [
        ("theme", "theme", "paper"),
        ("bot_speed", "bot_speed", "slow"),
        ("motion", "motion", "auto"),
        ("memory_aid", "memory_aid", False),
        ("digits_act", "digits_act", True),
        ("bell", "bell", True),
        ("ascii", "ascii", True),
        ("language", "language", "en"),
    ],
)
async def test_a_change_is_saved_at_once(id: str, setting: str, value: object) -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        await mark(pilot, id)
        await press(pilot, "right")
        assert getattr(app.settings, setting) == value
        assert getattr(config.load(), setting) == value


async def test_colours_letters_and_language_change_before_ones_eyes() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        await mark(pilot, "theme")
        await press(pilot, "right")
        assert app.theme == "paper"
        await mark(pilot, "language")
        await press(pilot, "right", "right")
        assert i18n.language() == "fr"
        assert "Langue" in shown(app)
        assert app.screen.query_one(Form).row.id == "language"
        await mark(pilot, "ascii")
        await press(pilot, "right")
        assert app.ascii_only
        assert "Enter" in shown(app)
        await press(pilot, "escape")
        assert "Quitter" in shown(app)
        assert shown(app).isascii()


async def test_the_name_is_typed_and_saved() -> None:
    app = RackoApp(Settings(motion="off"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        await write(pilot, "Zoë K")
        await press(pilot, "backspace", "backspace")
    assert config.load().name == "Zoë"


async def test_a_folder_that_cannot_be_written_is_said_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.parent.joinpath("file").write_text("")
    monkeypatch.setenv("RACKO_HOME", str(home.parent / "file"))
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        await mark(pilot, "bell")
        await press(pilot, "right")
        assert "settings cannot be saved" in shown(app)
        assert "all is saved" not in shown(app)
        assert app.settings.bell
        monkeypatch.setenv("RACKO_HOME", str(home))
        await press(pilot, "left")
        assert "cannot be saved" not in shown(app)
        assert "all is saved" in shown(app)


async def test_keys_that_could_not_be_saved_are_not_called_saved(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.parent.joinpath("file").write_text("")
    monkeypatch.setenv("RACKO_HOME", str(home.parent / "file"))
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await open_keys(pilot)
        await press(pilot, "enter", "w", "escape")
        assert "settings cannot be saved" in shown(app)
        assert "all is saved" not in shown(app)


async def open_keys(pilot: Pilot[int]) -> None:
    await press(pilot, "s", "up", "enter")
    assert isinstance(pilot.app.screen, KeyMapScreen)


async def test_a_key_is_given_to_another_action_and_works_at_the_table() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await open_keys(pilot)
        await press(pilot, "enter", "w")
        assert config.load().keys == {"table.draw": "w"}
        assert "is w now" in shown(app)
        app.play(Choice(Rules(), (SeatName("Ana"), SeatName("Bo", "novice")), "7"))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        table = app.local_game.session.table  # type: ignore[union-attr]
        await press(pilot, "d")
        assert table.view(0).hand is None
        await press(pilot, "w")
        assert table.view(0).hand is not None
        await press(pilot, "?")
        assert isinstance(app.screen, HelpScreen)
        assert "w " in shown(app)


async def test_a_key_that_is_taken_is_refused_with_a_sentence() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await open_keys(pilot)
        await press(pilot, "enter", "x")
        assert "x is taken" in shown(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, KeyMapScreen)
        assert app.settings.keys == {}


async def test_keys_get_their_own_again_one_by_one_or_all() -> None:
    app = RackoApp(still(keys={"table.draw": "w", "table.take": "v", "table.hint": "d"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await open_keys(pilot)
        await press(pilot, "backspace")
        assert "d is taken" in shown(app)  # the hint has it now
        app.screen.query_one(OptionList).highlighted = 1
        await press(pilot, "backspace")
        assert set(app.settings.keys) == {"table.draw", "table.hint"}
        await press(pilot, "ctrl+r")
        assert app.settings.keys == {}
        assert config.load().keys == {}


def test_reserved_and_taken_keys_are_not_free() -> None:
    bound = [Bound("a", "d", "draw", "Draw."), Bound("b", "up,k", "up", "Up.")]
    keys.check_free("w", "a", bound)
    keys.check_free("d", "a", bound)
    for key in ("k", "up"):
        with pytest.raises(KeyTaken, match="up"):
            keys.check_free(key, "a", bound)
    with pytest.raises(KeyTaken, match="always leaves"):
        keys.check_free("ctrl+c", "a", bound)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ({"table.place": "enter", "table.discard": "enter"}, {"table.place": "enter"}),
        ({"table.discard": "enter"}, {}),  # what it would take it from has not been changed
        ({"table.draw": "x"}, {}),
        ({"table.draw": "t", "table.take": "d"}, {"table.draw": "t", "table.take": "d"}),
        ({"table.take": "x", "table.discard": "x"}, {}),
        ({"table.draw": "w, ?"}, {}),
        ({"table.draw": "w", "table.hint": "w,e"}, {"table.draw": "w"}),
        ({"table.draw": "ctrl+c"}, {}),
        ({"table.draw": "w", "newer.thing": "w"}, {"table.draw": "w", "newer.thing": "w"}),
    ],
)
def test_a_key_that_was_given_two_meanings_by_hand_keeps_one(
    written: dict[str, str], kept: dict[str, str]
) -> None:
    assert keys.settled(written, TABLE_KEYS) == kept


async def test_keys_edited_by_hand_never_do_two_things_at_the_table() -> None:
    app = RackoApp(still(keys={"table.place": "w", "table.discard": "w"}))
    async with app.run_test(size=(80, 24)) as pilot:
        app.play(Choice(Rules(), (SeatName("Ana"), SeatName("Bo", "novice")), "7"))
        await pilot.pause()
        await pilot.pause()
        meanings = [key for key, bound in app.screen.active_bindings.items() if bound.binding.id]
        assert {"w", "x"} <= set(meanings)
        assert app.screen.active_bindings["x"].binding.id == "table.discard"
        assert app.screen.active_bindings["w"].binding.id == "table.place"


async def test_help_at_a_local_table_leaves_out_keys_for_other_people() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 60)) as pilot:
        app.play(Choice(Rules(), (SeatName("Ana"), SeatName("Bo", "novice")), "7"))
        await pilot.pause()
        await pilot.pause()
        await press(pilot, "?")
        assert isinstance(app.screen, HelpScreen)
        assert "Read everything that happened." in shown(app)
        assert "Say something to the others" not in shown(app)
        assert "See who is here" not in shown(app)
    assert not SharedTableScreen.IDLE


def test_keys_are_called_as_on_a_keyboard() -> None:
    assert keys.shown("up,k") == "↑ k"
    assert keys.shown("question_mark") == "?"
    assert keys.shown("ctrl+r") == "Ctrl+r"
    assert keys.shown("f5") == "F5"
    assert keys.shown("enter,space") == "Enter Space"


def test_neighbours_that_do_the_same_are_shown_together() -> None:
    bound = [Bound(str(n), str(n), "slot", "Choose.") for n in range(3)]
    (one,) = keys.together(bound)
    assert one.keys == "0,1,2"


def test_every_binding_of_the_table_can_be_changed_and_has_a_key_of_its_own() -> None:
    bound = keys.of_screen(TableScreen, {})
    assert all(one.id for one in bound)
    every = [key for one in bound for key in one.keys.split(",")]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("language", ["en", "fr", "da"])
async def test_no_name_of_colours_is_cut_off_at_80_columns(language: str) -> None:
    i18n.install(language)
    for theme in config.THEMES:
        app = RackoApp(still(theme=theme, language=language))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "s")
            assert f"‹ {shown_name(theme)} ›" in shown(app)


async def test_the_keys_of_slots_are_told_apart() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 40)) as pilot:
        await open_keys(pilot)
        for number, slot in ((1, 5), (9, 45), (0, 50)):
            assert any(
                line.split() == [str(number), "Choose", "slot", f"{slot}."]
                for line in shown(app).splitlines()
            )


async def test_a_line_does_not_move_sideways_when_it_is_marked() -> None:
    app = RackoApp(still())
    app.settings.name = ""
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        (marked,) = (line for line in shown(app).splitlines() if "Your name" in line)
        await press(pilot, "down")
        (plain,) = (line for line in shown(app).splitlines() if "Your name" in line)
        assert marked.replace("▸", " ") == plain
