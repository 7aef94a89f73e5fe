"""Tables and finished games on disk: one SQLite file in WAL mode.

A table is its setup and the journal of its inputs. An input is in the file before anybody hears
of it. A file that cannot be used is left as it is, and said so in one sentence.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from racko_core.errors import N_, RackoError
from racko_core.seating import Input, Setup
from racko_net.codec import input_from_plain, input_to_plain, setup_from_plain, setup_to_plain
from racko_net.files import check_plain, make_folder
from racko_net.reasons import reason

_log = logging.getLogger(__name__)

VERSION: Final = 1
_BUSY_SECONDS: Final = 5.0
_MOST_PAGES: Final = 20_000
"""Pages that wait to be moved into the file if `tidy` is not called: 80 MB."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT UNIQUE,
    setup TEXT NOT NULL,
    extra TEXT NOT NULL DEFAULT '{}',
    created REAL NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS journal (
    tab INTEGER NOT NULL REFERENCES tables(id),
    n INTEGER NOT NULL,
    at REAL NOT NULL,
    input TEXT NOT NULL,
    request TEXT,
    PRIMARY KEY (tab, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tab INTEGER REFERENCES tables(id),
    ended REAL NOT NULL,
    record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
"""
_TABLES: Final = {"tables", "journal", "games", "facts"}
_INDEX: Final = "CREATE INDEX IF NOT EXISTS games_of ON games (tab)"
"""Files that are older have none; a racko that is older makes no difference."""
_UNPLAYED: Final = "NOT EXISTS (SELECT 1 FROM games WHERE tab = tables.id)"
_PAGE: Final = 100
"""Games that are read at a time."""
_LATEST: Final = 2.0**37
"""A time beyond the year 6000 is damage."""


class StoreError(RackoError):
    """A file of games that cannot be read or written."""


class DiskError(StoreError):
    """Nothing at all can be written now; there is nothing wrong with what was to be written."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table as it lies on disk."""

    id: int
    code: str | None
    """Name by which a server knows it."""
    setup: Setup
    extra: dict[str, object]
    """Whatever else its keeper wants to remember about it."""
    created: float
    touched: float
    """When something last happened, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One input in a table's journal."""

    at: float
    input: Input
    request: str | None
    """Whose request it was and which, as a server wrote it down."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that has ended."""

    id: int
    ended: float
    """Seconds since 1970."""
    record: str


class Store:
    """Tables and games in one SQLite file.

    With `durable`, every write is on the disk itself before the call returns (a power cut loses
    nothing); without, it has been handed to the system (a killed process loses nothing).
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self._counts: dict[int, int] = {}
        with self._sentence():
            make_folder(path.parent)
            path.touch(mode=0o600)  # it holds the seeds of games in play
            self._require_plain()
            self._db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            try:
                self._open(durable)
            except BaseException:
                self._db.close()
                raise

    def _require_plain(self) -> None:
        """SQLite would say of anything else that the disk is broken."""
        try:
            check_plain(self.path)
        except OSError as error:
            raise StoreError(
                N_("“{path}” cannot be used ({reason}); move it away to start a new one."),
                path=self.path,
                reason=reason(error),
            ) from error

    def _open(self, durable: bool) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if version > VERSION:
            raise StoreError(
                N_("“{path}” was written by a newer racko; update racko or move the file away."),
                path=self.path,
            )
        if (version or tables) and not tables >= _TABLES:
            raise StoreError(
                N_("“{path}” belongs to another program; move the file away to start a new one."),
                path=self.path,
            )
        (found,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        if not durable:
            self._db.execute(f"PRAGMA wal_autocheckpoint = {_MOST_PAGES}")
        if not version:
            self._db.executescript(
                f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version = {VERSION};COMMIT;"
            )
        if "games_of" not in tables:
            with contextlib.suppress(sqlite3.OperationalError):  # a disk that can only be read
                self._db.execute(_INDEX)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """Everything written inside is written together, when it ends, or not at all."""
        with self._sentence():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._counts.clear()
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def sync(self) -> None:
        """Wait until what was written is on the disk, so that a power cut cannot cost it.

        For a store that is not durable, from another thread: writing goes on. All of it is in
        SQLite's log (see https://www.sqlite.org/wal.html), whose file SQLite does not lock.
        """
        with (
            self._sentence(),
            contextlib.suppress(FileNotFoundError),  # nothing was written
            Path(f"{self.path}-wal").open("rb") as log,
        ):
            os.fsync(log.fileno())

    def tidy(self) -> None:
        """Move what was written into the file itself, which waits for the disk, as does the next
        write: that begins the log anew.

        For a store that is not durable, now and then, from another thread: writing goes on.
        """
        with self._sentence(), contextlib.closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def create(
        self,
        setup: Setup,
        now: float,
        *,
        code: str | None = None,
        extra: dict[str, object] | None = None,
    ) -> int:
        """Write a new table down and return its number."""
        with self._sentence():
            cursor = self._db.execute(
                "INSERT INTO tables (code, setup, extra, created) VALUES (?, ?, ?, ?)",
                (code, json.dumps(setup_to_plain(setup)), json.dumps(extra or {}), now),
            )
        assert cursor.lastrowid is not None
        self._counts[cursor.lastrowid] = 0
        return cursor.lastrowid

    def append(self, table: int, at: float, given: Input, request: str | None = None) -> None:
        """Write down the next input of a table."""
        with self._sentence():
            if table not in self._counts:
                query = "SELECT coalesce(max(n), 0) FROM journal WHERE tab = ?"
                (self._counts[table],) = self._db.execute(query, (table,)).fetchone()
            n = self._counts[table] + 1
            text = msgspec.json.encode(input_to_plain(given)).decode()
            self._db.execute(
                "INSERT INTO journal VALUES (?, ?, ?, ?, ?)", (table, n, at, text, request)
            )
            self._counts[table] = n

    def journal(self, table: int) -> list[tuple[float, Input]]:
        """Every input of a table with its time, in order."""
        return [(entry.at, entry.input) for entry in self.entries(table)]

    def entries(self, table: int) -> list[Entry]:
        """The journal of a table with the requests that led to it."""
        with self._sentence():
            rows = self._db.execute(
                "SELECT at, input, request FROM journal WHERE tab = ? ORDER BY n", (table,)
            ).fetchall()
            return [
                Entry(_time(at), input_from_plain(json.loads(_text(text))), request)
                for at, text, request in rows
            ]

    def remember(self, table: int, extra: dict[str, object]) -> None:
        """Replace what the keeper of a table wants to remember about it."""
        with self._sentence():
            self._db.execute("UPDATE tables SET extra = ? WHERE id = ?", (json.dumps(extra), table))

    def close_table(self, table: int) -> None:
        """The table is not to be continued; its games stay, and its code is free again.

        Of a table without any, nothing stays: one can make them all day long.
        """
        with self._sentence():
            self._db.execute("UPDATE tables SET closed = 1, code = NULL WHERE id = ?", (table,))
            self._db.execute("DELETE FROM journal WHERE tab = ?", (table,))
            self._db.execute(f"DELETE FROM tables WHERE id = ? AND {_UNPLAYED}", (table,))
        self._counts.pop(table, None)

    def fact(self, name: str, default: str) -> str:
        """What was written down under `name`; at first `default`, which then stays."""
        with self._sentence():
            self._db.execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, default))
            query = "SELECT value FROM facts WHERE name = ?"
            value: str = self._db.execute(query, (name,)).fetchone()[0]
        return value

    def open_tables(self) -> list[SavedTable]:
        """The tables that can be continued, the one touched last first.

        One that is damaged is passed over, and said so in the log: the others are none the worse.
        """
        with self._sentence():
            rows = self._db.execute(
                "SELECT id, code, setup, extra, created, coalesce("
                "(SELECT at FROM journal WHERE tab = id ORDER BY n DESC LIMIT 1), created) touched"
                " FROM tables WHERE NOT closed ORDER BY touched DESC, id DESC"
            ).fetchall()
        tables = []
        for row in rows:
            try:
                tables.append(_table(*row))
            except (ValueError, RecursionError) as error:
                _log.warning("table %s in %s is damaged: %s", row[0], self.path, error)
        return tables

    def codes(self) -> set[str]:
        """The codes of all tables that are not closed, those that are damaged included."""
        with self._sentence():
            query = "SELECT code FROM tables WHERE code IS NOT NULL"
            return {str(code) for (code,) in self._db.execute(query)}

    def add_game(
        self, table: int | None, ended: float, record: str, *, most: int | None = None
    ) -> None:
        """Keep the record of a finished game; with `most`, only so many in all, the newest.

        A closed table goes with the last of its records.
        """
        with self._sentence():
            self._db.execute(
                "INSERT INTO games (tab, ended, record) VALUES (?, ?, ?)", (table, ended, record)
            )
            if most is not None:
                self._drop_games(most)

    def _drop_games(self, most: int) -> None:
        old = "FROM games WHERE id <= (SELECT max(id) FROM games) - ?"
        tables = self._db.execute(f"SELECT DISTINCT tab {old} AND tab IS NOT NULL", (most,))
        left = tables.fetchall()
        self._db.execute(f"DELETE {old}", (most,))
        self._db.executemany(f"DELETE FROM tables WHERE id = ? AND closed AND {_UNPLAYED}", left)

    def games_of(self, table: int) -> int:
        """How many finished games of a table are kept."""
        with self._sentence():
            query = "SELECT count(*) FROM games WHERE tab = ?"
            number: int = self._db.execute(query, (table,)).fetchone()[0]
        return number

    def games(self, limit: int = 500) -> list[SavedGame]:
        """Finished games, the newest first."""
        with self._sentence():
            rows = self._db.execute(
                "SELECT id, ended, record FROM games ORDER BY ended DESC, id DESC LIMIT ?", (limit,)
            ).fetchall()
            return [
                SavedGame(number, _time(ended), _text(record)) for number, ended, record in rows
            ]

    def every_game(self) -> Iterator[SavedGame]:
        """All finished games, the oldest first, of which few are in memory at a time."""
        last = 0
        while True:
            with self._sentence():
                query = "SELECT id, ended, record FROM games WHERE id > ? ORDER BY id LIMIT ?"
                rows = self._db.execute(query, (last, _PAGE)).fetchall()
                page = [SavedGame(row[0], _time(row[1]), _text(row[2])) for row in rows]
            if not page:
                return
            yield from page
            last = page[-1].id

    @contextlib.contextmanager
    def _sentence(self) -> Iterator[None]:
        """Turn what SQLite, the system or a damaged row says into one sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise DiskError(
                N_("Nothing can be saved in “{path}” ({reason}); check its space and permissions."),
                path=self.path,
                reason=reason(error, self.path),
            ) from error
        except OSError as error:
            raise DiskError(
                N_("“{path}” cannot be used ({reason}); check the folder and its permissions."),
                path=self.path,
                reason=reason(error),
            ) from error
        except (sqlite3.DatabaseError, ValueError, RecursionError) as error:
            raise StoreError(
                N_("“{path}” is damaged ({reason}); move the file away to start a new one."),
                path=self.path,
                reason=reason(error),
            ) from error


def _table(
    number: int, code: str | None, setup: object, extra: object, created: object, touched: object
) -> SavedTable:
    return SavedTable(
        id=number,
        code=code,
        setup=setup_from_plain(json.loads(_text(setup))),
        extra=_map(json.loads(_text(extra))),
        created=_time(created),
        touched=_time(touched),
    )


def _text(value: object) -> str:
    """A value that SQLite kept as text: it does not mind what stands in a column."""
    if not isinstance(value, str):
        raise ValueError("a text is missing")
    return value


def _map(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("a map is missing")
    return value


def _time(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value < _LATEST:
        raise ValueError("a time is missing")
    return value
