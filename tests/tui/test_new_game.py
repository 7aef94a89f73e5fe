"""Choosing a new game: sensible at once, changeable, refused where it makes no sense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from racko_core.errors import RackoError
from racko_core.record import HUMAN
from racko_core.rules import PRESETS, Rules
from racko_core.seating import USUAL
from racko_tui import config
from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.local.drafts import BOT_NAMES, Draft
from racko_tui.local.games import Choice
from racko_tui.screens.new_game import NewGameScreen
from racko_tui.widgets.form import Form, Row
from tests.net.outside.positions import strange
from tests.tui.steering import press, shown, still, write


class Watched(RackoApp):
    """Notes the games that would be played."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.chosen: list[Choice] = []

    def play(self, choice: Choice) -> Any:
        self.chosen.append(choice)


@asynccontextmanager
async def choosing(
    settings: Settings | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Watched, Pilot[int]]]:
    app = Watched(settings or still())
    async with app.run_test(size=size) as pilot:
        await press(pilot, "p")
        yield app, pilot


async def mark(pilot: Pilot[int], id: str) -> None:
    form = pilot.app.screen.query_one(Form)
    form.marked = [row.id for row in form.visible_rows].index(id)
    await pilot.pause()


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    """Wait for what takes more than a turn of the loop: a program."""
    async with asyncio.timeout(60):
        while not holds():
            await pilot.pause(0.01)


async def test_enter_starts_a_sensible_game_at_once() -> None:
    async with choosing() as (app, pilot):
        await press(pilot, "enter")
        (choice,) = app.chosen
        assert choice.rules == Rules()
        assert choice.seats[0].name == "Ana"
        assert [seat.kind for seat in choice.seats] == [HUMAN, USUAL]
        assert choice.seats[1].name in BOT_NAMES
        assert choice.seed == ""


async def test_every_line_changes_what_is_started() -> None:
    async with choosing() as (app, pilot):
        await press(pilot, "right", "right")  # four players
        await mark(pilot, "seat2")
        await press(pilot, "left")
        await write(pilot, "Zoë")
        for id in ("call", "min_run", "bonus", "teams", "scoring", "exhausted", "first_dealer"):
            await mark(pilot, id)
            await press(pilot, "right")
        await mark(pilot, "target")
        await press(pilot, "backspace", "backspace", "x", "5")  # letters are no digits
        await mark(pilot, "max_rounds")
        await write(pilot, "12")
        await mark(pilot, "stalemate_turnovers")
        await press(pilot, "right")
        await mark(pilot, "seed")
        await write(pilot, "Sunday 7")
        await press(pilot, "enter")
        (choice,) = app.chosen
        assert choice.rules == Rules(
            players=4,
            target=55,
            first_dealer="low",
            exhausted="shuffle",
            call="manual",
            min_run=2,
            scoring="ascents",
            bonus=True,
            teams=True,
            max_rounds=12,
            stalemate_turnovers=2,
        )
        assert choice.seats[2].name == "Zoë"
        assert choice.seats[2].kind == "casual"
        assert choice.seed == "Sunday 7"


async def test_what_makes_no_sense_is_said_at_once_and_not_started() -> None:
    async with choosing() as (app, pilot):
        await mark(pilot, "teams")
        await press(pilot, "right")
        assert "Teams need four players, not 2" in shown(app)
        await press(pilot, "enter")
        assert app.chosen == []
        assert isinstance(app.screen, NewGameScreen)
        await press(pilot, "left")
        assert "Teams need" not in shown(app)
        await mark(pilot, "target")
        await press(pilot, "backspace", "backspace", "backspace", "7")
        assert "positive multiple of 5, not 7" in shown(app)
        await press(pilot, "enter")
        assert app.chosen == []


async def test_a_preset_brings_its_players_and_options() -> None:
    async with choosing() as (app, pilot):
        await mark(pilot, "preset")
        await press(pilot, "right", "right", "right")
        assert "Partners" in shown(app)
        await press(pilot, "enter")
        (choice,) = app.chosen
        assert choice.rules == Rules.preset("partners")
        assert len(choice.seats) == 4


async def test_the_last_choice_is_remembered_but_not_its_seed() -> None:
    async with choosing() as (app, pilot):
        await press(pilot, "right")
        await mark(pilot, "bonus")
        await press(pilot, "right")
        await mark(pilot, "seat1")
        await press(pilot, "left")
        await write(pilot, "Bo")
        await mark(pilot, "seed")
        await write(pilot, "7")
        await press(pilot, "enter")
    async with choosing(config.load()) as (again, pilot):
        await press(pilot, "enter")
        first, second = app.chosen[0], again.chosen[0]
        assert second.rules == first.rules
        assert second.seats[:2] == first.seats[:2]
        assert (first.seed, second.seed) == ("7", "")


