"""Whatever a server says, and in whichever field: it is refused, or does no harm.

Every field of every message is filled with what does harm, so that none can be forgotten.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from racko_core import seating as s
from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Setup, Stage
from racko_core.table import Table
from racko_core.view import Phase
from racko_net import codec
from racko_net import protocol as p
from racko_net.clientside import sense
from racko_net.clientside.memory import Memory
from racko_net.clientside.tokens import SavedSeat, Tokens
from racko_net.sentence import Sentence
from racko_net.serverside import telling

IT = Sentence("It")
WHY = Sentence("It is 1.5.", "{it} is {n}.", {"it": "It", "n": 1}, {"it": IT}, {"n": 1.5})
OPTIONS = Options(1.0, 20.0, 30.0, 40.0, open_racks=True)


def table_in_play(until: Callable[[Table], bool]) -> tuple[Table, list[s.Notice]]:
    """A table at which everything has happened that a client hears of, and what that was."""
    rules = Rules(players=3, target=1000, stalemate_turnovers=3)
    table = Table(Setup(rules, bytes(32), OPTIONS, name="Ours"))
    told: list[s.Notice] = []

    def do(given: s.Input) -> None:
        told.extend(table.apply(given, 10.0))

    for seat in range(3):
        do(s.Sit(seat, f"P{seat}"))
    do(s.Say(0, "P0", "hello"))
    do(s.Start())
    while not until(table):
        game = table.game
        assert game is not None
        assert game.turn is not None
        view = table.view(game.turn)
        assert view is not None
        do(s.Do(game.turn, decide_safely(bot("novice"), view)))
    do(s.Lose(2))
    table.chairs = [replace(chair, missed=1, hints=2) for chair in table.chairs]
    return table, told


def in_hand(table: Table) -> bool:
    """Whether a card was drawn in a round after which much can be told."""
    game, view = table.game, table.view(None)
    assert game is not None
    assert view is not None
    return bool(view.sheet and view.turnovers and game.turn and game.phase is Phase.DRAWN)


def over(table: Table) -> bool:
    return table.stage is Stage.FINISHED


def one_of_each(told: Sequence[s.Notice]) -> list[s.Notice]:
    return list({type(notice.news): notice for notice in reversed(told)}.values())[::-1]


def talks() -> Iterator[tuple[list[Any], int]]:
    """What a client hears of a table, and at which of the messages harm is to be done."""
    for until in (in_hand, over):
        table, told = table_in_play(until)
        seat = table.game.turn if table.game and table.game.turn is not None else 1
        shown: list[Any] = telling.snapshot(table, seat, WHY, helped=True)
        first, pages = shown[0], shown[1:]
        sheet = [event for page in pages for event in page.sheet][:1]
        history = [event for page in pages for event in page.history]
        kinds = list({event["event"]: event for event in history}.values())
        first.pages = 1
        talk = [first, p.Page(sheet, kinds)]
        yield talk, 0
        yield talk, 1
        news = telling.update(table, seat, one_of_each(told), info=table.info, trouble=WHY)
        part = p.Update(table.seq, seat, [codec.notice_to_plain(told[0])], more=True)
        yield [first, p.Page(), news], 2
        yield [first, p.Page(), part, news], 2


def others() -> Iterator[Any]:
    """What is no news of a table."""
    table, _ = table_in_play(in_hand)
    bots = ["outside:cat"]
    yield p.Welcome(2, "racko", "Ours", "ab12", "Ana", 9.0, 50.0, 200, "5e", OPTIONS, bots)
    yield p.Tables("1", [p.Listed("KAFU", table.info, True, 3)], 1, 3)
    yield p.Status("1", "racko", "Ours", 9.0, *range(1, 10), WHY)
    yield p.Seated("1", "KAFU", 1, "5e", "ab12")
    yield p.Reply("1", "stale", 7, WHY)
    yield p.Removed(WHY)
    yield p.Ping(3)
    yield p.Pong(3, 9.0)
    yield p.Bye("limit", WHY, True)


CASES: list[tuple[list[Any], int]] = [*talks(), *(([each], 0) for each in others())]


def names(thing: object) -> tuple[str, ...]:
    if isinstance(thing, msgspec.Struct):
        return thing.__struct_fields__
    if is_dataclass(thing):
        return tuple(field.name for field in fields(thing))
    return ()


def filled(thing: object, found: dict[tuple[type, str], bool]) -> None:
    """Note of every field within whether it was ever filled."""
    for name in names(thing):
        value = getattr(thing, name)
        key = type(thing), name
        nothing = (None, "", (), [], {}, *((0,) if isinstance(thing, msgspec.Struct) else ()))
        found[key] = found.get(key, False) or value not in nothing
        filled(value, found)
    if isinstance(thing, list | tuple):
        for each in thing:
            filled(each, found)
    if isinstance(thing, dict):
        for each in thing.values():
            filled(each, found)


def test_every_field_of_every_message_is_tried() -> None:
    assert {type(talk[at]) for talk, at in CASES} == set(get_args(p.FromServer))
    found: dict[tuple[type, str], bool] = {}
    for talk, at in CASES:
        filled(talk[at], found)
    missing = {name for (kind, name), ever in found.items() if not ever and kind is not Rules}
    assert not missing
    events = {
        event.get("event")
        for talk, at in CASES
        for event in [*getattr(talk[at], "notices", ()), *getattr(talk[at], "history", ())]
    }
    assert events >= set(codec._EVENTS)
    assert any(getattr(talk[at], "sheet", ()) for talk, at in CASES)


def leaves(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from leaves(value, (*path, key))
    elif isinstance(plain, list | tuple):
        for at, value in enumerate(plain):
            yield from leaves(value, (*path, at))
    else:
        yield path, plain


def changed(plain: Any, path: tuple[Any, ...], value: object) -> bytes:
    plain = inner = copy.deepcopy(plain)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return msgspec.msgpack.encode(plain)


ESCAPE = "\x1b]2;EVIL\x1b\\\x9b2J\u202e"
ODD: tuple[object, ...] = (math.nan, math.inf, -math.inf, -1, -1.0, 1e30, 2**63, -(2**63))


@pytest.mark.parametrize("talk", CASES, ids=lambda case: type(case[0][case[1]]).__name__.lower())
def test_nothing_that_a_server_says_does_harm(talk: tuple[list[Any], int]) -> None:
    messages, at = talk
    heard([p.encode(message)[4:] for message in messages])  # as it is, it is fit to be heard
    plain = msgspec.msgpack.decode(p.encode(messages[at])[4:])
    tried = 0
    for path, leaf in leaves(plain):
        if path in (("type",), ("id",)) or isinstance(leaf, bool | None):
            continue  # an id is compared with others, and shown nowhere
        for harm in (ESCAPE,) if isinstance(leaf, str) else ODD:
            payloads = [p.encode(message)[4:] for message in messages]
            payloads[at] = changed(plain, path, harm)
            try:
                told = heard(payloads)
            except (p.ProtocolError, ValueError):
                tried += 1
                continue
            for value in told:
                assert harmless(value), (path, harm, value)
            tried += 1
    assert tried


def heard(payloads: list[bytes]) -> list[object]:
    """Everything that a client has of these messages afterwards."""
    memory = Memory()
    had: list[object] = []
    for payload in payloads:
        message = sense.sound(p.from_server(payload))
        if isinstance(message, p.Snapshot | p.Page | p.Update):
            had.append(memory.take(message) or ())
        else:
            had.append(message)
    view = memory.view()
    if view is not None:
        assert memory.info is not None
        assert len(memory.info.chairs) == view.rules.players
    had += [memory.info, view, memory.seq, memory.seat]
    return [value for thing in had for value in values(thing)]


def values(thing: object) -> Iterator[object]:
    if isinstance(thing, Sentence):
        yield str(thing.error())
    elif found := names(thing):
        for name in found:
            yield from values(getattr(thing, name))
    elif isinstance(thing, list | tuple):
        for each in thing:
            yield from values(each)
    else:
        yield thing


def harmless(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable() and "EVIL" not in value
    if isinstance(value, int | float):
        return 0 <= value < 10**18
    return True


# Seats


def started(players: int = 2) -> Table:
    table = Table(Setup(Rules(players=players), bytes(32)))
    for seat in range(players):
        table.apply(s.Sit(seat, "P", Kind.HUMAN), 0.0)
    return table


def shown(table: Table, seat: int | None) -> Memory:
    memory = Memory()
    for message in telling.snapshot(table, seat, None):
        memory.take(message)  # type: ignore[arg-type]
    return memory


@pytest.mark.parametrize("seat", [2, 9, -1, 40, None])
@pytest.mark.parametrize("playing", [False, True])
def test_nobody_is_led_to_a_seat_that_is_not_there(seat: int | None, playing: bool) -> None:
    table = started()
    if playing:
        table.apply(s.Start(), 0.0)
    memory = shown(table, 0)
    first = telling.snapshot(table, 0, None)[0]
    assert isinstance(first, p.Snapshot)
    first.seat = seat
    for message in (p.Update(table.seq, seat), p.Update(table.seq, seat, info=table.info), first):
        with pytest.raises(p.ProtocolError):
            memory.take(message)
        assert memory.seat == 0


def test_a_seat_is_changed_before_the_game_and_never_without_its_rack() -> None:
    table = started(3)
    table.apply(s.Stand(1), 0.0)
    memory = shown(table, 0)
    notices = table.apply(s.Move(0, 1), 0.0)
    memory.take(telling.update(table, 1, notices, info=table.info))
    assert memory.seat == 1
    table.apply(s.Sit(0, "P"), 0.0)
    notices = table.apply(s.Start(), 0.0)
    memory.take(telling.update(table, 1, notices, info=table.info))
    with pytest.raises(p.ProtocolError):
        memory.take(p.Update(table.seq, 0))
    assert memory.seat == 1


def test_a_game_has_as_many_chairs_as_players() -> None:
    table, other = started(2), started(4)
    for each in (table, other):
        each.apply(s.Start(), 0.0)
    for change in ({"info": other.info}, {"rules": other.rules}):
        memory = shown(table, 0)
        with pytest.raises(p.ProtocolError):
            memory.take(p.Update(table.seq, 0, **change))  # type: ignore[arg-type]
        assert memory.view() == table.view(0)


def test_a_seat_is_at_the_table_that_was_asked_for() -> None:
    seat, place = p.Seated("1", "KAFU", 0, "ab"), p.Seated("1", "KAFU")
    for request in (p.Join("1", " kafu "), p.Create("1", {}), p.Resume("1", "KAFU", "ab")):
        assert seat.answers(request)
        assert not place.answers(request)
    assert not seat.answers(p.Join("1", "MIRO"))
    assert place.answers(p.Watch("1", "KAFU"))
    assert not place.answers(p.Watch("1", "MIRO"))
    assert not seat.answers(p.Watch("1", "KAFU"))


@pytest.mark.parametrize("field", ["server_id", "address", "table", "name", "token"])
def test_a_seat_that_was_kept_with_harm_in_it_is_not_offered(tmp_path: Path, field: str) -> None:
    tokens = Tokens(tmp_path)
    seat = SavedSeat("ab", "localhost:7225", "KAFU", "Ana B", 0, "ab")
    tokens.save(replace(seat, **{field: ESCAPE}))  # by a version that believed its server
    tokens.save(seat)
    assert [kept.table for kept in tokens.saved()] == ["KAFU"]
