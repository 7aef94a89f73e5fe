"""No client ever receives a card that its player could not see at a real table."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Any

import msgpack
import pytest

from racko_core import seating as s
from racko_core.rules import Rules
from racko_core.seating import Options
from racko_core.view import Phase
from racko_net.client import RemoteSession, connect
from racko_net.clientside.line import Line
from racko_net.framing import FrameReader
from racko_net.protocol import encode
from racko_net.server import Server
from racko_net.serverside import telling
from racko_net.serverside.limits import Limits
from tests.core.secrecy import twin
from tests.net.cable import Cable
from tests.net.capture import Leak, Watchman
from tests.net.conftest import Serve
from tests.net.desk import FakePeer, Hall
from tests.net.players import Sleeper, pair, room_of


class Tap:
    """Records the bytes that each client receives, over all its connections."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.received: dict[int, list[tuple[Line, bytearray]]] = {}
        """By client, which has one hello for all its connections."""
        original = Line.data_received

        def data_received(line: Line, data: bytes) -> None:
            lines = self.received.setdefault(id(line._hello), [])
            if not lines or lines[-1][0] is not line:
                lines.append((line, bytearray()))
            lines[-1][1].extend(data)
            original(line, data)

        monkeypatch.setattr(Line, "data_received", data_received)

    @property
    def everything(self) -> bytes:
        return b"".join(bytes(data) for lines in self.received.values() for _, data in lines)

    def check(self, *, open_racks: bool = False) -> int:
        """Look through everything; how many cards were looked at."""
        cards = 0
        for lines in self.received.values():
            watchman = Watchman(open_racks=open_racks)
            for _, data in lines:
                for payload in FrameReader().feed(bytes(data)):
                    watchman.message(msgpack.unpackb(payload))
            cards += watchman.cards
        return cards


def some_rules(rng: random.Random) -> Rules:
    preset = rng.choice(["classic", "bonus", "duel", "vintage"])
    return Rules.preset(
        preset,
        players=2,
        target=rng.choice([50, 100]),
        exhausted=rng.choice(["flip", "shuffle"]),
        stalemate_turnovers=3,
    )


async def play_games(server: Server, games: int, rng: random.Random) -> list[str]:
    """Games of two clients and a spectator, with cuts; the tokens of the seats."""
    tokens = []
    async with Cable(server.port) as cable:
        for _ in range(games):
            ana, bo = await pair(cable.port, some_rules(rng), sleep=Sleeper())
            cy = await connect(f"127.0.0.1:{cable.port}", name="Cy", sleep=Sleeper())
            await cy.watch(ana.session.code)
            for player in (ana, bo):
                assert player.session.saved is not None
                tokens.append(player.session.saved.token)
            await ana.session.ask(s.Start())
            playing = asyncio.gather(ana.play(), bo.play())
            for _ in range(rng.randrange(3)):
                for _ in range(rng.randrange(10, 80)):
                    await asyncio.sleep(0)
                cable.cut()
            await playing
            for host in (ana.session._host, bo.session._host, cy):
                await host.close()
    return tokens


async def look_for_leaks(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, games: int
) -> None:
    caplog.set_level(logging.DEBUG)
    tap = Tap(monkeypatch)
    server = await serve(limits=Limits(tables=2 * games, visits_burst=100 * games))
    tokens = await play_games(server, games, random.Random(11))
    assert tap.check() > games * 500
    everything = tap.everything
    store = server.lobby.store
    for token in tokens:
        assert everything.count(token.encode()) == 1  # given once, to one client
        assert token not in caplog.text
    for game in store.games():
        seed = next(part for part in game.record.splitlines() if part.startswith("seed")).split()[1]
        assert seed.encode() not in everything
        assert bytes.fromhex(seed) not in everything
        assert seed not in caplog.text
    for record in caplog.records:
        if record.name.startswith("racko"):
            words = record.getMessage().split()[1:]
            assert {word.partition("=")[0] for word in words} <= {
                "table", "seat", "name", "by", "port", "tables", "reason",
            }  # fmt: skip


