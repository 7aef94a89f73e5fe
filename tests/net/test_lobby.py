"""The lobby without sockets: who may ask what, and what becomes of a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.rules import Rules
from racko_core.seating import Kind, Options
from racko_net import protocol as p
from racko_net.serverside.limits import Limits
from tests.net.desk import FakePeer, Hall, two, why


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


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
    hall.handle(ana, p.Create("many", {"players": 2**63}))
    assert why(ana.last(p.Reply)) == f"Rack-O is for 2, 3 or 4 players, not {2**63}."
    hall.handle(ana, p.Create("none", {"players": "2"}))
    told = "These rules cannot be read (the field “players” should be “int”, not “str”)."
    assert why(ana.last(p.Reply)) == told


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
        assert "not the password" in why(request(bo, room, password="wrong"))
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
    hall.handle(bo, p.Resume("r", room.code, bo.proof(token)))
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
    hall.handle(again, p.Resume("r", room.code, again.proof(token)))
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
