"""A game server with an SSH host for the SSH benchmark: says its port and its workers, then waits.

python -m tests.bench._ssh_host WORKERS PER_WORKER
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import ClassVar
from weakref import WeakSet

from racko_core.errors import RackoError
from racko_net.server import Server, ServerConfig
from racko_net.serverside.limits import Limits as NetLimits
from racko_tui.ssh.options import Limits, Options
from racko_tui.ssh.play import SshApp
from racko_tui.ssh.players import player
from racko_tui.ssh.serving import beside
from racko_tui.ssh.visit import Visit

CRASHES = "crashes"
"""The name of those whose application crashes when it should end."""
COUNTS = "counts"
"""The name of those who are told how many applications of others are alive in their worker."""


class Watched(SshApp):
    """The real application, counted."""

    alive: ClassVar[WeakSet[Watched]] = WeakSet()

    def __init__(self, visit: Visit) -> None:
        self.alive.add(self)
        super().__init__(visit, player(visit.data_dir, visit.identity))
        self.login = visit.identity.name
        if self.login == COUNTS:
            gc.collect()
            others = sum(each.login != COUNTS for each in self.alive)
            self.greeting = RackoError(f"others alive: {others}")

    async def action_leave_program(self) -> None:
        if self.login == CRASHES:
            raise RuntimeError("crashed on request")
        await super().action_leave_program()


APP = "tests.bench._ssh_host:Watched"


async def main(workers: int, per_worker: int) -> None:
    limits = Limits(
        workers=workers,
        per_worker=per_worker,
        per_address=100_000,
        handshakes=100_000,
        logins=1_000_000_000,
        login_time=120.0,
    )
    with tempfile.TemporaryDirectory() as folder:
        server = Server(
            ServerConfig(
                Path(folder),
                host="127.0.0.1",
                port=0,
                discovery=False,
                limits=NetLimits(connections=100_000, tables=100_000),
            )
        )
        await server.start()
        started = perf_counter()
        options = Options(Path(folder), hosts=("127.0.0.1",), port=0, limits=limits, app=APP)
        async with beside(server, options) as host:
            for worker in host.workers:
                await worker.ready.wait()
            seconds = perf_counter() - started
            print(host.port, seconds, *(worker.pid for worker in host.workers), flush=True)
            await asyncio.to_thread(sys.stdin.read)
        await server.stop()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
