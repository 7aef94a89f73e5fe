"""What becomes of a request, of a seat whose person is gone, and of time: without sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core import seating as s
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Options, Stage
from racko_core.view import Phase
from racko_net import protocol as p
from racko_net.serverside.limits import Limits
from tests.net.desk import FakePeer, Hall, two, why


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


# Requests


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"input": "fly"},
        {"input": "do", "seat": "0", "action": "d"},
        {"input": "do", "seat": 0, "action": "fly"},
        {"input": "say", "seat": 0, "name": 5, "text": "hello"},
    ],
)
def test_why_a_request_cannot_be_read_can_be_translated(
    hall: Hall, plain: dict[str, object]
) -> None:
    ana, _ = two(hall)
    hall.handle(ana, p.Ask("odd", plain, ana.memory.seq))
    error = ana.last(p.Reply).error.error()
    assert str(error).startswith("This request cannot be read (")
    reason = error.values["reason"]
    assert isinstance(reason, RackoError)
    assert reason.template != "it is damaged"


def test_rules_that_make_no_sense_are_refused_in_one_sentence(hall: Hall) -> None:
    ana, _ = two(hall)
    hall.handle(ana, p.Ask("odd", {"input": "configure", "rules": {"players": 7}}, ana.memory.seq))
    assert why(ana.last(p.Reply)) == "Rack-O is for 2, 3 or 4 players, not 7."


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
    hall.handle(again, p.Resume("r", code, again.proof(token), peer.memory.seq))
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


def test_a_spectators_move_is_rejected_however_old_the_view_it_was_chosen_on(hall: Hall) -> None:
    ana, _ = two(hall)
    cy = FakePeer("Cy")
    hall.watch(cy, ana.place.room)  # type: ignore[union-attr]
    for seq in (0, cy.memory.seq, 99_999):
        reply = hall.ask(cy, s.Do(0, act.DRAW), seq=seq)
        assert (reply.result, "watching" in why(reply)) == ("rejected", True)


def test_chat_in_between_makes_no_move_stale(hall: Hall) -> None:
    ana, bo = two(hall)
    peer = ana if ana.view.my_turn else bo
    other = bo if peer is ana else ana
    seq = peer.memory.seq
    hall.ask(other, s.Say(other.view.seat, "", "hurry up"))
    assert hall.act(peer, act.DRAW, seq=seq).result == "accepted"


def test_help_is_counted_for_all_to_see_and_only_ones_own_can_be_told(hall: Hall) -> None:
    ana, bo = two(hall)
    peer, other = (ana, bo) if ana.view.my_turn else (bo, ana)
    seat = peer.view.seat
    assert seat is not None
    assert hall.ask(other, s.Hint(seat)).result == "rejected"
    assert hall.ask(peer, s.Hint(seat)).result == "accepted"
    for one in (ana, bo):
        assert one.memory.info is not None
        assert one.memory.info.chairs[seat].hints == 1
    hall.crash()
    (room,) = hall.lobby.rooms.values()
    assert room.table.chairs[seat].hints == 1


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


def test_who_says_too_much_is_asked_to_wait(hall: Hall) -> None:
    ana, bo = two(hall)
    cy = FakePeer("Cy")
    hall.watch(cy, ana.place.room)  # type: ignore[union-attr]
    for peer in (bo, cy):
        results = [hall.ask(peer, s.Say(None, "", "spam")).result for _ in range(30)]
        assert results.count("accepted") == 12
        assert "wait" in why(hall.ask(peer, s.Say(None, "", "spam")))
    hall.now += 2.0
    assert [hall.ask(bo, s.Say(1, "", "x")).result for _ in range(3)].count("accepted") == 2
    assert hall.ask(ana, s.Say(0, "", "x")).result == "accepted"


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
        hall.handle(thief, p.Resume("r" + guess, code, thief.proof(guess)))
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
    hall.handle(newer, p.Resume("r", code, newer.proof(token)))
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
    hall.handle(back, p.Resume("r", code, back.proof(token), ana.memory.seq))
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
        hall.now += 1.0
        assert hall.ask(bo, s.Say(1, "", f"word {number}")).result == "accepted"
    back = FakePeer("Ana")
    hall.handle(back, p.Resume("r", code, back.proof(token), seq))
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
        if ana.view.phase is Phase.DEAL:
            break
        hall.move(ana, bo)
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


def test_a_finished_table_is_dropped_sooner(hall: Hall) -> None:
    ana, bo = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    room.table.stage = Stage.FINISHED
    hall.leave(ana)
    hall.leave(bo)
    hall.pass_time(3599.0)
    assert not room.closed
    hall.pass_time(2.0)
    assert room.closed


def test_a_full_server_drops_the_table_that_was_empty_for_the_longest_time(
    tmp_path: Path,
) -> None:
    hall = Hall(tmp_path, Limits(tables=2))
    ana, bo = two(hall)
    cy = FakePeer("Cy")
    hall.create(cy)
    room = ana.place.room  # type: ignore[union-attr]
    hall.leave(ana)
    hall.leave(bo)
    late = FakePeer("Di")
    hall.handle(late, p.Create("c", {}))
    why(late.last(p.Reply))
    hall.pass_time(3700.0)
    hall.create(late)
    assert room.closed
    assert not cy.place.room.closed  # type: ignore[union-attr]


def test_alarms_that_are_of_no_use_any_more_do_not_pile_up(hall: Hall) -> None:
    ana, bo = two(hall, Rules(stalemate_turnovers=9), options={"turn_limit": 3600.0})
    for _ in range(300):
        peer = ana if ana.view.my_turn else bo
        hall.now += 1.0
        hall.act(peer, act.DISCARD if act.DISCARD in peer.view.legal else act.DRAW)
    assert len(hall.lobby._alarms) < 100
    due = ana.place.room.table.next_due()  # type: ignore[union-attr]
    assert due in [when for when, _, _ in hall.lobby._alarms]


def test_bots_play_on_for_who_is_away(hall: Hall) -> None:
    ana, bo = two(hall, Rules(target=50, stalemate_turnovers=3))
    room = ana.place.room  # type: ignore[union-attr]
    hall.leave(bo)
    hall.pass_time(61.0)
    assert room.table.chairs[1].relieved
    while room.table.stage is Stage.PLAYING:
        if ana.view.my_turn and ana.view.legal != (act.DEAL,):
            hall.move(ana)
        if room.table.stage is Stage.PLAYING:
            hall.ask(ana, s.Ready(0))
        hall.pass_time(1.0)
    assert ana.view.result is not None
    assert len(hall.store.games()) == 1


def test_a_table_played_at_for_very_long_is_closed(tmp_path: Path) -> None:
    hall = Hall(tmp_path, Limits(inputs=30))
    ana = FakePeer()
    room = hall.create(ana)
    for number in range(40):
        if ana.place is not None:
            hall.ask(ana, s.Ready(0, bool(number % 2)))
    assert room.closed
    assert ana.last(p.Removed).reason is not None


def test_who_begins_to_watch_hears_nothing_that_the_snapshot_holds_already(hall: Hall) -> None:
    ana, _ = two(hall)
    room = ana.place.room  # type: ignore[union-attr]
    early, late = FakePeer("Cy"), FakePeer("Di")
    hall.watch(early, room)
    hall.lobby.handle(
        ana, p.Ask("one", {"input": "say", "seat": 0, "name": "", "text": "1"}), hall.now
    )
    hall.lobby.post.flush(hall.now)  # broadcasts wait a little
    hall.lobby.handle(late, p.Watch("w", room.code), hall.now)
    hall.lobby.handle(
        ana, p.Ask("two", {"input": "say", "seat": 0, "name": "", "text": "2"}), hall.now
    )
    hall.flush()
    for peer, words in ((early, ["1", "2"]), (late, ["2"])):
        said = [
            notice["said"]
            for message in peer.heard
            if isinstance(message, p.Update)
            for notice in message.notices
        ]
        assert said == words
        assert peer.memory.seq == room.table.seq
