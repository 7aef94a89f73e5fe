"""Taking a seat comes to an end, however it goes: held by somebody, or given back; and a secret is
told to its own server only, and forgotten only when that says so.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from racko_core import actions as act
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Kind, Sit, Start
from racko_core.view import Phase
from racko_net import protocol as p
from racko_net.client import Host, RemoteSession, connect
from racko_net.clientside import wire
from racko_net.clientside.line import Address, LinkError, dial, tls_context
from racko_net.clientside.tokens import SavedSeat, Tokens
from racko_net.keys import Meeting, digest, proves
from racko_net.server import Server
from racko_net.serverside.limits import Limits
from racko_net.serverside.lobby import Lobby
from tests.net.cable import Cable
from tests.net.conftest import Serve
from tests.net.players import QUICK, Sleeper
from tests.net.raw import RawClient, eventually

MANY = Limits(arrivals_burst=10_000, wishes_burst=10_000)


async def stepped(work: Awaitable[Any], turns: int) -> bool:
    """Cancel something after so many turns of the loop; whether it was done before."""
    task = asyncio.ensure_future(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return False


def kinds(server: Server, code: str) -> list[Kind]:
    return [chair.kind for chair in server.lobby.rooms[code].table.chairs]


async def test_whoever_is_cancelled_while_joining_leaves_the_chair_free(serve: Serve) -> None:
    server = await serve(limits=MANY)
    ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
    bo = await connect(f"127.0.0.1:{server.port}", name="Bo")
    code = (await ana.create(Rules(), QUICK)).code
    for turns in count():
        if await stepped(bo.join(code), turns):
            break
        again = await bo.join(code)  # at once: nothing is in the way
        await again.stand()
        assert kinds(server, code) == [Kind.HUMAN, Kind.OPEN]
    assert turns > 3
    assert kinds(server, code) == [Kind.HUMAN, Kind.HUMAN]


async def test_whoever_is_cancelled_while_making_a_table_leaves_none(serve: Serve) -> None:
    server = await serve(limits=MANY)
    host = await connect(f"127.0.0.1:{server.port}", name="Ana")
    for turns in count():
        if await stepped(host.create(Rules(), QUICK), turns):
            break
        await (await host.create(Rules(), QUICK)).stand()
        await eventually(lambda: not server.lobby.rooms)
    assert turns > 3
    assert len(server.lobby.rooms) == 1


async def test_whoever_is_cancelled_while_coming_back_keeps_the_seat(
    serve: Serve, tmp_path: Path
) -> None:
    server = await serve(limits=MANY)
    tokens = Tokens(tmp_path / "seats")
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    table = await host.create(Rules(), QUICK)
    await table.close()
    chairs = server.lobby.rooms[table.code].table.chairs
    for turns in count():
        if await stepped(host.resume(tokens.saved()[0]), turns):
            break
        again = await host.resume(tokens.saved()[0])
        assert not server.lobby.rooms[table.code].table.chairs[0].away
        await again.close()
        await eventually(lambda: server.lobby.rooms[table.code].table.chairs[0].away)
    assert turns > 3
    assert chairs[0].name == "Ana"
    assert len(tokens.saved()) == 1


async def test_whoever_is_cancelled_while_going_to_watch_watches_nothing(serve: Serve) -> None:
    server = await serve(limits=MANY)
    ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
    cy = await connect(f"127.0.0.1:{server.port}", name="Cy")
    code = (await ana.create(Rules(), QUICK)).code
    for turns in count():
        if await stepped(cy.watch(code), turns):
            break
        await (await cy.watch(code)).close()
        await eventually(lambda: not server.lobby.rooms[code].watchers)
    assert turns > 3


async def test_whoever_is_cancelled_while_connecting_leaves_no_connection(serve: Serve) -> None:
    server = await serve(limits=MANY)
    address = Address("127.0.0.1", server.port)
    hello = p.Hello([p.VERSION], "Ana")

    def nobody() -> bool:
        gc.collect()  # asyncio loses a socket if it is cancelled before there is a transport
        return not server.connections

    for turns in count():
        if await stepped(dial(address, hello, ticks=asyncio.get_running_loop().time), turns):
            break
        await eventually(nobody)
    assert turns > 3


# A slow line


async def seat_on_its_way(
    server: Server, cable: Cable, **more: Any
) -> tuple[str, Host, asyncio.Task[RemoteSession]]:
    """Bo sits at Ana's table, and has not heard of it yet."""
    ana = await connect(f"127.0.0.1:{server.port}", name="Ana")
    bo = await connect(f"127.0.0.1:{cable.port}", name="Bo", **more)
    code = (await ana.create(Rules(), QUICK)).code
    cable.hold()
    task = asyncio.ensure_future(bo.join(code))
    await eventually(lambda: kinds(server, code) == [Kind.HUMAN, Kind.HUMAN])
    return code, bo, task


