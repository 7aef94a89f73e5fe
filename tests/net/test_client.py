"""The client: a session that cannot be told from a local one, and that comes back by itself."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import bot, decide_safely
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Stage
from racko_core.view import Phase
from racko_net import client
from racko_net import protocol as p
from racko_net.client import Host, RemoteSession, Stale, connect
from racko_net.clientside import sense, wire
from racko_net.clientside.line import Address, LinkError
from racko_net.sentence import Sentence
from racko_net.serverside.limits import Limits
from tests.net.cable import Cable
from tests.net.conftest import Serve, Ticks
from tests.net.players import QUICK, Player, Sleeper, pair, room_of
from tests.net.raw import eventually
from tests.net.session import DOCUMENT

# Playing


async def test_everyone_sees_the_same_game_and_it_is_the_servers(serve: Serve) -> None:
    server = await serve()
    ana, bo = await pair(server.port)
    cy = await connect(f"127.0.0.1:{server.port}", name="Cy")
    watching = await cy.watch(ana.session.code)
    await ana.session.ask(s.Start())
    await asyncio.gather(ana.play(), bo.play())
    table = room_of(server, ana.session).table
    assert ana.session.view(0) == table.view(0)
    assert bo.session.view(1) == table.view(1)
    await eventually(lambda: watching.view(None) == table.view(None))
    assert table.game.result is not None
    for player in (ana, bo):
        assert player.seqs == list(range(player.seqs[0], table.seq + 1))
    assert watching.seats == ()
    with pytest.raises(LookupError):
        ana.session.view(1)


async def test_the_example_in_the_documentation_plays_a_game(serve: Serve) -> None:
    server = await serve()
    address = f"127.0.0.1:{server.port}"
    async with await connect(address, name="Robby") as one, await connect(address, name="R") as two:
        table = await one.create(Rules(target=50), QUICK)
        other = await two.join(table.code)
        await table.ask(s.Start())

        async def play(at: RemoteSession) -> None:
            player = bot("solid")
            async for view in at.turns():
                await at.act(decide_safely(player, view))

        await asyncio.gather(play(table), play(other))
        assert table.info.stage is Stage.FINISHED
        await table.ready()
        await other.ready()  # a rematch
        await asyncio.gather(play(table), play(other))
        assert table.info.game == 2


async def test_the_bot_in_the_documentation_is_a_program(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = await serve(options=QUICK)
    ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
    table = await ana.create(Rules(target=50))
    example = textwrap.dedent(str(client.__doc__).split("A whole bot:")[1].split("`act`")[0])
    example = example.replace("localhost:7225", f"127.0.0.1:{server.port}")
    example = example.replace("KAFU", table.code).replace("asyncio.run(main())", "")
    program: dict[str, Callable[[], Awaitable[None]]] = {}
    exec(example, program)
    player = Player(table)

    async def play() -> None:
        await eventually(lambda: table.info.chairs[1].name == "Robby")
        await table.ask(s.Start())
        await player.play()

    await asyncio.gather(program["main"](), play())
    assert "final scores: (" in capsys.readouterr().out


async def test_the_bot_in_the_readme_sits_down_and_plays(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    server = await serve(options=QUICK)
    ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
    table = await ana.create(Rules(target=50))
    readme = (DOCUMENT.parent.parent / "README.md").read_text("utf-8")
    (example,) = (
        part for part in readme.split("```") if part.startswith("python") and "Stale" in part
    )
    example = example.removeprefix("python").replace("asyncio.run(main())", "")
    program: dict[str, Callable[[], Awaitable[None]]] = {}
    exec(example.replace("localhost:7225", f"127.0.0.1:{server.port}"), program)
    player = Player(table)

    async def play() -> None:
        await eventually(lambda: table.info.chairs[1].name == "Robby")
        await table.ask(s.Start())
        await player.play()

    await asyncio.gather(program["main"](), play())
    assert capsys.readouterr().out.startswith("final scores: ")


async def test_a_refusal_is_the_servers_sentence(serve: Serve) -> None:
    server = await serve()
    ana, bo = await pair(server.port)
    with pytest.raises(RackoError, match="Only the owner"):
        await bo.session.ask(s.Start())
    with pytest.raises(RackoError, match="300 characters"):
        await ana.session.say("x" * 301)


async def test_a_stale_move_is_refused_kindly_and_the_view_corrected(serve: Serve) -> None:
    server = await serve()
    ana, bo = await pair(server.port)
    await ana.session.ask(s.Start())
    room = room_of(server, ana.session)
    await eventually(lambda: room.table.game.phase is Phase.TURN)
    player = (ana, bo)[room.table.game.turn]
    session = player.session
    await eventually(lambda: session._memory.seq == room.table.seq)
    first, second = await asyncio.gather(
        session.act(act.DRAW), session.act(act.TAKES[0]), return_exceptions=True
    )
    assert first is None
    assert isinstance(second, Stale)
    await eventually(lambda: session.view(session.seat) == room.table.view(session.seat))
    assert session.link.up


async def test_the_clock_is_the_servers(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks)
    async with await connect(f"127.0.0.1:{server.port}", name="Ana") as host:
        assert abs(host.clock() - server.now()) < 1.0


async def test_a_client_keeps_within_what_the_server_allows(serve: Serve, ticks: Ticks) -> None:
    server = await serve(ticks, limits=Limits(rate=5.0, burst=10))

    async def sleep(seconds: float) -> None:
        ticks.now += seconds
        await asyncio.sleep(0)

    async with await connect(
        f"127.0.0.1:{server.port}", name="Ana", ticks=ticks, sleep=sleep
    ) as host:
        table = await host.create(Rules())
        for number in range(60):
            await table.ask(s.Ready(0, bool(number % 2)))
        assert table.link.up


# The lobby


async def test_the_lobby_lists_all_tables(serve: Serve) -> None:
    server = await serve()
    hosts = [await connect(f"127.0.0.1:{server.port}", name="Ana") for _ in range(45)]
    for host in hosts:
        await host.create(Rules(), password="x" if host is hosts[0] else None)
    listed = await hosts[0].tables()
    assert len(listed) == 45
    assert [each.locked for each in listed].count(True) == 1


async def test_a_lobby_that_lost_its_connection_makes_another(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        host = await connect(f"127.0.0.1:{cable.port}", name="Ana")
        cable.cut()
        await eventually(lambda: not host.connected)
        assert await host.tables() == []
        await host.close()


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("example.org", "example.org", 7225),
        ("example.org:99", "example.org", 99),
        ("192.0.2.1", "192.0.2.1", 7225),
        ("::1", "::1", 7225),
        ("[::1]", "::1", 7225),
        ("[fe80::1%eth0]:88", "fe80::1%eth0", 88),
        (" host ", "host", 7225),
    ],
)
def test_addresses_are_read(text: str, host: str, port: int) -> None:
    address = Address.parse(text)
    assert (address.host, address.port) == (host, port)
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":80",
        "a b",
        "host:",
        "host:0",
        "host:99999",
        "host:x",
        "1:2:3",
        "a:b:c",
        "[x]:80",
        "::1::",
    ],
)
def test_what_is_no_address_is_said_so(text: str) -> None:
    with pytest.raises(LinkError, match="no address"):
        Address.parse(text)


async def test_a_server_that_is_not_there_is_said_so() -> None:
    async with Cable(1) as cable:
        port = cable.port
    with pytest.raises(LinkError, match="cannot be reached"):
        await connect(f"127.0.0.1:{port}", name="Ana")
    with pytest.raises(LinkError, match="cannot be reached"):
        await connect("no.such.host.invalid", name="Ana")


# A server that means harm


class EvilServer:
    """Answers a hello with whatever a test wants."""

    def __init__(self, *payloads: bytes) -> None:
        self._payloads = payloads
        self.port = 0

    async def __aenter__(self) -> EvilServer:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        for payload in self._payloads:
            writer.write(payload)
        await writer.drain()


@pytest.mark.parametrize(
    "payload",
    [b"\xff" * 100, b"\x00\x00\x00\x01\xc1", b"\x00\x00\x00\x02\x81\xa1", b"HTTP/1.1 400"],
)
async def test_whatever_answers_there_is_no_traceback(payload: bytes) -> None:
    async with EvilServer(payload + b"\xff" * 8) as evil:
        with pytest.raises(LinkError):
            await connect(f"127.0.0.1:{evil.port}", name="Ana")


def welcome(**change: object) -> bytes:
    usual = p.Welcome(p.VERSION, "evil", "Evil", "ab", "Ana", 0.0, 50.0, 200, "5e")
    return p.encode(msgspec.structs.replace(usual, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"version": 9},
        {"rate": 0.0},
        {"rate": float("nan")},
        {"burst": -5},
        {"time": float("inf")},
        {"options": s.Options(turn_limit=float("nan"))},
    ],
)
async def test_a_welcome_that_makes_no_sense_is_a_sentence(change: dict[str, object]) -> None:
    async with EvilServer(welcome(**change)) as evil:
        with pytest.raises(LinkError):
            await connect(f"127.0.0.1:{evil.port}", name="Ana")


EVIL = "\x1b[2J\x1b[31mE\x1b]0;t\x07\u202evil" * 20


async def test_what_a_server_says_of_itself_and_its_tables_is_made_harmless() -> None:
    info = s.TableInfo(
        name=EVIL,
        stage=Stage.GATHERING,
        rules=Rules(),
        options=s.Options(),
        chairs=(s.Chair(s.Kind.HUMAN, EVIL), s.Chair(s.Kind.BOT, "B", EVIL)),
        owner=0,
        paused=False,
        game=0,
        turn_ends=None,
    )
    tables = p.Tables("1", [p.Listed("KAFU", info)], 1)
    async with EvilServer(welcome(name=EVIL, server=EVIL, player=EVIL)) as evil:
        host = await connect(f"127.0.0.1:{evil.port}", name="Ana")
        told = [host.welcome.name, host.welcome.server, host.welcome.player]
        await host.close()
    heard = sense.sound(tables)
    assert isinstance(heard, p.Tables)
    (listed,) = heard.tables
    told += [listed.info.name, *(text for c in listed.info.chairs for text in (c.name, c.level))]
    assert all(text.isprintable() and len(text) <= 120 for text in told)
    assert told[0].startswith("Evil")


@pytest.mark.parametrize(
    "tables", [p.Tables("1", [], 2**50), p.Tables("1", [], -1), p.Tables("1", [], 10_001)]
)
def test_a_list_of_tables_has_an_end(tables: p.Tables) -> None:
    with pytest.raises(ValueError, match="without an end"):
        sense.sound(tables)


@asynccontextmanager
async def leading_to(code: str) -> AsyncIterator[Host]:
    """Somebody at a server that leads to this table, whichever is asked for, and shows nothing."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(welcome())
        request = msgspec.msgpack.decode((await reader.read(1000))[4:])
        writer.write(p.encode(p.Seated(request["id"], code, 0, token="00")))
        await reader.read(1000)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        async with await connect(f"127.0.0.1:{port}", name="Ana") as host:
            yield host


