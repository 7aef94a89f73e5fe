"""What goes wrong between a lobby and its server: lost lines, new passwords, seats long gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from textual.widgets import Input as Line

from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Input, Stand
from racko_net.client import RemoteSession, connect
from racko_net.clientside import wire
from racko_net.clientside.line import ByeError
from racko_tui.lan.joining import Join, kept_seats
from racko_tui.screens.gathering import GatheringScreen
from racko_tui.screens.lobby import LobbyScreen
from racko_tui.screens.new_table import NewTableScreen
from racko_tui.screens.question import LineScreen
from tests.tui.served import Party, party
from tests.tui.steering import shown
from tests.tui.test_lobby import table


async def test_words_that_are_refused_wait_until_the_line_is_free(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await table(ana)
        await ana.see("1 chair free")
        await ana.press("enter")
        await ana.see("Bo starts the game")
        refuse = asyncio.Event()

        async def ask(given: Input) -> None:
            await refuse.wait()
            raise RackoError("Nope.")

        screen = ana.app.screen
        assert isinstance(screen, GatheringScreen)
        with patch.object(screen.company, "ask", ask):
            await ana.press("c", *"first words", "enter")
            await ana.press("c", *"second words", "enter")
            await ana.press("c", *"zz")
            refuse.set()
            await ana.see("Not said; c brings your words back. Nope.", "zz")
        line = screen.query_one("#talk Input", Line)
        assert line.value == "zz", "what is being typed stays"
        for words in ("first words", "second words", ""):
            await ana.press("escape", "c")
            assert line.value == words


async def stale(ana: Party) -> RemoteSession:
    """A table of three with a chair free, and a seat there kept for another address, which is
    Ana's no longer; it is for that address to forget it.
    """
    _bo, session = await table(ana, Rules(players=3))
    kept = kept_seats()
    before = await connect(ana.address, name="Ana", tokens=kept)
    await before.join(session.code)
    await before.close()
    (seat,) = kept.saved()
    kept.save(replace(seat, address="racko.example:7225"))
    await session.ask(Stand(1))
    return session


async def test_a_seat_that_is_gone_bars_nobodys_way_to_its_table(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await stale(ana)
        for _run in range(2):
            ana.app.online.join(Join(ana.address, "Ana", session.code))
            await ana.see("Bo starts the game")
            assert session.info.chairs[1].name == "Ana"
            await ana.press("q")
            await ana.see("Your chair is free for others then.")
            await ana.press("y")
            await ana.see("2 chairs free")
            assert kept_seats().saved(), "the old one is kept for its address"


async def test_a_seat_that_is_gone_is_offered_no_more_in_place_of_its_table(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        session = await stale(ana)
        await (await ana.friend("Ana")).join(session.code)
        await ana.see("your seat")
        await ana.press("enter")
        await ana.see("Your seat at this table is yours no longer.", "1 chair free")
        await ana.press("enter")
        await ana.see("Bo starts the game")


def questions(ana: Party) -> int:
    """How many questions stand on one another."""
    return sum(isinstance(screen, LineScreen) for screen in ana.app.screen_stack)


def lobby_of(ana: Party) -> LobbyScreen:
    (lobby,) = (screen for screen in ana.app.screen_stack if isinstance(screen, LobbyScreen))
    return lobby


async def shut_out(ana: Party) -> LobbyScreen:
    """Ana's line is lost when the server has another password, and she presses Enter while the
    lobby looks for it: both are refused.
    """
    bo = await connect(ana.address, name="Bo", password="old")
    ana.friends.append(bo)
    await bo.create(Rules(players=2))
    await ana.see("1 chair free")
    lobby = lobby_of(ana)
    real, dialling, go_on, refused = wire.dial, asyncio.Event(), asyncio.Event(), 0

    async def dial(*where: object, **how: object) -> object:
        nonlocal refused
        dialling.set()
        await go_on.wait()
        try:
            return await real(*where, **how)  # type: ignore[arg-type]
        except RackoError:
            refused += 1
            raise

    with patch.object(wire, "dial", dial):
        ana.server.config = replace(ana.server.config, password="new")
        assert lobby.host._line is not None
        lobby.host._line._transport.abort()
        await dialling.wait()
        await ana.press("enter")
        assert lobby.busy
        go_on.set()
        await ana.until(lambda: refused == 2, "both are refused")
    await ana.see("That is not the password of this server.")
    return lobby


def with_password(address: str) -> Join:
    return Join(address, "Ana", password="old")


async def test_a_new_password_of_the_server_is_asked_for_once(tmp_path: Path) -> None:
    async with party(tmp_path, password="old", wish=with_password) as ana:
        lobby = await shut_out(ana)
        assert questions(ana) == 1
        await ana.press(*"new", "enter")
        await ana.see("Bo starts the game")
        assert questions(ana) == 0
        await ana.press("q")
        await ana.see("Your chair is free for others then.")
        await ana.press("y")
        await ana.until(lambda: ana.app.screen is lobby, "the lobby again")
        assert lobby.host.connected


async def test_whoever_says_no_password_is_asked_no_second_time_and_hangs_up(
    tmp_path: Path,
) -> None:
    async with party(tmp_path, password="old", wish=with_password) as ana:
        lobby = await shut_out(ana)
        await ana.press("escape")
        await ana.see("Join a game")
        assert lobby not in ana.app.screen_stack
        assert questions(ana) == 0
        assert lobby.host.closed


async def test_what_was_refused_before_an_answer_is_tried_again_with_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        said: list[str] = []
        late = asyncio.Event()

        def refusal() -> ByeError:
            trouble = ByeError("Which password?")
            trouble.code = "password"
            return trouble

        async def first() -> int:
            if not said:
                raise refusal()
            return 1

        async def second() -> int:
            if not late.is_set():
                await late.wait()
                raise refusal()
            return 2

        def ask(go: Callable[[], Awaitable[int]]) -> Awaitable[int]:
            return ana.app.run_worker(ana.app.online.let_in(go, said.append)).wait()

        one, two = ask(first), asyncio.ensure_future(ask(second))
        await ana.see("Which password?")
        await ana.press(*"new", "enter")
        assert await one == 1
        late.set()
        assert await two == 2
        assert said == ["new"]


async def test_keys_say_that_an_answer_is_waited_for(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await table(ana)
        await ana.see("1 chair free")
        lobby = lobby_of(ana)
        answer = asyncio.Event()
        real = lobby.host.join

        async def join(code: str) -> RemoteSession:
            await answer.wait()
            return await real(code)

        with patch.object(lobby.host, "join", join):
            await ana.press("enter")
            for key in ("n", "c", "w", "enter"):
                lobby._say("")
                await ana.press(key)
                assert ana.app.screen is lobby
                assert "There is no answer yet; wait a moment." in shown(ana.app)
            answer.set()
            await ana.see("Bo starts the game")
        assert "wait a moment" not in shown(ana.app)


async def test_nobody_waits_for_what_was_answered(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        lobby = lobby_of(ana)
        answer = asyncio.Event()

        async def work() -> None:
            await answer.wait()

        lobby.once(work)
        await ana.press("n")
        told = "There is no answer yet; wait a moment." in shown(ana.app)
        answer.set()
        assert told
        await ana.gone("wait a moment")
        await ana.press("n")
        await ana.until(lambda: isinstance(ana.app.screen, NewTableScreen), "the form")


async def test_a_form_says_that_an_answer_is_waited_for(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        await ana.press("n")
        form = ana.app.screen
        assert isinstance(form, NewTableScreen)
        answer = asyncio.Event()

        async def make(_plan: object) -> None:
            await answer.wait()

        with patch.object(form, "_make", make):
            await ana.press("enter", "enter")
            told = "There is no answer yet; wait a moment." in shown(ana.app)
            answer.set()
        assert told
