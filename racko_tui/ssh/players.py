"""What the host keeps of its players: settings, the figures of their games, and their seats.

A player with an identity has a folder in the server's own, with all of it. Whoever has none gets a
code for the visit; what is kept is the seats that it gives back, and nothing once there are none.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import re
import secrets
import shutil
import tomllib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import tomli_w

from racko_core.errors import N_
from racko_core.rules import Seat
from racko_net.clientside.tokens import SavedSeat, TokenError, Tokens
from racko_net.files import read_plain
from racko_tui import config
from racko_tui.career import Career
from racko_tui.config import ConfigError, Settings
from racko_tui.scores import Scorecard
from racko_tui.ssh.visit import Identity

_log = logging.getLogger(__name__)

_MOST_PLAYERS: Final = 2_000
"""Folders of each kind; a new key or code costs nothing, so somebody could make any number."""
_MOST_SEATS: Final = 50
"""Seats of one player; the oldest are given up first."""

NOT_KEPT: Final = N_("These settings last for this visit; with an SSH key they come back.")

_SIGNS: Final = "23456789BCDFGHJKMNPQRSTVWXZ"
"""What a code is made of: nothing that looks like something else, and no vowels, so that it is no
word and no code of a table."""
_GROUPS: Final = 3
_CODE: Final = re.compile("-?".join([f"([{_SIGNS}]{{3}})"] * _GROUPS))


class Player:
    """One player's settings and seats."""

    def __init__(self, folder: Path, name: str, code: str = "") -> None:
        self._folder = folder
        self._name = name
        self.code = code
        """What gives the seats back to somebody without an identity; empty for everybody else."""
        self.seats = _Seats(folder / "seats")
        self.forgotten = ConfigError(NOT_KEPT) if code else None
        """Why the settings are not kept; None where they are."""

    def settings(self) -> Settings:
        """The settings as this player left them; the name is always the one of the login."""
        values: dict[str, object] = {}
        if not self.code:
            with suppress(OSError, ValueError):  # whatever is wrong with them, the defaults do
                values = tomllib.loads(read_plain(self._folder / "settings.toml").decode())
        with suppress(OSError):
            os.utime(self._folder)  # it is used: others go first when room is needed
        settings = config.from_values(values)
        settings.name = self._name
        return settings

    def save(self, settings: Settings) -> None:
        """Keep the settings, if this player is remembered. Raises `ConfigError`."""
        if self.code:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._write("settings.toml", tomli_w.dumps(asdict(settings)))
        except OSError as error:
            _log.warning("settings in %s: %s", self._folder, error)
            raise ConfigError(N_("The server cannot keep your settings just now.")) from error

    def career(self) -> Career:
        """The figures of all games that this player has played here."""
        found: Any = {}
        if not self.code:
            with suppress(OSError, ValueError, RecursionError):
                found = json.loads(read_plain(self._folder / "career.json"))
        return Career.from_dict(found if isinstance(found, dict) else {})

    def count(self, card: Scorecard, seat: Seat, name: str) -> None:
        """Add a finished game to the figures, once; see `Career.add`."""
        if self.code:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            alone = os.open(self._folder, os.O_RDONLY)
            try:
                fcntl.flock(alone, fcntl.LOCK_EX)  # the player may be here twice
                career = self.career()
                if career.add(card, seat, name):
                    self._write("career.json", json.dumps(career.to_dict()))
            finally:
                os.close(alone)
        except OSError as error:
            _log.warning("career in %s: %s", self._folder, error)

    def _write(self, name: str, text: str) -> None:
        """Write a file whole, or not at all."""
        draft = self._folder / f"{name}.{os.getpid()}.new"
        draft.write_text(text, encoding="utf-8")
        draft.replace(self._folder / name)

    def recall(self, data_dir: Path, code: str) -> bool:
        """Take over the seats that a code gives back; whether it gives any.

        Who has an identity needs the code no longer; for who has none it stays what it was.
        """
        folder = _folder_of(data_dir, code)
        theirs = _Seats(folder / "seats")
        if not theirs.saved():
            return False
        if not self.code:
            theirs.move(self.seats)
        elif code != self.code:
            self.seats.move(theirs)
            self._folder, self.code = folder, code
        return True


def player(data_dir: Path, identity: Identity) -> Player:
    """The player that somebody is; without an identity, somebody new with a code of their own."""
    if not identity.id:
        _make_room(data_dir / "guests")
        code = _new_code()
        return Player(_folder_of(data_dir, code), identity.name, code)
    folder = data_dir / "players" / _hidden(identity.id)
    if not folder.exists():
        _make_room(folder.parent)
    return Player(folder, identity.name)


def as_code(text: str) -> str | None:
    """The code to come back that somebody typed, as it is written; None if it cannot be one."""
    found = _CODE.fullmatch(text.strip().upper())
    return "-".join(found.groups()) if found else None


def _new_code() -> str:
    """One that nobody guesses: 43 bits, and every guess is a login, of which there are few a
    minute.
    """
    groups = ("".join(secrets.choice(_SIGNS) for _ in range(3)) for _ in range(_GROUPS))
    return "-".join(groups)


def _folder_of(data_dir: Path, code: str) -> Path:
    return data_dir / "guests" / _hidden(f"code:{code}")


def _hidden(id: str) -> str:
    """The name of a folder, which tells nobody whose it is."""
    return hashlib.sha256(id.encode()).hexdigest()[:32]


def _make_room(players: Path) -> None:
    """Forget who has not been here for longest, when there are too many."""
    with suppress(OSError):
        too_many = len(os.listdir(players)) - _MOST_PLAYERS + 1  # noqa: PTH208  # no `stat` yet
        if too_many > 0:
            folders = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(players)]
            for _, path in sorted(folders)[:too_many]:
                shutil.rmtree(path, ignore_errors=True)


class _Seats(Tokens):
    """The seats of one player. What cannot be kept is said without a path of the host."""

    def save(self, seat: SavedSeat) -> None:
        try:
            super().save(seat)
        except TokenError as error:
            _log.warning("%s", error)
            raise TokenError(N_("The server cannot keep your seat just now.")) from error
        for old in self.saved()[_MOST_SEATS:]:
            self.forget(old)

    def forget(self, seat: SavedSeat) -> None:
        super().forget(seat)
        with suppress(OSError):  # nothing is kept of whoever has nothing
            self._folder.rmdir()
            self._folder.parent.rmdir()

    def move(self, to: _Seats) -> None:
        """Put these seats to those; whoever holds these holds all of them from now on."""
        for seat in reversed(self.saved()):
            to.save(seat)
            self.forget(seat)
        self._folder = to._folder
