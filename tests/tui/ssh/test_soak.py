"""Many come and go: no app stays alive, and memory stays flat."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncssh
import pytest

from racko_tui.ssh.host import SshHost
from tests.tui.ssh.conftest import running
from tests.tui.ssh.terminals import Client

STATUS = Path("/proc/self/status")
pytestmark = pytest.mark.skipif(not STATUS.exists(), reason="no /proc")


def resident(pid: int | None) -> int:
    """Kilobytes of memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])


async def come_and_go(host: SshHost, how: int) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("\x1b[A\x1b[<0;5;9M\x1b[<0;5;9m")
        if how == 0:  # leaves
            client.type("q")
            await client.until_end()
        elif how == 1:  # crashes
            client.type("C")
            await client.until_end()
        # or is cut off


async def crowd(host: SshHost, count: int) -> None:
    """So many come and go, and no app is alive then but the one that looks."""
    for start in range(0, count, 6):
        await asyncio.gather(*(come_and_go(host, number % 3) for number in range(start, start + 6)))
    async with Client(host.port) as client:
        await client.until("size=")
        async with asyncio.timeout(30):  # timers of a second keep the last ones for that long
            while "alive=1" not in client.text:
                client.type("G")
                client.changed.clear()
                await client.changed.wait()


async def soak(tmp_path: Path, warm: int, count: int, growth: int) -> None:
    """After `warm` visits, `count` more may cost `growth` kilobytes."""
    asyncssh.set_log_level("ERROR")
    async with running(tmp_path) as host:
        pid = host.workers[0].pid
        await crowd(host, warm)  # fills every cache, and the heap between two collections
        before = resident(pid)
        await crowd(host, count)
        assert host.workers[0].pid == pid
        assert resident(pid) - before < growth


async def test_a_few_leave_nothing_behind(tmp_path: Path) -> None:
    await soak(tmp_path, 60, 60, 15_000)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_thousand_leave_nothing_behind(tmp_path: Path) -> None:
    await soak(tmp_path, 402, 1_002, 4_000)
