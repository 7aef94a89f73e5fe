"""The lobby without sockets: who may ask what, and what becomes of a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Stage
from racko_net import protocol as p
from racko_net.limits import Limits
from racko_net.lobby import Guess
from tests.net.desk import FakePeer, Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def two(hall: Hall, rules: Rules | None = None, **more: Any) -> tuple[FakePeer, FakePeer]:
    """Ana, who owns the table, and Bo, at the start of a game."""
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, rules, **more)
    hall.join(bo, room)
    hall.ask(ana, s.Start())
    hall.pass_time(0.0)
    return ana, bo


def why(reply: p.Reply | p.Seated) -> str:
    assert isinstance(reply, p.Reply)
    assert reply.result == "rejected"
    assert reply.error is not None
    return reply.error.text


# Tables


def test_a_table_is_made_listed_and_joined(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, Rules(players=3), name="Ours", seat=1)
    hall.handle(bo, p.List("l"))
    (listed,) = bo.last(p.Tables).tables
    assert (listed.table, listed.info.name, listed.locked) == (room.code, "Ours", False)
    assert [chair.name for chair in listed.info.chairs] == ["", "Ana", ""]
    seated = hall.join(bo, room)
    assert isinstance(seated, p.Seated)
    assert seated.seat == 0
    assert ana.memory.info == bo.memory.info
    assert ana.memory.info.chairs[0].name == "Bo"  # type: ignore[union-attr]


def test_codes_are_short_and_said_in_any_case(hall: Hall) -> None:
    room = hall.create(FakePeer())
    assert len(room.code) == 4
    assert room.code.isalpha()
    bo = FakePeer("Bo")
    hall.handle(bo, p.Join("j", room.code.lower()))
    assert bo.last(p.Seated).table == room.code


def test_rules_that_make_no_sense_are_rejected_with_the_sentence(hall: Hall) -> None:
    ana = FakePeer()
    bad: list[dict[str, Any]] = [
        {"players": 9},
        {"target": 7},
        {"target": 1_000_000},
        {"players": "2"},
        {"teams": True},
    ]
    for number, rules in enumerate(bad):
        hall.handle(ana, p.Create(f"c{number}", rules))
        assert ana.last(p.Reply).result == "rejected"
    assert not hall.lobby.rooms
    assert ana.place is None


@pytest.mark.parametrize(
    "options",
    [{"bot_pause": float("nan")}, {"turn_limit": 0.0}, {"grace": -1.0}, {"bot_pause": 1e9}],
)
def test_times_that_make_no_sense_are_rejected(hall: Hall, options: dict[str, float]) -> None:
    ana = FakePeer()
    hall.handle(ana, p.Create("c", {}, options))
    why(ana.last(p.Reply))


def test_a_full_table_and_an_unknown_one_are_said_so(hall: Hall) -> None:
    ana, bo, cy = FakePeer("Ana"), FakePeer("Bo"), FakePeer("Cy")
    room = hall.create(ana)
    hall.join(bo, room)
    assert "taken" in why(hall.join(cy, room))
    hall.handle(cy, p.Join("x", "NOPE"))
    assert "NOPE" in why(cy.last(p.Reply))


def test_one_connection_has_one_table(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    hall.create(ana)
    other = hall.create(bo)
    why(hall.join(ana, other))
    why(hall.watch(ana, other))
    hall.handle(ana, p.Create("again", {}))
    why(ana.last(p.Reply))
    assert len(hall.lobby.rooms) == 2


def test_two_who_want_one_chair_get_it_once(hall: Hall) -> None:
    ana, bo, cy = FakePeer("Ana"), FakePeer("Bo"), FakePeer("Cy")
    room = hall.create(ana, Rules(players=3))
    hall.lobby.handle(bo, p.Join("b", room.code, 1), hall.now)
    hall.lobby.handle(cy, p.Join("c", room.code, 1), hall.now)
    hall.flush()
    assert bo.last(p.Seated).seat == 1
    why(cy.last(p.Reply))
    assert cy.place is None


def test_two_people_of_one_name_are_told_apart(hall: Hall) -> None:
    ana, other = FakePeer("Ana"), FakePeer("ANA")
    room = hall.create(ana)
    hall.join(other, room)
    assert [chair.name for chair in room.table.chairs] == ["Ana", "ANA 2"]


def test_passwords_open_tables(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, password="sesame")
    assert "password" in why(hall.join(bo, room))
    for request in (hall.join, hall.watch):
        with pytest.raises(Guess):
            request(bo, room, password="wrong")
        why(bo.last(p.Reply))
    hall.crash()
    room = hall.lobby.rooms[room.code]
    assert room.locked
    assert isinstance(hall.join(bo, room, password="sesame"), p.Seated)
    assert (
        b"sesame"
        not in hall.path.read_bytes() + hall.path.with_name(hall.path.name + "-wal").read_bytes()
    )


def test_limits_on_tables(tmp_path: Path) -> None:
    hall = Hall(tmp_path, Limits(tables=3, tables_per_address=2))
    for _ in range(2):
        hall.create(FakePeer(address="192.0.2.1"))
    greedy = FakePeer(address="192.0.2.1")
    hall.handle(greedy, p.Create("c", {}))
    assert "many tables" in why(greedy.last(p.Reply))
    hall.create(FakePeer(address="192.0.2.2"))
    late = FakePeer(address="192.0.2.3")
    hall.handle(late, p.Create("c", {}))
    assert "no room" in why(late.last(p.Reply))


def test_a_list_comes_in_parts(hall: Hall) -> None:
    codes = {hall.create(FakePeer(f"P{number}")).code for number in range(90)}
    ana = FakePeer()
    found: set[str] = set()
    while len(found) < 90:
        hall.handle(ana, p.List(f"l{len(found)}", len(found)))
        tables = ana.last(p.Tables)
        assert tables.total == 90
        assert len(p.encode(tables)) < 65536
        found |= {listed.table for listed in tables.tables}
    assert found == codes


# Authority


def test_nobody_asks_for_the_seat_of_another(hall: Hall) -> None:
    ana, bo = two(hall)
    turn = ana if ana.view.my_turn else bo
    other = bo if turn is ana else ana
    seat = turn.view.seat
    assert seat is not None
    for given in (s.Do(seat, act.DRAW), s.Ready(seat), s.Return(seat)):
        assert "your seat" in why(hall.ask(other, given))
    if turn is ana:
        assert "owner" in why(hall.ask(bo, s.Stand(0)))


@pytest.mark.parametrize(
    "given",
    [
        s.Start(),
        s.Pause(True),
        s.HandOver(1),
        s.Configure(options=Options(open_racks=True)),
        s.Configure(rules=Rules(target=100)),
        s.Sit(2, "X", Kind.BOT, "novice"),
        s.Stand(0),
    ],
)
def test_only_the_owner_runs_the_table(hall: Hall, given: s.Input) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    hall.join(bo, hall.create(ana, Rules(players=3)))
    assert "owner" in why(hall.ask(bo, given))


@pytest.mark.parametrize(
    "given",
    [
        s.Lose(0),
        s.Relieve(0),
        s.Expire(0),
        s.Rematch(),
        s.Do(0, act.DEAL),
        s.Sit(1, "Bo"),
    ],
)
def test_what_happens_by_itself_cannot_be_asked_for(hall: Hall, given: s.Input) -> None:
    ana = FakePeer("Ana")
    hall.create(ana)
    why(hall.ask(ana, given))


def test_the_owner_seats_and_removes_bots_and_people(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, Rules(players=3))
    hall.join(bo, room)
    assert hall.ask(ana, s.Sit(2, "", Kind.BOT, "novice")).result == "accepted"
    assert room.table.chairs[2].name == "novice"
    hall.ask(ana, s.Stand(2))
    assert room.table.chairs[2].kind is Kind.OPEN
    token = bo.last(p.Seated).token
    hall.ask(ana, s.Stand(1))
    assert "owner" in bo.last(p.Removed).reason.text
    assert bo.place is None
    hall.handle(bo, p.Resume("r", room.code, token))
    why(bo.last(p.Reply))


def test_an_owner_who_leaves_is_followed_and_the_last_one_closes_the_table(hall: Hall) -> None:
    ana, bo = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    assert hall.ask(ana, s.Stand(0)).result == "accepted"
    assert ana.last(p.Removed).reason is None
    assert room.table.owner == 1
    hall.ask(bo, s.Stand(1))
    hall.pass_time(0.0)
    assert room.closed
    hall.crash()
    assert not hall.lobby.rooms


def test_anyone_goes_on_after_the_pause_of_an_owner_who_is_away(hall: Hall) -> None:
    ana, bo = two(hall)
    hall.ask(ana, s.Pause(True))
    assert "owner" in why(hall.ask(bo, s.Pause(False)))
    hall.leave(ana)
    assert hall.ask(bo, s.Pause(False)).result == "accepted"


def test_moving_takes_the_seat_along(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, Rules(players=3))
    token = ana.last(p.Seated).token
    hall.join(bo, room)
    hall.ask(ana, s.Move(0, 2))
    assert ana.memory.seat == 2
    assert room.table.owner == 2
    assert hall.ask(ana, s.Ready(2)).result == "accepted"
    hall.crash()
    again = FakePeer("Ana")
    hall.handle(again, p.Resume("r", room.code, token))
    assert again.last(p.Seated).seat == 2


def test_words_are_cleaned_and_carry_the_name_of_the_seat(hall: Hall) -> None:
    ana, bo = two(hall)
    hall.ask(bo, s.Say(0, "Ana", "hi \x1b[31m\u202e[b]there"))
    said = [
        notice
        for message in ana.heard
        if isinstance(message, p.Update)
        for notice in message.notices
        if "said" in notice
    ]
    assert [(each["seat"], each["name"], each["said"]) for each in said] == [
        (1, "Bo", "hi [b]there")
    ]
    assert "300" in why(hall.ask(bo, s.Say(1, "", "x" * 301)))
    assert "300" in why(hall.ask(bo, s.Say(1, "", "\u202e")))


def test_spectators_only_talk(hall: Hall) -> None:
    ana, bo = two(hall)
    cy = FakePeer("Cy")
    hall.watch(cy, ana.place.room)  # type: ignore[union-attr]
    assert hall.ask(cy, s.Say(0, "Ana", "hello")).result == "accepted"
    assert "watching" in why(hall.ask(cy, s.Do(0, act.DRAW)))
    hall.ask(ana, s.Configure(options=Options(spectators=False)))
    assert cy.last(p.Removed).reason is not None
    assert "watch" in why(hall.watch(cy, ana.place.room))  # type: ignore[union-attr]
    assert bo.place is not None


# Requests


def test_the_same_request_never_acts_twice(hall: Hall) -> None:
    ana, bo = two(hall)
    peer = ana if ana.view.my_turn else bo
    seq = peer.memory.seq
    first = hall.act(peer, act.DRAW, seq=seq, id="once")
    again = hall.act(peer, act.DRAW, seq=seq, id="once")
    assert first == again
    assert first.result == "accepted"
    said = hall.ask(ana, s.Say(0, "", "hello"), id="word")
    table = ana.place.room.table  # type: ignore[union-attr]
    seq = table.seq
    assert hall.ask(ana, s.Say(0, "", "hello"), id="word") == said
    assert table.seq == seq


def test_the_same_request_does_not_act_again_after_a_crash(hall: Hall) -> None:
    ana, bo = two(hall)
    peer = ana if ana.view.my_turn else bo
    token, code = peer.last(p.Seated).token, peer.last(p.Seated).table
    first = hall.act(peer, act.DRAW, id="once")
    assert first.result == "accepted"
    hand = peer.view.hand
    hall.crash()
    again = FakePeer(peer.name)
    again.memory = peer.memory
    hall.handle(again, p.Resume("r", code, token, peer.memory.seq))
    reply = hall.ask(again, s.Do(peer.view.seat or 0, act.DRAW), seq=first.seq - 1, id="once")
    assert (reply.result, reply.seq) == ("accepted", first.seq)
    table = again.place.room.table  # type: ignore[union-attr]
    assert table.view(peer.view.seat).hand == hand  # type: ignore[union-attr]


def test_a_move_made_on_a_stale_screen_is_refused_and_the_screen_corrected(hall: Hall) -> None:
    ana, bo = two(hall)
    peer = ana if ana.view.my_turn else bo
    seq = peer.memory.seq
    hall.act(peer, act.DRAW)
    updates = peer.count(p.Update)
    reply = hall.act(peer, act.PLACES[0], seq=seq)
    assert reply.result == "stale"
    assert reply.error is not None
    assert peer.count(p.Update) == updates + 1
    assert peer.last(p.Update).position.hand == peer.view.hand
    assert hall.act(peer, act.PLACES[0], seq=99_999).result == "stale"
    assert hall.act(peer, act.PLACES[0]).result == "accepted"


def test_chat_in_between_makes_no_move_stale(hall: Hall) -> None:
    ana, bo = two(hall)
    peer = ana if ana.view.my_turn else bo
    other = bo if peer is ana else ana
    seq = peer.memory.seq
    hall.ask(other, s.Say(other.view.seat, "", "hurry up"))
    assert hall.act(peer, act.DRAW, seq=seq).result == "accepted"


def test_replayed_and_reordered_requests_change_nothing(hall: Hall) -> None:
    ana, bo = two(hall)
    sent: list[tuple[FakePeer, p.Ask]] = []
    for number in range(12):
        peer = ana if ana.view.my_turn else bo
        action = act.DRAW if act.DRAW in peer.view.legal else act.DISCARD
        plain = {"input": "do", "seat": peer.view.seat, "action": act.encode(action)}
        request = p.Ask(f"a{number}", plain, peer.memory.seq)
        hall.handle(peer, request)
        sent.append((peer, request))
    table = ana.place.room.table  # type: ignore[union-attr]
    seq, view = table.seq, table.view(0)
    for peer, request in [*reversed(sent), *sent]:
        hall.handle(peer, request)
        fresh = p.Ask(request.id + "x", request.input, request.seq)
        hall.handle(peer, fresh)
        assert peer.last(p.Reply).result in ("stale", "rejected")
    assert (table.seq, table.view(0)) == (seq, view)


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"input": "nothing"},
        {"input": "do", "seat": 0, "action": "t99"},
        {"input": "do", "seat": "0", "action": "d"},
        {"input": "do", "seat": 2**63, "action": "d"},
        {"input": "ready", "seat": True},
        {"input": "sit", "seat": -1, "name": "X", "kind": "bot"},
        {"input": "sit", "seat": 1, "name": "X", "kind": "bot", "level": "../../etc"},
        {"input": "configure", "rules": {"players": 77}},
        {"input": "configure", "options": {"grace": "long"}},
        {"input": "say", "seat": 0, "name": "x", "text": 5},
        {"input": ["do"], "seat": 0},
    ],
)
def test_an_input_that_fits_nothing_is_rejected(hall: Hall, plain: dict[str, object]) -> None:
    ana = FakePeer("Ana")
    room = hall.create(ana)
    info = room.table.info
    hall.handle(ana, p.Ask("bad", plain, 0))
    why(ana.last(p.Reply))
    assert room.table.info == info


# Coming back


def test_a_seat_belongs_to_its_token(hall: Hall) -> None:
    ana, bo = two(hall)
    token = ana.last(p.Seated).token
    assert len(bytes.fromhex(token)) == 16
    thief = FakePeer("Ana")
    code = ana.last(p.Seated).table
    for guess in (token[:-1] + ("0" if token[-1] != "0" else "1"), "", token.upper() + "0"):
        hall.handle(thief, p.Resume("r" + guess, code, guess))
        why(thief.last(p.Reply))
    assert thief.place is None
    assert ana.place is not None
    heard = b"".join(p.encode(message) for message in bo.heard)
    assert token.encode() not in heard
    assert token.encode() not in hall.path.read_bytes()


def test_the_newer_of_two_devices_has_the_seat(hall: Hall) -> None:
    ana, bo = two(hall)
    token, code = ana.last(p.Seated).token, ana.last(p.Seated).table
    newer = FakePeer("Ana")
    hall.handle(newer, p.Resume("r", code, token))
    assert ana.bye is not None
    assert ana.bye.code == "replaced"
    assert not ana.bye.retry
    hall.leave(ana)
    assert not newer.place.room.table.chairs[0].away  # type: ignore[union-attr]
    hall.move(newer, bo)


def test_who_comes_back_gets_what_they_missed(hall: Hall) -> None:
    ana, bo = two(hall)
    token, code = ana.last(p.Seated).token, ana.last(p.Seated).table
    hall.ask(ana, s.Configure(options=Options(bot_pause=0.0, grace=0.0)))
    hall.leave(ana)
    hall.pass_time(0.0)
    for _ in range(3):
        if bo.view.my_turn:
            hall.move(bo)
        hall.pass_time(0.0)
    back = FakePeer("Ana")
    back.memory = ana.memory
    hall.handle(back, p.Resume("r", code, token, ana.memory.seq))
    assert back.count(p.Snapshot) == 0
    assert back.view == back.place.room.table.view(0)  # type: ignore[union-attr]
    heard = [
        notice["seq"]
        for peer in (ana, back)
        for message in peer.heard
        if isinstance(message, p.Update)
        for notice in message.notices
    ]
    assert heard == list(range(heard[0], back.memory.seq + 1))


def test_who_was_away_for_too_long_gets_a_snapshot(hall: Hall) -> None:
    ana, bo = two(hall)
    token, code = ana.last(p.Seated).token, ana.last(p.Seated).table
    seq = ana.memory.seq
    hall.leave(ana)
    for number in range(500):
        hall.ask(bo, s.Say(1, "", f"word {number}"))
    back = FakePeer("Ana")
    hall.handle(back, p.Resume("r", code, token, seq))
    assert back.count(p.Snapshot) == 1
    assert back.view == back.place.room.table.view(0)  # type: ignore[union-attr]


def test_who_acts_while_away_is_back_first(hall: Hall) -> None:
    ana, bo = two(hall, options={"turn_limit": 10.0})
    room = ana.place.room  # type: ignore[union-attr]
    hall.pass_time(45.0)  # everyone's clock ran out twice: all are away, and the table rests
    assert all(chair.away for chair in room.table.chairs)
    peer = ana if ana.view.my_turn else bo
    assert hall.act(peer, act.DRAW).result == "accepted"
    assert not room.table.chairs[peer.view.seat or 0].away


def test_after_a_crash_tables_stand_as_they_were_and_everyone_is_away(hall: Hall) -> None:
    ana, bo = two(hall, Rules(target=1000))
    cy = FakePeer("Cy")
    room = ana.place.room  # type: ignore[union-attr]
    hall.watch(cy, room)
    for _ in range(25):
        if any(peer.view.my_turn and peer.view.legal for peer in (ana, bo)):
            hall.move(ana, bo)
        else:
            break
    before = {seat: room.table.view(seat) for seat in (0, 1, None)}
    hall.crash()
    again = hall.lobby.rooms[room.code]
    assert {seat: again.table.view(seat) for seat in (0, 1, None)} == before
    assert all(chair.away for chair in again.table.chairs)
    assert again.table.owner == room.table.owner
    hall.pass_time(10_000.0)
    assert {seat: again.table.view(seat) for seat in (0, 1, None)} == before


# What time brings


def test_a_chair_left_before_the_game_is_free_again(hall: Hall) -> None:
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana)
    hall.join(bo, room)
    hall.leave(bo)
    hall.pass_time(60.0)
    assert room.table.people() == [0, 1]
    hall.pass_time(60.0)
    assert room.table.people() == [0]


def test_an_empty_table_is_dropped_after_a_time(hall: Hall) -> None:
    ana, bo = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    hall.leave(ana)
    hall.leave(bo)
    hall.pass_time(6 * 86400.0)
    assert not room.closed
    hall.pass_time(2 * 86400.0)
    assert room.closed


def test_bots_play_on_for_who_is_away(hall: Hall) -> None:
    ana, bo = two(hall, Rules(target=50, stalemate_turnovers=3))
    room = ana.place.room  # type: ignore[union-attr]
    hall.leave(bo)
    hall.pass_time(61.0)
    assert room.table.chairs[1].relieved
    while room.table.stage is Stage.PLAYING:
        if ana.view.my_turn and ana.view.legal != (act.DEAL,):
            hall.move(ana)
        hall.ask(ana, s.Ready(0))
        hall.pass_time(1.0)
    assert ana.view.result is not None
    assert len(hall.store.games()) == 1


def test_a_table_played_at_for_very_long_is_closed(tmp_path: Path) -> None:
    hall = Hall(tmp_path, Limits(inputs=30))
    ana = FakePeer()
    room = hall.create(ana)
    for _ in range(40):
        if ana.place is not None:
            hall.ask(ana, s.Say(0, "", "x"))
    assert room.closed
    assert ana.last(p.Removed).reason is not None
