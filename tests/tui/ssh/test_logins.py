"""Who gets in, who they are then, and how the others are turned away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncssh
import pytest

from racko_core.errors import RackoError
from racko_tui.ssh.host import SshHost
from racko_tui.ssh.passwords import line
from tests.tui.ssh.conftest import limits, running
from tests.tui.ssh.terminals import Client, connect

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_key_is_an_identity_whatever_the_name(host: SshHost) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    for user in ("ana", "bo"):
        async with Client(host.port, user, key=key) as client:
            await client.until(f"name={user} proof=key")
            assert client.find(r"id=key:(\S+)") == key.get_fingerprint()


async def test_a_key_that_is_offered_but_not_held_proves_nothing(host: SshHost) -> None:
    stolen, own = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    [forged] = asyncssh.load_keypairs([own])
    forged.public_data = stolen.public_data  # accepted when offered; then the signature is wrong
    async with Client(host.port, "mallory", key=forged) as client:
        await client.until("name=mallory proof=none")
    [forged] = asyncssh.load_keypairs([own])
    async with Client(host.port, "mallory", key=forged) as client:
        await client.until("proof=key")


async def test_a_name_is_made_harmless(host: SshHost) -> None:
    async with Client(host.port, "ana [bold]" + "x" * 40) as client:
        await client.until("name=ana [bold]xxxxxxxxxxxxxx proof=none")


@pytest.fixture
def passwords(tmp_path: Path) -> Path:
    file = tmp_path / "passwords"
    file.write_text(f"# ours\n\n{line('ana', 'sesame')}\n{line('*', 'party')}\n")
    file.chmod(0o600)
    return file


def rewrite(file: Path, text: str) -> None:
    file.write_text(text)


async def test_passwords(tmp_path: Path, passwords: Path) -> None:
    async with running(tmp_path, auth="password", password_file=passwords) as host:
        async with Client(host.port, "ana", password="sesame") as client:
            await client.until("name=ana proof=password")
            assert client.find(r"id=(\S+)") == "account:ana"
        async with Client(host.port, "ana", password="party") as client:
            await client.until("name=ana proof=none")
        for user, password in (("ana", "wrong"), ("bo", "sesame"), ("*", "sesame"), ("ana", "")):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect(host.port, user, password=password)
        with pytest.raises(asyncssh.PermissionDenied):
            await connect(host.port, key=asyncssh.generate_private_key("ssh-ed25519"))
        # Whoever keeps the file need not restart the server.
        rewrite(passwords, line("bo", "new"))
        async with Client(host.port, "bo", password="new") as client:
            await client.until("name=bo proof=password")
        rewrite(passwords, "rubbish")
        async with Client(host.port, "bo", password="new") as client:
            await client.until("name=bo proof=password")


async def test_keys(tmp_path: Path) -> None:
    ours, other = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    file = tmp_path / "authorized_keys"
    file.write_bytes(b"# friends\n" + ours.export_public_key())
    async with running(tmp_path, auth="keys", authorized_keys=file) as host:
        async with Client(host.port, key=ours) as client:
            await client.until("name=ana proof=key")
        for key in (other, None):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect(host.port, key=key)


async def test_a_forced_command_in_the_file_of_keys_is_not_taken(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    file = tmp_path / "authorized_keys"
    file.write_bytes(b'command="rm -r /",environment="LANG=da" ' + key.export_public_key())
    async with (
        running(tmp_path, auth="keys", authorized_keys=file) as host,
        Client(host.port, key=key) as client,
    ):
        await client.until("table=lobby")


@pytest.mark.parametrize("auth", ["password", "keys"])
async def test_a_way_to_log_in_needs_its_file(tmp_path: Path, auth: str) -> None:
    with pytest.raises(RackoError, match="needs a file"):
        async with running(tmp_path, auth=auth):
            pass


async def test_a_port_in_use_is_a_sentence(host: SshHost, tmp_path: Path) -> None:
    other = SshHost(type(host.options)(tmp_path, hosts=("127.0.0.1",), port=host.port))
    with pytest.raises(RackoError, match="choose another port"):
        await other.start()
    await other.close()


async def test_guessing_passwords_ends(tmp_path: Path, passwords: Path) -> None:
    few = limits(tries=2)
    async with running(tmp_path, auth="password", password_file=passwords, limits=few) as host:

        class Guesser(asyncssh.SSHClient):
            guesses = 0

            def password_auth_requested(self) -> str:
                self.guesses += 1
                return f"guess {self.guesses}"

        guesser = Guesser()
        with pytest.raises(asyncssh.DisconnectError):
            await asyncssh.connect(
                "127.0.0.1",
                host.port,
                username="ana",
                client_keys=None,
                known_hosts=None,
                config=None,
                agent_path=None,
                client_factory=lambda: guesser,
            )
        assert guesser.guesses <= 3


async def test_wrong_passwords_count_as_logins(tmp_path: Path, passwords: Path) -> None:
    few = limits(logins=3)
    async with running(tmp_path, auth="password", password_file=passwords, limits=few) as host:
        with pytest.raises(asyncssh.PermissionDenied):
            await connect(host.port, password="wrong")
        async with asyncio.timeout(20):
            while host.connections:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
        async with Client(host.port, password="sesame") as client:
            await client.until("size=")
        with pytest.raises(asyncssh.DisconnectError, match="wait a minute"):
            await connect(host.port, password="sesame")


@pytest.mark.parametrize(
    ("few", "reason"),
    [
        ({"per_address": 1}, "Too many connections from your address"),
        ({"per_worker": 1}, "This server is full"),
        ({"logins": 1}, "Too many logins"),
    ],
)
async def test_beyond_a_limit_there_is_a_sentence(
    tmp_path: Path, few: dict[str, int], reason: str
) -> None:
    async with running(tmp_path, limits=limits(**few)) as host, Client(host.port) as client:
        await client.until("size=")
        with pytest.raises(asyncssh.DisconnectError, match=reason):
            await connect(host.port)
        client.type("x")
        await client.until("seen=x")


async def test_whoever_does_not_log_in_keeps_nobody_out_for_long(tmp_path: Path) -> None:
    few = limits(handshakes=2, login_time=1.5)
    async with running(tmp_path, limits=few) as host:
        idlers = [await asyncio.open_connection("127.0.0.1", host.port) for _ in range(2)]
        with pytest.raises(asyncssh.DisconnectError, match="logging in just now"):
            await connect(host.port)
        for reader, writer in idlers:
            async with asyncio.timeout(20):
                await reader.read()
            writer.close()
        async with Client(host.port) as client:
            await client.until("size=")
