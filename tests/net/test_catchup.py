"""A power cut costs a server its last second at most: the disk catches up while it writes."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Setup
from racko_net.serverside.catchup import ROUNDS, WITHIN, CatchUp
from racko_net.store import Store
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

    catchup = CatchUp(tidy, tidy, nap)
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

    catchup = CatchUp(tidy, tidy, nap)
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

    catchup = CatchUp(tidy, tidy, nap)
    catchup.written()
    nap.wake()
    await eventually(lambda: len(nap.asked) == 2)
    nap.wake()
    await eventually(lambda: tidied == 2)
    await eventually(lambda: catchup._task is not None and catchup._task.done())
    await catchup.close()


async def test_now_and_then_the_log_is_moved_into_the_file() -> None:
    done: list[str] = []
    nap = Nap()
    catchup = CatchUp(lambda: done.append("sync"), lambda: done.append("tidy"), nap)
    for number in range(ROUNDS + 1):
        catchup.written()
        nap.wake()
        await eventually(lambda so_many=number + 1: len(done) == so_many)  # type: ignore[misc]
        await eventually(lambda: catchup._task is not None and catchup._task.done())
    assert done == ["tidy", *["sync"] * (ROUNDS - 1), "tidy"]
    await catchup.close()


async def test_what_a_server_told_is_on_the_disk_after_the_second(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    nap = Nap()
    server = await serve()
    catchup, log = server._catchup, Path(f"{server.lobby.store.path}-wal")
    assert catchup is not None
    catchup._sleep = nap
    synced: list[bytes] = []

    def fsync(number: int) -> None:
        assert threading.current_thread() is not threading.main_thread()
        assert os.path.samestat(os.fstat(number), log.stat())
        synced.append(log.read_bytes())

    monkeypatch.setattr("racko_net.store.os.fsync", fsync)
    ana = await RawClient.welcomed(server.port)
    await ana.request(type="create", rules={})
    nap.wake()
    await eventually(lambda: catchup._task is not None and catchup._task.done())
    await ana.ask(input="say", seat=0, name="", text="well said")
    assert synced == []
    nap.wake()
    await eventually(lambda: synced)
    assert b"well said" in synced[-1]
    assert set(nap.asked) == {WITHIN}


def test_a_store_without_a_log_has_nothing_to_wait_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3", durable=False)
    store.create(Setup(Rules(), bytes(32)), 1.0)
    store.sync()
    store.close()  # and the log is gone
    store.sync()
