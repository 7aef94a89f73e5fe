"""Bots in other programs as a person meets them: on screens, at tables, in a real terminal."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core.bots import OFFERED
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Do, Kind, Matter, Options, Remark, Sit, Start
from racko_core.view import Phase
from racko_net.client import RemoteSession, connect
from racko_net.outside_bot.permission import Programs
from racko_net.serverside import doors
from racko_tui import config
from racko_tui.cli import FAILURE, WRONG_USAGE, main
from racko_tui.config import Settings
from racko_tui.lan.hosting import offered
from racko_tui.lan.table_drafts import TableDraft
from racko_tui.local.drafts import PROGRAM
from racko_tui.table.narration import Narrator
from racko_tui.words import level_name
from tests.net.outside.positions import STRANGE, alive, pid_in, pids_in, strange, wait_for
from tests.tui.served import party
from tests.tui.terminals import Room, Terminal
from tests.tui.test_cli_network import Served

HERE = f"{sys.executable} bots/Mine.v2.py --depth 3"


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.close()


# Words


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ("exec:python3 /somewhere/else/mine.py --depth 3", "mine.py"),
        ("exec:node 'bots/a chain.js'", "a chain.js"),
        ("exec:./mine", "mine"),
        ("exec:racko bot run solid", "racko"),
        ("exec:", ""),
        ("outside:mine", "mine"),
        ("exec", "another program"),
        ("solid", "solid"),
    ],
)
def test_a_program_is_called_after_its_file(level: str, words: str) -> None:
    assert level_name(level) == words


@pytest.mark.parametrize("matter", ["bot-late", "bot-wrong", "bot-ended", "bot-missing"])
def test_everybody_reads_one_sentence_about_a_program_that_failed(matter: Matter) -> None:
    text = Narrator(["Ana", "Otto"], Rules(), 0).tell(Remark(matter, 1, "Otto"))
    assert text is not None
    assert text.startswith("Otto ")
    assert "a novice plays" in text
    assert text.count(".") == 1


# Plans for tables that are hosted


def draft(*commands: str) -> TableDraft:
    made = TableDraft.beginning({}, 0.9)
    made.players = 4
    for place, command in zip(made.places[1:], commands, strict=False):
        place.kind, place.command = PROGRAM, command
    return made


def test_a_hosted_table_names_its_programs_after_their_files() -> None:
    plan = draft(HERE, HERE, f"{sys.executable} other/mine.py").plan()
    assert [sit.level for sit in plan.bots] == ["outside:mine", "outside:mine", "outside:mine-2"]
    assert plan.programs == {
        "outside:mine": HERE,
        "outside:mine-2": f"{sys.executable} other/mine.py",
    }
    again = draft(f"{sys.executable} other/mine.py").plan(plan.programs)
    assert [sit.level for sit in again.bots] == ["outside:mine-2"]


def test_the_digits_in_the_names_of_files_stay_in_the_names_of_programs() -> None:
    files = ("bot1.pl", "bot2.pl", "7even.pl")
    plan = draft(*(f"{sys.executable} {file}" for file in files)).plan()
    assert [level_name(sit.level) for sit in plan.bots] == ["bot1", "bot2", "bot-7even"]


def test_a_program_is_never_called_like_a_bot_of_ours() -> None:
    plan = draft(f"{sys.executable} solid.py", f"{sys.executable} other/Solid.py").plan()
    assert list(plan.programs) == ["outside:solid-2", "outside:solid-3"]


@pytest.mark.parametrize("name", ["42.py", "Ä.py", "x" * 60 + ".py", "--.py"])
def test_every_file_makes_a_name(name: str) -> None:
    plan = draft(*(f"{sys.executable} {folder}/{name}" for folder in "abc")).plan()
    assert len(plan.programs) == 3
    assert all(len(level) <= len(OFFERED) + 16 for level in plan.programs)


def test_a_program_that_cannot_be_started_is_said_so_before_the_doors_open() -> None:
    with pytest.raises(RackoError, match="cannot be started"):
        draft("no-such-program").plan()
    with pytest.raises(RackoError, match="Seat 2 is for a program"):
        draft(" ").plan()


def test_what_was_offered_is_remembered_but_no_nonsense() -> None:
    programs = {"outside:mine": HERE, "solid": "x", "outside:solid": "x", "outside:y": 3}
    settings = Settings(hosting={"programs": programs})
    here = Programs(at_home=True)
    assert offered(settings, here) == {"outside:mine": HERE}
    assert offered(settings, None) == {}, "nothing at somebody else's machine"
    assert offered(Settings(hosting={"programs": "x"}), here) == {}
    assert offered(Settings(), here) == {}


# At a server


async def test_whoever_runs_a_table_can_seat_what_the_host_offers(tmp_path: Path) -> None:
    programs = Programs(offered={"outside:mine": strange("fine")})
    async with party(tmp_path, programs=programs) as ana:
        await ana.open_table()
        (room,) = ana.server.lobby.rooms.values()
        chairs = room.table.chairs
        await ana.press("down", "b")
        await ana.until(lambda: room.table.chairs[1].kind is Kind.BOT, "a bot")
        seen: set[str] = set()
        while "outside:mine" not in seen:
            level = room.table.chairs[1].level
            assert level not in seen, "round and round without it"
            seen.add(level)
            await ana.press("b")
            await ana.until(
                lambda level=level: (  # type: ignore[misc]
                    room.table.chairs[1].kind is Kind.BOT
                    and room.table.chairs[1].level not in ("", level)
                ),
                "the next bot",
            )
            if room.table.chairs[1].level == "outside:mine":
                break
        assert chairs is not None
        await ana.see("bot, mine")
        await ana.press("s")
        await ana.see("round 1")


async def test_the_new_table_screen_lists_what_the_host_offers_and_asks_for_no_command(
    tmp_path: Path,
) -> None:
    programs = Programs(offered={"outside:mine": strange("fine")})
    async with party(tmp_path, programs=programs) as ana:
        await ana.open_form()
        await ana.press("down", "down", "left", "left")
        await ana.see("bot, mine")
        assert ana.app.screen.query("#form")
        await ana.press("enter")
        await ana.see("Others type", "bot, mine")
        (room,) = ana.server.lobby.rooms.values()
        assert room.table.chairs[1].level == "outside:mine"


# In a real terminal


def settle(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    settings = 'name = "Ana"\nmotion = "off"\nbot_speed = "instant"\n'
    (home / "settings.toml").write_text(settings)


def one_line(terminal: Terminal) -> str:
    return " ".join(terminal.text.split())


def play(terminal: Terminal, done: bool) -> bool:
    """Draw and discard until it is done."""
    if not done:
        terminal.press("d" if "Your turn" in terminal.text else "x")
    return done


def test_a_program_that_fails_at_the_table_is_said_so_and_the_log_knows_why(
    room: Room, home: Path
) -> None:
    settle(home)
    terminal = room.open(home, "play", "--bots", f"exec:{strange('mortal')}", "--seed", "3")
    room.see(terminal, "RACK-O")
    room.until(
        lambda: play(terminal, "a novice plays on in its place" in one_line(terminal)),
        "the sentence",
    )
    why = "before it had answered “decide”: “RuntimeError: it was too much”."
    room.until(lambda: why in one_line(terminal), "the reason")
    log = (home / "racko.log").read_text()
    assert "ended with the status 1" in log
    assert "it was too much" in log


def test_findings_are_folded_between_words_in_a_narrow_terminal(room: Room, home: Path) -> None:
    command = ["bot", "check", "--bot-time", "60", "--rounds", "1", strange("cheat")]
    terminal = room.open(home, *command, size=(39, 80))
    room.until(lambda: "1 thing is wrong." in terminal.text, "the end")
    lines = terminal.text.split("\n")
    assert "WRONG  Playing with 2 players" in lines
    assert "       (Classic)." in lines


def test_a_bot_of_ours_says_at_a_terminal_what_it_waits_for(room: Room, home: Path) -> None:
    terminal = room.open(home, "bot", "run", "solid")
    room.see(terminal, "Waiting for a line of the bot protocol")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_when_racko_ends_so_do_its_programs(
    number: signal.Signals, room: Room, home: Path, tmp_path: Path
) -> None:
    settle(home)
    noted = tmp_path / "pid"
    command = f"exec:{strange('noted', noted)}"
    terminal = room.open(home, "play", "--bots", f"{command},{command}", "--seed", "3")
    room.see(terminal, "RACK-O")
    # Not the one that was tried before anybody sat down.
    room.until(lambda: play(terminal, noted.exists() and alive(pid_in(noted))), "a program")
    pid = pid_in(noted)
    terminal.child.kill(number)
    wait_for(lambda: not alive(pid))


async def test_a_served_program_plays_and_ends_with_the_server(home: Path, tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    bots = ["--bot", f"mine={strange('noted', noted)}", "--bot", f"old={strange('fine')}"]
    server = Served(home, *bots)
    try:
        assert "Programs of yours that play here: mine, old." in server.lines
        async with await connect(server.address, name="Ana") as host:
            assert host.welcome.bots == ["outside:mine", "outside:old"]
            session = await host.create(Rules(), Options(bot_pause=0.0))
            await session.ask(Sit(1, "", Kind.BOT, "outside:mine"))
            await session.ask(Start())
            while len(pids_in(noted)) < 2:  # one was tried before the server was open
                view = session.view(0)
                if view is not None and view.my_turn and view.phase is Phase.TURN:
                    await session.ask(Do(0, act.TAKES[4]))
                await asyncio.sleep(0.05)
            pid = pid_in(noted)
            assert alive(pid)
    finally:
        status, log = server.stop(signal.SIGTERM)
    assert status == 0
    assert "strange" not in log
    wait_for(lambda: not alive(pid))


@pytest.mark.parametrize(
    ("bots", "status", "complaint"),
    [
        (["my own=true"], WRONG_USAGE, "a name has small letters"),
        (["solid=true"], WRONG_USAGE, "A bot of racko's own is called “solid”"),
        (["Sorter=true"], WRONG_USAGE, "give the program another name"),
        (["mine"], WRONG_USAGE, "wants NAME=COMMAND"),
        (["a=true", "A=true"], WRONG_USAGE, "each name once"),
        (["mine="], FAILURE, "The command that starts the program is missing"),
        (["mine=no-such-program"], FAILURE, "“no-such-program” cannot be started"),
        (["mine=true"], FAILURE, "“true” ended with the status 0 before it had answered “hello”"),
    ],
)
def test_a_server_with_a_bot_that_cannot_be_does_not_start(
    bots: list[str], status: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [word for bot in bots for word in ("--bot", bot)]
    assert main(["serve", "--port", "0", *arguments]) == status
    assert complaint in " ".join(capsys.readouterr().err.split())


def test_each_bot_that_does_not_work_is_named_and_one_is_told_what_tells_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", "--port", "0", "--bot", "ann=true", "--bot", "ben=true"]) == FAILURE
    told = " ".join(capsys.readouterr().err.split())
    assert "The bot “ann” does not work. “true” ended" in told
    assert "The bot “ben” does not work. “true” ended" in told
    assert told.count("racko bot check") == 1


def test_where_another_server_is_no_program_is_tried(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = doors.lock(home / "server")
    try:
        assert main(["serve", "--port", "0", "--bot", "mine=true"]) == FAILURE
    finally:
        release()
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("Another server uses the folder")


async def until_a_novice_plays(session: RemoteSession) -> None:
    """Play on until a novice has the seat of the program."""
    async with asyncio.timeout(60):
        while session.info.chairs[1].level != "novice":
            view = session.view(0)
            if session.link.up and view is not None and view.my_turn:
                with contextlib.suppress(RackoError):  # it may have come back just now
                    await session.ask(Do(0, view.legal[0]))
            await asyncio.sleep(0.05)


async def test_a_server_that_keeps_tables_opens_all_the_same_and_a_novice_plays(
    home: Path, tmp_path: Path
) -> None:
    bot = tmp_path / "bot.py"
    shutil.copy(STRANGE, bot)
    bots = ["--bot", f"mine={sys.executable} {bot} fine", "--bot", f"old={strange('fine')}"]
    server = Served(home, *bots)
    try:
        async with await connect(server.address, name="Ana") as host:
            session = await host.create(Rules(), Options(bot_pause=0.0))
            await session.ask(Sit(1, "", Kind.BOT, "outside:mine"))
            await session.ask(Start())
            await asyncio.sleep(0.2)
            server.stop(signal.SIGKILL)
            bot.unlink()
            server = Served(home, *bots, "--port", str(server.port))
            assert "Programs of yours that play here: old." in server.lines
            await until_a_novice_plays(session)
    finally:
        status, log = server.stop(signal.SIGTERM)
    assert status == 0
    told = " ".join(log.split())
    assert "ended with the status 2 before it had answered “hello”: “" in told
    assert "No such file or directory”." in told
    assert "The server opens all the same, for tables are kept" in told


async def test_a_server_says_which_tables_lack_a_program_that_it_does_not_offer(
    home: Path,
) -> None:
    server = Served(home, "--bot", f"pearl={strange('fine')}")
    try:
        async with await connect(server.address, name="Ana") as host:
            session = await host.create(Rules(), Options(bot_pause=0.0))
            await session.ask(Sit(1, "Otto", Kind.BOT, "outside:pearl"))
            await session.ask(Start())
            server.stop(signal.SIGTERM)
            server = Served(home, "--port", str(server.port))
            await until_a_novice_plays(session)
    finally:
        _status, log = server.stop(signal.SIGTERM)
    needs = f"Table {session.code} needs the program “pearl”, which is not offered: at its next"
    assert any(line.startswith(needs) for line in server.lines)
    assert "No program called “pearl” is offered here." in log
    assert f"novice table={session.code} seat=1 instead_of=Otto" in log
    assert "outside:" not in log


def test_the_form_starts_a_game_with_a_program(room: Room, home: Path, tmp_path: Path) -> None:
    settle(home)
    noted = tmp_path / "pid"
    terminal = room.open(home)
    room.see(terminal, "Quit")
    terminal.press("p")
    room.see(terminal, "Seat 2")
    terminal.press("\x1b[B\x1b[B")
    room.see(terminal, "▸ Seat 2")

    def kind() -> str:
        return next(line for line in terminal.text.split("\n") if "Seat 2" in line)

    for _ in range(9):
        if "another program" in kind():
            break
        before = kind()
        terminal.press("\x1b[C")
        room.until(lambda before=before: kind() != before, "another kind")  # type: ignore[misc]
    room.see(terminal, "another program", "its command")
    terminal.press("\x1b[B")
    room.see(terminal, "▸   its command")
    terminal.press(strange("noted", noted))
    room.see(terminal, str(noted)[-20:])
    terminal.press("\r")
    room.see(terminal, "RACK-O")
    # It is tried before anybody sits down.
    room.until(lambda: play(terminal, len(pids_in(noted)) == 2), "the program")
    assert strange("noted", noted) in config._on_disk(home / "settings.toml")["programs"]
