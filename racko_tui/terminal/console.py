"""What the terminal around the command line can do: show a screen, or only text; which letters."""

from __future__ import annotations

import io
import os
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unicodedata import category

from racko_core.errors import N_, RackoError
from racko_tui.terminal import asciify


@dataclass(frozen=True, slots=True)
class Letters:
    """What the terminal can show; the settings may ask for less."""

    ascii_only: bool
    """Because the command line says so, or the locale."""


class NoScreen(RackoError):
    """There is no terminal that a full screen could be shown on."""


_USUAL_COLUMNS: Final = 80
"""Of a terminal that does not know how wide it is."""
_COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python sets `LC_CTYPE` to where it finds the C locale, or one that is missing (PEP 538)."""


def speaks_utf8() -> bool:
    """Whether the terminal's locale is a UTF-8 one.

    The environment is asked before Python, which takes the plain C locale for UTF-8, and then
    sets `LC_CTYPE` to say so.
    """
    if os.name == "posix":
        for name in ("LC_ALL", "LC_CTYPE", "LANG"):
            locale = os.environ.get(name)
            if name == "LC_CTYPE" and locale in _COERCED:
                continue
            if locale:
                codeset = locale.partition("@")[0].partition(".")[2]
                if codeset.lower().replace("-", "") != "utf8":
                    return False
                break
        else:
            return False
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") == "utf8"


def prepare_output(*, ascii_only: bool) -> None:
    """Make sure that whatever is printed can be: nothing stops at a letter that is missing.

    Without `ascii_only` the terminal has to speak UTF-8. A closed stream takes what nobody reads.
    """
    asciify.register()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="ascii" if ascii_only else "utf-8", errors=asciify.ERRORS)


def tell(text: str, *, indent: str = "") -> None:
    """Print a line at once, `indent` before all that follow from it where a terminal wants it in
    several: they end between words.
    """
    if sys.stdout.isatty():
        text = _folded(text, os.get_terminal_size(sys.stdout.fileno()).columns, indent)
    print(text, flush=True)


def complain(text: str) -> None:
    """Print on the error output what went wrong; a terminal gets lines that end between words."""
    text = "".join(
        "?" if category(letter).startswith("C") and letter != "\n" else letter for letter in text
    )  # what somebody typed, and is told again, could move the cursor
    if sys.stderr.isatty():
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
        text = "\n".join(_folded(line, columns) for line in text.split("\n"))
    print(text, file=sys.stderr)


def _folded(line: str, columns: int, indent: str = "") -> str:
    """The line in lines of so many columns; 0 where a terminal does not tell."""
    columns = columns or _USUAL_COLUMNS
    if len(line) <= columns:
        return line
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def require_screen() -> None:
    """Raise `NoScreen`, with what to do instead, unless a full screen can be shown."""
    if os.environ.get("TERM") == "dumb":
        raise NoScreen(
            N_(
                "This terminal (TERM=dumb) cannot show a full screen; use another one, or "
                "“racko score” and “racko rules”, which print plain text."
            )
        )
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoScreen(
            N_(
                "The game needs a terminal for its screen and keyboard; start it in one, without "
                "“<”, “>” or “|”, or use “racko score” and “racko rules”, which print plain text."
            )
        )
    if not sys.stderr.isatty():
        raise NoScreen(
            N_("The screen is drawn on the error output; start racko again without “2>”.")
        )
