"""Local games: starting, saving and continuing them, and the records of those that have ended.

No screens here; the command line and the application both use it.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from racko_core.bots import OFFERED, check_level, is_outside, no_such_bot
from racko_core.deck import fresh_seed, seed_from
from racko_core.errors import N_, RackoError
from racko_core.record import HUMAN, SeatName
from racko_core.rules import Rules
from racko_core.seating import Configure, Forfeit, Input, Kind, Options, Setup, Sit, Stage, Start
from racko_core.table import Table
from racko_net.archive import record_of
from racko_net.local import LocalSession
from racko_net.outside_bot.permission import OutsideError, Programs
from racko_net.reasons import reason
from racko_net.session import Link
from racko_net.store import SavedGame, SavedTable, Store
from racko_tui.config import GAMES_FILE, games_in

_log = logging.getLogger(__name__)

_FOLDER: Final = "folder"
"""What is kept with a game in which programs play: the folder in which it was begun."""

Failures = Mapping[str, OutsideError]
"""Programs that do not answer, by their levels, and why."""


class GamesError(RackoError):
    """A game that cannot be started or continued."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A new game: its rules, who sits where, and the seed. Making one checks it."""

    rules: Rules
    seats: tuple[SeatName, ...]
    """By seat; `HUMAN` sits at this keyboard, any other kind is a bot's level, `exec:` included."""
    seed: str = ""
    """A number or a word that fixes every deal; empty for chance."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.rules.players:
            raise GamesError(
                N_("{seats} seats are taken, but the rules are for {players} players."),
                seats=len(self.seats),
                players=self.rules.players,
            )
        if not any(seat.kind == HUMAN for seat in self.seats):
            raise GamesError(N_("Somebody has to play: give one seat to yourself or to a friend."))
        for seat in self.seats:
            if seat.kind.startswith(OFFERED):
                raise no_such_bot(seat.kind)  # no server, no host
            if seat.kind != HUMAN:
                check_level(seat.kind)


@dataclass(frozen=True, slots=True)
class Saved:
    """A game that can be continued."""

    id: int
    names: tuple[str, ...]
    round: int
    """1 up; 0 before the first deal."""
    totals: tuple[int, ...]
    """By side."""
    touched: float
    """When something last happened in it, in seconds since 1970."""
    rules: Rules
    levels: tuple[str, ...] = ()
    """Of the bots that play in it."""
    programs: Programs | None = None
    """Which may play in it, started in the folder where it was begun."""

    @property
    def has_programs(self) -> bool:
        """Whether programs play in it."""
        return any(map(is_outside, self.levels))

    def failures(self) -> Failures:
        """Try every program that plays in it; of those that do not answer, why: they would lose
        their seats as soon as the game went on.
        """
        if not self.has_programs:
            return {}
        from racko_net.outside_bot.player import failures

        return dict(failures(self.levels, self.rules, self.programs or Programs()))


@dataclass(slots=True)
class LocalGame:
    """A game at this keyboard, with what keeps it."""

    session: LocalSession
    id: int | None
    """Its number in the store; None for a game that was never saved."""
    claim: Claim | None


class Claim:
    """That this process alone plays a table.

    SQLite holds the lock: that works on every system, and the lock goes with the process, however
    it ends.
    """

    def __init__(self, path: Path) -> None:
        """Raises BlockingIOError if another process has the table."""
        self._path = path
        self._lock = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._lock.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise BlockingIOError(str(error)) from error
            raise

    def release(self, *, forget: bool = False) -> None:
        """Let others have it; with `forget`, nobody will want it any more."""
        self._lock.close()
        if forget:
            self._path.unlink(missing_ok=True)


class Games:
    """The games in one folder. The file is opened when first needed."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.time,
        programs: Programs | None = None,
    ) -> None:
        """`programs` may play in these games; None lets no other program be started."""
        self.folder = folder
        self.clock = clock
        self.programs = programs
        self._store: Store | None = None

    def store(self) -> Store:
        """The file of games. Raises `StoreError` if it cannot be used."""
        if self._store is None:
            self._store = Store(self.folder / GAMES_FILE)
        return self._store

    def close(self) -> None:
        """Let go of the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    # Starting and continuing

    def start(self, choice: Choice, bot_pause: float) -> LocalGame:
        """A new game. One that cannot be saved is played all the same; its session says why."""
        now = self.clock()
        seed = seed_from(choice.seed) if choice.seed else fresh_seed()
        table = Table(_setup(choice.rules, seed, bot_pause))
        inputs: list[Input] = [
            Sit(seat, who.name, Kind.HUMAN)
            if who.kind == HUMAN
            else Sit(seat, who.name, Kind.BOT, who.kind)
            for seat, who in enumerate(choice.seats)
        ]
        inputs.append(Start())
        for given in inputs:
            table.apply(given, now)
        try:
            store = self.store()
            number = store.create(table.setup, now, extra=_beside(choice))
            claim = self._claim(number)
            for given in inputs:
                store.append(number, now, given)
        except RackoError as trouble:
            link = Link(trouble=trouble, kept="nothing")
            clock = steady_clock(self.clock())
            session = LocalSession(table, clock=clock, programs=self.programs, link=link)
            return LocalGame(session, None, None)
        return LocalGame(self._session(table, number, store, self.programs), number, claim)

    def saved(self) -> Saved | None:
        """The game that `resume` would continue. Raises `RackoError` for one that cannot be read.

        Tables whose game is over, with nobody there for a rematch, are put away on the way.
        """
        return next(self._unfinished(), None)

    def unfinished(self) -> list[Saved]:
        """Every game that can be continued, the one left last first. Raises as `saved` does."""
        return list(self._unfinished())

    def _unfinished(self) -> Iterator[Saved]:
        for saved, table, claim in self._playable():
            claim.release()
            game = table.game
            yield Saved(
                id=saved.id,
                names=tuple(chair.name for chair in table.chairs),
                round=game.round if game else 0,
                totals=tuple(game.totals) if game else (),
                touched=saved.touched,
                rules=table.rules,
                levels=tuple(chair.level for chair in table.chairs if chair.kind is Kind.BOT),
                programs=self._programs_of(saved),
            )

    def resume(
        self, bot_pause: float, number: int | None = None, failed: Failures | None = None
    ) -> LocalGame:
        """The game with this number, or the one that was left last, as it was; but a novice has
        the seat of each program that has `failed`, for good. Raises `RackoError` if there is none.
        """
        found = next(self._playable(number), None)
        if found is None:
            raise GamesError(N_("There is no game to continue; start a new one."))
        saved, table, claim = found
        store = self.store()
        start = max(self.clock(), saved.touched)  # a clock that was set back must not stop bots
        programs = self._programs_of(saved)
        options = replace(table.options, bot_pause=bot_pause)
        if options != table.options:
            table.apply(Configure(options=options), start)
            try:
                store.append(saved.id, start, Configure(options=options))
            except RackoError as trouble:
                link = Link(trouble=trouble, kept="part")
                clock = steady_clock(start)
                session = LocalSession(table, clock=clock, programs=programs, link=link)
                return LocalGame(session, saved.id, claim)
        forfeits = [
            Forfeit(seat, failed[chair.level].why)
            for seat, chair in enumerate(table.chairs)
            if failed and chair.kind is Kind.BOT and chair.level in failed
        ]
        for failure in (failed or {}).values():
            _log.warning("%s", failure)
        session = self._session(table, saved.id, store, programs, start, forfeits)
        return LocalGame(session, saved.id, claim)

    def leave(self, game: LocalGame) -> None:
        """Let go of a game; it can be continued unless it is over and its record is kept.

        A table on disk lies before the end of every game that could not be written down there, so
        it goes with the records of these: otherwise they would be played, and kept, once more.
        """
        ended = game.session.unsaved
        over = bool(ended) or game.session.table.stage is Stage.FINISHED
        put_away = over and self._put_away(game.id, ended)
        if game.claim is not None:
            game.claim.release(forget=put_away)

    def _put_away(self, number: int | None, ended: Iterable[tuple[float, str]]) -> bool:
        """Keep the records, with their times, of games that ended at a table, and close it; or
        neither, where that cannot be written down.
        """
        try:
            store = self.store()
            with store.batch():
                for at, record in ended:
                    store.add_game(number, at, record)
                if number is not None:
                    store.close_table(number)
        except RackoError as trouble:
            _log.warning("%s", trouble)
            return False
        return True

    def _playable(self, number: int | None = None) -> Iterator[tuple[SavedTable, Table, Claim]]:
        """The tables that can be played, or the one with this number, the newest first; each is
        claimed for whoever gets it. If there are none, the reason, where there is one.
        """
        if not games_in(self.folder):
            return
        reason: RackoError | None = None
        found = False
        store = self.store()
        for saved in store.open_tables():
            if number not in (None, saved.id):
                continue
            try:
                claim = self._claim(saved.id)
            except RackoError as taken:
                reason = reason or taken
                continue
            try:
                table = Table.restore(saved.setup, store.journal(saved.id))
            except RackoError as damaged:
                claim.release()
                reason = reason or damaged
                continue
            if table.stage is Stage.PLAYING and table.people():
                found = True
                yield saved, table, claim
                continue
            over = table.stage is Stage.FINISHED
            if over:
                lacking = store.games_of(saved.id) < table.game_number  # an older racko was killed
                ended = [(saved.touched, record_of(table, saved.touched))] if lacking else []
                over = self._put_away(saved.id, ended)  # if not, the next time
            claim.release(forget=over)
        if reason is not None and not found:
            raise reason

    def _claim(self, number: int) -> Claim:
        path = self.folder / f"table-{number}.lock"
        try:
            return Claim(path)
        except BlockingIOError:
            raise GamesError(
                N_("This game is being played in another window; close it there first.")
            ) from None
        except sqlite3.Error as error:
            raise GamesError(
                N_("Nothing can be saved in “{path}” ({reason}); check its space and permissions."),
                path=self.folder,
                reason=reason(error, path),
            ) from error

    def _programs_of(self, saved: SavedTable) -> Programs | None:
        """Those that may play in a game, started where it was begun: there their commands mean
        what they meant.
        """
        folder = saved.extra.get(_FOLDER)
        if self.programs is None or not isinstance(folder, str):
            return self.programs
        return replace(self.programs, folder=folder)

    def _session(
        self,
        table: Table,
        number: int,
        store: Store,
        programs: Programs | None,
        start: float | None = None,
        first: Iterable[Input] = (),
    ) -> LocalSession:
        def journal(at: float, given: Input, ended: str | None) -> None:
            with store.batch() if ended is not None else nullcontext():
                store.append(number, at, given)
                if ended is not None:
                    store.add_game(number, at, ended)

        clock = steady_clock(self.clock() if start is None else start)
        return LocalSession(table, journal=journal, clock=clock, programs=programs, first=first)

    # Games that have ended

    def finished(self, limit: int = 200) -> list[SavedGame]:
        """So many finished games, the newest first. Raises `StoreError`."""
        if not games_in(self.folder):
            return []
        return self.store().games(limit)


def export(record: str, folder: Path) -> Path:
    """Write a record into a file of its own in `folder`, and say which. Raises `GamesError`."""
    day = next((line for line in record.splitlines() if line.startswith("about ended")), "")
    day = day[13:29].replace("T", "-")
    name = "racko-" + "".join(char for char in day if char.isdigit() or char == "-")
    try:
        for number in range(1, 1000):
            path = folder / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(record)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise GamesError(
            N_("The record cannot be written into “{path}” ({reason}); check the folder."),
            path=folder,
            reason=reason(error),
        ) from error
    raise GamesError(N_("“{path}” is full of records of this game."), path=folder)


def steady_clock(start: float) -> Callable[[], float]:
    """A clock that shows `start` now and that nobody can set back."""
    zero = time.monotonic()
    return lambda: start + time.monotonic() - zero


def _beside(choice: Choice) -> dict[str, object]:
    """What is kept with a new game: for programs, the folder that one is in."""
    if not any(is_outside(seat.kind) for seat in choice.seats):
        return {}
    try:
        return {_FOLDER: str(Path.cwd())}
    except OSError:  # it was removed; the commands must do without
        return {}


def _setup(rules: Rules, seed: bytes, bot_pause: float) -> Setup:
    return Setup(rules, seed, Options(bot_pause=bot_pause, grace=None))
