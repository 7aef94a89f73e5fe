"""The lines: a question holds the whole view, so a bot that gets it back decides as before."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from io import BytesIO

import msgspec
import pytest

from racko_core import actions
from racko_core.bots import LEVELS, bot
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.outside_bot import messages
from racko_net.outside_bot.player import OutsideBot
from racko_net.outside_bot.serving import ServingError, serve
from tests.net.outside.positions import PATIENT, first, views

RULES = [
    Rules(),
    Rules(players=3, exhausted="shuffle", call="manual"),
    Rules.preset("duel"),
    Rules.preset("bonus", 3),
    Rules.preset("partners"),
    Rules.preset("vintage", 4),
]

READY, CHOICE = messages.Ready, messages.Choice
DEEP = b"[" * 10_000 + b"]" * 10_000
FIRST = messages.encode(messages.hello(Rules(), 10.0, 5.0))
ASKED = messages.encode(messages.question(first(), 1))


def again(view: View) -> View:
    """The view after it has been a line."""
    asked = messages.from_racko(messages.encode(messages.question(view, 1)))
    assert isinstance(asked, messages.Question)
    first_line = messages.encode(messages.hello(view.rules, 10.0, 5.0))
    greeting = messages.from_racko(first_line)
    assert isinstance(greeting, messages.Hello)
    return messages.view_of(asked, messages.rules_of(greeting))


@pytest.mark.parametrize("rules", RULES)
def test_a_view_comes_back_as_it_was(rules: Rules) -> None:
    for view in views(rules, rounds=3):
        back = again(view)
        assert back.opening.dealer == view.opening.dealer
        assert dataclasses.replace(back, opening=view.opening) == view


@pytest.mark.parametrize("level", ["novice", "casual", "solid"])
@pytest.mark.parametrize("rules", RULES)
def test_a_bot_decides_the_same_from_a_line(level: str, rules: Rules) -> None:
    player = bot(level)
    for view in views(rules, level):
        assert player.decide(again(view)) == player.decide(view)


def test_a_line_is_one_line_of_plain_json() -> None:
    view = first(Rules(players=3))
    for message in (messages.hello(view.rules, 10.0, 5.0), messages.question(view, 7)):
        line = messages.encode(message)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert line.isascii()
        json.loads(line)


def test_a_question_hides_what_the_seat_may_not_see() -> None:
    for view in views(Rules(players=3), rounds=2):
        plain = json.loads(messages.encode(messages.question(view, 1)))
        assert plain["rack"] == list(view.rack)
        for event in plain["history"]:
            if event["event"] == "dealt":
                shown = [rack is not None for rack in event["racks"]]
                assert shown == [seat == view.seat for seat in range(3)]
            if event["event"] == "drew":
                assert (event["card"] is None) == (event["seat"] != view.seat)
        assert all(card is not None for card in plain["next_cards"])


def test_the_order_of_a_pile_that_was_turned_over_is_told() -> None:
    drawn: list[int] = []
    told = 0
    for view in views(Rules(stalemate_turnovers=3), "idle"):
        asked = messages.question(view, 1)
        assert len(asked.next_cards) == (view.draw_count if view.turnovers else 0)
        if drawn and view.hand is not None:
            assert view.hand == drawn[0], "the card on top was the next one drawn"
            told += 1
        drawn = list(asked.next_cards) if view.hand is None else []
    assert told > 10


def test_a_shuffled_pile_has_no_order_to_tell() -> None:
    rules = Rules(stalemate_turnovers=3, exhausted="shuffle")
    renewed = [view for view in views(rules, "idle") if view.turnovers]
    assert renewed
    assert all(messages.question(view, 1).next_cards == () for view in renewed)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b'{"type":"action"}',
        b'{"type":"action","id":"1","action":"d"}',
        b'{"type":"action","id":1.5,"action":"d"}',
        b'{"type":"ready"}',
        b'{"type":"ready","version":1} {"type":"ready","version":1}',
        b'{"type":"ready","version":1,"name":NaN}',
        b"\xff\xfe",
        b'{"a":' * 5000,
    ],
)
def test_what_is_no_answer_is_refused(line: bytes) -> None:
    for kind in (READY, CHOICE):
        with pytest.raises(ValueError):
            messages.from_program(line, kind)


@pytest.mark.parametrize(
    ("kind", "line", "complaint"),
    [
        (CHOICE, b"hello, world", "that is not JSON: only answers belong on the standard output"),
        (CHOICE, b'{"a":' * 5000, "it is nested too deep"),
        (CHOICE, b"[]", "an answer is a JSON object, in braces"),
        (CHOICE, b"{}", "the field “type” is missing"),
        (CHOICE, b'{"type":"decide"}', "a “decide” is answered by the type “action”, not “decide”"),
        (
            CHOICE,
            b'{"type":"ready","version":1}',
            "a “decide” is answered by the type “action”, not “re",
        ),
        (CHOICE, b'{"type":"\\u0000"}', "a “decide” is answered by the type “action”, not “\\x00”"),
        (
            CHOICE,
            b'{"type":"action","action":"d","id":%b}' % (b"1" * 5000),
            "a number in it has too many digits",
        ),
        (CHOICE, b'{"type":5}', "a “decide” is answered by the type “action”, not “5”"),
        (CHOICE, b'{"type":"\\ud800"}', "“\\ud800” is only half of a character (a lone surrogate)"),
        (CHOICE, b'{"type":"\xed\xa0\x80"}', "that is not UTF-8"),
        (
            CHOICE,
            b'\xef\xbb\xbf{"type":"action"}',
            "a byte order mark stands before it, which is no p",
        ),
        (CHOICE, b'{"type":NaN}', "that is not JSON: only answers belong on the standard output"),
        (CHOICE, DEEP, "it is nested too deep"),
        (CHOICE, b'{"type":"action","id":1,"why":' + DEEP + b"}", "it is nested too deep"),
        (CHOICE, b'{"type":[[5]]}', "a “decide” is answered by the type “action”, not “…”"),
        (CHOICE, b'{"type":"action","action":"d"}', "the field “id” is missing"),
        (READY, b'{"type":"ready","version":"1"}', "the field “version” should be a whole number"),
        (
            CHOICE,
            b'{"type":"action","id":1.5,"action":"d"}',
            "the field “id” should be a whole number",
        ),
        (
            CHOICE,
            b'{"type":"action","id":true,"action":"d"}',
            "the field “id” should be a whole number",
        ),
        (CHOICE, b'{"type":"action","id":1,"action":["d"]}', "the field “action” should be a text"),
        (READY, b'{"type":"ready","version":1,"name":null}', "the field “name” should be a text"),
    ],
)
def test_of_what_is_refused_it_is_said_why(
    kind: type[messages.Ready | messages.Choice], line: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError):
        messages.from_program(line, kind)
    assert str(messages.complaint(line, kind)).startswith(complaint)


def test_unknown_fields_and_messages_are_passed_over() -> None:
    answer = messages.from_program(
        b'{"mood":"good","action":"t3","id":4,"type":"action"}', messages.Choice
    )
    assert answer == messages.Choice(4, "t3")
    assert messages.from_racko(b'{"type":"weather","sky":"blue"}') is None
    with pytest.raises(ValueError):
        messages.from_racko(b'{"type":"decide","id":1}')


@pytest.mark.parametrize("depth", range(850, 1000, 3))
def test_no_depth_is_too_much_for_a_complaint(depth: int) -> None:
    line = b'{"type":' + b"[" * depth + b"]" * depth + b"}"
    with pytest.raises(ValueError):
        messages.from_program(line, messages.Choice)
    assert re.search("nested too deep|not “…”", str(messages.complaint(line, messages.Choice)))


# Ours, served


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"hello", "that is not JSON"),
        (b'{"type":"decide"', "that is not JSON"),
        (b"\xff", "that is not UTF-8"),
        (b"[]", "it should be “object”, not “array”"),
        (b"{}", "the field “type” is missing"),
        (b'{"type":"hello","racko":"\\ud83d"}', "“\\ud83d” is only half of a character"),
        (DEEP, "it is nested too deep"),
        (b'{"type":"hello","version":"1"}', "the field “version” should be “int”, not “str”"),
        (b'{"type":"hello","version":1}', "the field “racko” is missing"),
        (FIRST.replace(b'"players":2', b'"players":[]'), "the field “players” should be “int”"),
        (FIRST.replace(b'"target":500', b'"target":7'), "7"),
        (ASKED, "a hello comes first"),
        (
            FIRST + ASKED.replace(b'"turns":[0,0]', b'"turns":[0,{}]'),
            "the field “turns[1]” should",
        ),
        (FIRST + ASKED.replace(b'"d"', b'"zz"'), "“zz”"),
    ],
)
def test_what_our_bot_cannot_answer_it_says_in_words_of_ours(line: bytes, why: str) -> None:
    with pytest.raises(ServingError) as told:
        serve(bot("novice"), "novice", BytesIO(line), BytesIO())
    assert why in str(told.value)
    for raw in ("truncated", "malformed", "Expected", "`", "recursion"):
        assert raw not in str(told.value)


@pytest.mark.parametrize("level", list(LEVELS))
def test_a_question_that_makes_no_sense_is_not_answered(level: str) -> None:
    rules = Rules()
    asked = messages.question(next(iter(views(rules, "novice"))), 1)
    for wrong in ({"rack": (1, 2, 3)}, {"discards": ()}):
        lines = [messages.hello(rules, 1.0, 1.0), msgspec.structs.replace(asked, **wrong)]
        answers = BytesIO()
        with pytest.raises(ServingError, match="Line 2 cannot be answered"):
            serve(bot(level), level, BytesIO(b"".join(map(messages.encode, lines))), answers)
        assert answers.getvalue().count(b"\n") == 1


@pytest.mark.parametrize("level", ["novice", "solid"])
def test_our_bots_play_in_a_program_as_they_do_at_home(level: str) -> None:
    player = bot(level)
    for rules in (Rules(players=3), Rules.preset("partners")):
        with OutsideBot(f"{sys.executable} -m racko_tui bot run {level}", PATIENT) as outside:
            for view in views(rules, level):
                assert outside.decide(view) == player.decide(view), actions.encode
            assert outside.name == level
