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
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.tui.ssh.terminals import OpenSsh, have_ssh
from tests.tui.ssh.test_play import game_server, opponent

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
async def sshd(folder: Path, command: str, key: Path) -> AsyncIterator[int]:
    """An OpenSSH server whose one key runs one command; its port."""
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
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
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
        yield port
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


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


@pytest.mark.parametrize("term", ["xterm-256color", "screen", "vt220"])
async def test_a_forced_command_plays_and_a_dropped_line_leaves_nothing(
    tmp_path: Path, term: str
) -> None:
    key = tmp_path / "id"
    subprocess.run(  # noqa: ASYNC221
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True
    )
    home = tmp_path / "player"
    async with game_server(tmp_path / "server") as server, opponent(server) as session:
        command = forced_command("Ana", f"127.0.0.1:{server.port}", home)
        login = ("-t", "-i", str(key), "127.0.0.1", "sh -c 'echo pwned'")
        env = {"TERM": term}
        async with sshd(tmp_path, command, key) as port:
            user = getpass.getuser()
            async with OpenSsh(port, *login, home=tmp_path, user=user, env=env) as ssh:
                await ssh.until(session.code)
                ssh.type("\r")
                await ssh.until("not ready yet")
                assert "pwned" not in ssh.text
                assert processes(home)
                ssh.process.kill()
            async with asyncio.timeout(30):
                while processes(home):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                while not session.info.chairs[1].away:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            async with OpenSsh(port, *login, home=tmp_path, user=user, env=env) as ssh:
                await ssh.until("your seat")
                ssh.type("\r")
                await ssh.until("not ready yet")
                ssh.type("\x03")
                await ssh.until(lambda text: "Leave" in text)