async def test_a_seat_that_nobody_waits_for_any_more_is_given_back_before_the_next_is_asked_for(
    serve: Serve,
) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        code, bo, task = await seat_on_its_way(server, cable)
        task.cancel()
        again = asyncio.ensure_future(bo.join(code))
        await asyncio.sleep(0)
        cable.release()
        session = await again
        assert session.seat == 1
        assert kinds(server, code) == [Kind.HUMAN, Kind.HUMAN]
        await session.stand()
        assert kinds(server, code) == [Kind.HUMAN, Kind.OPEN]
        await bo.close()


async def test_a_seat_that_comes_too_late_is_given_back(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        monkeypatch.setattr(wire, "ANSWER", 0.2)
        code, bo, task = await seat_on_its_way(server, cable)
        with pytest.raises(LinkError, match="does not answer"):
            await task
        cable.release()
        await eventually(lambda: kinds(server, code) == [Kind.HUMAN, Kind.OPEN])
        await bo.close()


async def test_whoever_hangs_up_while_sitting_down_leaves_the_chair_free(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        code, bo, task = await seat_on_its_way(server, cable)
        closing = asyncio.ensure_future(bo.close())
        await asyncio.sleep(0)
        cable.release()
        await closing
        with pytest.raises(LinkError, match="was closed"):
            await task
        await eventually(lambda: kinds(server, code) == [Kind.HUMAN, Kind.OPEN])
        with pytest.raises(LinkError, match="was closed"):
            await bo.tables()
        await eventually(lambda: len(server.connections) == 1)


async def test_a_line_that_breaks_before_the_answer_is_in_nobodys_way(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        _code, bo, task = await seat_on_its_way(server, cable)
        task.cancel()
        await asyncio.wait([task])
        cable.cut()
        cable.release()
        table = await bo.create(Rules(), QUICK)
        assert table.link.up
        await bo.close()


async def test_nobody_is_on_the_way_to_two_tables(serve: Serve) -> None:
    server = await serve()
    async with Cable(server.port) as cable:
        code, bo, task = await seat_on_its_way(server, cable)
        with pytest.raises(RackoError, match="on your way"):
            await bo.join(code)
        cable.release()
        assert (await task).seat == 1
        with pytest.raises(RackoError, match="leave it first"):
            await bo.join(code)
        await bo.close()


async def test_a_seat_given_up_without_waiting_is_forgotten_when_it_is_gone(
    serve: Serve, tmp_path: Path
) -> None:
    server = await serve()
    tokens = Tokens(tmp_path)
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    table = await host.create(Rules(), QUICK)
    table.give_up()
    assert len(tokens.saved()) == 1  # the server has not said anything yet
    await eventually(lambda: not tokens.saved())
    assert not server.lobby.rooms
    assert (await host.create(Rules(), QUICK)).link.up


# Forgetting


async def test_only_a_seat_that_is_gone_is_forgotten(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    tokens = Tokens(tmp_path)
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    table = await host.create(Rules(), QUICK)
    (mine,) = tokens.saved()
    with pytest.raises(RackoError, match="leave it first"):
        await host.resume(mine)
    host._session = None  # as if only the server knew that there is one
    with pytest.raises(RackoError, match="leave it first"):
        await host.resume(mine)
    assert tokens.saved() == [mine]
    await host.close()
    other = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    here = str(other.address)
    lost = SavedSeat(server.server_id, here, table.code, "Ana", 0, "f" * 32)
    gone = SavedSeat(server.server_id, here, "NOSUCH", "Ana", 0, "0" * 32)
    for seat in (lost, gone):
        tokens.save(seat)
        with pytest.raises(RackoError):
            await other.resume(seat)
        assert [kept.token for kept in tokens.saved()] == [mine.token]
    assert (await other.resume(mine)).link.up


async def test_no_list_of_tables_makes_anybody_forget_a_seat(serve: Serve, tmp_path: Path) -> None:
    server = await serve()
    tokens = Tokens(tmp_path)
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    table = await host.create(Rules(), QUICK)
    await table.close()
    assert host.offers([]) == []
    assert host.own_seat(table.code) == tokens.saved()[0]
    assert [offer.seat for offer in host.offers(await host.tables())] == tokens.saved()


async def test_a_table_that_closes_between_two_pages_hides_no_other(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await serve()
    address = f"127.0.0.1:{server.port}"
    oldest = await (await connect(address, name="Ana")).create(Rules())
    tables = [await (await connect(address, name="Bo")).create(Rules()) for _ in range(90)]
    looker = await connect(address, name="Cy")
    ask, pages = looker.ask, 0

    async def asked(*given: Any) -> Any:
        nonlocal pages
        answer = await ask(*given)
        pages += 1
        for _ in range(3):
            await tables.pop().stand()  # the newest: all that come behind move up
        return answer

    monkeypatch.setattr(looker, "ask", asked)
    listed = {each.table for each in await looker.tables()}
    assert pages == 3
    assert {oldest.code, *(table.code for table in tables)} <= listed


async def test_a_server_that_knows_only_offsets_is_listed_too(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await serve()
    address = f"127.0.0.1:{server.port}"
    for _ in range(85):
        await (await connect(address, name="Bo")).create(Rules())

    def before(self: Lobby, peer: Any, request: p.List) -> None:
        assert request.below is None
        rooms = list(reversed(self.rooms.values()))
        page = [room.listed for room in rooms[request.offset : request.offset + 40]]
        self.send(peer, p.encode(p.Tables(request.id, page, len(rooms))))

    monkeypatch.setattr(Lobby, "_list", before)
    assert len(await (await connect(address, name="Cy")).tables()) == 85


async def test_a_client_that_knows_only_offsets_is_answered_too(serve: Serve) -> None:
    server = await serve()
    for _ in range(45):
        await (await connect(f"127.0.0.1:{server.port}", name="Bo")).create(Rules())
    client = await RawClient.welcomed(server.port)
    first = await client.request(type="list")
    second = await client.request(type="list", offset=40)
    assert [len(first["tables"]), len(second["tables"])] == [40, 5]
    assert second["below"] == 0
    assert (await client.request(type="list", below=first["below"]))["tables"] == second["tables"]


# Another server at the same address


async def abroad(
    serve: Serve, tmp_path: Path, go: Callable[[Host, Tokens, RemoteSession], Awaitable[None]]
) -> None:
    """Have another server answer where the one with Ana's table was, then that one again."""
    server = await serve()
    port, tokens = server.port, Tokens(tmp_path / "seats")
    host = await connect(f"127.0.0.1:{port}", name="Ana", tokens=tokens, sleep=Sleeper())
    table = await host.create(Rules(), QUICK)
    await table.ask(Sit(1, "", Kind.BOT, "novice"))
    await table.ask(Start())
    await server.stop()
    other = await serve(data=tmp_path / "other", port=port)
    assert other.server_id != server.server_id
    heard: list[object] = []
    handle = other.lobby.handle

    def listening(peer: Any, request: Any, now: float) -> None:
        heard.append(request)
        handle(peer, request, now)

    other.lobby.handle = listening  # type: ignore[method-assign]
    await go(host, tokens, table)
    assert not [request for request in heard if isinstance(request, p.Resume | p.Join | p.Watch)]
    assert len(tokens.saved()) == 1
    await other.stop()
    await serve(port=port)


async def test_no_other_server_is_told_the_secret_and_the_own_one_is_waited_for(
    serve: Serve, tmp_path: Path
) -> None:
    tables: list[RemoteSession] = []

    async def go(_host: Host, _tokens: Tokens, table: RemoteSession) -> None:
        tables.append(table)
        await eventually(lambda: "Another server answers" in str(table.link.trouble))
        assert not table.link.closed

    await abroad(serve, tmp_path, go)
    await eventually(lambda: tables[0].link.up)
    assert tables[0].view(0) is not None


async def test_a_seat_of_another_server_is_not_asked_for(serve: Serve, tmp_path: Path) -> None:
    async def go(host: Host, tokens: Tokens, table: RemoteSession) -> None:
        await table.close()
        for wish in (host.resume(tokens.saved()[0]), host.join(table.code, password="secret")):
            with pytest.raises(LinkError, match="Another server answers"):
                await wish
        assert await host.tables() == []  # whose they are may be seen

    await abroad(serve, tmp_path, go)


async def test_a_server_by_the_same_id_learns_no_secret_and_makes_nobody_forget_one(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, rogue = await serve(), await serve(data=tmp_path / "rogue")
    rogue.server_id = server.server_id
    tokens = Tokens(tmp_path / "seats")
    host = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    table = await host.create(Rules(), QUICK)
    await host.close()
    (mine,) = tokens.saved()
    told: list[p.Resume] = []
    handle = rogue.lobby.handle

    def listening(peer: Any, request: Any, now: float) -> None:
        if isinstance(request, p.Resume):
            told.append(request)
        handle(peer, request, now)

    def pretending(peer: Any, request: Any, now: float) -> None:
        told.append(request)
        if isinstance(request, p.Resume):
            rogue.lobby.send(peer, p.encode(p.Seated(request.id, request.table, 0, "00")))
            rogue.lobby.send(peer, p.encode(p.Removed()))
            rogue.lobby.post.flush(now)

    for way, sentence in ((listening, "no table"), (pretending, "Another server answers")):
        monkeypatch.setattr(rogue.lobby, "handle", way)
        misled = await connect(f"127.0.0.1:{rogue.port}", name="Ana", tokens=tokens)
        with pytest.raises(RackoError, match=sentence):
            await misled.resume(mine)
        assert tokens.saved() == [mine]
    resume = told[0]
    assert mine.token.encode() not in p.encode(resume)
    thief = await RawClient.welcomed(server.port, "Ana")
    answer = await thief.request(
        type="resume", table=table.code, proof=resume.proof, nonce=resume.nonce
    )
    assert answer["result"] == "rejected"
    back = await connect(f"127.0.0.1:{server.port}", name="Ana", tokens=tokens)
    assert (await back.resume(mine)).seat == 0


async def test_no_server_with_another_certificate_can_hand_the_proof_on(
    serve: Serve, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    server = await serve(tls_cert=certificate[0], tls_key=certificate[1])
    tokens = Tokens(tmp_path / "seats")
    tls = tls_context(authority=certificate[0])
    address = Address("localhost", server.port)
    host = await connect(address, name="Ana", tls=tls, tokens=tokens)
    table = await host.create(Rules(), QUICK)
    assert len(host.certificate) == 64
    assert host.certificate == server.certificate
    await host.close()
    (mine,) = tokens.saved()
    again = await connect(address, name="Ana", tls=tls, tokens=tokens)
    elsewhere = again.prove(p.Resume("1", table.code), mine)
    meeting = Meeting(again.welcome.nonce, elsewhere.nonce, "5e" * 32)
    assert not proves(elsewhere.proof, "client", digest(mine.token), meeting)
    assert (await again.resume(mine)).seat == 0


def test_seats_that_no_server_can_keep_any_more_are_forgotten(tmp_path: Path) -> None:
    now = [1e9]
    tokens = Tokens(tmp_path, clock=lambda: now[0])
    for number in range(2):
        tokens.save(SavedSeat("server", "localhost:7225", f"T{number}", "Ana", 0, f"{number:032}"))
        now[0] += 20 * 86400.0
    assert [seat.table for seat in tokens.saved()] == ["T1"]
    assert len(list(tmp_path.iterdir())) == 1


# Who played


async def test_whoever_comes_back_is_told_whether_a_bot_has_played_for_them(
    serve: Serve, tmp_path: Path
) -> None:
    server = await serve()
    port, tokens = server.port, Tokens(tmp_path / "seats")
    ana = await (await connect(f"127.0.0.1:{port}", name="Ana")).create(
        Rules(), replace(QUICK, grace=30.0)
    )
    host = await connect(f"127.0.0.1:{port}", name="Bo", tokens=tokens)
    bo = await host.join(ana.code)
    await ana.ask(Start())
    await eventually(lambda: (view := ana.view(0)) and view.phase is Phase.TURN)
    if ana.view(0).turn == 0:  # type: ignore[union-attr]
        await ana.act(act.DRAW)
        await ana.act(act.DISCARD)
    await bo.close()
    bo = await host.resume(tokens.saved()[0])
    assert bo._memory.helped is False
    await host.close()
    await eventually(lambda: ana.info.chairs[1].away)
    server._zero += 60.0
    server._ring()
    await eventually(lambda: ana.view(0).turn == 0)  # type: ignore[union-attr]
    await server.stop()
    server = await serve(port=port)  # what was written down says it, too
    host = await connect(f"127.0.0.1:{port}", name="Bo", tokens=tokens)
    bo = await host.resume(tokens.saved()[0])
    assert bo._memory.helped is True
    await host.close()
