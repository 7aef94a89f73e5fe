"""Nothing of the host is written or shown for somebody who came from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from racko_core.seating import Start
from racko_net.archive import record_of
from racko_tui.app import RackoApp
from racko_tui.local.games import Games
from racko_tui.screens.history import HistoryScreen, PastCardScreen
from racko_tui.ssh.options import Server
from racko_tui.ssh.play import SshApp, build
from racko_tui.ssh.visit import Identity, Terminal, Visit
from tests.tui.ssh.terminals import Client
from tests.tui.ssh.test_play import opponent, play_on, serving
from tests.tui.steering import played, press, shown, still

OWNER = "hostowner"
"""Whose account the host runs in."""


@pytest.fixture
def elsewhere(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the host runs in; afterwards nothing has been written into it."""
    folder = tmp_path / "started-here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("LOGNAME", "USER"):
        monkeypatch.setenv(name, OWNER)
    yield folder
    assert [*folder.iterdir()] == []


async def test_the_games_of_another_machine_are_not_written_to_its_disk(
    home: Path, elsewhere: Path
) -> None:
    class Elsewhere(RackoApp):
        owns_machine = False

    games = Games(home)
    games.store().add_game(None, 1_000_000.0, record_of(played(), 1_000_000.0))
    games.close()
    app = Elsewhere(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert isinstance(app.screen, HistoryScreen)
        assert "to a file" not in shown(app)
        await press(pilot, "e")
        assert "the host keeps it" in shown(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PastCardScreen)
        assert "to a file" not in shown(app)
        await press(pilot, "e")
        assert "the host keeps it" in shown(app)


TOUR = (
    ("\x1b", "Quit"),  # from the lobby
    ("?", "The rules in force"),
    ("\x1b", "Quit"),
    ("s", "Colours"),
    ("\x1b[A\r", "draw"),  # up to the last line: the keys
    ("\x1b", "Colours"),
    ("\x1b[B\x1b[C", "Paper"),  # down to the first line: a change, which is saved
    ("\x1b", "Quit"),
    ("t", "new table"),
    ("n", "Spectators"),
    ("\x1b", "new table"),
)
"""What to press, and what comes then."""


@pytest.mark.parametrize("keyed", [True, False])
async def test_a_tour_of_all_screens(
    tmp_path: Path, home: Path, elsewhere: Path, keyed: bool
) -> None:
    data = tmp_path / "server"
    games = Games(home)  # its owner plays too, and that is nobody's business
    games.store().add_game(None, 1_000_000.0, record_of(played(), 1_000_000.0))
    games.close()
    of_owner = files(home)
    key = asyncssh.generate_private_key("ssh-ed25519") if keyed else None
    async with (
        serving(data) as (server, host),
        opponent(server) as session,
        Client(host.port, "Ana", key=key) as ana,
    ):
        await ana.until("new table")
        for typed, seen in TOUR:
            ana.type(typed)
            await ana.until(seen)
        ana.type("c")
        await ana.until("such as KAFU")
        ana.type(f"{session.code}\r")
        await ana.until("not ready yet")
        ana.type("r")
        await ana.until("Bo starts the game")
        await session.ask(Start())
        await play_on(ana, "Rematch")
        ana.type("e\r")
        await ana.until("the host keeps it")
        ana.type("\x03")
        await ana.until("Leave")
        ana.type("\x03")
        everything = await ana.until_end()
    for secret in (str(tmp_path), str(home), OWNER, "Traceback", str(data)):
        assert secret not in everything
    assert files(home) == of_owner
    kept = files(data)
    assert kept - {"players", "guests"} <= {"server.sqlite3", "server.lock", "ssh_host_ed25519_key"}
    assert ("players" in kept) is keyed
    assert ("guests" in kept) is not keyed


def files(folder: Path) -> set[str]:
    """What lies in a folder, by the first part of its path."""
    return {path.relative_to(folder).parts[0] for path in folder.rglob("*")}


async def test_there_are_no_local_games_to_be_had(tmp_path: Path) -> None:
    terminal = Terminal("xterm", (80, 24))
    app = build(Visit(Identity("Ana"), terminal, "127.0.0.1", "", Server(), tmp_path))
    assert isinstance(app, SshApp)
    with pytest.raises(LookupError):
        _ = app.games
