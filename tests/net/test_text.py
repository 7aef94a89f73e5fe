"""Names and chat: nothing in them moves, hides, turns round or piles up."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from racko_net.text import (
    MAX_CHAT,
    MAX_NAME,
    TextError,
    clean_chat,
    clean_name,
    harmless,
    width,
    wrapped,
)


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
