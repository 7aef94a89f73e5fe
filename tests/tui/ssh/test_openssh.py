"""The same with the real OpenSSH client: what it can ask for, what it prints, how it ends."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import asyncssh
import pytest

from racko_tui.ssh.host import SshHost
from racko_tui.ssh.passwords import line
from tests.tui.ssh.conftest import limits, running
from tests.tui.ssh.terminals import Client, OpenSsh, have_ssh

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not have_ssh(), reason="no OpenSSH client"),
]
HOST = "127.0.0.1"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    return file


async def test_plays_without_a_question(host: SshHost, tmp_path: Path) -> None:
    async with OpenSsh(host.port, HOST, home=tmp_path, user="Zoë") as ssh:
        await ssh.until("name=Zoë proof=none")
        ssh.type("\x1b")
        await ssh.until("seen=escape")
        ssh.type("\x03")
        await ssh.until("seen=escape ctrl+c")
        for columns, rows in ((100, 30), (70, 22)):
            ssh.resize(columns, rows)
            await ssh.until(f"size={columns}x{rows}")
        ssh.type("\x1b[200~pasted\x1b[201~")
        await ssh.until("paste:pasted")
        ssh.type("q")
        assert await ssh.status() == 0
        assert "assword" not in ssh.raw.decode()


async def test_a_key_in_the_home_is_the_identity(host: SshHost, tmp_path: Path, key: Path) -> None:
    async with OpenSsh(host.port, "-i", str(key), HOST, home=tmp_path) as ssh:
        await ssh.until("proof=key")
        assert ssh.find(r"id=key:(\S+)") == asyncssh.read_public_key(f"{key}.pub").get_fingerprint()


async def test_shows_the_fingerprint_that_the_host_shows(host: SshHost, tmp_path: Path) -> None:
    async with OpenSsh(host.port, "-o", "StrictHostKeyChecking=ask", HOST, home=tmp_path) as ssh:
        await ssh.until(host.fingerprint)


async def test_a_table_code_needs_a_terminal_of_its_own(host: SshHost, tmp_path: Path) -> None:
    async with OpenSsh(host.port, "-t", HOST, "K7AB", home=tmp_path) as ssh:
        await ssh.until("table=K7AB")
    async with OpenSsh(host.port, HOST, "K7AB", home=tmp_path) as ssh:
        assert "Rack-O needs a terminal: log in with “ssh -t”" in await ssh.until_end()


async def test_the_locale_comes_with_the_client(host: SshHost, tmp_path: Path) -> None:
    env = {"LANG": "fr_FR.UTF-8", "LC_CTYPE": "C", "TERM": "xterm-kitty", "NO_COLOR": "1"}
    send = ("-o", "SendEnv=LANG LC_* NO_COLOR HOME PATH")
    async with OpenSsh(host.port, *send, HOST, home=tmp_path, env=env) as ssh:
        await ssh.until("term=xterm-kitty")
        await ssh.until("colours=truecolor mono=True letters=ascii language=fr")
        assert ssh.text.isascii(), "boxes are drawn with what the terminal has"


FORBIDDEN = [
    (("{host}", "ls", "/"), "runs nothing but the game"),
    (("{host}", "sh -c 'echo pwned > /tmp/pwned'"), "runs nothing but the game"),
    (("-s", "{host}", "sftp"), "no files here, only the game"),
    (("-W", "127.0.0.1:22", "{host}"), "administratively prohibited"),
    (("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "{host}"), "forwarding"),
    (("-o", "Tunnel=yes", "-w", "0:0", "-N", "-o", "ExitOnForwardFailure=yes", "{host}"), ""),
]


@pytest.mark.parametrize(("arguments", "answer"), FORBIDDEN)
async def test_nothing_but_the_game(
    host: SshHost, tmp_path: Path, arguments: tuple[str, ...], answer: str
) -> None:
    given = [argument.format(host=HOST) for argument in arguments]
    async with Client(host.port, "bystander") as bystander:
        await bystander.until("size=")
        async with OpenSsh(host.port, *given, home=tmp_path) as ssh:
            assert await ssh.status() != 0
            assert answer in ssh.raw.decode()
        bystander.type("x")
        await bystander.until("seen=x")


async def test_no_files_over_sftp(host: SshHost, tmp_path: Path) -> None:
    async with OpenSsh(host.port, HOST, home=tmp_path, program="sftp") as sftp:
        assert await sftp.status() != 0
        assert "no files here, only the game" in sftp.raw.decode()


async def test_forwarding_is_refused_and_the_game_goes_on(host: SshHost, tmp_path: Path) -> None:
    env = {"DISPLAY": "127.0.0.1:99"}
    flags = ("-A", "-Y", "-R", "0:127.0.0.1:22")
    async with OpenSsh(host.port, *flags, HOST, home=tmp_path, env=env) as ssh:
        await ssh.until("size=80x24")
        assert b"remote port forwarding failed" in ssh.raw


@pytest.mark.parametrize(
    ("few", "reason"),
    [
        ({"per_address": 1}, "Too many connections from your address; close one of them."),
        ({"per_worker": 1}, "This server is full; try again later."),
    ],
)
async def test_prints_why_it_was_turned_away(
    tmp_path: Path, few: dict[str, int], reason: str
) -> None:
    async with running(tmp_path, limits=limits(**few)) as host, Client(host.port) as client:
        await client.until("size=")
        async with OpenSsh(host.port, HOST, home=tmp_path) as ssh:
            assert reason in await ssh.until_end()
            assert await ssh.status() == 255


async def test_a_wrong_password(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.write_text(line("ana", "sesame"))
    file.chmod(0o600)
    async with (
        running(tmp_path, auth="password", password_file=file) as host,
        OpenSsh(host.port, HOST, home=tmp_path) as ssh,
    ):
        await ssh.until(lambda text: "assword:" in text)
        ssh.type("wrong\r")
        await ssh.until("denied")
        await ssh.until(lambda text: len(re.findall("assword:", text)) == 2)
        ssh.type("sesame\r")
        await ssh.until("name=ana proof=password")
