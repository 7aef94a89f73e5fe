"""A game server with an SSH host for the SSH benchmark: says its port and its workers, then waits.

python -m tests.bench._ssh_host WORKERS PER_WORKER
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from racko_net.server import Server, ServerConfig
from racko_net.serverside.limits import Limits as NetLimits
from racko_tui.ssh.options import Limits, Options
from racko_tui.ssh.serving import beside


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
        options = Options(Path(folder), hosts=("127.0.0.1",), port=0, limits=limits)
        async with beside(server, options) as host:
            for worker in host.workers:
                await worker.ready.wait()
            seconds = perf_counter() - started
            print(host.port, seconds, *(worker.pid for worker in host.workers), flush=True)
            await asyncio.to_thread(sys.stdin.read)
        await server.stop()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