async def test_somebody_has_to_play_and_friends_need_names() -> None:
    async with choosing() as (app, pilot):
        await mark(pilot, "seat0")
        await press(pilot, "left", "left")
        assert "Somebody has to play" in shown(app)
        await press(pilot, "right", "right", "right")
        assert "Every friend needs a name" in shown(app)
        await write(pilot, "Bo")
        await press(pilot, "enter")
        assert app.chosen[0].seats[0].name == "Bo"


async def test_a_command_typed_for_a_name_is_told_where_it_goes() -> None:
    for command in ("./nyx.pl none", "exec:nyx"):
        async with choosing() as (app, pilot):
            await mark(pilot, "seat1")
            await press(pilot, "left", "left")
            await write(pilot, command)
            await press(pilot, "enter")
            assert "choose “another program” there" in " ".join(shown(app).split())
            assert not app.chosen


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 60)])
async def test_every_line_can_be_reached_and_read(size: tuple[int, int]) -> None:
    async with choosing(size=size) as (app, pilot):
        await press(pilot, "right", "right")
        form = app.screen.query_one(Form)
        for row in form.visible_rows:
            assert f"▸ {' ' if row.button else ''}{row.label}" in shown(app)
            await press(pilot, "down")
        if size == (80, 24):  # no scrolling at the usual size, not even with four players
            assert all(row.label in shown(app) for row in form.visible_rows)
        if size == (200, 60):
            assert "The game ends after a round" in shown(app)


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_draft_knows_its_preset(name: str) -> None:
    draft = Draft.fresh()
    draft.set_preset(name)
    assert draft.preset() == name
    assert draft.make_rules() == Rules.preset(name, draft.players)
    draft.rules["target"] = 7  # while it is being typed
    assert draft.preset() == name
    draft.rules["max_rounds"] = 9
    assert draft.preset() is None


async def test_a_marked_seat_says_how_its_bot_plays() -> None:
    async with choosing() as (app, pilot):
        assert "casual player" not in shown(app)
        await mark(pilot, "seat1")
        assert "A casual player keeps the longest rising row" in shown(app)
        await press(pilot, "right")
        assert "A solid player counts the cards" in shown(app)
        await mark(pilot, "preset")
        assert "solid player" not in shown(app)


async def test_a_program_sits_down_by_its_command_which_is_remembered() -> None:
    command = f"{strange('fine')} --carefully"
    async with choosing() as (app, pilot):
        await mark(pilot, "seat1")
        while "another program" not in shown(app):
            await press(pilot, "right")
        assert "its command" in shown(app)
        assert "Seat 2 is for a program; type the command" in shown(app)
        await press(pilot, "enter")
        assert not app.chosen
        await mark(pilot, "command1")
        await write(pilot, "no-such-program")
        assert "“no-such-program” cannot be started" in shown(app)
        await press(pilot, "ctrl+u")
        await write(pilot, command)
        assert "--carefully" in shown(app), "where one types can be seen"
        await press(pilot, "enter")
        await until(pilot, lambda: app.chosen)
        (choice,) = app.chosen
        assert choice.seats[1].kind == f"exec:{command}"
        assert choice.seats[1].name in BOT_NAMES
    async with choosing(config.load()) as (again, pilot):
        await press(pilot, "enter")
        await until(pilot, lambda: again.chosen)
        assert again.chosen[0].seats[1].kind == choice.seats[1].kind
    settings = config.load()
    assert settings.programs == [command]
    settings.last_game = {}
    async with choosing(settings) as (third, pilot):
        await mark(pilot, "seat1")
        while "another program" not in shown(third):
            await press(pilot, "right")
        await mark(pilot, "command1")
        await press(pilot, "right")
        await press(pilot, "enter")
        await until(pilot, lambda: third.chosen)
        assert third.chosen[0].seats[1].kind == f"exec:{command}"


