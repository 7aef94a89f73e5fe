"""The server on real sockets: hello, limits, heartbeats, and what keeps it from starting."""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path

import msgpack
import pytest

from racko_core.errors import RackoError
from racko_core.seating import Options, Stage
from racko_net.client import connect
from racko_net.clientside.line import LinkError, tls_context
from racko_net.server import Server, ServerConfig
from racko_net.serverside import doors
from racko_net.serverside.doors import HostError, own_addresses, read_password
from racko_net.serverside.limits import Limits
from tests.net.conftest import Serve, Ticks
from tests.net.raw import Closed, RawClient, eventually


def code_of(bye: dict[str, object]) -> object:
    reason = bye["reason"]
    assert isinstance(reason, dict)
    assert str(reason["text"]).endswith(".")
    return bye["code"]


# Hello


async def test_a_hello_is_answered_with_what_the_client_needs(serve: Serve) -> None:
    server = await serve(name="Living room")
    client = await RawClient.dial(server.port)
    client.send(type="hello", versions=[2, 7], name=" Zoë\x1b[31m ")
    welcome = await client.until("welcome")
    assert (welcome["version"], welcome["name"], welcome["player"]) == (2, "Living room", "Zoë")
    assert welcome["server_id"] == server.server_id
    assert abs(welcome["time"] - server.now()) < 60


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"versions": [0], "name": "Ana"}, "version"),
        ({"versions": [1, 3], "name": "Ana"}, "version"),
        ({"versions": [], "name": "Ana"}, "version"),
        ({"versions": [2], "name": "\u202e"}, "name"),
        ({"versions": [2], "name": "x" * 25}, "name"),
        ({"versions": [2], "name": "x" * 5000}, "protocol"),
        ({"versions": "1", "name": "Ana"}, "protocol"),
        ({"versions": [2]}, "protocol"),
    ],
)
async def test_a_hello_that_cannot_be_is_refused_in_a_sentence(
    serve: Serve, hello: dict[str, object], code: str
) -> None:
    client = await RawClient.dial((await serve()).port)
    client.send(type="hello", **hello)
    assert code_of(await client.goodbye()) == code


async def test_nothing_goes_before_the_hello_and_there_is_one(serve: Serve) -> None:
    server = await serve()
    client = await RawClient.dial(server.port)
    client.send(type="list", id="1")
    assert code_of(await client.goodbye()) == "protocol"
    client = await RawClient.welcomed(server.port)
    client.send(type="hello", versions=[2], name="Ana")
    assert code_of(await client.goodbye()) == "protocol"


async def test_a_server_password_is_asked_and_guesses_are_few(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks, password="sesame", limits=Limits(guesses=3))
    await RawClient.welcomed(server.port, password="sesame")
    codes = []
    for _ in range(5):
        client = await RawClient.dial(server.port)
        client.send(type="hello", versions=[2], name="Ana", password="guess")
        codes.append(code_of(await client.goodbye()))
    assert codes == ["password"] * 3 + ["limit"] * 2
    client = await RawClient.dial(server.port)  # the right one is not even looked at
    client.send(type="hello", versions=[2], name="Ana", password="sesame")
    assert code_of(await client.goodbye()) == "limit"
    ticks.now += 60.0
    await RawClient.welcomed(server.port, password="sesame")
    with pytest.raises(LinkError, match="has a password"):
        await connect(f"127.0.0.1:{server.port}", name="Ana")


# Heartbeats


async def test_who_says_no_hello_within_ten_seconds_is_shown_the_door(
    either: Serve, ticks: Ticks
) -> None:
    server = await either(ticks)
    silent = await RawClient.dial(server.port)
    trickle = await RawClient.dial(server.port)
    await eventually(lambda: len(server.connections) == 2)
    ticks.now += 9.0
    trickle.writer.write(b"\x00")
    server.sweep()
    assert len(server.connections) == 2
    ticks.now += 1.5
    server.sweep()
    assert code_of(await silent.goodbye()) == "silence"
    assert code_of(await trickle.goodbye()) == "silence"


