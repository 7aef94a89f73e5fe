"""Seats at a server's tables on slow lines, after restarts, and where things fail half-way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Sit, Start
from racko_core.view import Phase
from racko_net.client import RemoteSession, connect
from racko_net.clientside.tokens import SavedSeat
from racko_net.server import Server
from racko_tui.lan.joining import Join
from racko_tui.lan.online import make_table
from racko_tui.lan.table_drafts import Plan
from racko_tui.screens.shared_table import SharedTableScreen
from racko_tui.widgets.hints import Hints
from tests.net.cable import Cable
from tests.tui.served import RULES, Party, party
from tests.tui.steering import shown

STILL = Options(bot_pause=0.0, grace=None)


@asynccontextmanager
async def far_away(folder: Path) -> AsyncIterator[tuple[Party, Cable]]:
    """Ana, at the other end of a cable."""
    async with Cable(0) as cable:

        def wish(address: str) -> Join:
            cable.target = int(address.rpartition(":")[2])
            return Join(f"127.0.0.1:{cable.port}", "Ana")

        async with party(folder, wish=wish) as ana:
            yield ana, cable


async def table_of_bo(ana: Party, options: Options = STILL) -> RemoteSession:
    session = await (await ana.friend()).create(RULES, options)
    await ana.see(session.code, "1 chair free")
    return session


# Enter, twice


async def test_enter_pressed_twice_on_a_slow_line_sits_down_once(tmp_path: Path) -> None:
    async with far_away(tmp_path) as (ana, cable):
        session = await table_of_bo(ana)
        cable.hold()
        await ana.press("enter")
        await ana.until(lambda: session.info.chairs[1].kind is Kind.HUMAN, "Ana sitting")
        await ana.press("enter", "n", "w", "c", "enter")
        cable.release()
        await ana.see("Bo starts the game")
        assert [chair.name for chair in session.info.chairs] == ["Bo", "Ana"]
        assert len(ana.app.online.tokens.saved()) == 1


async def test_enter_pressed_twice_takes_a_seat_back_and_keeps_its_secret(tmp_path: Path) -> None:
    async with far_away(tmp_path) as (ana, cable):
        session = await table_of_bo(ana)
        await ana.press("enter")
        await ana.see("Bo starts the game")
        await session.ask(Start())
        await ana.see("round 1")
        await ana.press("q")
        await ana.see("Your seat is kept")
        await ana.press("y")
        await ana.see("▸ " + session.code, "your seat", "back to your seat")
        await ana.until(lambda: session.info.chairs[1].away, "Ana away")
        cable.hold()
        await ana.press("enter")
        await ana.until(lambda: not session.info.chairs[1].away, "Ana back")
        await ana.press("enter", "enter")
        cable.release()
        await ana.see("round 1")
        assert len(ana.app.online.tokens.saved()) == 1


async def test_enter_pressed_twice_opens_one_table(tmp_path: Path) -> None:
    async with far_away(tmp_path) as (ana, cable):
        await ana.open_form()
        cable.hold()
        await ana.press("enter")
        await ana.until(lambda: len(ana.server.lobby.rooms) == 1, "a table")
        await ana.press("enter", "enter")
        cable.release()
        await ana.see("Others type")
        assert len(ana.server.lobby.rooms) == 1


async def test_whoever_turns_away_from_a_new_table_leaves_none(tmp_path: Path) -> None:
    async with far_away(tmp_path) as (ana, cable):
        await ana.open_form()
        cable.hold()
        await ana.press("enter")
        await ana.until(lambda: len(ana.server.lobby.rooms) == 1, "a table")
        await ana.press("escape")
        cable.release()
        await ana.until(lambda: not ana.server.lobby.rooms, "no table")
        await ana.see("0 tables")
        assert not ana.app.online.tokens.saved()


async def test_whoever_leaves_the_server_while_sitting_down_leaves_the_chair_free(
    tmp_path: Path,
) -> None:
    async with far_away(tmp_path) as (ana, cable):
        session = await table_of_bo(ana)
        cable.hold()
        await ana.press("enter")
        await ana.until(lambda: session.info.chairs[1].kind is Kind.HUMAN, "Ana sitting")
        await ana.press("escape", "escape")
        cable.release()
        await ana.see("Join a game")
        await ana.until(lambda: session.info.chairs[1].kind is Kind.OPEN, "the chair free")


async def test_a_table_that_cannot_be_made_as_planned_is_given_up(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        host = await ana.friend()
        bots = (Sit(1, "", Kind.BOT, "novice"), Sit(2, "", Kind.BOT, "nobody"))
        plan = Plan(Rules(players=3), STILL, 0, bots)
        for _ in range(2):  # nothing is in the way of another try
            with pytest.raises(RackoError, match="nobody"):
                await make_table(host, plan)
        await ana.until(lambda: not ana.server.lobby.rooms, "no table")
        session = await make_table(host, replace(plan, bots=bots[:1]))
        assert session.link.up


# Seats that are gone


async def test_a_seat_at_a_table_that_is_gone_is_forgotten_when_it_is_asked_for(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        tokens = ana.app.online.tokens
        tokens.save(SavedSeat(ana.server.server_id, ana.address, "KAFU", "Ana", 0, "0" * 32))
        await table_of_bo(ana)  # the list is shown, and lacks it
        assert len(tokens.saved()) == 1
        await ana.press("escape")
        await ana.see("Join a game")
        await ana.press("escape")
        await ana.see("Quit")
        await ana.press("j")
        await ana.see("Your seat at table KAFU")
        await ana.press("enter")
        await ana.see("There is no table “KAFU”.")
        assert not tokens.saved()


async def test_a_table_where_ones_seat_is_gone_is_joined_anew(tmp_path: Path) -> None:
    async with party(tmp_path) as first:
        session = await table_of_bo(first)
        lost = SavedSeat(first.server.server_id, first.address, session.code, "Cy", 1, "0" * 32)
        first.app.online.tokens.save(lost)
        first.app.online.join(replace(Join(first.address, "Cy"), table=session.code))
        await first.see("Bo starts the game")
        assert session.info.chairs[1].name == "Cy"
        assert [seat.token == lost.token for seat in first.app.online.tokens.saved()] == [False]


# A server that has come to want a password


@asynccontextmanager
async def locked_up(ana: Party) -> AsyncIterator[Server]:
    """The server again, with a password."""
    port = ana.server.port
    await ana.server.stop()
    server = Server(replace(ana.server.config, port=port, password="sesame"))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def hand_of_ana(ana: Party) -> tuple[RemoteSession, int]:
    """A game of Ana and a bot; the card that she has drawn."""
    await ana.open_table()
    await ana.press("f", "s")
    await ana.see("round 1")
    assert ana.app.online.company is not None
    session = ana.app.online.company.session
    await ana.until(lambda: bool((view := session.view(0)) and view.legal), "Ana's turn")
    await session.act(act.DRAW)
    view = session.view(0)
    assert view is not None
    assert view.hand is not None
    return session, view.hand


async def test_a_password_that_is_new_is_asked_for_and_the_same_turn_comes_back(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        before, card = await hand_of_ana(ana)
        async with locked_up(ana):
            await ana.see("This server has a password.")
            await ana.press(*"shut", "enter")
            await ana.see("That is not the password of this server.")
            await ana.press(*"sesame", "enter")
            await ana.see("round 1")
            company = ana.app.online.company
            assert company is not None
            assert company.session is not before
            view = company.view(0)
            assert view is not None
            assert view.hand == card
            assert shown(ana.app).count("has a password") == 0


async def test_whoever_does_not_know_the_password_is_back_where_it_is_asked_for(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as ana:
        await hand_of_ana(ana)
        async with locked_up(ana):
            await ana.see("This server has a password.")
            await ana.press("escape")
            await ana.see("Join a game")
            await ana.press("enter")
            await ana.see("This server has a password.")
            await ana.press(*"sesame", "enter")
            await ana.see("your seat", "back to your seat")
            await ana.press("enter")
            await ana.see("round 1")


async def test_in_the_lobby_a_new_password_is_asked_for_too(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await ana.see("New table")
        async with locked_up(ana):
            await ana.see("This server has a password.")
            await ana.press(*"sesame", "enter")
            await ana.see("0 tables")
            await ana.gone("This server has a password.")
            await ana.press("n")
            await ana.see("Seat 2")


async def test_whoever_watches_goes_on_watching_behind_a_new_password(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await table_of_bo(ana)
        await (await ana.friend("Cy")).join(session.code)
        await session.ask(Start())
        await ana.see("playing")
        await ana.press("w")
        await ana.see("round 1")
        async with locked_up(ana) as server:
            await ana.see("This server has a password.")
            await ana.press(*"sesame", "enter")
            await ana.see("round 1")
            assert len(server.lobby.rooms[session.code].watchers) == 1


# What the log says to whoever comes back


def log_of(ana: Party) -> list[str]:
    screen = ana.app.screen
    assert isinstance(screen, SharedTableScreen)
    return screen.chronicle.lines


async def back_after_a_draw(ana: Party, session: RemoteSession) -> str:
    """Ana draws in her turn, leaves, and comes back; the line that the log had for it."""
    await ana.press("enter")
    await ana.see("Bo starts the game")
    await session.ask(Start())
    await ana.see("round 1")
    await ana.until(
        lambda: bool((view := session.view(0)) and view.phase is Phase.TURN), "the first turn"
    )
    if session.view(0).turn == 0:  # type: ignore[union-attr]
        await session.act(act.DRAW)
        await session.act(act.DISCARD)
    assert ana.app.online.company is not None
    mine = ana.app.online.company.session
    await ana.until(lambda: bool((view := mine.view(1)) and view.legal), "Ana's turn")
    await mine.act(act.DRAW)
    await ana.until(lambda: log_of(ana)[-1].startswith("You drew "), "the card in the log")
    line = log_of(ana)[-1]
    await ana.press("q")
    await ana.see("Your seat is kept")
    await ana.press("y")
    await ana.see("back to your seat")
    await ana.until(lambda: session.info.chairs[1].away, "Ana away")
    return line


async def test_whoever_comes_back_reads_what_they_did(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await table_of_bo(ana)
        line = await back_after_a_draw(ana, session)
        await ana.press("enter")
        await ana.see("round 1", line)
        assert log_of(ana)[-1] == line


async def test_whoever_comes_back_is_not_said_to_have_done_what_a_bot_did(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await table_of_bo(ana, replace(STILL, grace=30.0))
        await back_after_a_draw(ana, session)
        ana.server._zero += 60.0
        ana.server._ring()
        await ana.until(lambda: session.view(0).turn == 0, "the bot's move")  # type: ignore[union-attr]
        await ana.press("enter")
        await ana.see("round 1")
        await ana.until(lambda: any(line.startswith("Ana drew") for line in log_of(ana)), "Ana")
        assert not any(line.startswith("You drew") for line in log_of(ana))


# What the keys do


def words(ana: Party) -> dict[str, str]:
    return dict(ana.app.screen.query_one(Hints).hints)


async def test_the_words_for_the_keys_follow_the_marked_line(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await table_of_bo(ana)
        await ana.until(lambda: words(ana).get("⏎") == "sit down", "sit down")
        assert words(ana)["w"] == "watch"
        await (await ana.friend("Cy")).join(session.code)
        await ana.until(lambda: "⏎" not in words(ana), "no chair to sit down on")
        assert words(ana)["w"] == "watch"
        await ana.press("down")
        await ana.until(lambda: words(ana)["⏎"] == "new table", "new table")
        assert "w" not in words(ana)
        assert "n" not in words(ana)


async def test_a_table_that_nobody_may_watch_does_not_offer_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await table_of_bo(ana, replace(STILL, spectators=False))
        await ana.until(lambda: words(ana).get("⏎") == "sit down", "sit down")
        assert "w" not in words(ana)


async def test_whoever_came_to_watch_is_offered_it_once(tmp_path: Path) -> None:
    async with party(tmp_path, wish=lambda address: Join(address, "Ana", watch=True)) as ana:
        await table_of_bo(ana)
        await ana.until(lambda: words(ana).get("⏎") == "watch", "watch")
        assert "w" not in words(ana)


async def test_a_seat_kept_by_another_run_is_taken_back_by_its_code(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await table_of_bo(ana)
        other = await connect(ana.address, name="Ana", tokens=ana.app.online.tokens)
        await (await other.join(session.code)).close()
        await other.close()
        ana.app.online.join(replace(Join(ana.address, "Ana"), table=session.code))
        await ana.see("Bo starts the game")
        assert [chair.name for chair in session.info.chairs] == ["Bo", "Ana"]
