"""Who comes in is counted first, and nobody who hangs about at the door keeps the others out."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from racko_net.server import Server
from racko_net.serverside.entrance import _TOLD, Entrance, counted_as
from racko_net.serverside.limits import Limits
from tests.net.conftest import Serve, Ticks
from tests.net.raw import RawClient, eventually

Knock = Callable[[Server], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


@pytest.fixture
async def knock() -> AsyncIterator[Knock]:
    """Makes connections that say nothing, not even the first word of TLS."""
    writers = []

    async def made(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writers.append(writer)
        return reader, writer

    yield made
    for writer in writers:
        writer.transport.abort()


async def test_who_does_not_shake_hands_counts_like_everyone_else(
    serve: Serve, knock: Knock, certificate: tuple[Path, Path]
) -> None:
    limits = Limits(connections=10, from_here=5)
    server = await serve(limits=limits, tls_cert=certificate[0], tls_key=certificate[1])
    for _ in range(5 + _TOLD):
        await knock(server)
    await eventually(lambda: len(server.entrance.everyone) == 5 + _TOLD)
    for reader, _ in [await knock(server) for _ in range(20)]:  # closed at once
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)
    assert len(server.connections) == 5
    assert len(server.entrance.everyone) == 5 + _TOLD


async def test_shaking_hands_takes_no_longer_than_a_hello_may(
    serve: Serve, knock: Knock, certificate: tuple[Path, Path]
) -> None:
    limits = Limits(hello=0.01)
    server = await serve(limits=limits, tls_cert=certificate[0], tls_key=certificate[1])
    reader, _ = await knock(server)
    assert await reader.read() == b""
    await eventually(lambda: not server.connections)
    assert not server.entrance._per_address
    assert not server.entrance._greetings


async def test_who_hangs_up_while_shaking_hands_leaves_nothing_behind(
    serve: Serve, knock: Knock, certificate: tuple[Path, Path]
) -> None:
    server = await serve(tls_cert=certificate[0], tls_key=certificate[1])
    for number in range(20):
        _, writer = await knock(server)
        if number % 2:
            writer.write(b"no TLS at all")
        else:
            await eventually(lambda: server.connections)
        writer.close() if number % 3 else writer.transport.abort()
        await eventually(lambda: not server.entrance.everyone)
    assert not server.entrance._per_address


async def test_who_knocks_when_the_server_stops_leaves_nothing_behind(serve: Serve) -> None:
    server = await serve()
    here, there = socket.socketpair()
    here.setblocking(False)
    server.entrance._receive(here, "")
    await server.stop()
    assert not server.entrance.everyone
    assert here.fileno() == -1
    there.close()


async def test_who_is_turned_away_takes_up_no_place(either: Serve) -> None:
    server = await either(limits=Limits(connections=2, from_here=1))
    ana = await RawClient.welcomed(server.port)
    for _ in range(5):
        bye = await (await RawClient.dial(server.port)).goodbye()
        assert "your address" in bye["reason"]["text"]
    assert len(server.connections) == 1
    await eventually(lambda: len(server.entrance.everyone) == 1)
    assert (await ana.request(type="ask-status"))["connections"] == 1


async def test_a_system_without_a_place_for_another_is_asked_now_and_then_and_said_so_once(
    serve: Serve, ticks: Ticks, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Entrance, "pause", 0.001)
    server = await serve(ticks)
    asked = 0

    def accept(_: socket.socket) -> None:
        nonlocal asked
        asked += 1
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as full:
        full.setattr(socket.socket, "accept", accept)
        client = await RawClient.dial(server.port)
        await eventually(lambda: asked >= 3)
        assert caplog.text.count("not-letting-in") == 1
        assert "too many files are open" in caplog.text
        monkeypatch.setattr(Entrance, "pause", 1000.0)
        later = asyncio.get_running_loop().time() + 500.0
        pauses = server.entrance._pauses
        await eventually(lambda: any(pause.when() > later for pause in pauses.values()))
        before = asked
        for _ in range(50):
            await asyncio.sleep(0)
        assert asked == before, "nobody is let in for as long as the pause lasts"
        ticks.now += 100.0
        monkeypatch.setattr(Entrance, "pause", 0.001)
        for listener, pause in list(pauses.items()):
            pause.cancel()
            server.entrance._listen(listener)
        await eventually(lambda: asked >= before + 2)
        assert caplog.text.count("not-letting-in") == 2
    client.send(type="hello", versions=[2], name="Ana")
    await client.until("welcome")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", ""),
        ("127.8.9.1", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("elsewhere", "elsewhere"),
    ],
)
def test_an_address_is_counted_as_whoever_has_it_can_change_it(host: str, address: str) -> None:
    assert counted_as(host) == address
