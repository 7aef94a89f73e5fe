"""The lobby of a server and the gathering before a game, by keys, with friends on real sockets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from racko_core.rules import Rules
from racko_core.seating import USUAL, Configure, Kind, Options, Say, Stand, Start
from racko_net.client import Host, RemoteSession
from racko_tui import i18n
from racko_tui.i18n import LANGUAGES
from racko_tui.lan.joining import Join
from racko_tui.lan.online import Online
from racko_tui.screens.gathering import GatheringScreen
from racko_tui.screens.lobby import LobbyScreen
from racko_tui.screens.new_table import NewTableScreen
from racko_tui.widgets.form import Form, Row
from tests.tui.served import RULES, Party, party
from tests.tui.steering import shown


async def table(party: Party, rules: Rules = RULES, **named: str) -> tuple[Host, RemoteSession]:
    """Bo, and a table of his."""
    bo = await party.friend()
    return bo, await bo.create(rules, Options(bot_pause=0.0), **named)  # type: ignore[arg-type]


async def begun(ana: Party) -> RemoteSession:
    """The table of a friend at which Ana has sat down and plays."""
    _bo, session = await table(ana)
    await ana.see(session.code)
    await ana.press("enter")
    await ana.see("Bo starts the game")
    await session.ask(Start())
    await ana.see("round 1")
    return session


async def test_a_server_without_tables_offers_a_new_one(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("Living room", "0 tables", "New table")
        await ana.press("enter")
        await ana.see("Seat 2", "open, for a friend")
        await ana.press("enter")
        await ana.see("Ana's table", "not ready yet", "There are free chairs")
        (room,) = ana.server.lobby.rooms.values()
        assert room.table.chairs[0].name == "Ana"
        assert [chair.kind for chair in room.table.chairs] == [Kind.HUMAN, Kind.OPEN]


async def test_enter_sits_down_at_a_friends_table_and_everybody_sees_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        _bo, session = await table(ana, name="Kitchen")
        await ana.see("Kitchen", "1 chair free")
        await ana.press("enter")
        await ana.see(f"racko join {ana.address} --table {session.code}", "Bo starts the game")
        await ana.press("r")
        await ana.until(lambda: session.info.chairs[1].ready, "Ana ready")
        await session.ask(Say(0, "", "Well played!"))
        await ana.see("Bo: Well played!")
        await ana.press("c", *"me first", "enter")
        await ana.see("Ana: me first")
        await session.ask(Start())
        await ana.see("round 1")


@pytest.mark.parametrize(
    ("ca", "ending"), [(None, " --tls"), (Path("own cert.pem"), " --tls-ca 'own cert.pem'")]
)
async def test_friends_are_told_to_trust_the_server_as_one_does_oneself(
    tmp_path: Path, ca: Path | None, ending: str
) -> None:
    async with party(tmp_path, size=(100, 30)) as ana:
        _bo, session = await table(ana)
        await ana.see("1 chair free")
        lobby = ana.app.screen
        assert isinstance(lobby, LobbyScreen)
        lobby.wish = replace(lobby.wish, tls=True, tls_ca=ca)
        await ana.press("enter")
        await ana.see(f"racko join {ana.address} --table {session.code}{ending}")


@pytest.mark.parametrize("language", list(LANGUAGES))
async def test_whoever_runs_a_table_sees_how_to_fill_it_from_any_chair(
    tmp_path: Path, language: str
) -> None:
    async with party(tmp_path, size=(60, 20)) as ana:
        await ana.see("New table")
        i18n.install(language)
        await ana.press("n")
        await ana.until(lambda: isinstance(ana.app.screen, NewTableScreen), "the form")
        await ana.press("enter")
        await ana.until(lambda: isinstance(ana.app.screen, GatheringScreen), "the room")
        await ana.see(f"f {i18n._('fill with bots')}", "↑↓", f"q {i18n._('leave')}")
        assert f"s {i18n._('start')}" not in shown(ana.app), "a chair is free"
        await ana.press("f")
        await ana.see(f"s {i18n._('start')}")
        assert f"f {i18n._('fill with bots')}" not in shown(ana.app)


async def test_a_lost_line_leaves_no_keys_that_do_nothing_and_loses_no_words(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await table(ana)
        await ana.see("1 chair free")
        await ana.press("enter")
        await ana.see("Bo starts the game", "r ready", "c chat")
        await ana.server.stop()
        await ana.see("again and again; your seat is kept.")
        assert "r ready" not in shown(ana.app)
        assert "c chat" not in shown(ana.app)
        await ana.press("c", *"me first", "enter")
        await ana.see("Not said; c brings your words back.")
        await ana.press("c")
        await ana.see("me first")


async def test_a_table_with_a_password_asks_for_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await table(ana, password="sesame")
        await ana.see("password")
        await ana.press("enter")
        await ana.see("This table has a password.")
        await ana.press(*"wrong", "enter")
        await ana.see("That is not the password of this table.")
        await ana.press(*"sesame", "enter")
        await ana.see("Bo starts the game")


async def test_the_servers_own_password_is_asked_for_until_it_is_right(tmp_path: Path) -> None:
    async with party(tmp_path, password="open") as ana:
        await ana.see("This server has a password.")
        behind = ana.app.screen_stack[-2]
        said = behind.query_one("#said", Static)
        assert str(said.content).startswith("Going to")
        assert not said.has_class("warning"), "nothing is wrong so far"
        spans = behind.query_one(Form).render().spans
        assert not any("reverse" in str(span.style) for span in spans), "nobody types there"
        await ana.press(*"shut", "enter")
        await ana.see("That is not the password of this server.")
        await ana.press(*"open", "enter")
        await ana.see("Living room")


async def test_a_full_table_can_be_watched_and_the_reason_is_said(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        _bo, session = await table(ana)
        await (await ana.friend("Cy")).join(session.code)
        await session.ask(Start())
        await ana.see("playing")
        await ana.press("enter")
        await ana.see("Every chair at this table is taken")
        await ana.press("w")
        await ana.see("round 1")
        assert len(ana.server.lobby.rooms[session.code].watchers) == 1


async def test_a_code_leads_to_its_table_and_a_wrong_one_is_a_sentence(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        _bo, session = await table(ana)
        await ana.press("c", *"nowhere", "enter")
        await ana.see("There is no table “NOWHERE”.")
        await ana.press("c", *session.code.lower(), "enter")
        await ana.see("Bo starts the game")


async def test_a_wish_leads_straight_to_the_table(tmp_path: Path) -> None:
    async with party(tmp_path) as first:
        _bo, session = await table(first)
        first.app.online.join(replace(Join(first.address, "Cy"), table=session.code))
        await first.see("Bo starts the game")
        assert session.info.chairs[1].name == "Cy"


async def test_ones_own_seat_is_offered_first_and_taken_back(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await begun(ana)
        await ana.press("q")
        await ana.see("Your seat is kept")
        await ana.press("y")
        await ana.see("your seat")
        await ana.until(lambda: session.info.chairs[1].away, "Ana away")
        await ana.press("enter")
        await ana.see("round 1")
        assert not session.info.chairs[1].away


async def test_a_seat_that_was_given_up_is_not_offered_again(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await begun(ana)
        await ana.press("q")
        await ana.see("Give up")
        await ana.press("g")
        await ana.see("1 table")
        await ana.gone("your seat")
        assert session.info.chairs[1].kind is Kind.BOT


async def test_whoever_runs_the_table_fills_changes_and_empties_chairs(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.open_form()
        await ana.press("right", "right", "enter")
        await ana.see("Others type")
        (room,) = ana.server.lobby.rooms.values()

        def chairs() -> list[tuple[Kind, str]]:
            return [
                (chair.kind, chair.level if chair.kind is Kind.BOT else chair.name)
                for chair in room.table.chairs
            ]

        await ana.press("down", "b")
        await ana.until(lambda: chairs()[1] == (Kind.BOT, USUAL), "a bot")
        await ana.see("player keeps the longest rising row")
        await ana.press("b")
        await ana.until(
            lambda: chairs()[1][0] is Kind.BOT and chairs()[1][1] != USUAL, "another bot"
        )
        await ana.press("x")
        await ana.until(lambda: chairs()[1] == (Kind.OPEN, ""), "the bot gone")
        await ana.press("enter")
        await ana.until(lambda: chairs()[1] == (Kind.HUMAN, "Ana"), "Ana on another chair")
        await ana.press("s")
        await ana.see("Some chairs are empty")
        await ana.press("f")
        await ana.until(lambda: all(kind is not Kind.OPEN for kind, _ in chairs()), "full")
        await ana.press("s")
        await ana.see("round 1")


async def test_where_no_chair_is_free_others_are_told_how_to_watch(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        _bo, session = await table(ana)
        await ana.see(session.code)
        await ana.press("enter")
        command = f"racko join {ana.address} --table {session.code}"
        await ana.see(f"Others type to watch: {command} --watch")


async def test_where_nobody_else_can_come_nobody_is_told_what_to_type(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        bo = await ana.friend()
        session = await bo.create(RULES, Options(bot_pause=0.0, spectators=False))
        await ana.see(session.code)
        await ana.press("enter")
        await ana.see("Bo starts the game")
        assert "racko join" not in shown(ana.app)
        assert "Others type" not in shown(ana.app)


async def test_rules_of_a_tables_own_begin_like_a_sentence_and_help_tells_how_to_sit(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        _bo, session = await table(ana, Rules(target=135))
        await ana.see(session.code)
        await ana.press("enter")
        await ana.see("Bo starts the game")
        await session.ask(Configure(rules=Rules(min_run=4)))
        await ana.see("Rules of its own, 2 players")
        await ana.press("?")
        await ana.see("Sit down on the free chair")


async def test_which_bot_sits_where_the_chairs_say_and_no_line_below(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.open_table()
        (room,) = ana.server.lobby.rooms.values()
        await ana.press("down")
        for level in ("casual", "solid", "sharp"):
            await ana.press("b")
            await ana.see(f"bot, {level}")
        bo = await ana.friend()
        await ana.press("x")
        await ana.see("2  free")
        await bo.join(room.code)
        await ana.see("Bo sits down.")
        assert shown(ana.app).count("sits down") == 1
        assert "gets up" not in shown(ana.app)


async def test_whoever_comes_back_from_a_table_has_their_seat_under_the_cursor(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await ana.open_table()
        (code,) = ana.server.lobby.rooms
        await ana.pilot.pause(0.5)  # the lobby looks at the tables meanwhile
        await ana.press("f", "s")
        await ana.see("round 1")
        await ana.press("q")
        await ana.see("Your seat is kept")
        await ana.press("y")
        await ana.see(f"▸ {code}  your seat")
        await ana.press("enter")
        await ana.see("round 1")


async def test_what_is_said_of_who_is_ready_is_what_the_list_says(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.open_table()
        (code,) = ana.server.lobby.rooms
        await ana.press("down", "b")
        await ana.see("not ready yet", "The others are ready: s starts the game.")
        await ana.press("r")
        await ana.see("Everyone is ready: s starts the game.")
        await ana.press("x")
        bo = await ana.friend()
        await bo.join(code)
        await ana.see("Bo ", "Not everyone is ready; s starts all the same.")


async def test_a_friend_is_asked_to_leave_or_made_the_one_who_runs_the_table(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await ana.open_table()
        (code,) = ana.server.lobby.rooms
        bo = await ana.friend()
        await bo.join(code)
        await ana.see("Bo")
        await ana.press("down", "x")
        await ana.see("Bo gets up.", "2  free")
        session = await bo.join(code)
        await ana.see("Bo ")
        await ana.press("o")
        await ana.see("Bo starts the game.")
        assert session.info.owner == 1


async def test_the_rules_are_changed_before_the_game_and_everybody_is_told(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await ana.open_table()
        (code,) = ana.server.lobby.rooms
        session = await (await ana.friend()).join(code)
        await ana.press("e")
        await ana.see("Rules of this table")
        assert "Seat 1" not in "".join(str(row.label) for row in _rows(ana) if not row.hidden)
        await ana.press("down", "right", "enter")
        await ana.see("The rules were changed.")
        assert session.info.rules.min_run == 3


async def test_a_table_that_is_closed_or_left_says_why(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        bo, session = await table(ana)
        await ana.see(session.code)
        await ana.press("enter")
        await ana.see("Bo starts the game")
        await session.ask(Stand(1))
        await ana.see("The owner of the table asked you to leave it.")
        await ana.press("enter")
        await ana.see("1 chair free")
        assert bo.connected


async def test_leaving_the_lobby_hangs_up(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        assert len(ana.server.connections) == 1
        await ana.press("escape")
        await ana.see("Join a game")
        await ana.until(lambda: not ana.server.connections, "no connection")


async def test_an_address_where_nobody_answers_is_a_sentence(tmp_path: Path) -> None:
    async with party(tmp_path, wish=lambda _address: Join("127.0.0.1:1", "Ana")) as ana:
        await ana.see("cannot be reached (the connection was refused)")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (160, 50)])
async def test_everything_fits_on_every_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    async with party(tmp_path, size=size) as ana:
        bo = await ana.friend("A name of 24 characters!")
        await bo.create(Rules(players=4), Options(), name="A table of 24 letters ok")
        await ana.see("3 chairs free", "sit down", "leave the server")
        await ana.press("enter")
        await ana.see("not ready yet", "chat", "leave", "starts the game")


async def test_a_lobby_whose_server_stops_says_so_and_carries_on(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        for connection in list(ana.server.connections):
            connection.abort()
        _bo, session = await table(ana)
        await ana.see(session.code)


def _rows(party: Party) -> list[Row]:
    return list(party.app.screen.query_one(Form).rows)


async def test_rules_that_a_server_does_not_hold_are_refused_in_the_form(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        await ana.press("n")
        await ana.see("Points to win")
        form = ana.app.screen.query_one(Form)
        form.marked = [row.id for row in form.visible_rows].index("target")
        await ana.press("backspace", "backspace", "backspace", *"20000", "enter")
        await ana.see("On a server the target is at most 10000.")
        assert not ana.server.lobby.rooms


async def test_a_seat_elsewhere_is_offered_where_one_looks_for_hosts(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await begun(ana)
        await ana.press("q")
        await ana.see("Your seat is kept")
        await ana.press("y")
        await ana.see("your seat")
        await ana.press("escape")
        await ana.see("Join a game")
        await ana.press("escape")
        await ana.see("Quit")
        await ana.press("j")
        await ana.see(f"Your seat at table {session.code}, {ana.address}")
        await ana.press("enter")
        await ana.see("round 1")
        assert not session.info.chairs[1].away


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
@pytest.mark.parametrize(
    "address", ["192.168.178.123:7225", "[2001:db8:85a3:8d3:1319:8a2e:370:7348]:7225"]
)
async def test_what_friends_have_to_type_is_never_cut(
    language: str,
    size: tuple[int, int],
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    i18n.install(language)
    monkeypatch.setattr(Online, "address_of", lambda self, host: address)
    async with party(tmp_path, size=size) as ana:
        await ana.see(i18n._("New table"))
        await ana.press("n")
        await ana.see("Ana")
        await ana.press("enter")
        await ana.until(lambda: isinstance(ana.app.screen, GatheringScreen), "the table")
        await ana.see("racko join")
        (code,) = ana.server.lobby.rooms
        command = f"racko join {address} --table {code}"
        said = shown(ana.app)
        assert command in " ".join(said.split())
        assert (command in said) == (len(command) <= size[0] - 4)
