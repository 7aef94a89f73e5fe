"""`racko serve --ssh`: what it says, and that it ends as it should."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.tui.ssh.terminals import PATIENCE, Client, connect

SERVE = "from racko_tui.cli import main; raise SystemExit(main())"


@asynccontextmanager
async def serving(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVE, "serve", "--host=127.0.0.1", "--port=0", "--no-discovery",
        *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def said(process: asyncio.subprocess.Process, pattern: str) -> str:
    """Read what it prints until it matches; the first group."""
    assert process.stdout
    text = ""
    async with asyncio.timeout(PATIENCE):
        while not (found := re.search(pattern, text)):
            line = await process.stdout.readline()
            assert line, text
            text += line.decode()
    return found[1]


async def test_it_says_how_to_log_in_and_shows_the_key_of_the_host(tmp_path: Path) -> None:
    async with serving(f"--data={tmp_path}", "--ssh=0") as process:
        port = int(await said(process, r"ssh -p (\d+) 127\.0\.0\.1\n"))
        fingerprint = await said(process, r"key of this host is (SHA256:\S+)\.\n")
        await said(process, r"(Anybody) who reaches that port")
        connection = await connect(port)
        assert connection.get_server_host_key().get_fingerprint() == fingerprint
        connection.abort()
        async with Client(port, "Ana") as client:
            await client.until("new table")
            process.terminate()
            assert "The server is stopping" in await client.until_end()
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 0
    async with serving(f"--data={tmp_path}", "--ssh=0") as process:
        assert await said(process, r"key of this host is (SHA256:\S+)\.\n") == fingerprint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--ssh-auth=keys",), "add “--ssh-authorized-keys”"),
        (("--ssh-auth=password",), "add “--ssh-password-file”"),
        (("--ssh-auth=keys", "--ssh-authorized-keys=/nowhere"), "cannot be read"),
        (("--ssh-auth=keys", "--ssh-authorized-keys=/dev/zero"), "it is no plain file"),
        (("--ssh-auth=password", "--ssh-password-file=/dev/null"), "it is no plain file"),
    ],
)
async def test_what_cannot_be_is_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    async with serving(f"--data={tmp_path}", "--ssh=0", *arguments) as process:
        async with asyncio.timeout(PATIENCE):
            _, errors = await process.communicate()
        assert process.returncode == 1
        assert complaint in errors.decode()
        assert "Traceback" not in errors.decode()


async def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    for arguments in (
        ("--ssh=0", "--ssh-auth=keys", f"--ssh-authorized-keys={pipe}"),
        ("--ssh=0", "--ssh-auth=password", f"--ssh-password-file={pipe}"),
        (f"--password-file={pipe}",),
        (f"--tls-cert={pipe}",),
    ):
        async with serving(f"--data={tmp_path / 'data'}", *arguments) as process:
            async with asyncio.timeout(PATIENCE):
                _, errors = await process.communicate()
            assert process.returncode == 1
            assert "(it is no plain file)" in errors.decode()


async def test_nobody_is_let_in_by_a_server_whose_ssh_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ssh = f"--ssh={taken.getsockname()[1]}"
        async with serving(f"--data={tmp_path}", ssh) as process:
            async with asyncio.timeout(PATIENCE):
                said, errors = await process.communicate()
    assert process.returncode == 1
    assert not said
    assert re.fullmatch(
        r"SSH cannot listen on port \d+ \(the address is in use\); .*\n", errors.decode()
    )


async def test_a_file_of_keys_that_is_broken_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("ssh-ed25519 rubbish\n")
    arguments = ("--ssh-auth=keys", f"--ssh-authorized-keys={tmp_path / 'keys'}")
    async with serving(f"--data={tmp_path}", "--ssh=0", *arguments) as process:
        _, errors = await process.communicate()
        assert process.returncode == 1
        assert "cannot be read" in errors.decode()
