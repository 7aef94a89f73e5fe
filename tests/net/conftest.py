"""Servers on loopback, each with a folder of its own."""

from __future__ import annotations

import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from racko_net.server import Server, ServerConfig
from tests.net.raw import RawClient

Serve = Callable[..., Awaitable[Server]]


class Ticks:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", str(key),
         "-out", str(certificate)],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


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


@pytest.fixture(params=["plain", "tls"])
async def either(
    request: pytest.FixtureRequest, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> Serve:
    """As `serve`; once as it is, and once with servers that encrypt, which raw clients then do."""
    if request.param == "plain":
        return serve
    certificate, key = request.getfixturevalue("certificate")
    context = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(RawClient, "tls", context)

    async def start(ticks: Callable[[], float] | None = None, **settings: Any) -> Server:
        return await serve(ticks, tls_cert=certificate, tls_key=key, **settings)

    return start
