"""What the host keeps of its players: settings, and the seats that their keys take back.

A player with an identity has a folder in the server's own; the others are forgotten when they
leave, and nothing of theirs is written.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tomllib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

import tomli_w

from racko_core.errors import N_
from racko_net.clientside.tokens import SavedSeat, TokenError, Tokens
from racko_tui import config
from racko_tui.config import ConfigError, Settings
from racko_tui.ssh.visit import Identity

_log = logging.getLogger(__name__)

_MOST_PLAYERS: Final = 2_000
"""Folders; a new key costs nothing, so somebody could make any number of them."""
_MOST_SEATS: Final = 50
"""Seats of one player; the oldest are given up first."""

NOT_KEPT: Final = N_("These settings last for this visit; with an SSH key they come back.")


class Player:
    """One player's settings and seats. `folder` is None for who is not to be remembered."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._folder = folder
        self._name = name
        self.seats: Tokens = _NoSeats() if folder is None else _Seats(folder / "seats")
        self.forgotten = ConfigError(NOT_KEPT) if folder is None else None
        """Why nothing of this player is kept; None where it is."""

    def settings(self) -> Settings:
        """The settings as this player left them; the name is always the one of the login."""
        values: dict[str, object] = {}
        if self._folder is not None:
            with suppress(OSError, ValueError):  # whatever is wrong with them, the defaults do
                values = tomllib.loads((self._folder / "settings.toml").read_text("utf-8"))
                os.utime(self._folder)  # it is used: others go first when room is needed
        settings = config.from_values(values)
        settings.name = self._name
        return settings

    def save(self, settings: Settings) -> None:
        """Keep the settings. Raises `ConfigError`."""
        if self._folder is None:
            return
        draft = self._folder / f"settings.{os.getpid()}.new"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(tomli_w.dumps(asdict(settings)), encoding="utf-8")
            draft.replace(self._folder / "settings.toml")
        except OSError as error:
            _log.warning("settings in %s: %s", self._folder, error)
            raise ConfigError(N_("The server cannot keep your settings just now.")) from error


def player(data_dir: Path, identity: Identity) -> Player:
    """The player that somebody is."""
    if not identity.id:
        return Player(None, identity.name)
    players = data_dir / "players"
    folder = players / hashlib.sha256(identity.id.encode()).hexdigest()[:32]
    if not folder.exists():
        _make_room(players)
    return Player(folder, identity.name)


def _make_room(players: Path) -> None:
    """Forget who has not been here for longest, when there are too many."""
    with suppress(OSError):
        folders = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(players)]
        for _, path in sorted(folders)[: max(0, len(folders) - _MOST_PLAYERS + 1)]:
            shutil.rmtree(path, ignore_errors=True)


class _Seats(Tokens):
    """The seats of a player with an identity."""

    def save(self, seat: SavedSeat) -> None:
        try:
            super().save(seat)
        except TokenError as error:
            _log.warning("%s", error)  # where the host keeps things is not a player's business
            raise TokenError(N_("The server cannot keep your seat just now.")) from error
        for old in self.saved()[_MOST_SEATS:]:
            self.forget(old)


class _NoSeats(Tokens):
    """The seats of everybody else: they last for one visit."""

    def __init__(self) -> None:
        self._here: list[SavedSeat] = []

    def save(self, seat: SavedSeat) -> None:
        self._here.append(seat)

    def forget(self, seat: SavedSeat) -> None:
        with suppress(ValueError):
            self._here.remove(seat)

    def saved(self, server_id: str | None = None) -> list[SavedSeat]:
        return [seat for seat in reversed(self._here) if server_id in (None, seat.server_id)]
