"""The line that says what can be pressed now."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from racko_tui.i18n import _

Hint = tuple[str, str]
"""A key as people write it, and what it does."""


class Hints(Static):
    """Keys and what they do, in one line or as many as they need."""

    DEFAULT_CSS = """
    Hints { height: auto; color: $quiet; }
    """

    def __init__(self, hints: Sequence[Hint], *, id: str | None = None) -> None:
        super().__init__(line_of(hints), id=id)

    def show(self, hints: Sequence[Hint]) -> None:
        """Say something else."""
        self.update(line_of(hints))


def line_of(hints: Sequence[Hint]) -> Content:
    """The hints in one line; a key and its word are never torn apart.

    Keys are looked up like words: where there is only ASCII, signs are spelt out.
    """
    parts = [
        Content.assemble((_(key), "$accent bold"), "\N{NO-BREAK SPACE}", _unbroken(word))
        for key, word in hints
    ]
    return Content("   ").join(parts)


def _unbroken(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")