async def test_a_server_that_does_not_show_its_table_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "ANSWER", 0.05)
    async with leading_to("KAFU") as host:
        with pytest.raises(LinkError, match="does not answer"):
            await host.join("KAFU")


async def test_a_server_that_leads_to_another_table_is_refused() -> None:
    async with leading_to("MIRO") as host:
        with pytest.raises(RackoError, match="something else"):
            await host.join("KAFU")


async def test_what_is_no_host_of_games_is_said_so() -> None:
    async with EvilServer(b"SSH-2.0-OpenSSH_9.6\r\n") as other:
        with pytest.raises(LinkError, match="no host of Rack-O games"):
            await connect(f"127.0.0.1:{other.port}", name="Ana")


def test_a_sentence_from_a_server_is_short() -> None:
    assert len(str(Sentence("x" * 60_000).error())) <= 300


def test_a_sentence_from_a_server_can_only_be_read() -> None:
    for template in ("{x.__class__}", "{x[0]}", "{x!r:>9999999}", "{", "{missing}", ""):
        sentence = Sentence("plain \x1b[31mwords", template, {"x": "y"})
        assert str(sentence.error()) == "plain words"
    good = Sentence("A 5.", "A {n}{s}.", {"n": 5, "s": "\u202e"})
    assert str(good.error()) == "A 5."
    assert good.error().template == "A {n}{s}."


