"""Clients that mean harm, or are broken: the server tells them so, and nobody else notices."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest

from racko_core.actions import DISCARD, DRAW, PLACES, TAKES, encode
from racko_core.rules import Rules
from racko_net.server import Server
from tests.net.conftest import Serve, Ticks
from tests.net.raw import Closed, RawClient, eventually


async def ended(client: RawClient) -> str:
    """Why the server closed the connection; `closed` if it did not say."""
    try:
        return str((await client.goodbye())["code"])
    except Closed:
        return "closed"


async def healthy(server: Server) -> None:
    """Somebody decent can still join, and nothing is left of the others."""
    decent = await RawClient.welcomed(server.port, "Decent")
    assert (await decent.request(type="ask-status"))["server"].startswith("racko")
    decent.send(type="goodbye")
    await eventually(lambda: not server.connections)


async def test_random_bytes(either: Serve) -> None:
    server = await either()
    rng = random.Random(7)
    for _ in range(40):
        client = await RawClient.dial(server.port)
        client.writer.write(rng.randbytes(rng.randrange(1, 3000)))
        client.writer.write(b"\xff" * 8)
        assert await ended(client) == "protocol"
    await healthy(server)


async def test_random_bytes_in_whole_frames_from_someone_welcome(either: Serve) -> None:
    server = await either()
    rng = random.Random(8)
    for _ in range(40):
        client = await RawClient.welcomed(server.port)
        client.send_bytes(rng.randbytes(rng.randrange(1, 500)))
        client.send(type="hello", versions=[2], name="again")
        assert await ended(client) == "protocol"
    await healthy(server)


async def test_a_truncated_frame_and_then_silence(either: Serve, ticks: Ticks) -> None:
    server = await either(ticks)
    client = await RawClient.welcomed(server.port)
    client.writer.write((60000).to_bytes(4, "big") + b"x" * 100)
    await eventually(lambda: any(each._reader.waiting for each in server.connections))
    ticks.now += 14.0
    server.sweep()
    assert await ended(client) == "silence"
    await healthy(server)


async def test_giant_and_empty_frames(either: Serve) -> None:
    server = await either()
    for length in (0, 65537, 2**31, 2**32 - 1):
        client = await RawClient.welcomed(server.port)
        client.writer.write(length.to_bytes(4, "big"))
        assert await ended(client) == "protocol"
    await healthy(server)


@pytest.mark.parametrize(
    "payload",
    [
        b"\x91" * 60_000 + b"\x90",
        msgpack.packb({"type": "ask", "id": "1"})[:1] + b"",
        b"\x83\xa4type\xa3ask\xa2id\xa11\xa5input" + b"\x81\xa1a" * 20_000 + b"\xc0",
        b"\x83\xa4type\xa3ask\xa2id\xa11\xa5extra" + b"\x91" * 60_000 + b"\xc0",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xc1",
        b"\xc7\xff\x05" + b"x" * 255,
        b"\xa4type",
        b"\x82\xa4type\xa4ping\xa1n\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x82\xa4type\xa4ping\xa1n\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    ],
)
async def test_payloads_that_are_no_message(serve: Serve, payload: bytes) -> None:
    server = await serve()
    client = await RawClient.welcomed(server.port)
    client.send_bytes(payload)
    assert await ended(client) == "protocol"
    await healthy(server)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "nothing"},
        {"type": 5},
        {"id": "1"},
        {"type": "welcome", "version": 1},
        {"type": "list"},
        {"type": "list", "id": ""},
        {"type": "list", "id": "x" * 41},
        {"type": "list", "id": 7},
        {"type": "list", "id": "1", "offset": -1},
        {"type": "join", "id": "1", "table": "x" * 13},
        {"type": "join", "id": "1", "table": "AB", "seat": "0"},
        {"type": "join", "id": "1", "table": "AB", "seat": 0.5},
        {"type": "create", "id": "1", "rules": []},
        {"type": "create", "id": "1"},
        {"type": "ask", "id": "1", "input": "do", "seq": 0},
        {"type": "ask", "id": "1", "input": {}, "seq": "0"},
        {"type": "ask", "id": "1", "input": {5: 6}},
        {"type": "resume", "id": "1", "table": "AB", "proof": b"bytes"},
        {"type": "resume", "id": "1", "table": "AB", "proof": "x" * 101},
    ],
)
async def test_fields_of_the_wrong_type(serve: Serve, message: dict[str, Any]) -> None:
    server = await serve()
    client = await RawClient.welcomed(server.port)
    client.send(**message) if "type" in message else client.send_bytes(msgpack.packb(message))
    assert await ended(client) == "protocol"
    await healthy(server)


async def test_connections_that_come_and_go_leave_nothing_behind(either: Serve) -> None:
    server = await either()
    for number in range(100):
        client = await RawClient.dial(server.port)
        if number % 2:
            client.send(type="hello", versions=[2], name="Ana")
        client.vanish()
    await healthy(server)
    assert not server.entrance._per_address


async def test_guessed_tokens_open_nothing(serve: Serve) -> None:
    server = await serve()
    ana = await RawClient.welcomed(server.port)
    seated = await ana.request(type="create", rules={})
    thief = await RawClient.welcomed(server.port, "Thief")
    rng = random.Random(9)
    for guess in [rng.randbytes(16).hex() for _ in range(60)] + ["", seated["token"][:-1]]:
        answer = await thief.request(type="resume", table=seated["table"], token=guess)
        assert answer["result"] == "rejected"
        assert seated["token"] not in str(answer)


@pytest.mark.parametrize("phase", ["before", "drawn", "placed", "asked", "renewed"])
async def test_a_player_who_vanishes_in_a_turn_finds_it_as_it_was(serve: Serve, phase: str) -> None:
    server = await serve()
    clients = [await RawClient.welcomed(server.port, name) for name in ("Ana", "Bo")]
    rules = Rules().to_dict()
    seated = [await clients[0].request(type="create", rules=rules)]
    seated.append(await clients[1].request(type="join", table=seated[0]["table"]))
    await clients[0].ask(input="start")
    for client in clients:
        await client.wait_for(lambda client: (client.position or {}).get("phase") == "turn")
    turns = 22 if phase == "renewed" else 0  # then the draw pile has been turned over
    room = server.lobby.rooms[seated[0]["table"]]
    for _ in range(turns):
        game = room.table.game
        assert game is not None
        assert game.turn is not None
        client = clients[game.turn]
        await client.wait_for(lambda client: client.seq == room.table.seq)
        await client.ask(input="do", seat=game.turn, action=encode(DRAW))
        await client.ask(input="do", seat=game.turn, action=encode(DISCARD))
    game = room.table.game
    assert game is not None
    seat = game.turn
    assert seat is not None
    client, other = clients[seat], clients[1 - seat]
    await client.wait_for(lambda client: client.seq == room.table.seq)
    if phase in ("drawn", "placed"):
        await client.ask(input="do", seat=seat, action=encode(DRAW))
    if phase == "placed":
        await client.ask(input="do", seat=seat, action=encode(PLACES[4]))
    if phase == "asked":  # gone before the answer comes
        client.send(
            type="ask",
            id="last",
            seq=client.seq,
            input={"input": "do", "seat": seat, "action": encode(TAKES[4])},
        )
        await client.writer.drain()
        client.writer.close()
    else:
        client.vanish()
    await eventually(lambda: room.table.chairs[seat].away)
    expected = room.table.view(seat)
    assert expected is not None
    await other.wait_for(lambda other: other.info["chairs"][seat]["away_since"])
    back = await RawClient.welcomed(server.port, "Back")
    await back.request(type="resume", table=seated[seat]["table"], token=seated[seat]["token"])
    await back.until("snapshot")
    position = back.position
    assert position is not None
    assert position.get("hand") == expected.hand
    assert position["phase"] == expected.phase
    assert position["turn"] == expected.turn
    assert position["racks"][seat] == list(expected.rack)
    assert position.get("legal", []) == [encode(action) for action in expected.legal]
    if phase == "asked":  # and the same request does not act again
        seq = room.table.seq
        back.send(
            type="ask",
            id="last",
            input={"input": "do", "seat": seat, "action": encode(TAKES[4])},
        )
        reply = await back.until("reply")
        assert reply.get("result", "accepted") in ("accepted", "stale")
        assert room.table.seq == seq


async def test_bad_text_reaches_nobody(serve: Serve) -> None:
    server = await serve()
    evil = "\x1b]0;x\x07\u202e[bold]\u200b" + "a" + "\u0301" * 9
    ana = await RawClient.welcomed(server.port, "A" + evil)
    seated = await ana.request(type="create", rules={"players": 3}, name="T" + evil)
    bo = await RawClient.welcomed(server.port, "B" + evil)
    await bo.request(type="join", table=seated["table"])
    await ana.ask(input="sit", seat=2, name="C" + evil, kind="bot", level="novice")
    await bo.ask(input="say", seat=1, name="", text="D" + evil)
    await ana.wait_for(lambda ana: "said" in str(ana.heard))
    eve = await RawClient.welcomed(server.port, "E" + evil)
    await eve.request(type="watch", table=seated["table"])
    await eve.ask(input="say", seat=None, name="", text="F" + evil)
    refused = await eve.ask(input="say", seat=None, name="", text="F" * 301)
    assert "1 to 300 characters" in refused["error"]["text"]
    await ana.wait_for(lambda ana: "'F" in str(ana.heard))
    heard = str(ana.heard + bo.heard)
    for bad in ("\\x1b", "\\x07", "\\u202e", "\\u200b", "\u0301" * 4):
        assert bad not in heard
    assert "[bold]" in heard  # text, and shown as such


async def test_a_fault_in_the_server_costs_one_connection(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await serve()
    client = await RawClient.welcomed(server.port)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(server.lobby, "handle", broken)
        client.send(type="list", id="1")
        assert await ended(client) == "fault"
    await healthy(server)