async def test_a_program_that_does_not_answer_is_said_so_before_the_game_is_started() -> None:
    settings = still()
    seats = [{"kind": "you"}, {"kind": "exec", "command": strange("stillborn")}] * 2
    settings.last_game = {"players": 2, "places": seats, "rules": {}}
    async with choosing(settings) as (app, pilot):
        await press(pilot, "enter")
        await until(pilot, lambda: "ended with the status 3" in " ".join(shown(app).split()))
        assert "with the program's command tells more." in " ".join(shown(app).split())
        assert app.chosen == []
        assert app.screen.query_one(Form).has_focus, "one can mend it at once"
        assert not app.settings.programs


async def test_while_a_program_is_tried_the_screen_says_so_and_can_be_left() -> None:
    settings = still()
    seats = [{"kind": "you"}, {"kind": "exec", "command": strange("dumb")}] * 2
    settings.last_game = {"players": 2, "places": seats, "rules": {}}
    async with choosing(settings) as (app, pilot):
        await press(pilot, "enter")
        await until(pilot, lambda: "Trying whether the program answers" in shown(app))
        await press(pilot, "escape")
        assert app.screen is app.home
        assert app.chosen == []


async def test_at_somebody_elses_machine_no_program_can_be_chosen() -> None:
    class Guest(Watched):
        owns_machine = False

    settings = still()
    settings.last_game = {
        "players": 2,
        "places": [{"kind": "you"}, {"kind": "exec", "command": "touch trace"}] * 2,
        "rules": {},
    }
    app = Guest(settings)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p")
        assert "its command" not in shown(app)
        await mark(pilot, "seat1")
        for _ in range(8):
            assert "another program" not in shown(app)
            await press(pilot, "right")
        await press(pilot, "enter")
        assert all("exec" not in seat.kind for seat in app.chosen[0].seats)
        assert app.games.programs is None


def test_two_seats_cannot_have_one_name() -> None:
    draft = Draft.fresh()
    draft.places[1].name = "Ana"
    with pytest.raises(RackoError, match="Two seats are called “Ana”"):
        draft.choice(Settings(name="Ana"))


def test_a_friendly_name_is_nobody_elses() -> None:
    draft = Draft.fresh()
    draft.players = 4
    draft.places[0].name = draft.places[1].spare
    names = [seat.name for seat in draft.choice(Settings(name="Ana")).seats]
    assert len(set(names)) == 4


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"players": "two"},
        {"places": 3, "rules": [], "players": None},
        {"places": [{"kind": "wizard"}] * 4, "players": 9, "rules": {"target": 500}},
        {"places": [1, 2, 3, 4], "players": 2, "rules": {"colour": "red"}},
        {"rules": {"target": "many"}, "players": 2},
    ],
)
def test_a_memory_that_makes_no_sense_is_forgotten(plain: dict[str, Any]) -> None:
    draft = Draft.from_plain(plain)
    assert draft.make_rules() == Rules()
    assert [place.kind for place in draft.places] == ["you", USUAL, "solid", "novice"]


def test_a_name_that_was_not_typed_here_is_made_harmless() -> None:
    draft = Draft.from_plain(
        {"players": 2, "places": [{"kind": "friend", "name": "A\x1b[2J"}] * 4, "rules": {}}
    )
    assert draft.places[0].name == ""
    draft.places[0].name, draft.places[1].name = "A\x1b[2J\nB", "Bo\u202e"
    assert [seat.name for seat in draft.choice(Settings()).seats] == ["A B", "Bo"]
    draft.places[0].name = "漢" * 24
    with pytest.raises(RackoError, match="1 to 24 characters"):
        draft.choice(Settings())


def test_no_wider_name_is_typed_than_has_room() -> None:
    form = Form([Row("name", "Name", text="", length=24)])
    form._type(form.row, "漢" * 30)
    assert form.row.text == "漢" * 12


async def test_no_limit_of_turn_overs_is_not_said_to_end_a_round() -> None:
    async with choosing() as (app, pilot):
        form = app.screen.query_one(Form)
        assert "then nobody goes out" not in shown(app)
        form.marked = [row.id for row in form.visible_rows].index("stalemate_turnovers")
        await press(pilot, "3")
        assert "then nobody goes out" in shown(app)


@pytest.mark.parametrize(("room", "column"), [(35, 22), (34, 17), (29, 0)])
def test_what_is_typed_beside_a_choice_has_its_room_in_a_small_window(
    room: int, column: int
) -> None:
    kinds = (("you", "you"), ("exec", "other program"), ("friend", "open, for a friend"))
    rows = [
        Row("a", "A", kinds, "you", text="", placeholder="Bonaventura"),
        Row("b", "B", kinds, "exec", text="Bo"),
    ]
    assert Form(rows)._chosen(room) == column