async def test_no_client_receives_a_hidden_card(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await look_for_leaks(serve, monkeypatch, caplog, games=25)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_no_client_receives_a_hidden_card_in_a_thousand_games(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await look_for_leaks(serve, monkeypatch, caplog, games=1000)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "update", "seq": 1, "seat": 0,
         "notices": [{"seq": 1, "event": "drew", "seat": 1, "card": 5}]},
        {"type": "update", "seq": 1, "seat": 0,
         "notices": [{"seq": 1, "event": "dealt", "racks": [None, [1]], "discard": 4}]},
        {"type": "update", "seq": 1,
         "notices": [{"seq": 1, "event": "dealt", "racks": [[1], None], "discard": 4}]},
        {"type": "update", "seq": 1, "seat": 0, "notices": [
            {"seq": 1, "event": "placed", "seat": 1, "card": 5, "source": "draw",
             "discarded": 6}]},
        {"type": "update", "seq": 1, "seat": 0, "rack": [1, 2, 3]},
    ],
)  # fmt: skip
def test_the_watchman_finds_what_must_not_be(message: dict[str, Any]) -> None:
    with pytest.raises(Leak):
        Watchman(open_racks=False).message(message)


def test_what_a_client_is_told_does_not_depend_on_hidden_cards(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a twin world, where cards that it has not seen have changed places, the bytes are the
    same: of every snapshot and every correction, for every seat and for spectators.
    """
    monkeypatch.setattr("racko_net.serverside.lobby.fresh_seed", lambda: bytes(range(32)))
    rng = random.Random(5)
    hall = Hall(tmp_path)
    peers = [FakePeer(name) for name in ("Ana", "Bo", "Cy")]
    room = hall.create(peers[0], Rules(players=3, bonus=True, exhausted="shuffle"))
    for peer in peers[1:]:
        hall.join(peer, room)
    hall.ask(peers[0], s.Start())
    hall.pass_time(0.0)
    compared = 0
    for _ in range(120):
        game = room.table.game
        assert game is not None
        if game.phase in (Phase.DEAL, Phase.OVER):
            break
        for seat in (0, 1, 2, None):
            told = b"".join(encode(each) for each in telling.snapshot(room.table, seat, None))
            room.table.game = twin(game, seat, rng)
            other = b"".join(encode(each) for each in telling.snapshot(room.table, seat, None))
            room.table.game = game
            assert told == other
            compared += 1
        hall.move(*peers)
    assert compared > 100


async def test_open_racks_are_announced_and_shown_to_spectators_alone(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap = Tap(monkeypatch)
    server = await serve()
    ana, bo = await pair(server.port)
    cy = await connect(f"127.0.0.1:{server.port}", name="Cy")
    watching = await cy.watch(ana.session.code)
    await ana.session.ask(s.Configure(options=Options(open_racks=True, bot_pause=0.0)))
    await ana.session.ask(s.Start())
    while bo.session.view(1) is None or bo.session.view(1).phase is Phase.DEAL:  # type: ignore[union-attr]
        bo.updates.append(await bo.session.update())
    told = [notice.news for update in bo.updates for notice in bo.notices(update)]
    assert s.Remark("options") in told
    assert bo.session.info.options.open_racks
    assert await racks(watching) == [True, True]
    assert await racks(bo.session) == [False, True]
    assert room_of(server, ana.session).table.options.open_racks
    assert tap.check(open_racks=True) > 20
    await ana.session.ask(s.Configure(options=Options(bot_pause=0.0)))
    assert await racks(watching, wanted=False) == [False, False]


async def racks(session: RemoteSession, *, wanted: bool = True) -> list[bool]:
    """Which racks a session shows, once it shows any (or none)."""
    while True:
        view = session.view(session.seat)
        shown = [rack is not None for rack in view.racks] if view else []
        if shown and (any(shown) == wanted) and view and view.phase is not Phase.DEAL:
            return shown
        await session.update()
