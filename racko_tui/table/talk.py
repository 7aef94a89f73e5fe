"""What people say at a table: quick phrases, in the language of whoever reads them."""

from __future__ import annotations

from typing import Final

from racko_core.errors import N_, RackoError
from racko_core.seating import Said
from racko_tui.i18n import _, sentence

PHRASES: Final = (
    N_("Hello!"),
    N_("Well played!"),
    N_("Good luck!"),
    N_("Your turn!"),
    N_("One moment, please."),
    N_("So close!"),
    N_("Thanks, that is just what I need."),
    N_("Another game?"),
    N_("Goodbye!"),
)
"""By their digits, 1 up. The English words are sent; whoever has a racko reads their own."""


def in_words(text: str) -> str:
    """Something said, as the reader reads it."""
    return _(text) if text in PHRASES else text


def unsent(why: RackoError, key: str) -> str:
    """That words have not reached the table; `key` opens the line, where they are kept."""
    return _("Not said; {key} brings your words back. {why}").format(key=key, why=sentence(why))


def line(said: Said) -> str:
    """`Bo: hello`."""
    return f"{said.name}: {in_words(said.text)}"