async def test_silence_is_noticed_within_fifteen_seconds(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks)
    client = await RawClient.welcomed(server.port)
    alive = await RawClient.welcomed(server.port, "Bo")
    seated = await client.request(type="create", rules={})
    room = server.lobby.rooms[seated["table"]]
    pings = 0
    for _ in range(15):
        assert not room.table.chairs[0].away or ticks.now > 1013.0
        ticks.now += 1.0
        server.sweep()
        if ticks.now % 5 == 0:
            ping = await alive.until("ping")
            pings += 1
            received = server.received
            alive.send(type="pong", n=ping["n"])
            await eventually(lambda before=received: server.received > before)  # type: ignore[misc]
    assert pings == 3
    assert code_of(await client.goodbye()) == "silence"
    assert room.table.chairs[0].away
    assert not alive.writer.is_closing()
    assert len(server.connections) == 1


async def test_a_ping_is_answered_with_the_time(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks)
    client = await RawClient.welcomed(server.port)
    client.send(type="ping", n=42)
    pong = await client.until("pong")
    assert (pong["n"], pong["time"]) == (42, server.now())


# Limits


async def test_connections_are_limited_in_total_and_per_address(either: Serve) -> None:
    server = await either(limits=Limits(connections=3))
    kept = [await RawClient.welcomed(server.port) for _ in range(3)]
    assert code_of(await (await RawClient.dial(server.port)).goodbye()) == "limit"
    kept.pop().vanish()
    await eventually(lambda: len(server.connections) == 2)
    await RawClient.welcomed(server.port)


async def test_connections_from_one_address_are_limited(either: Serve) -> None:
    server = await either(limits=Limits(from_here=2))
    kept = [await RawClient.welcomed(server.port) for _ in range(2)]
    bye = await (await RawClient.dial(server.port)).goodbye()
    assert code_of(bye) == "limit"
    assert "address" in bye["reason"]["text"]
    assert len(kept) == len(server.connections)


async def test_a_flood_of_requests_ends_at_the_door(either: Serve, ticks: Ticks) -> None:
    server = await either(ticks, limits=Limits(rate=10.0, burst=20))
    flood = await RawClient.welcomed(server.port)
    other = await RawClient.welcomed(server.port, "Bo")
    for number in range(500):
        flood.send(type="list", id=f"x{number}")
    assert code_of(await flood.goodbye()) == "limit"
    assert sum(each["type"] == "tables" for each in flood.heard) < 20
    assert (await other.request(type="list"))["total"] == 0


async def test_within_the_limit_nobody_is_dropped(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks, limits=Limits(rate=10.0, burst=20))
    client = await RawClient.welcomed(server.port)
    for _ in range(100):
        ticks.now += 0.1
        await client.request(type="list")


async def test_a_reader_who_does_not_read_is_dropped_and_blocks_nobody(either: Serve) -> None:
    server = await either(limits=Limits(queue=64 * 1024, rate=1e6, burst=10**6, words_burst=10**6))
    ana = await RawClient.welcomed(server.port)
    seated = await ana.request(type="create", rules={})
    bo = await RawClient.welcomed(server.port, "Bo", receive_buffer=16 * 1024)
    await bo.request(type="join", table=seated["table"])
    bo.writer.transport.pause_reading()  # type: ignore[attr-defined]
    room = server.lobby.rooms[seated["table"]]
    words = 0
    while not room.table.chairs[1].away:
        words += 1
        reply = await ana.ask(input="say", seat=0, name="", text="x" * 300)
        assert reply.get("result", "accepted") == "accepted"
        assert words < 50_000
    await ana.wait_for(lambda ana: ana.info["chairs"][1]["away_since"] is not None)
    bo.writer.transport.resume_reading()  # type: ignore[attr-defined]
    again = await RawClient.welcomed(server.port, "Bo")
    token = next(each["token"] for each in bo.heard if each["type"] == "seated")
    await again.request(type="resume", table=seated["table"], token=token)
    assert (await again.until("snapshot"))["seat"] == 1


