"""Names and chat: nothing in them moves, hides, turns round or piles up."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from racko_net.text import (
    MAX_CHAT,
    MAX_NAME,
    TextError,
    beginning,
    clean_chat,
    clean_name,
    cut,
    ending,
    filled,
    harmless,
    quoted,
    width,
    wrapped,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("Ana", "Ana"),
        ("\x1b[31mAna", "Ana"),
        ("\0\x1b\n", r"\x00\x1b"),
        (" ", r"\x20"),
        ("\x1b[31m", r"\x1b\x5b\x33\x31\x6d"),
        ("\u202e\U000e0001", r"\u202e\U000e0001"),
        ("\0" * 1000, r"\x00" * 6 + "…"),
        ("x" * 30, "x" * 24 + "…"),
    ],
)
def test_in_quotes_there_is_always_something_to_see(text: str, shown: str) -> None:
    assert quoted(text, 25) == shown
    assert harmless(shown) == shown


@pytest.mark.parametrize(
    ("sent", "left"),
    [
        ("plain", "plain"),
        ("  two \t\n words\r", "two words"),
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://evil\x1b\\b", "ab"),
        ("a\x9b2Jb", "ab"),
        ("a\x1bPq#0\x1b\\b", "ab"),
        ("a\x1bcb", "ab"),
        ("a\x00\x07\x08b", "ab"),
        ("abc\u202edef", "abcdef"),
        ("\u2066x\u2069\u200f", "x"),
        ("a\u200bb\u200d\ufeffc", "abc"),
        ("a\u2028b\u2029c", "a b c"),
        ("\U000e0041tag", "tag"),
        ("fi\u00adle", "file"),
        ("\u3164\u115fx", "x"),
        ("a" + "\u0301" * 50, "\u00e1\u0301\u0301\u0301"),
        ("\u0301\u0301a", "a"),
        ("\u20dda", "a"),
        ("\ufdfd", "\u25a1"),
        ("\u1161\u11a8\u1161", "\u25a1\u25a1\u25a1"),
        ("\u1100\u1161\u11a8", "\uac01"),
        ("\U0001f1eb\U0001f1f7", "\u25a1\u25a1"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
        ("日本語", "日本語"),
        ("สวัสดี", "สวัสดี"),
        ("Zoë Ångström", "Zoë Ångström"),
        ("\ud800x", "x"),
    ],
)
def test_what_is_left_of_a_text(sent: str, left: str) -> None:
    assert harmless(sent) == left


@given(st.text(alphabet=st.characters(), max_size=80))
@example("\x1b\u202e[31m")
@example("\x1b[\u200b31mx")
def test_nothing_harmful_is_ever_left(sent: str) -> None:
    left = harmless(sent)
    assert not {unicodedata.category(each) for each in left} & {"Cc", "Cf", "Cs", "Co", "Cn"}
    assert "\n" not in left
    assert left == left.strip()
    assert harmless(left) == left


def test_a_name_is_1_to_24_characters_and_columns() -> None:
    assert clean_name("x" * MAX_NAME) == "x" * MAX_NAME
    assert clean_name("本" * 12) == "本" * 12
    for bad in ("", "   ", "\u200b", "x" * (MAX_NAME + 1), "本" * 13, "\x1b[31m"):
        with pytest.raises(TextError):
            clean_name(bad)


def test_letters_in_fancy_dress_are_plain_in_a_name() -> None:
    assert clean_name("𝗔𝗻𝗮") == "Ana"


def test_a_message_is_1_to_300_characters() -> None:
    assert clean_chat("x" * MAX_CHAT) == "x" * MAX_CHAT
    for bad in ("", "\u202e", "x" * (MAX_CHAT + 1)):
        with pytest.raises(TextError):
            clean_chat(bad)


def test_width_counts_columns() -> None:
    assert width("ab") == 2
    assert width("日本") == 4
    assert width("e\u0301") == 1


@given(st.text(alphabet="ab 日本é", max_size=60), st.integers(8, 30))
def test_wrapped_lines_lose_nothing_and_fit(text: str, columns: int) -> None:
    lines = wrapped(text, columns, first="> ", indent="  ")
    assert "".join("".join(lines).split()) == "".join(("> " * bool(lines) + text).split())
    # A wide letter may be the one too many where a word is longer than a line.
    assert all(width(line) <= columns + 1 for line in lines)
    if max((width(word) for word in text.split()), default=0) <= columns - 2:
        assert all(width(line) <= columns for line in lines)


def test_a_number_and_its_per_cent_sign_stay_together() -> None:
    for columns in range(8, 40):
        lines = wrapped("Chance to win 52 % → 17 %, next best (16 %).", columns, indent="  ")
        assert not any(line.strip().startswith("%") for line in lines)
        assert max(map(width, lines)) <= columns
    assert wrapped("Won 52 %.", 20) == ["Won 52 %."]


def test_a_line_that_ends_in_a_text_ends_when_it_is_wrapped() -> None:
    text = "This gives it back:\nssh -t host ABC-DEF"
    assert wrapped(text, 22, indent="  ") == ["This gives it back:", "  ssh -t host ABC-DEF"]


@pytest.mark.parametrize(
    "text", ["", "Ana", "Maximiliane", "田中さくら", "a田b中c🎴", "क्षितिज", "e\u0301" * 5]
)
@pytest.mark.parametrize("columns", range(12))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    for part in (cut(text, columns), beginning(text, columns), ending(text, columns)):
        assert width(part) <= columns
    assert text.startswith(beginning(text, columns))
    assert text.endswith(ending(text, columns))
    assert width(filled(beginning(text, columns), columns)) == columns


def test_a_letter_is_cut_off_whole() -> None:
    assert cut("田中さくら", 10) == "田中さくら"
    assert cut("田中さくら", 9) == "田中さく…"
    assert cut("田中さくら", 8) == "田中さ…"
    assert ending("田中さくら", 5) == "くら"
    assert ending("ae\u0301b", 1) == "b"
    assert beginning("ae\u0301b", 2) == "ae\u0301"


def test_every_letter_is_as_wide_as_the_screen_counts_it() -> None:
    letters = {harmless("a" + chr(code))[1:] for code in range(0x21, sys.maxunicode)}
    assert [letter for letter in letters if cell_len(letter) != width(letter)] == []
