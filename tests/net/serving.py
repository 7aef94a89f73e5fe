"""A server in a process of its own: `python -m tests.net.serving FOLDER PORT [NAME]`.

Prints the port once people can join.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from racko_core.errors import RackoError
from racko_core.seating import Options
from racko_net.server import Server, ServerConfig, serve

ROOT = Path(__file__).parent.parent.parent


class ServerProcess:
    """A server that can be killed, and started again on the same folder and port."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self.port = port
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.net.serving", str(self.folder), str(self.port)],
            stdout=subprocess.PIPE,
            stderr=(self.folder.parent / "server.log").open("a"),
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.strip().isdigit(), f"the server did not start: {line}{self.log}"
        self.port = int(line)

    def kill(self) -> None:
        """As kill -9."""
        self.signal(signal.SIGKILL)
        self.wait()

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self) -> int:
        assert self.process is not None
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    @property
    def log(self) -> str:
        return (self.folder.parent / "server.log").read_text()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process is not None:
            self.kill()


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config = ServerConfig(
        folder, host="127.0.0.1", port=port, discovery=False, options=Options(bot_pause=0.0)
    )

    def started(server: Server) -> None:
        print(server.port, flush=True)

    try:
        asyncio.run(serve(config, started=started))
    except RackoError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
