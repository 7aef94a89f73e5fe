"""Who asks for too much, again and again, is stopped; the table and everyone else at it go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from racko_core import seating as s
from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Stage
from racko_net import protocol as p
from racko_net.sentence import Sentence
from racko_net.server import Server
from racko_net.serverside import telling
from racko_net.serverside.limits import Bucket, Buckets, Limits
from racko_net.serverside.room import Room
from tests.net.conftest import Serve, Ticks
from tests.net.desk import FakePeer, Hall, two, why
from tests.net.raw import RawClient, eventually


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


async def game(server: Server) -> tuple[RawClient, RawClient, Room, str]:
    """Ana, who owns the table, and Bo with his token, in a game."""
    ana, bo = [await RawClient.welcomed(server.port, name) for name in ("Ana", "Bo")]
    table = (await ana.request(type="create", rules={}))["table"]
    token = (await bo.request(type="join", table=table))["token"]
    await ana.ask(input="start")
    await ana.wait_for(lambda ana: (ana.position or {}).get("phase") == "turn")
    return ana, bo, server.lobby.rooms[table], token


async def come_and_ask(server: Server, *messages: dict[str, Any]) -> RawClient:
    """A connection that asks all of that at once, and is gone when it has heard the answers."""
    client = await RawClient.welcomed(server.port, "Eve")
    for number, message in enumerate(messages):
        client.send(id=f"{id(client)}-{number}", **message)
    client.send(type="list", id="last")
    await client.until("tables", "bye")
    client.vanish()
    return client


def saying(text: str) -> dict[str, Any]:
    return {"type": "ask", "input": {"input": "say", "seat": None, "name": "", "text": text}}


def said_to(client: RawClient) -> int:
    notices = [notice for message in client.heard for notice in message.get("notices", [])]
    return sum("said" in notice for notice in notices)


async def in_step(client: RawClient, room: Room) -> None:
    await client.wait_for(lambda client: client.seq == room.table.seq)


# What is said


async def test_spectators_who_come_back_have_nothing_more_to_say(
    serve: Serve, ticks: Ticks
) -> None:
    limits = Limits(inputs=50)
    server = await serve(ticks, limits=limits)
    ana, bo, room, _ = await game(server)
    before = room.measures.inputs
    watch = {"type": "watch", "table": room.code}
    for _ in range(10):
        heard = await come_and_ask(server, watch, *[saying("spam")] * limits.words_burst)
    assert "You say a lot" in str(heard.heard)
    await in_step(ana, room)
    assert said_to(ana) == limits.crowd_burst
    assert room.measures.inputs == before
    assert not room.closed
    ticks.now += 2.0
    await come_and_ask(server, watch, *[saying("spam")] * limits.words_burst)
    await in_step(ana, room)
    assert said_to(ana) == limits.crowd_burst + 2.0 * limits.crowd
    assert not bo.writer.is_closing()


def test_spectators_of_one_address_share_what_they_may_say(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    rooms = [ana.place.room for ana in (two(hall)[0], two(hall)[0]) if ana.place]
    accepted = 0
    for number in range(20):
        eve = FakePeer("Eve", address="192.0.2.9")
        hall.watch(eve, rooms[number % 2])
        accepted += hall.ask(eve, s.Say(None, "", "spam")).result == "accepted"
        hall.leave(eve)
    assert accepted == Limits().words_burst
    cy = FakePeer("Cy", address="192.0.2.10")
    hall.watch(cy, rooms[0])
    assert hall.ask(cy, s.Say(None, "", "hello")).result == "accepted"


def test_spectators_of_one_address_share_their_words_however_long_they_were_silent(
    tmp_path: Path,
) -> None:
    hall = Hall(tmp_path)
    eves = []
    for _ in range(3):
        eve = FakePeer("Eve", address="192.0.2.9")
        hall.watch(eve, two(hall)[0].place.room)  # type: ignore[union-attr]
        eves.append(eve)
        hall.now += 1.0
        hall.lobby.tidy()
    said = [hall.ask(eve, s.Say(None, "", "spam")).result for eve in eves for _ in range(10)]
    assert said.count("accepted") == Limits().words_burst


@pytest.mark.parametrize("crash", [False, True])
def test_what_is_said_at_a_table_has_an_end_and_spectators_leave_half_of_it_to_the_players(
    tmp_path: Path, crash: bool
) -> None:
    hall = Hall(tmp_path, Limits(sayings=10, words_burst=100, crowd_burst=100))
    ana, _ = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    token = ana.last(p.Seated).token
    eve = FakePeer("Eve")
    hall.watch(eve, room)
    for _ in range(5):
        assert hall.ask(eve, s.Say(None, "", "spam")).result == "accepted"
    if crash:
        hall.crash()
        room = hall.lobby.rooms[room.code]
        ana, eve = FakePeer("Ana"), FakePeer("Eve")
        hall.handle(ana, p.Resume("back", room.code, ana.proof(token)))
        hall.watch(eve, room)
    assert "hears no more" in why(hall.ask(eve, s.Say(None, "", "spam")))
    for _ in range(5):
        assert hall.ask(ana, s.Say(0, "", "well")).result == "accepted"
    assert "hears no more" in why(hall.ask(ana, s.Say(0, "", "well")))
    assert hall.ask(ana, s.Ready(0)).result == "accepted"


# Watching


def test_who_comes_to_watch_again_and_again_is_put_off(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    ana, _ = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    seen = 0
    for _ in range(50):
        eve = FakePeer("Eve", address="192.0.2.9")
        hall.handle(eve, p.Watch(hall.next_id(), room.code))
        hall.leave(eve)
        seen += eve.bye is None
        if eve.bye is not None:
            assert (eve.bye.code, eve.bye.retry) == ("limit", True)
            assert eve.place is None
            assert not eve.heard
    assert seen == Limits().visits_burst
    cy = FakePeer("Cy", address="192.0.2.10")
    hall.watch(cy, room)
    assert cy.memory.view() == room.table.view(None)
    hall.now += 1.0
    eve = FakePeer("Eve", address="192.0.2.9")
    hall.handle(eve, p.Watch(hall.next_id(), room.code))
    assert eve.bye is None
    hall.now += 3600.0
    hall.handle(cy, p.List(hall.next_id()))
    hall.lobby.tidy()
    assert not hall.lobby.visits_from._buckets


def test_a_table_has_so_many_visits_wherever_they_come_from(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    ana, _ = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    seen = 0
    for _ in range(300):  # from this machine, where many may come from
        eve = FakePeer(f"Eve {seen}")
        hall.handle(eve, p.Watch(hall.next_id(), room.code))
        hall.leave(eve)
        seen += eve.bye is None
    assert seen == Limits().audience_burst


def test_who_comes_to_watch_too_soon_on_the_hosts_machine_is_refused_and_the_others_are_not(
    tmp_path: Path,
) -> None:
    hall = Hall(tmp_path)
    room = two(hall)[0].place.room  # type: ignore[union-attr]
    eve, most = FakePeer("Eve"), Limits().visits_burst
    for _ in range(most):
        assert isinstance(hall.watch(eve, room), p.Seated)
        hall.handle(eve, p.Leave(hall.next_id()))
    for _ in range(200):
        assert "come and go too often" in why(hall.watch(eve, room))
    assert eve.bye is None
    assert isinstance(hall.watch(FakePeer("Bo"), room), p.Seated)
    back = FakePeer("Eve")  # a client that comes back would give up where it is refused
    hall.handle(back, p.Watch(hall.next_id(), room.code))
    assert back.bye is not None
    assert (back.bye.code, back.bye.retry) == ("limit", True)
    hall.now += 1.0
    assert isinstance(hall.watch(eve, room), p.Seated)


def test_what_spectators_are_shown_is_made_once_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path)
    ana, bo = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    turn = room.table.game.turn or 0  # type: ignore[union-attr]
    made = []
    snapshot = telling.snapshot

    def counted(*args: Any, **more: Any) -> Any:
        made.append(args)
        return snapshot(*args, **more)

    monkeypatch.setattr(telling, "snapshot", counted)
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: hall.ask((ana, bo)[turn], s.Hint(turn)),  # tells nothing, but stands there
        lambda: hall.ask(ana, s.Pause(True)),
        lambda: hall.ask(ana, s.Pause(False)),
        lambda: hall.move(ana, bo),
        lambda: hall.ask(bo, s.Say(1, "", "hello")),
        lambda: room.tell_trouble(Sentence("The disk is full.")),
    ]
    for number, change in enumerate(changes, 1):
        change()
        for _ in range(3):
            eve = FakePeer("Eve")
            hall.watch(eve, room)
            assert eve.memory.view() == room.table.view(None)
            assert eve.memory.info == room.table.info
            assert (eve.memory.seq, eve.memory.trouble is None) == (room.table.seq, number < 7)
            hall.leave(eve)
        assert len(made) == number


# What is wished


async def test_who_comes_back_to_a_seat_has_no_more_wishes_than_before(
    serve: Serve, ticks: Ticks
) -> None:
    limits = Limits()
    server = await serve(ticks, limits=limits)
    ana, bo, room, token = await game(server)
    bo.vanish()
    await eventually(lambda: room.table.chairs[1].away)
    before = room.measures.inputs
    resume = {"type": "resume", "table": room.code, "token": token}
    ready = [
        {"type": "ask", "input": {"input": "ready", "seat": 1, "ready": bool(number % 2)}}
        for number in range(150)
    ]
    for _ in range(4):
        heard = await come_and_ask(server, resume, *ready)
    bye = heard.heard[-1]
    assert (bye["type"], bye["code"], bye["retry"]) == ("bye", "limit", True)
    assert "come and go too often" in bye["reason"]["text"]
    assert room.measures.inputs - before <= 2 * limits.wishes_burst + 2
    assert len(server.lobby.store.entries(room.id)) == room.measures.inputs
    assert room.table.stage is Stage.PLAYING
    ticks.now += 5.0  # and his seat is still his
    bo = await RawClient.welcomed(server.port, "Bo")
    assert (await bo.request(**resume))["type"] == "seated"
    await in_step(ana, room)
    assert not room.table.chairs[1].away


def test_without_a_wish_left_one_plays_on(hall: Hall) -> None:
    ana, bo = two(hall, Rules(stalemate_turnovers=9))
    refused = 0
    for number in range(200):
        reply = hall.ask(bo, s.Ready(1, bool(number % 2)))
        refused += reply.result == "rejected" and "too much at once" in why(reply)
    assert refused > 30
    for _ in range(10):
        hall.move(ana, bo)
    assert hall.ask(bo, s.Ready(1)).result == "accepted"
    assert hall.ask(bo, s.Stand(1)).result == "accepted"


def test_what_changes_nothing_is_not_written_down(hall: Hall) -> None:
    ana, _ = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    hall.ask(ana, s.Ready(0))
    written, told = hall.store.entries(room.id), len(ana.heard)
    for given in (s.Ready(0), s.Return(0), s.Pause(False), s.Configure(room.table.rules)):
        assert hall.ask(ana, given).result == "accepted"
    assert hall.store.entries(room.id) == written
    assert room.measures.inputs == len(written)
    assert [type(message) for message in ana.heard[told:]] == [p.Reply] * 4


def test_who_sits_down_and_leaves_again_and_again_is_asked_to_wait(hall: Hall) -> None:
    ana = FakePeer("Ana")
    room = hall.create(ana)
    answers = []
    for _ in range(40):
        eve = FakePeer("Eve")
        answers.append(hall.join(eve, room))
        hall.ask(eve, s.Stand(1))
    seated = sum(isinstance(answer, p.Seated) for answer in answers)
    assert seated == Limits().arrivals_burst - 1
    assert "come and go at this table" in why(answers[-1])
    hall.now += 6.0
    assert isinstance(hall.join(FakePeer("Cy"), room), p.Seated)


@pytest.mark.parametrize("crash", [False, True])
def test_a_game_in_play_ends_as_it_should_however_much_was_asked_for(
    tmp_path: Path, crash: bool
) -> None:
    hall = Hall(tmp_path, Limits(inputs=30, wishes_burst=1000))
    ana, bo = two(hall, Rules(target=50, stalemate_turnovers=2))
    room = ana.place.room  # type: ignore[union-attr]
    tokens = [peer.last(p.Seated).token for peer in (ana, bo)]
    for number in range(40):
        hall.ask(bo, s.Ready(1, bool(number % 2)))
    assert room.measures.inputs <= 31
    assert "for very long" in why(hall.ask(bo, s.Hint(1)))
    if crash:
        hall.crash()
        room = hall.lobby.rooms[room.code]
        ana, bo = FakePeer("Ana"), FakePeer("Bo")
        for peer, token in zip((ana, bo), tokens, strict=True):
            hall.handle(peer, p.Resume(f"back {peer.name}", room.code, peer.proof(token)))
    while room.table.stage is Stage.PLAYING:
        for peer in (ana, bo):
            seat = peer.view.seat
            assert seat is not None
            if peer.view.my_turn and peer.view.phase != "deal":
                action = decide_safely(bot("novice"), peer.view)
                assert hall.ask(peer, s.Do(seat, action)).result == "accepted"
        if room.table.stage is Stage.PLAYING and ana.view.phase == "deal":
            assert hall.ask(ana, s.Ready(0)).result == "accepted"
            assert hall.ask(bo, s.Ready(1)).result == "accepted"
            hall.pass_time(0.0)
    assert len(hall.store.games()) == 1
    assert not room.closed
    hall.ask(ana, s.Ready(0))  # for a rematch
    assert room.closed
    assert "for very long" in str(ana.last(p.Removed).reason)


def test_records_have_an_end_on_disk(tmp_path: Path) -> None:
    limits = Limits(records_burst=5, records=1.0, records_kept=4, wishes_burst=10_000)
    hall = Hall(tmp_path, limits)
    ana, bo = two(hall, Rules(target=5, stalemate_turnovers=1))
    room = ana.place.room  # type: ignore[union-attr]
    kept = []
    for seconds in (0, 0, 0, 0, 0, 0, 0, 1):
        hall.pass_time(float(seconds))
        while room.table.stage is Stage.PLAYING:
            hall.move(ana, bo)
        kept.append([game.id for game in hall.store.games()][::-1])
        hall.ask(ana, s.Ready(0))
        hall.ask(bo, s.Ready(1))
        hall.pass_time(0.0)
    assert kept[:4] == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]
    assert kept[4:7] == [[2, 3, 4, 5]] * 3, "the oldest went, then nothing more was kept"
    assert kept[7] == [3, 4, 5, 6]


def recorded(hall: Hall, name: str, address: str = "") -> bool:
    """Whether the record of a game that somebody plays to its end is kept."""
    ana, bo = FakePeer(name, address), FakePeer("Bo")
    hall.join(bo, hall.create(ana, Rules(target=5, max_rounds=1, stalemate_turnovers=1)))
    hall.ask(ana, s.Start())
    hall.pass_time(0.0)
    before = len(hall.store.games())
    while ana.memory.info.stage is Stage.PLAYING:  # type: ignore[union-attr]
        hall.move(ana, bo)
    for peer in (ana, bo):
        hall.leave(peer)
    return len(hall.store.games()) > before


def test_who_plays_much_on_the_hosts_machine_costs_the_others_there_no_records(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hall = Hall(tmp_path, Limits(records_burst=2))
    assert [recorded(hall, "Eve") for _ in range(3)] == [True, True, False]
    (told,) = [each.getMessage() for each in caplog.records if "record" in each.getMessage()]
    assert told.startswith("record-not-kept table=")
    assert told.endswith("by=Eve")
    assert recorded(hall, "Ana")
    names = [f"Eve {number}" for number in range(4) for _ in range(2)]
    assert [recorded(hall, name) for name in names].count(True) == 5, "four times as many in all"
    assert recorded(hall, "Ana", "192.0.2.1")


# Passwords


def guess(hall: Hall, peer: FakePeer, room: Room, times: int = 1) -> str:
    """What the last of so many wrong passwords is answered with."""
    return [why(hall.join(peer, room, password="wrong")) for _ in range(times)][-1]


def test_guesses_of_one_guest_of_the_host_leave_the_others_theirs(hall: Hall) -> None:
    few = Limits().guesses
    room = hall.create(FakePeer("Ana"), password="sesame")
    other = hall.create(FakePeer("Di"), password="sesame")
    eve, bo = FakePeer("Eve"), FakePeer("Bo")
    assert "not the password" in guess(hall, eve, room, few)
    assert "Too many wrong passwords" in guess(hall, eve, room)
    assert "Too many" in why(hall.watch(eve, other, password="sesame")), "whichever table"
    assert isinstance(hall.join(bo, room, password="sesame"), p.Seated)


def test_who_comes_back_again_and_again_has_no_more_guesses_at_a_table(hall: Hall) -> None:
    limits = Limits()
    room = hall.create(FakePeer("Ana"), password="sesame")
    other = hall.create(FakePeer("Di"), password="sesame")
    looked_at = sum(
        "not the password" in guess(hall, FakePeer("Eve"), room)
        for _ in range(2 * limits.crowd_guesses)
    )
    assert looked_at == limits.crowd_guesses
    assert isinstance(hall.watch(FakePeer("Cy"), other, password="sesame"), p.Seated)
    hall.now += limits.guess_every
    assert isinstance(hall.join(FakePeer("Bo"), room, password="sesame"), p.Seated)


def test_guesses_from_one_address_count_together_wherever_they_are_made(hall: Hall) -> None:
    rooms = [hall.create(FakePeer("Ana"), password="sesame") for _ in range(2)]
    for number in range(Limits().guesses):
        eve = FakePeer("Eve", address="192.0.2.9")
        assert "not the password" in guess(hall, eve, rooms[number % 2])
    eve = FakePeer("Eve", address="192.0.2.9")
    assert "Too many" in why(hall.join(eve, rooms[0], password="sesame"))
    assert isinstance(
        hall.join(FakePeer("Bo", address="192.0.2.10"), rooms[0], password="sesame"), p.Seated
    )


async def test_guesses_of_a_tables_password_keep_nobody_out_of_the_server(
    serve: Serve, ticks: Ticks
) -> None:
    server = await serve(ticks, password="open")
    ana = await RawClient.welcomed(server.port, password="open")
    table = (await ana.request(type="create", rules={}, password="sesame"))["table"]
    eve = await RawClient.welcomed(server.port, "Eve", password="open")
    for _ in range(2 * server.limits.guesses):
        answer = await eve.request(type="join", table=table, password="x")
        assert answer["result"] == "rejected"
    assert "Too many wrong passwords" in answer["error"]["text"]
    bo = await RawClient.welcomed(server.port, "Bo", password="open")
    assert (await bo.request(type="join", table=table, password="sesame"))["type"] == "seated"


# Tables


async def test_one_person_on_the_hosts_machine_does_not_fill_the_server(serve: Serve) -> None:
    server = await serve(limits=Limits(tables=50, rate=1e6, burst=10**6))
    eve = await RawClient.welcomed(server.port, "Eve")
    for _ in range(120):
        assert (await eve.request(type="create", rules={}))["type"] == "seated"
        await eve.request(type="leave")
    assert len(server.lobby.rooms) <= 25
    zoe = await RawClient.welcomed(server.port, "Zoe")
    assert (await zoe.request(type="create", rules={}))["type"] == "seated"
    for _ in range(120):
        await eve.request(type="create", rules={})
        await eve.request(type="leave")
    assert any(room.table.chairs[0].name == "Zoe" for room in server.lobby.rooms.values())


def begun_and_left(hall: Hall, peer: FakePeer) -> Room:
    """A table with a game in play that its only person has left."""
    room = hall.create(peer)
    hall.ask(peer, s.Sit(1, "", s.Kind.BOT, "novice"))
    hall.ask(peer, s.Start())
    hall.handle(peer, p.Leave(hall.next_id()))
    return room


def test_games_that_were_begun_and_left_on_the_hosts_machine_are_kept_but_few(
    tmp_path: Path,
) -> None:
    hall = Hall(tmp_path, Limits(tables=50))
    eve = FakePeer("Eve")
    rooms = [begun_and_left(hall, eve) for _ in range(20)]
    hall.handle(eve, p.Create(hall.next_id(), {}))
    assert "made under your name" in why(eve.last(p.Reply))
    rooms += [begun_and_left(hall, FakePeer(f"Eve {number}")) for number in range(5)]
    assert not any(room.closed for room in rooms)
    ana = FakePeer("Ana")
    hall.create(ana)
    assert [room for room in rooms if room.closed] == rooms[:1], "of the name with the most"
    away = [begun_and_left(hall, FakePeer("Ana")) for _ in range(2)]
    assert [room for room in [*rooms, *away] if room.closed] == rooms[:2]
    for number in range(24):  # there is room for everyone else, who stays
        hall.create(FakePeer("Fay", address=f"192.0.2.{number}"))


def test_a_name_on_the_hosts_machine_is_barred_for_some_minutes_only(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    rooms = [begun_and_left(hall, FakePeer("Ana")) for _ in range(20)]
    hall.watch(FakePeer("Cy"), rooms[0])  # somebody is there
    rooms.append(begun_and_left(hall, FakePeer("Ana")))
    hall.now += 599.0
    ana = FakePeer("Ana")
    hall.handle(ana, p.Create(hall.next_id(), {}))
    assert "made under your name" in why(ana.last(p.Reply))
    hall.now += 1.0
    hall.handle(ana, p.Create(hall.next_id(), {"players": 9}))
    assert not any(room.closed for room in rooms), "none made, none closed"
    hall.create(ana)
    assert [room for room in rooms if room.closed] == [rooms[1]]


def test_whoever_plays_many_games_to_their_end_can_play_another(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    ana = FakePeer("Ana")
    for _ in range(30):
        room = begun_and_left(hall, ana)
        room.table.stage = Stage.FINISHED
    assert sum(room.made_by == "Ana" for room in hall.lobby.rooms.values()) == 20


@pytest.mark.parametrize("crash", [False, True])
def test_nobody_on_the_hosts_machine_bars_those_who_made_no_tables(
    tmp_path: Path, crash: bool
) -> None:
    hall = Hall(tmp_path, Limits(tables=60))
    eve = FakePeer("Eve")
    for _ in range(20):
        begun_and_left(hall, eve)
    if crash:
        hall.crash()
        eve = FakePeer("Eve")
    hall.handle(eve, p.Create(hall.next_id(), {}))
    assert "made under your name" in why(eve.last(p.Reply))
    hall.create(FakePeer("Ana"))
    for number in range(60):
        begun_and_left(hall, FakePeer(f"Eve {number % 7}"))
    hall.create(FakePeer("Bo"))
    assert len(hall.lobby.rooms) == 31
    assert sum(room.empty_since is None for room in hall.lobby.rooms.values()) == 2


def test_room_is_made_where_nobody_is_and_nobody_has_played(tmp_path: Path) -> None:
    hall = Hall(tmp_path, Limits(tables=4))
    ana, bo = two(hall)
    played = ana.place.room  # type: ignore[union-attr]
    hall.leave(ana)
    hall.leave(bo)
    left = []
    for name in ("Cy", "Di"):
        hall.now += 1.0
        peer = FakePeer(name, address="192.0.2.1")
        left.append(hall.create(peer))
        hall.leave(peer)
    stays = hall.create(FakePeer("Ed"))
    hall.create(FakePeer("Fay"))
    assert [room.closed for room in (played, *left, stays)] == [False, True, False, False]


def test_a_table_at_which_no_game_was_played_leaves_nothing_on_the_disk(hall: Hall) -> None:
    ana = FakePeer("Ana")
    room = hall.create(ana)
    hall.ask(ana, s.Stand(0))
    hall.pass_time(1.0)
    assert room.closed
    assert hall.store._db.execute("SELECT count(*) FROM tables").fetchone() == (0,)


# Buckets


def test_a_bucket_of_an_address_is_forgotten_once_it_is_full(ticks: Ticks) -> None:
    buckets = Buckets(1.0, 2.0, ticks)
    assert isinstance(buckets.of("192.0.2.1"), Bucket)
    assert buckets.of("192.0.2.1").take()
    assert buckets.of("192.0.2.1").take()
    buckets.tidy()
    assert not buckets.of("192.0.2.1").take()
    assert buckets.of("192.0.2.2").take()
    ticks.now += 2.0
    buckets.tidy()
    assert not buckets._buckets
