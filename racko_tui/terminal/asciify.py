"""Text for terminals that have ASCII and nothing else."""

from __future__ import annotations

import codecs
import unicodedata
from typing import Final

_SPELT: Final = {
    "Æ": "Ae", "æ": "ae", "Ø": "Oe", "ø": "oe", "Å": "Aa", "å": "aa",
    "Œ": "Oe", "œ": "oe", "ß": "ss",
    "“": '"', "”": '"', "«": '"', "»": '"', "„": '"', "’": "'", "‘": "'",
    "–": "-", "—": "-", "−": "-", "‑": "-", "…": "...", "·": "-", "•": "*", "×": "x", "±": "+/-",
    "→": ">", "←": "<", "↑": "^", "↓": "v", "⏎": "Enter", "▸": ">", "◂": "<",
    "│": "|", "┃": "|", "─": "-", "━": "-", "✗": "x", "✓": "*", "▒": "#",
}  # fmt: skip
ERRORS: Final = "racko-asciify"
"""Name of the codec error handler that `register` makes known."""


def asciify(text: str) -> str:
    """`text` spelt with ASCII characters; it may grow longer."""
    return "".join(char if char.isascii() else _spelt(char) for char in text)


def register() -> None:
    """Make `ERRORS` known: an encoder with it never fails, and no character changes its width.

    It is the last line of defence for what is not ours to spell, such as names: on a screen that
    is laid out already a letter must not become two.
    """
    codecs.register_error(ERRORS, _replace)


def _spelt(char: str) -> str:
    if char in _SPELT:
        return _SPELT[char]
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    if plain or unicodedata.combining(char):
        return plain
    return "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_same_width, lost)), error.end


def _same_width(char: str) -> str:
    if unicodedata.combining(char):
        return ""
    width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return _spelt(char)[:width].ljust(width, "?")
