"""A power cut costs a server its last second at most: the disk catches up while it writes."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from pathlib import Path

from racko_core.errors import RackoError
from racko_net.serverside.catchup import WITHIN, CatchUp
from tests.net.conftest import Serve
from tests.net.raw import RawClient, eventually


class Nap:
    """Sleeps until it is woken."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self._over.wait()
        self._over.clear()

    def wake(self) -> None:
        self._over.set()


async def test_the_disk_catches_up_once_for_all_that_was_written_in_the_meantime() -> None:
    nap, tidied = Nap(), 0

    def tidy() -> None:
        nonlocal tidied
        assert threading.current_thread() is not threading.main_thread()
        tidied += 1

    catchup = CatchUp(tidy, nap)
    for _ in range(3):
        catchup.written()
    await eventually(lambda: nap.asked)
    assert tidied == 0
    nap.wake()
    await eventually(lambda: tidied == 1)
    await eventually(lambda: catchup._task is not None and catchup._task.done())
    assert nap.asked == [WITHIN], "and rests when nothing is written"
    catchup.written()
    await eventually(lambda: len(nap.asked) == 2)
    nap.wake()
    await eventually(lambda: tidied == 2)
    await catchup.close()
    assert WITHIN < 1.0


async def test_what_is_written_while_the_disk_catches_up_has_its_turn_too() -> None:
    nap, tidied, go_on = Nap(), 0, threading.Event()

    def tidy() -> None:
        nonlocal tidied
        tidied += 1
        go_on.wait()

    catchup = CatchUp(tidy, nap)
    catchup.written()
    nap.wake()
    await eventually(lambda: tidied == 1)
    catchup.written()
    go_on.set()
    await eventually(lambda: len(nap.asked) == 2)
    nap.wake()
    await eventually(lambda: tidied == 2)
    await catchup.close()


async def test_a_disk_that_fails_is_asked_again() -> None:
    nap, tidied = Nap(), 0

    def tidy() -> None:
        nonlocal tidied
        tidied += 1
        if tidied == 1:
            raise RackoError("The disk is full.")

    catchup = CatchUp(tidy, nap)
    catchup.written()
    nap.wake()
    await eventually(lambda: len(nap.asked) == 2)
    nap.wake()
    await eventually(lambda: tidied == 2)
    await eventually(lambda: catchup._task is not None and catchup._task.done())
    await catchup.close()


async def test_what_a_server_told_is_in_its_file_itself_after_the_second(
    serve: Serve, tmp_path: Path
) -> None:
    nap = Nap()
    server = await serve()
    assert server._catchup is not None
    server._catchup._sleep = nap
    ana = await RawClient.welcomed(server.port)
    await ana.request(type="create", rules={})

    def synced() -> list[str]:
        """What is there without the log, of which the system may not have written anything."""
        alone = tmp_path / "alone.sqlite3"
        shutil.copy(server.lobby.store.path, alone)
        with sqlite3.connect(alone) as db:
            said = db.execute("SELECT input FROM journal WHERE input LIKE '%well said%'")
            found = [text for (text,) in said]
        db.close()
        return found

    nap.wake()
    await eventually(lambda: server._catchup and server._catchup._task.done())  # type: ignore[union-attr]
    await ana.ask(input="say", seat=0, name="", text="well said")
    assert synced() == []
    nap.wake()
    await eventually(lambda: server._catchup and server._catchup._task.done())  # type: ignore[union-attr]
    assert len(synced()) == 1
    assert set(nap.asked) == {WITHIN}
