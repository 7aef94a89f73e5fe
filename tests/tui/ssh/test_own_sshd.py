"""Through a machine's own sshd: the forced command of HOSTING.md, and a line that drops."""

from __future__ import annotations

import asyncio
import getpass
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from racko_core.seating import Start
from tests.tui.ssh.lines import Line
from tests.tui.ssh.multiplexers import GnuScreen, Multiplexer, Tmux
from tests.tui.ssh.terminals import OpenSsh, have_ssh
from tests.tui.ssh.test_play import game_server, opponent, play_on

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ.get("PATH", ""))
pytestmark = pytest.mark.skipif(
    not (SSHD and have_ssh() and Path("/proc").exists()), reason="no OpenSSH server"
)
ROOT = Path(__file__).parents[3]
HOSTING = ROOT / "racko_tui" / "ssh" / "HOSTING.md"


def forced_command(name: str, address: str, home: Path) -> str:
    """The line of HOSTING.md, for this machine."""
    [line] = re.findall(r'^command="(.*)",restrict,pty .*$', HOSTING.read_text(), re.MULTILINE)
    assert line == "env RACKO_HOME=/srv/racko/ana racko join localhost --name Ana"
    python = f"{sys.executable} -c 'from racko_tui.cli import main; raise SystemExit(main())'"
    return (
        line.replace("/srv/racko/ana", str(home))
        .replace("racko join", f"PYTHONPATH={ROOT} {python} join")
        .replace("localhost", address)
        .replace("Ana", name)
    )


@asynccontextmanager
async def sshd(folder: Path, command: str, key: Path) -> AsyncIterator[Sshd]:
    """An OpenSSH server whose one key runs one command."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    public = key.with_suffix(".pub").read_text()
    (folder / "authorized_keys").write_text(f'command="{command}",restrict,pty {public}')
    subprocess.run(  # noqa: ASYNC221
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "host")], check=True
    )
    config = folder / "sshd_config"
    config.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nUsePAM no\n"
        f"AuthorizedKeysFile {folder}/authorized_keys\nStrictModes no\nPidFile none\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n" + silence()
    )
    assert SSHD
    process = subprocess.Popen(  # noqa: ASYNC220
        [SSHD, "-D", "-e", "-f", str(config)], stderr=subprocess.PIPE
    )
    assert process.stderr
    try:
        line = await asyncio.to_thread(process.stderr.readline)
        if b"Server listening" not in line:
            pytest.skip(f"sshd does not start here: {line!r}")
        yield Sshd(port, process.pid)
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


@dataclass(frozen=True)
class Sshd:
    """A running one."""

    port: int
    pid: int

    @property
    def sessions(self) -> list[int]:
        """Its processes for those who are logged in."""
        return [pid for pid in map(int, _all_processes()) if _stat(pid)[1] == str(self.pid)]


def silence() -> str:
    """What HOSTING.md says to write into `sshd_config` about lines that fall silent, in haste."""
    [[interval, count]] = re.findall(
        r"^ClientAliveInterval (\d+)\nClientAliveCountMax (\d+)$", HOSTING.read_text(), re.MULTILINE
    )
    assert int(interval) * (int(count) + 1) < 15, "away within 15 seconds"
    return f"ClientAliveInterval 1\nClientAliveCountMax {count}\n"


def _all_processes() -> list[str]:
    return [entry.name for entry in Path("/proc").glob("[0-9]*")]


def _stat(pid: int) -> list[str]:
    """What the system says of a process, from its state on; zeros for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["X", *["0"] * 50]


def seconds_worked(pid: int) -> float:
    """How long a process has kept a core busy so far; 0 for one that is gone."""
    own = _stat(pid)
    return (int(own[11]) + int(own[12])) / os.sysconf("SC_CLK_TCK")


def processes(home: Path) -> list[int]:
    """The processes of the player whose RACKO_HOME that is."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"RACKO_HOME={home}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A player's key."""
    file = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    return file


async def until(holds: Callable[[], bool], what: str) -> None:
    try:
        async with asyncio.timeout(60):
            while not holds():  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"never: {what}") from None


async def nothing_is_left(home: Path, host: Sshd) -> None:
    """Every process of the player ends, and works for no more than a moment until then."""
    before = {pid: seconds_worked(pid) for pid in processes(home)}
    spun = 0.0
    async with asyncio.timeout(60):
        while processes(home) or host.sessions:
            for pid in processes(home):
                spun = max(spun, seconds_worked(pid) - before.get(pid, 0.0))
            await asyncio.sleep(0.02)
    assert spun < 2.0, "what has lost its terminal keeps a core busy"


