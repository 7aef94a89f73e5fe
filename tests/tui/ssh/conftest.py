"""A host to log in to, one for each test module."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from racko_tui.ssh.host import SshHost
from racko_tui.ssh.options import Limits, Options

ROOT = Path(__file__).parents[3]
LIMITS = Limits(
    workers=1, per_worker=100, per_address=100, handshakes=100, logins=100_000, login_time=60.0
)
"""Limits that no test reaches by accident: all come from one address."""


@asynccontextmanager
async def running(folder: Path, **changes: Any) -> AsyncIterator[SshHost]:
    """A host for the small app."""
    given = {"app": "tests.tui.ssh.small_app:build", "limits": LIMITS, **changes}
    host = SshHost(Options(data_dir=folder, hosts=("127.0.0.1",), port=0, **given))
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", path)
        await host.start()
    try:
        yield host
    finally:
        await host.close()


def limits(**changes: Any) -> Limits:
    return replace(LIMITS, **changes)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SshHost]:
    """An open host with one worker."""
    async with running(tmp_path_factory.mktemp("server")) as host:
        yield host
