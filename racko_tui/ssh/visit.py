"""Who comes, from where, to which table, and with what kind of terminal."""

from __future__ import annotations

import locale
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from racko_net.text import MAX_NAME, TextError, clean_name
from racko_tui.i18n import LANGUAGES
from racko_tui.ssh.options import Server
from racko_tui.terminal.size import clamped

Colours = Literal["truecolor", "256", "standard"]
"""What a terminal can show, in the words of Rich."""
Encoding = Literal["utf-8", "latin-1", "ascii"]

SSH: Final = 22
"""The port that `ssh` takes unless told otherwise."""
_TRUECOLOUR: Final = ("kitty", "ghostty", "alacritty", "foot", "wezterm", "contour", "direct")
"""Terminals with all colours; `ssh` does not pass COLORTERM on unless it is told to."""
_COLOURLESS: Final = ("vt", "xterm-mono", "linux-m", "ansi-m")
_TABLE_CODE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}")

ENVIRONMENT: Final = re.compile(rb"LANG|LC_[A-Z]{1,20}|COLORTERM|NO_COLOR")
"""The variables that are taken from a client; TERM comes with the terminal itself."""
LONGEST_VALUE: Final = 64
MOST_VARIABLES: Final = 20


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a player is, as far as it was proved."""

    name: str
    """The name at the table: the SSH user name, made harmless."""
    proof: Literal["key", "password", ""] = ""
    """How it was proved; empty if anybody could have said so."""
    id: str = ""
    """What stays the same from visit to visit, and nobody else can have; empty without a proof."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What the client's terminal is, and can."""

    kind: str
    """TERM."""
    size: tuple[int, int]
    """Columns and rows at the start."""
    encoding: Encoding = "utf-8"
    colours: Colours = "256"
    no_color: bool = False
    language: str = ""
    """A key of `LANGUAGES`, as the client's locale has it; empty if it says nothing."""

    @classmethod
    def of(cls, kind: str, size: tuple[int, int], env: Mapping[str, str]) -> Terminal:
        """What TERM, a window and the variables of a locale tell."""
        mono = kind.startswith(_COLOURLESS)
        return cls(
            kind=kind,
            size=clamped(*size),
            encoding=_encoding(env),
            colours=_colours(kind, env.get("COLORTERM", "")),
            no_color=mono or bool(env.get("NO_COLOR")),
            language=_language(env),
        )


@dataclass(frozen=True, slots=True)
class Visit:
    """One session, as the app that is made for it needs to know it."""

    identity: Identity
    terminal: Terminal
    address: str
    """The client's IP address."""
    table: str
    """The code of the table to go to, or a player's own to come back with, in capitals; empty for
    the lobby."""
    server: Server
    data_dir: Path
    """The server's folder."""
    port: int = SSH
    """The one at which the player came in."""
    guessed: Callable[[], None] = lambda: None
    """To be called for a code to come back with that leads nowhere: they are not to be guessed."""


def port_in_words(port: int) -> str:
    """What `ssh` needs to be told of a port, with a space behind it; nothing for its own."""
    return "" if port == SSH else f"-p {port} "


def player_name(user: str) -> str:
    """The name at the table for an SSH user name."""
    for longest in (MAX_NAME, MAX_NAME // 2):  # letters may be two columns wide
        with suppress(TextError):
            return clean_name(user[:longest])
    return "?"


def table_code(command: str) -> str | None:
    """The table that `ssh host CODE` asks for, in capitals; None if that is no code."""
    code = command.strip()
    return code.upper() if _TABLE_CODE.fullmatch(code) else None


def _colours(kind: str, colorterm: str) -> Colours:
    if colorterm.lower() in ("truecolor", "24bit") or any(name in kind for name in _TRUECOLOUR):
        return "truecolor"
    return "256" if "256" in kind else "standard"


def _first(env: Mapping[str, str], *names: str) -> str:
    return next((env[name] for name in names if env.get(name)), "")


def _encoding(env: Mapping[str, str]) -> Encoding:
    name = _first(env, "LC_ALL", "LC_CTYPE", "LANG")
    if not name:
        return "utf-8"  # the client says nothing, and nearly all are
    if "." not in name and name.lower() not in ("utf-8", "utf8"):
        name = locale.normalize(name)  # da_DK is da_DK.ISO8859-1
    codeset = name.partition("@")[0].rpartition(".")[2].lower().replace("-", "").replace("_", "")
    if codeset == "utf8":
        return "utf-8"
    return "latin-1" if codeset in ("iso88591", "iso885915", "latin1") else "ascii"


def _language(env: Mapping[str, str]) -> str:
    name = _first(env, "LC_ALL", "LC_MESSAGES", "LANG")
    code = name[:2].lower()
    return code if code in LANGUAGES and not name[2:3].isalnum() else ""