@pytest.mark.parametrize("drop", ["killed", "silent"])
async def test_a_dropped_line_leaves_nothing_and_the_seat_comes_back(
    tmp_path: Path, key: Path, drop: str
) -> None:
    home = tmp_path / "player"
    async with game_server(tmp_path / "server") as server, opponent(server) as session:
        command = forced_command("Ana", f"127.0.0.1:{server.port}", home)
        login = ("-t", "-i", str(key), "127.0.0.1", "sh -c 'echo pwned'")
        user = getpass.getuser()
        async with sshd(tmp_path, command, key) as host, Line(host.port) as line:
            async with OpenSsh(line.port, *login, home=tmp_path, user=user) as ssh:
                await ssh.until(session.code)
                ssh.type("\r")
                await ssh.until("not ready yet")
                ssh.type("r")
                await ssh.until("Bo starts the game")
                await session.ask(Start())
                await play_on(ssh, "Your turn: draw")
                ssh.type("d")
                drawn = await ssh.until_found(r"You drew (\d+):")
                assert "pwned" not in ssh.text
                assert processes(home)
                assert host.sessions
                if drop == "killed":
                    ssh.process.kill()
                else:
                    line.silence()
                await nothing_is_left(home, host)
                await until(lambda: session.info.chairs[1].away, "the seat is away")
            async with OpenSsh(host.port, *login, home=tmp_path, user=user) as ssh:
                await ssh.until("your seat")
                ssh.type("\r")
                await ssh.until(f"You drew {drawn}:")
                ssh.type("\x03")
                await ssh.until(lambda text: "Leave" in text)


TERMS = ("xterm-256color", "screen", "screen.xterm-256color", "tmux-256color", "linux", "vt220")


async def test_any_terminal_that_can_show_a_screen(tmp_path: Path, key: Path) -> None:
    home = tmp_path / "player"
    async with game_server(tmp_path / "server") as server:
        command = forced_command("Ana", f"127.0.0.1:{server.port}", home)
        login = ("-t", "-i", str(key), "127.0.0.1")
        user = getpass.getuser()
        async with sshd(tmp_path, command, key) as host:
            for term in TERMS:
                env = {"TERM": term}
                async with OpenSsh(host.port, *login, home=tmp_path, user=user, env=env) as ssh:
                    await ssh.until("new table")
                    ssh.resize(100, 30)
                    await ssh.until(lambda text: len(text.splitlines()) == 30 and "Esc" in text)
                    colours = re.search(rb"\x1b\[[0-9;]*[34]8;[25];", ssh.raw)
                    assert bool(colours) is ("256" in term), term
                    ssh.type("\x03")
                    assert await ssh.status() == 0
            env = {"TERM": "dumb"}
            async with OpenSsh(host.port, *login, home=tmp_path, user=user, env=env) as ssh:
                assert "cannot show a full screen" in await ssh.until_end()
                assert await ssh.status() != 0
            await nothing_is_left(home, host)


@pytest.mark.parametrize("kind", [Tmux, GnuScreen])
async def test_in_a_multiplexer_that_goes_down(
    tmp_path: Path, key: Path, kind: type[Multiplexer]
) -> None:
    """Nobody is attached at first; then the machine that it runs on is gone."""
    if kind.missing():
        pytest.skip(f"no {kind.program}")
    home = tmp_path / "player"
    async with game_server(tmp_path / "server") as server, opponent(server) as session:
        command = forced_command("Ana", f"127.0.0.1:{server.port}", home)
        async with sshd(tmp_path, command, key) as host:
            login = OpenSsh(
                host.port, "-t", "-i", str(key), "127.0.0.1", home=tmp_path, user=getpass.getuser()
            )
            async with kind(login.command, home=tmp_path, env={}) as window:
                await window.until(session.code)
                await window.type("\r")
                await window.until("not ready yet")
                await window.type("\x1b")  # alone it is a key here too
                await window.until("Your chair is free")
                await window.type("n")
                if isinstance(window, Tmux):
                    await window.resize(100, 30)
                    await window.until(lambda text: any(len(row) > 85 for row in text.split("\n")))
                window.kill()
                await nothing_is_left(home, host)
            await until(lambda: session.info.chairs[1].away, "the seat is away")
            again = tmp_path / "again"
            again.mkdir()
            async with kind(login.command, home=again, env={}) as window:
                await window.until("your seat")
                await window.type("\r")
                await window.until("not ready yet")
                await until(lambda: not session.info.chairs[1].away, "the seat is taken back")
                window.kill()
                await nothing_is_left(home, host)
