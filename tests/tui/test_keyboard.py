"""What the keyboard makes of bytes."""

from __future__ import annotations

import gc
import math
import weakref

import pytest
import textual._parser
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from racko_tui.terminal.keyboard import Keyboard


def keys(found: list[Message]) -> list[str]:
    return [event.key for event in found if isinstance(event, events.Key)]


def test_an_escape_alone_is_a_key_after_a_tenth_of_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 10.0
    monkeypatch.setattr(textual._parser, "get_time", lambda: now)
    keyboard = Keyboard("utf-8", longest=20_000)
    assert keyboard.feed(b"\x1b") == []
    now += 0.05
    assert keyboard.tick() == []
    now += 0.06
    assert keys(keyboard.tick()) == ["escape"]
    assert keys(keyboard.feed(b"a")) == ["a"]


def test_ticking_ends_by_itself() -> None:
    keyboard = Keyboard("utf-8", longest=20_000)
    assert not keyboard.ticking
    keyboard.feed(b"a")
    ticks = 0
    while keyboard.ticking:
        keyboard.tick()
        ticks += 1
    assert 0.1 < ticks * 0.05 < 1


def test_letters_are_those_of_the_locale() -> None:
    assert keys(Keyboard("latin-1", longest=20_000).feed(b"\xe6")) == ["æ"]
    keyboard = Keyboard("utf-8", longest=20_000)
    assert keyboard.feed(b"\xc3") == []
    assert keys(keyboard.feed(b"\xa6")) == ["æ"]


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x1b[99999999;1u",
        b"\x1b[48;99999;99999;0;0t",
        b"\x1b[48;24;80;0;0t\x1b[<0;5;5M",
        b"\xff\xfe\xfd",
        b"\x1b[200~" + b"x" * 50_000,
    ],
    ids=["no such character", "a huge size", "a size in pixels", "no UTF-8", "an endless paste"],
)
def test_nonsense_is_survived_and_claims_no_size(nonsense: bytes) -> None:
    keyboard = Keyboard("utf-8", longest=20_000)
    found = keyboard.feed(nonsense)
    assert not any(isinstance(event, events.Resize) for event in found)
    assert keys(keyboard.feed(b"\x1b[A"))[-1:] == ["up"]


def test_no_parser_is_kept_alive_by_what_was_typed() -> None:
    before = XTermParser._parse_extended_key.cache_info().currsize
    keyboard = Keyboard("utf-8", longest=20_000)
    keyboard.feed(b"\x1b[A\x1b[1;5C\x1bOP")
    assert XTermParser._parse_extended_key.cache_info().currsize == before
    gone = weakref.ref(keyboard._parser)
    del keyboard
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("data", "pressed"),
    [(b"\xe9d", ["d"]), (b"caf\xe9 ", ["c", "a", "f", "space"]), (b"\xff\xff\xff", [])],
)
def test_what_is_no_text_is_passed_over(data: bytes, pressed: list[str]) -> None:
    assert keys(Keyboard("utf-8", longest=math.inf).feed(data)) == pressed


def mouse(found: list[Message]) -> list[tuple[type[Message], int, int, int]]:
    return [
        (type(event), event.button, event.x, event.y)
        for event in found
        if isinstance(event, events.MouseEvent)
    ]


def x10(what: int, column: int, row: int) -> bytes:
    return b"\x1b[M" + bytes((32 + what, 32 + column, 32 + row))


@pytest.mark.parametrize("column", [1, 95, 96, 100, 164, 200, 223])
def test_a_mouse_is_heard_in_the_old_form_too(column: int) -> None:
    keyboard = Keyboard("utf-8", longest=math.inf)
    found = keyboard.feed(x10(2, column, 10) + x10(3, column, 10) + x10(35, 3, 223) + b"d")
    assert mouse(found) == [
        (events.MouseDown, 3, column - 1, 9),
        (events.MouseUp, 3, column - 1, 9),
        (events.MouseMove, 0, 2, 222),
    ]
    assert keys(found) == ["d"]
    assert mouse(keyboard.feed(x10(64, 1, 1)))[0][0] is events.MouseScrollUp


def test_a_report_of_the_mouse_that_says_nothing_is_passed_over_whole() -> None:
    (event,) = Keyboard("utf-8", longest=math.inf).feed(b"\x1b[M\x00\x0a\x1bd")
    assert keys([event]) == ["d"]


@given(st.lists(st.integers(1, 40)))
def test_a_report_of_the_mouse_may_come_in_pieces(lengths: list[int]) -> None:
    data = x10(0, 200, 40) + "é".encode() + x10(3, 200, 40) + b"\x1b[A\x1b[<0;5;6M" + x10(0, 1, 1)
    at_once = Keyboard("utf-8", longest=math.inf).feed(data)
    keyboard = Keyboard("utf-8", longest=math.inf)
    found: list[Message] = []
    for length in lengths:
        found += keyboard.feed(data[:length])
        data = data[length:]
    found += keyboard.feed(data)
    assert (mouse(found), keys(found)) == (mouse(at_once), keys(at_once))


def test_a_long_paste_is_one_where_memory_is_the_players_own() -> None:
    keyboard = Keyboard("utf-8", longest=math.inf)
    text = "d" * 100_000
    found: list[Message] = []
    for part in (b"\x1b[200~", *[text[:4096].encode()] * 25, b"\x1b[201~", b"d"):
        found += keyboard.feed(part)
    assert [type(event) for event in found] == [events.Paste, events.Key]