async def test_status_tells_how_the_server_is(serve: Serve) -> None:
    server = await serve(name="Attic")
    ana = await RawClient.welcomed(server.port)
    await ana.request(type="create", rules={})
    status = await ana.request(type="ask-status")
    assert (status["name"], status["tables"], status["players"]) == ("Attic", 1, 1)
    assert (status["playing"], status["watchers"], status["connections"]) == (0, 0, 1)
    assert status["memory"] > 1_000_000
    assert status["received"] == 3
    assert status["uptime"] >= 0


async def test_the_servers_options_are_those_of_its_tables(serve: Serve) -> None:
    server = await serve(options=Options(grace=7.0, turn_limit=33.0))
    ana = await RawClient.welcomed(server.port)
    await ana.request(type="create", rules={}, options={"turn_limit": 44.0})
    await ana.until("snapshot")
    assert (ana.info["options"]["grace"], ana.info["options"]["turn_limit"]) == (7.0, 44.0)


# Starting and stopping


async def test_stopping_tells_everyone_and_starting_again_carries_on(either: Serve) -> None:
    server = await either()
    ana = await RawClient.welcomed(server.port)
    seated = await ana.request(type="create", rules={})
    await server.stop()
    bye = await ana.goodbye()
    assert (code_of(bye), bye["retry"]) == ("stopping", True)
    again = await either()
    assert again.server_id == server.server_id
    back = await RawClient.welcomed(again.port)
    answer = await back.request(type="resume", table=seated["table"], token=seated["token"])
    assert answer["seat"] == 0