def test_the_parts_of_a_sentence_can_be_translated_too() -> None:
    late = RackoError("it answered after {seconds} seconds", seconds=1.5)
    no = RackoError("no: {why}", why=late)
    error = RackoError("{name} failed: {reason}.", name="cat", reason=no)
    on_the_wire = msgspec.msgpack.encode(Sentence.of(error))
    sent = msgspec.msgpack.decode(on_the_wire, type=Sentence)
    assert sent.values == {"name": "cat", "reason": "no: it answered after 1.5 seconds"}
    got = sent.error()
    assert str(got) == str(error)
    for place, template in (("reason", "no: {why}"), ("why", late.template)):
        got = got.values[place]
        assert isinstance(got, RackoError)
        assert got.template == template
    assert got.values == {"seconds": 1.5}


def test_the_parts_of_a_sentence_do_not_grow_without_end() -> None:
    long = Sentence("so", "{a}" * 90, {"a": "x" * 200})
    for _ in range(200):
        long = Sentence("so", "{a}" * 90, {"a": "y"}, {"a": long})
    assert len(str(long.error())) < 30_000


async def test_a_goodbye_that_is_final_is_final(serve: Serve) -> None:
    server = await serve()
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", sleep=Sleeper())
    table = await host.create(Rules())
    (connection,) = server.connections
    connection.end(p.Bye("limit", Sentence("Enough.")))
    await eventually(lambda: table.link.closed)
    assert str(table.link.trouble) == "Enough."
    assert isinstance(host, Host)
