"""Text from people, made harmless when it arrives: names, chat, and whatever a server says.

What is left is one line of printable characters in their logical order. It is text, and whoever
shows it shows it as text, never as markup.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import Final

from racko_core.errors import N_, RackoError

MAX_NAME: Final = 24
"""Characters, and columns, of a name."""
MAX_CHAT: Final = 300
"""Characters of one thing said."""
_PAD: Final = "\ue000"
"""A letter that stands in no text: it is for private use."""
_TIE: Final = "\ue001"
"""Another, which is a space afterwards."""
_MARKS: Final = 3
"""Marks that one letter may carry: enough for every living script, too few to climb."""
_MARK: Final = ("Mn", "Mc")
"""Categories of marks; they take no column of their own, as those reckon who draw our screens."""
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})
"""Control and format characters (escape sequences, bidi overrides, zero width), surrogates,
private and unassigned ones, and marks that enclose."""
_ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours, movements
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles
    r"|\x1b[ -/]*[0-~]?"
)
"""Whole escape sequences, so that nothing of them is left to read."""
_INVISIBLE: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Fillers: letters by their class, but nothing to see."""


class TextError(RackoError):
    """A name or a message that is empty or too long."""


def clean_name(text: str) -> str:
    """A name of 1 to 24 characters. Raises `TextError`.

    Compatibility forms are made plain, so that 𝗔𝗻𝗮 is Ana.
    """
    name = _plain(text)
    if not name or len(name) > MAX_NAME or width(name) > MAX_NAME:
        raise TextError(N_("A name has 1 to {allowed} characters."), allowed=MAX_NAME)
    return name


def short_name(text: str) -> str:
    """As much of a text as makes a name; empty if nothing of it does."""
    return beginning(_plain(text)[:MAX_NAME], MAX_NAME).rstrip()


def _plain(text: str) -> str:
    return harmless(unicodedata.normalize("NFKC", harmless(text[: 8 * MAX_NAME])))


def clean_chat(text: str) -> str:
    """Something said, of 1 to 300 characters. Raises `TextError`."""
    said = harmless(text[: 8 * MAX_CHAT])
    if not said or len(said) > MAX_CHAT:
        raise TextError(N_("A message has 1 to {allowed} characters."), allowed=MAX_CHAT)
    return said


def harmless(text: str) -> str:
    """The text in one line without anything that moves, hides, turns round or piles up."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", _ESCAPES.sub("", text)):
        kind = unicodedata.category(character)
        if character.isspace():
            kept.append(" ")
            marks = _MARKS  # a mark needs a letter to stand on
        elif kind in _DROPPED or character in _INVISIBLE or _is_selector(character):
            continue
        elif kind in _MARK:
            marks += 1
            if kept and marks <= _MARKS:
                kept.append(character)
        else:
            kept.append(_narrowed(character))
            marks = 0
    return " ".join("".join(kept).split())


def quoted(text: str, most: int) -> str:
    r"""As much of a text as fits into the quotes of a sentence, made harmless. Where nothing of it
    would be left, its characters are told by their codes: \x1b.
    """
    text = text[: 4 * most]
    shown = harmless(text)
    if not shown:
        codes = "".join(map(_code, text.strip() or text))
        return codes if len(codes) <= most else codes[:most].rpartition("\\")[0] + "…"
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _code(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def width(text: str) -> int:
    """Columns that the text takes on a terminal."""
    return sum(
        0
        if unicodedata.category(character) in _MARK or _is_bound(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def filled(text: str, columns: int) -> str:
    """The text with spaces behind it, in so many columns."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int) -> str:
    """The text; or as much of its beginning as fits into so many columns, and `…`."""
    if width(text) <= columns:
        return text
    return beginning(text, columns - 1) + "…" if columns > 0 else ""


def beginning(text: str, columns: int) -> str:
    """As much of the beginning as fits."""
    used = 0
    for at, letter in enumerate(text):
        used += width(letter)
        if used > columns:
            return text[:at]
    return text


def ending(text: str, columns: int) -> str:
    """As much of the end as fits; it does not begin with a mark whose letter is gone."""
    start, used = len(text), 0
    for at in reversed(range(len(text))):
        wide = width(text[at])
        used += wide
        if used > columns:
            break
        if wide:
            start = at
    return text[start:]


def wrapped(text: str, columns: int, *, first: str = "", indent: str = "") -> list[str]:
    """The text in lines of at most so many columns: `first` stands before the first of them, and
    `indent` before the others. A number is never parted from its per cent sign; where a line ends
    in the text, one ends here.
    """
    before, parted, last = text.rpartition("\n")
    if parted:
        above = wrapped(before, columns, first=first, indent=indent)
        return [*above, *wrapped(last, columns, first=indent, indent=indent)]
    text = text.replace(" %", f"{_TIE}%")
    # Only letters are counted there, so each wide one brings another, which is taken out again.
    padded = "".join(_PAD * (width(letter) - 1) + letter for letter in text)
    lines = textwrap.wrap(padded, columns, initial_indent=first, subsequent_indent=indent)
    return [line.replace(_PAD, "").replace(_TIE, " ") for line in lines]


def _is_selector(character: str) -> bool:
    """Whether it chooses the looks of the character before it, which terminals measure badly."""
    return (
        "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skins
    )


def _is_bound(character: str) -> bool:
    """Whether it is a Hangul vowel or final, which takes no column beside its consonant."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb"


def _narrowed(character: str) -> str:
    """The character, or a box for one of which terminals and others reckon the width differently.

    Of Hangul vowels and finals only those are left here that have no consonant to join.
    """
    odd = (
        _is_bound(character)
        or "\ufdf0" <= character <= "\ufdff"
        or "\U00012000" <= character <= "\U0001254f"
        or "\U0001f1e6" <= character <= "\U0001f1ff"  # halves of flags
        or "\u2630" <= character <= "\u2637"  # trigrams and the like, wide since Unicode 16
        or "\u268a" <= character <= "\u268f"
        or "\u4dc0" <= character <= "\u4dff"
        or "\U0001d300" <= character <= "\U0001d376"
        or character in "\u2e3a\u2e3b\ua9c5\u102a\u0bf5\u0bf8"
    )
    return "\u25a1" if odd else character
