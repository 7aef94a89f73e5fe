"""What a client remembers: small updates make the server's whole views, at every step."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from racko_core import seating as s
from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Options, Setup, Stage
from racko_core.table import Table
from racko_core.view import Phase
from racko_net.clientside.memory import Memory
from racko_net.framing import MAX_FRAME
from racko_net.protocol import (
    Message,
    Page,
    ProtocolError,
    Snapshot,
    Update,
    encode,
    from_server,
)
from racko_net.reasons import Unfit
from racko_net.serverside import telling

SEATS = (0, 1, 2, None)


def sent(message: Message) -> Snapshot | Page | Update:
    """The message after its journey over the wire."""
    arrived = from_server(encode(message)[4:])  # type: ignore[arg-type]
    assert isinstance(arrived, Snapshot | Page | Update)
    return arrived


def shown(table: Table, seat: int | None) -> Memory:
    memory = Memory()
    for message in telling.snapshot(table, seat, None):
        memory.take(sent(message))
    return memory


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=3, target=150),
        Rules(players=3, target=150, bonus=True, exhausted="shuffle", stalemate_turnovers=1),
    ],
)
def test_updates_and_snapshots_make_the_views_of_the_server(rules: Rules) -> None:
    table = Table(Setup(rules, bytes(32), Options()))
    memories = {seat: shown(table, seat) for seat in SEATS}
    player = bot("novice")

    def do(given: s.Input) -> None:
        notices = table.apply(given, 0.0)
        for seat, memory in memories.items():
            memory.take(sent(telling.update(table, seat, notices, info=table.info)))
            assert memory.view() == table.view(seat)
            assert memory.info == table.info
            assert memory.seq == table.seq

    for number in range(3):
        do(s.Sit(number, f"P{number}"))
    do(s.Start())
    for step in range(2000):
        game = table.game
        assert game is not None
        if table.stage is Stage.FINISHED:
            if table.game_number == 2:
                break
            do(s.Rematch())
        elif game.phase is Phase.DEAL:
            do(s.Do(game.turn or 0, game.legal_actions()[0]))
        else:
            assert game.turn is not None
            view = table.view(game.turn)
            assert view is not None
            do(s.Do(game.turn, decide_safely(player, view)))
        if step % 20 == 0:
            for seat in SEATS:
                assert shown(table, seat).view() == table.view(seat)
    else:
        raise AssertionError("the games did not end")


def test_a_long_game_fits_into_frames() -> None:
    table = Table(Setup(Rules(players=2, target=10_000, stalemate_turnovers=2), bytes(32)))
    for seat in range(2):
        table.apply(s.Sit(seat, "日" * 12), 0.0)
    table.apply(s.Start(), 0.0)
    told = []
    while table.game is not None and table.game.round < 150:
        game = table.game
        legal = game.legal_actions()
        told += table.apply(s.Do(game.turn or 0, legal[0]), 0.0)
    messages = telling.snapshot(table, 0, None)
    assert len(messages) > 3
    for message in (*messages, *telling.missing(table, 0, told[-400:], None)):
        assert len(encode(message)) < 48 * 1024
    assert shown(table, 0).view() == table.view(0)


def test_whatever_was_said_in_long_words_fits_into_frames() -> None:
    longest = "\U00010410" * 24, "\U0001f600" * 300
    table = Table(Setup(Rules(players=4), bytes(32), name=longest[0]))
    for seat in range(4):
        table.apply(s.Sit(seat, longest[0]), 0.0)
    memory = shown(table, 0)
    told = list(table.apply(s.Start(), 0.0))
    told += table.apply(s.Do(table.game.turn or 0, table.game.legal_actions()[0]), 0.0)  # type: ignore[union-attr]
    for _ in range(295):
        told += table.apply(s.Say(1, *longest), 0.0)
    messages = telling.missing(table, 0, told, None)
    assert max(len(encode(message)) for message in messages) < MAX_FRAME * 3 // 4
    heard = [memory.take(sent(message)) for message in messages]  # type: ignore[arg-type]
    assert heard[-1] is not None
    assert [notice.seq for notice in heard[-1]] == [notice.seq for notice in told]
    assert memory.view() == table.view(0)


def test_text_from_a_server_is_made_harmless() -> None:
    table = Table(Setup(Rules(), bytes(32), name="T\x1b[31mable"))
    table.apply(s.Sit(0, "A\u202ena"), 0.0)
    memory = shown(table, 0)
    assert memory.info is not None
    assert (memory.info.name, memory.info.chairs[0].name) == ("Table", "Ana")
    notices = table.apply(s.Say(0, "A\u202ena", "hi\x07 \x1b]0;x\x07there"), 0.0)
    (notice,) = memory.take(sent(telling.update(table, 0, notices, info=None))) or ()
    assert notice.news == s.Said(0, "Ana", "hi there")


@contextlib.contextmanager
def refused() -> Iterator[None]:
    """Refused, for a reason that can be translated."""
    with pytest.raises(ProtocolError) as told:
        yield
    reason = told.value.values["reason"]
    assert isinstance(reason, Unfit)
    assert reason.template != "it is damaged"


@pytest.mark.parametrize(
    "message",
    [
        Update(seq=1),
        Page(sheet=[]),
        Page(history=[{"event": "turn", "seat": 0}]),
    ],
)
def test_what_makes_no_sense_is_refused(message: Update | Page) -> None:
    with refused():
        Memory().take(message)


@pytest.mark.parametrize(
    "notice",
    [
        {},
        {"seq": "1", "event": "turn", "seat": 0},
        {"seq": 1, "event": "nothing"},
        {"seq": 1, "event": "turn"},
        {"seq": 1, "event": "turn", "seat": "0"},
        {"seq": 1, "remark": "nothing"},
        {"seq": 1, "said": "x", "seat": "0"},
    ],
)
def test_a_notice_that_makes_no_sense_is_refused(notice: dict[str, object]) -> None:
    table = Table(Setup(Rules(), bytes(32)))
    memory = shown(table, None)
    with refused():
        memory.take(Update(seq=1, notices=[notice]))


BAD_POSITIONS: list[dict[str, object]] = [
    {"racks": ()},
    {"racks": ((1,), (2, 3))},
    {"racks": (None, None)},
    {"racks": ((10**15,) * 10, None)},
    {"turn": 2},
    {"turn": None},
    {"dealer": -1},
    {"discards": ()},
    {"discards": (99,)},
    {"hand": -3},
    {"known": ()},
    {"known": ((None,) * 10, (None,) * 9)},
    {"last_slot": (55, None)},
    {"turns": (0,)},
    {"totals": (0, 0, 0)},
    {"draw_count": -4},
    {"legal": ("fly",)},
]


@pytest.mark.parametrize("change", BAD_POSITIONS)
def test_a_position_that_cannot_be_is_refused_and_not_shown(change: dict[str, object]) -> None:
    table = Table(Setup(Rules(), bytes(32)))
    for seat in range(2):
        table.apply(s.Sit(seat, "P"), 0.0)
    table.apply(s.Start(), 0.0)
    assert table.game is not None
    table.apply(s.Do(table.game.turn or 0, table.game.legal_actions()[0]), 0.0)
    memory = shown(table, 0)
    for message in (
        telling.update(table, 0, info=None),
        telling.snapshot(table, 0, None)[0],
    ):
        assert isinstance(message, Snapshot | Update)
        assert message.position is not None
        message.position = msgspec.structs.replace(message.position, **change)
        with refused():
            memory.take(message)
        assert memory.view() == table.view(0)


@pytest.mark.parametrize(
    "notice",
    [
        {"event": "drew", "seat": 7, "card": None},
        {"event": "placed", "seat": 1, "slot": 99, "card": 7, "source": "draw", "discarded": 8},
        {"event": "discarded", "seat": 1, "card": 600},
        {"said": "hello", "seat": 77, "name": "Ana"},
        {"remark": "away", "seat": -1, "name": "Ana"},
        {"event": "over", "winners": [9], "totals": [0, 0], "rounds": 1},
        {"event": "over", "winners": [0], "totals": [0], "rounds": 1},
    ],
)
def test_what_cannot_have_happened_is_refused(notice: dict[str, object]) -> None:
    table = Table(Setup(Rules(), bytes(32)))
    for seat in range(2):
        table.apply(s.Sit(seat, "P"), 0.0)
    table.apply(s.Start(), 0.0)
    memory = shown(table, 0)
    with refused():
        memory.take(Update(seq=9, seat=0, notices=[{"seq": 9, **notice}]))
    assert memory.view() == table.view(0)


def test_neither_pages_nor_updates_go_on_for_ever() -> None:
    table = Table(Setup(Rules(), bytes(32)))
    memory = shown(table, None)
    with refused():
        memory.take(Snapshot(seq=1, info=table.info, pages=2**40))
    said = {"seq": 1, "said": "x", "seat": 0, "name": "P"}
    for _ in range(40):
        assert memory.take(Update(seq=1, notices=[said] * 50, more=True)) is None
    with refused():
        memory.take(Update(seq=1, notices=[said] * 50, more=True))


@pytest.mark.parametrize(
    "change",
    [
        {"chairs": ()},
        {"chairs": (s.Chair(),) * 30},
        {"owner": 99},
        {"turn_ends": float("nan")},
        {"options": Options(grace=float("inf"))},
    ],
)
def test_a_table_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    table = Table(Setup(Rules(), bytes(32)))
    memory = shown(table, None)
    with refused():
        memory.take(Update(seq=1, info=replace(table.info, **change)))  # type: ignore[arg-type]
    assert memory.info == table.info
