"""Clients for the SSH host's tests: the real `ssh` on a pty, and asyncssh, each with a screen."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shutil
import struct
import termios
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import asyncssh
import pyte

PATIENCE = 30.0
"""Seconds after which a test fails; nothing ever waits for it to pass."""


class Screen:
    """What a terminal shows of the bytes that it is given."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.terminal = pyte.Screen(*size)
        self.stream = pyte.ByteStream(self.terminal)
        self.raw = b""
        self.changed = asyncio.Event()
        self.ended = False

    def feed(self, data: bytes) -> None:
        self.raw += data
        # pyte takes "\x1b[?2026$p" for a "p" to show.
        self.stream.feed(data.replace(b"\x1b[?2026$p", b""))
        self.changed.set()

    def end(self) -> None:
        self.ended = True
        self.changed.set()

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.terminal.display)

    def find(self, pattern: str) -> str:
        """What `pattern` (its first group) matches on the screen now."""
        found = re.search(pattern, self.text)
        assert found, self.text
        return found[1]

    async def until(self, wanted: str | Callable[[str], bool]) -> str:
        """Wait until the screen shows it; the screen then."""
        if isinstance(wanted, str):
            return await self.until(lambda text: wanted in text)
        try:
            async with asyncio.timeout(PATIENCE):
                while not wanted(self.text):
                    assert not self.ended, f"ended with:\n{self.text}"
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"never came; the screen is\n{self.text}") from None
        return self.text

    async def until_found(self, pattern: str) -> str:
        """Wait until `pattern` matches; what its first group does."""
        await self.until(lambda text: re.search(pattern, text) is not None)
        return self.find(pattern)

    async def until_end(self) -> str:
        """Wait for the end of the session; all that came."""
        async with asyncio.timeout(PATIENCE):
            while not self.ended:
                self.changed.clear()
                await self.changed.wait()
        return self.raw.decode("utf-8", "replace")


class Client(Screen):
    """An asyncssh client with a terminal."""

    connection: asyncssh.SSHClientConnection
    channel: asyncssh.SSHClientChannel[bytes]

    def __init__(
        self,
        port: int,
        user: str = "ana",
        *,
        command: str | None = None,
        size: tuple[int, int] = (80, 24),
        term: str | None = "xterm-256color",
        env: dict[str, str] | None = None,
        key: asyncssh.SSHKey | asyncssh.SSHKeyPair | None = None,
        password: str | None = None,
        window: int = 65536,
    ) -> None:
        super().__init__(size)
        self.port, self.user, self.command, self.size = port, user, command, size
        self.term, self.env, self.key, self.password = term, env, key, password
        self.window = window
        self.status: int | None = None

    async def __aenter__(self) -> Self:
        self.connection = await connect(self.port, self.user, key=self.key, password=self.password)
        self.channel, _ = await self.connection.create_session(
            lambda: _Session(self),
            self.command,
            term_type=self.term,
            term_size=self.size,
            env=self.env,
            encoding=None,
            window=self.window,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.connection.abort()
        await self.connection.wait_closed()

    def type(self, data: str | bytes) -> None:
        self.channel.write(data.encode() if isinstance(data, str) else data)

    def resize(self, columns: int, rows: int) -> None:
        self.terminal.resize(rows, columns)
        self.channel.change_terminal_size(columns, rows)


class _Session(asyncssh.SSHClientSession[bytes]):
    def __init__(self, client: Client) -> None:
        self._client = client

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._client.feed(data)

    def exit_status_received(self, status: int) -> None:
        self._client.status = status

    def connection_lost(self, exc: Exception | None) -> None:
        self._client.end()


class Answers(asyncssh.SSHClient):
    """A client that answers when nothing is asked, as OpenSSH does."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: object
    ) -> list[str]:
        return []


async def connect(
    port: int,
    user: str = "ana",
    *,
    key: asyncssh.SSHKey | asyncssh.SSHKeyPair | None = None,
    password: str | None = None,
) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        "127.0.0.1",
        port,
        username=user,
        client_keys=[key] if key else None,
        password=password,
        known_hosts=None,
        config=None,
        agent_path=None,
        client_factory=Answers,
    )


class OpenSsh(Screen):
    """The real `ssh` program on a pty of its own, or without one."""

    process: asyncio.subprocess.Process

    def __init__(
        self,
        port: int,
        *arguments: str,
        home: Path,
        user: str = "ana",
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        program: str = "ssh",
    ) -> None:
        super().__init__(size)
        self.size = size
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color"}
        self.env.update(env or {})
        options = {
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": str(home / "known"),
            "GlobalKnownHostsFile": "/dev/null",
            "IdentitiesOnly": "yes",
            "LogLevel": "INFO",
            "User": user,
        }
        self.command = [program, "-F", "none", "-P" if program == "sftp" else "-p", str(port)]
        overridden = [argument.partition("=")[0] for argument in arguments]
        for name, value in options.items():
            if name not in overridden:  # for ssh the first word counts
                self.command += ["-o", f"{name}={value}"]
        self.command += arguments

    async def __aenter__(self) -> Self:
        ours, theirs = os.openpty()
        self.handle = ours
        self._window(*self.size)
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=self.env,
            preexec_fn=_take_terminal,
        )
        os.close(theirs)
        asyncio.get_running_loop().add_reader(ours, self._read)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        if not self.ended:
            asyncio.get_running_loop().remove_reader(self.handle)
        os.close(self.handle)

    def type(self, data: str | bytes) -> None:
        os.write(self.handle, data.encode() if isinstance(data, str) else data)

    def resize(self, columns: int, rows: int) -> None:
        self.terminal.resize(rows, columns)
        self._window(columns, rows)

    async def status(self) -> int:
        async with asyncio.timeout(PATIENCE):
            await self.until_end()
            return await self.process.wait()

    def _window(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        try:
            data = os.read(self.handle, 65536)
        except OSError:
            data = b""
        if data:
            self.feed(data)
        else:
            asyncio.get_running_loop().remove_reader(self.handle)
            self.end()


def _take_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def have_ssh() -> bool:
    return bool(shutil.which("ssh") and shutil.which("sftp"))