async def test_a_server_that_was_stopped_plays_on_no_more(
    serve: Serve, ticks: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where something is asked for while its programs end."""
    server = await serve(ticks, options=Options(bot_pause=1.0))
    ana = await RawClient.welcomed(server.port)
    seated = await ana.request(type="create", rules={})
    await ana.ask(input="sit", seat=1, name="", kind="bot", level="novice")
    ending, ended = asyncio.Event(), asyncio.Event()

    async def close() -> None:
        ending.set()
        await ended.wait()

    monkeypatch.setattr(server._backstage, "close", close)
    stopping = asyncio.create_task(server.stop())
    await ending.wait()
    received = server.received
    ana.send(type="ask", id="late", seq=ana.seq, input={"input": "start"})
    await eventually(lambda: server.received > received)
    ended.set()
    await ana.until("reply", id="late")
    await stopping
    room = server.lobby.rooms[seated["table"]]
    seq = room.table.seq
    ticks.now += 1000.0
    server.soon()
    server.settle()
    server._ring()
    await asyncio.sleep(0)
    assert server._alarm is None or server._alarm.cancelled()
    assert room.table.seq == seq
    again = await serve(ticks)
    assert again.lobby.rooms[seated["table"]].table.stage is Stage.PLAYING


async def test_a_taken_port_is_said_so(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    other = Server(
        ServerConfig(tmp_path / "b", host="127.0.0.1", port=server.port, discovery=False)
    )
    with pytest.raises(HostError, match=f"Port {server.port} is taken"):
        await other.start()
    free = Server(ServerConfig(tmp_path / "b", host="127.0.0.1", port=0, discovery=False))
    await free.start()  # the folder was let go
    await free.stop()


async def test_a_folder_in_use_is_said_so(serve: Serve, tmp_path: Path) -> None:
    await serve()
    with pytest.raises(HostError, match="Another server uses"):
        await serve(data=tmp_path / "data")


async def test_a_folder_that_cannot_be_is_said_so(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HostError, match="cannot be used"):
        await serve(data=tmp_path / "file" / "data")


async def test_a_damaged_store_is_said_so_and_left_as_it_is(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    damaged = tmp_path / "data" / "server.sqlite3"
    damaged.write_bytes(b"no database at all" * 100)
    with pytest.raises(RackoError, match="damaged"):
        await serve()
    assert damaged.read_bytes() == b"no database at all" * 100


async def test_an_address_of_another_machine_is_said_so(serve: Serve) -> None:
    for host in ("192.0.2.77", "no.such.host.invalid"):
        with pytest.raises(HostError, match="no address of this machine"):
            await serve(host=host)


async def test_ipv6_works_like_ipv4(serve: Serve) -> None:
    server = await serve(host="::1")
    async with await connect(f"[::1]:{server.port}", name="Ana") as host:
        assert await host.tables() == []


async def test_one_port_serves_both_families(serve: Serve) -> None:
    server = await serve(host="localhost")
    families = {
        family for family, *_ in socket.getaddrinfo("localhost", 1, type=socket.SOCK_STREAM)
    }
    for host, family in (("127.0.0.1", socket.AF_INET), ("[::1]", socket.AF_INET6)):
        if family in families:
            async with await connect(f"{host}:{server.port}", name="Ana") as host_:
                assert await host_.tables() == []


def test_own_addresses_are_never_empty() -> None:
    assert own_addresses()
    assert all(isinstance(each, str) for each in own_addresses())


def test_a_password_file_is_read_or_said_to_be_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "password"
    with pytest.raises(HostError, match="cannot be read"):
        read_password(path)
    path.write_text("\n")
    with pytest.raises(HostError, match="empty"):
        read_password(path)
    path.write_text("open sesame\nmore\n")
    assert read_password(path) == "open sesame"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(HostError, match="cannot be read"):
        read_password(path)


# Encryption


async def test_tls_encrypts_and_is_checked(
    serve: Serve, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    server = await serve(tls_cert=certificate[0], tls_key=certificate[1])
    address = f"127.0.0.1:{server.port}"
    async with await connect(address, name="Ana", tls=tls_context(certificate[0])) as host:
        assert await host.tables() == []
    with pytest.raises(LinkError, match="cannot be trusted"):
        await connect(address, name="Ana", tls=tls_context())
    plain = await RawClient.dial(server.port)
    plain.send(type="hello", versions=[2], name="Ana")
    with pytest.raises((Closed, AssertionError)):
        await plain.until("welcome")
    with pytest.raises(LinkError):
        tls_context(tmp_path / "nothing.pem")


async def test_a_bad_certificate_is_said_so(
    serve: Serve, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    for cert, key in (
        (tmp_path / "none.pem", certificate[1]),
        (certificate[1], certificate[1]),
        (certificate[0], certificate[0]),
    ):
        with pytest.raises(HostError, match="certificate"):
            await serve(tls_cert=cert, tls_key=key)
    with pytest.raises(HostError, match="--tls-cert"):
        await serve(tls_key=certificate[1])


async def test_a_tls_client_at_a_plain_server_gets_a_sentence(serve: Serve) -> None:
    server = await serve()
    with pytest.raises(LinkError, match="does not encrypt"):
        await connect(f"127.0.0.1:{server.port}", name="Ana", tls=ssl.create_default_context())


async def test_a_plain_client_at_a_tls_server_is_told_what_may_be_wrong(
    serve: Serve, certificate: tuple[Path, Path]
) -> None:
    server = await serve(tls_cert=certificate[0], tls_key=certificate[1])
    with pytest.raises(LinkError, match="perhaps it wants an encrypted connection"):
        await connect(f"127.0.0.1:{server.port}", name="Ana")


def test_reasons_are_words_and_not_numbers(certificate: tuple[Path, Path]) -> None:
    with pytest.raises(RackoError) as unknown:
        doors.listening("no such host", 0)
    with pytest.raises(RackoError) as without_key:
        doors.tls_context(certificate[0], certificate[0])
    for caught in (unknown, without_key):
        assert "Errno" not in str(caught.value)
        assert "_ssl.c" not in str(caught.value)


async def test_the_files_of_a_server_are_for_its_user_alone(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    ana = await RawClient.welcomed(server.port)
    await ana.request(type="create", rules={})
    for path in (tmp_path / "data").iterdir():
        assert path.stat().st_mode & 0o077 == 0, path


async def test_messages_of_many_in_one_chunk_are_all_answered(either: Serve) -> None:
    client = await RawClient.welcomed((await either()).port)
    parts = [msgpack.packb({"type": "ping", "n": number}) for number in range(50)]
    client.writer.write(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
    for number in range(50):
        assert (await client.until("pong")).get("n", 0) == number
    client.send(type="goodbye")
    with pytest.raises(Closed):
        await client.receive()
