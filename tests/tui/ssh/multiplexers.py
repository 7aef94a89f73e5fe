"""The real tmux and GNU screen around a command, as somebody's terminal may have them."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from tests.tui.ssh.terminals import PATIENCE


class Multiplexer:
    """A multiplexer of its own with one window, which no terminal need be attached to."""

    program: ClassVar[str]

    def __init__(self, command: Sequence[str], *, home: Path, env: dict[str, str]) -> None:
        self.command = shlex.join(command)
        self.home = home
        self.env = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", **env}
        self.pid = 0
        """The process that holds the window."""

    @classmethod
    def missing(cls) -> bool:
        """Whether the program is not installed."""
        return shutil.which(cls.program) is None

    async def start(self) -> None:
        """Open the window."""
        raise NotImplementedError

    async def text(self) -> str:
        """What the window shows."""
        raise NotImplementedError

    async def type(self, text: str) -> None:
        """Press keys in the window."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """As when the machine that it runs on goes down."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.pid = 0

    async def until(self, wanted: str | Callable[[str], bool]) -> str:
        """Wait until the window shows it."""
        shown = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    shown = await self.text()
                    if wanted in shown if isinstance(wanted, str) else wanted(shown):
                        return shown
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"never came; the window shows\n{shown}") from None

    async def run(self, *arguments: str) -> str:
        """One call of the program; what it printed."""
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, env=self.env, stdout=-1, stderr=-1, stdin=-3
        )
        out, _ = await process.communicate()
        return out.decode("utf-8", "replace")


class Tmux(Multiplexer):
    """tmux, with a server of its own."""

    program = "tmux"

    async def run(self, *arguments: str) -> str:
        return await super().run("-S", str(self.home / "tmux"), "-f", "/dev/null", *arguments)

    async def start(self) -> None:
        await self.run("new-session", "-d", "-x", "80", "-y", "24", self.command)
        self.pid = int(await self.run("display-message", "-p", "#{pid}"))

    async def text(self) -> str:
        return await self.run("capture-pane", "-p")

    async def type(self, text: str) -> None:
        await self.run("send-keys", "-H", *(f"{byte:x}" for byte in text.encode()))

    async def resize(self, columns: int, rows: int) -> None:
        """Make the window another size."""
        await self.run("resize-window", "-x", str(columns), "-y", str(rows))


class GnuScreen(Multiplexer):
    """GNU screen, with sockets of its own."""

    program = "screen"

    async def start(self) -> None:
        sockets = self.home / "screens"
        sockets.mkdir(mode=0o700)
        self.env["SCREENDIR"] = str(sockets)
        self.env["SHELL"] = "/bin/sh"
        await self.run("-c", "/dev/null", "-U", "-dmS", "racko", "sh", "-c", f"exec {self.command}")
        async with asyncio.timeout(PATIENCE):
            while not self.pid:
                names = [path.name for path in sockets.iterdir()]
                self.pid = next((int(name.partition(".")[0]) for name in names), 0)
                await asyncio.sleep(0.02)

    async def text(self) -> str:
        copy = self.home / "hardcopy"
        await self._order("hardcopy", str(copy))
        with suppress(OSError):
            return copy.read_text("utf-8", "replace")
        return ""

    async def type(self, text: str) -> None:
        await self._order("stuff", "".join(f"\\{byte:03o}" for byte in text.encode()))

    async def _order(self, *order: str) -> None:
        await self.run("-S", "racko", "-p", "0", "-X", *order)
