"""Servers on loopback, each with a folder of its own."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from racko_net.server import Server, ServerConfig

Serve = Callable[..., Awaitable[Server]]


class Ticks:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Starts servers on free ports of 127.0.0.1; they stop when the test is over."""
    running: list[Server] = []

    async def start(ticks: Callable[[], float] | None = None, **settings: Any) -> Server:
        settings = {
            "data": tmp_path / "data",
            "host": "127.0.0.1",
            "port": 0,
            "discovery": False,
            **settings,
        }
        server = Server(ServerConfig(**settings), ticks=ticks or time.monotonic)
        await server.start()
        running.append(server)
        return server

    yield start
    for server in running:
        await server.stop()
