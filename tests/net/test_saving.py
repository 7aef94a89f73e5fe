"""The store, and what a server does when the disk is full: say so, play on, and catch up."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from racko_core import record
from racko_core import seating as s
from racko_core.actions import DRAW, TAKES
from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_core.seating import Kind, Setup, Stage
from racko_core.table import Table
from racko_net import protocol as p
from racko_net.codec import input_to_plain
from racko_net.serverside.limits import Limits
from racko_net.store import Store, StoreError
from tests.net.conftest import Serve
from tests.net.desk import FakePeer, Hall, two
from tests.net.players import pair, room_of
from tests.net.raw import eventually


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


SETUP = Setup(Rules(players=3, bonus=True), bytes(range(32)), name="Ours")
INPUTS: list[s.Input] = [
    s.Sit(0, "Ana"),
    s.Sit(1, "Robot", Kind.BOT, "novice"),
    s.Say(None, "Cy", "“hello” 日本"),
    s.Do(0, DRAW),
    s.Do(2, TAKES[3]),
    s.Configure(Rules(target=45), s.Options(turn_limit=3.5)),
    s.Move(0, 2),
    s.Rematch(),
]


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "games.sqlite3"
    store = Store(path)
    number = store.create(SETUP, 5.0, code="KAFU", extra={"x": [1]})
    for at, given in enumerate(INPUTS):
        store.append(number, float(at), given, f"1:{at}")
    store.remember(number, {"y": 2})
    store.close()
    store = Store(path)
    (saved,) = store.open_tables()
    assert (saved.id, saved.code, saved.setup, saved.extra) == (number, "KAFU", SETUP, {"y": 2})
    assert (saved.created, saved.touched) == (5.0, float(len(INPUTS) - 1))
    assert store.journal(number) == [(float(at), given) for at, given in enumerate(INPUTS)]
    assert store.entries(number)[1].request == "1:1"
    store.append(number, 99.0, INPUTS[0])
    assert len(store.journal(number)) == len(INPUTS) + 1
    store.close_table(number)
    assert store.open_tables() == []
    assert store.create(SETUP, 6.0, code="KAFU") != number  # the code is free again
    store.close()


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    number = store.create(SETUP, 1.0)
    with contextlib.suppress(ZeroDivisionError), store.batch():
        store.append(number, 1.0, INPUTS[0])
        store.create(SETUP, 2.0)
        raise ZeroDivisionError
    assert store.journal(number) == []
    assert len(store.open_tables()) == 1
    store.append(number, 1.0, INPUTS[0])
    assert len(store.journal(number)) == 1


def test_a_newer_a_damaged_and_an_unreachable_file_are_said_so(tmp_path: Path) -> None:
    newer = tmp_path / "newer.sqlite3"
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = newer.read_bytes()
    with pytest.raises(StoreError, match="newer racko"):
        Store(newer)
    assert newer.read_bytes() == before
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / "file" / "games.sqlite3")
    damaged = tmp_path / "damaged.sqlite3"
    store = Store(damaged)
    number = store.create(SETUP, 1.0)
    store._db.execute(
        'INSERT INTO journal VALUES (?, 1, 0.0, \'{"input": "what"}\', NULL)', (number,)
    )
    with pytest.raises(StoreError, match="damaged"):
        store.journal(number)


def test_to_close_a_table_no_other_tables_games_are_looked_through(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    steps = store._db.execute(
        "EXPLAIN QUERY PLAN SELECT 1 FROM tables WHERE EXISTS"
        " (SELECT 1 FROM games WHERE tab = tables.id)"
    ).fetchall()
    assert "USING COVERING INDEX games_of" in str(steps)
    store._db.execute("DROP INDEX games_of")  # a file as older ones are
    store.close()
    store = Store(tmp_path / "games.sqlite3")
    assert store._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'games_of'").fetchone()
    store.close()


def test_a_closed_table_goes_with_the_last_of_its_records(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3", durable=False)
    tables = [store.create(SETUP, 1.0, code=code) for code in ("OPEN", "SHUT", "BOTH", "LAST")]
    for table in (*tables, tables[2]):
        store.add_game(table, 2.0, "a record", most=5)
    for table in tables[1:]:
        store.close_table(table)
    store.add_game(tables[3], 3.0, "a record", most=3)
    with contextlib.closing(sqlite3.connect(store.path)) as db:
        left = {number for (number,) in db.execute("SELECT id FROM tables")}
    assert [store.games_of(table) for table in tables] == [0, 0, 1, 2]
    assert left == {tables[0], tables[2], tables[3]}
    store.close()


def test_every_game_is_read_a_few_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    with store.batch():
        for number in range(250):
            store.add_game(None, 7.0, f"record {number}")
    games = store.every_game()
    assert next(games).record == "record 0"
    assert [game.record for game in games] == [f"record {number}" for number in range(1, 250)]
    store.close()


def test_facts_stay_as_they_were_first_written(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    assert store.fact("server", "a") == "a"
    assert store.fact("server", "b") == "a"


def test_the_disk_catches_up_from_another_thread(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3", durable=False)
    number = store.create(SETUP, 1.0)
    before = store.path.stat().st_size
    for _ in range(3000):
        store.append(number, 1.0, INPUTS[2])
    assert store.path.stat().st_size == before  # no write has waited for it
    thread = threading.Thread(target=store.tidy)
    thread.start()
    store.append(number, 1.0, INPUTS[2])
    thread.join()
    assert store.path.stat().st_size > before
    assert len(store.journal(number)) == 3001


def limit_pages(store: Store, more: int) -> None:
    """Make the disk full after so many more pages, by SQLite's own limit."""
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages + more}")


@pytest.mark.parametrize("fault", ["full", "read-only"])
async def test_a_disk_that_fails_is_told_to_the_players_and_catches_up(
    serve: Serve, fault: str
) -> None:
    server = await serve(limits=Limits(words=1000.0, words_burst=1000))
    ana, bo = await pair(server.port, Rules(target=300))
    await ana.session.ask(s.Start())
    store = server.lobby.store
    if fault == "full":
        limit_pages(store, 0)
    else:
        store._db.execute("PRAGMA query_only = ON")
    for number in range(60):
        await ana.session.say(f"word {number} {'x' * 250}")
        if ana.session.link.trouble is not None:
            break
    await eventually(lambda: bo.session.link.trouble is not None)
    assert "cannot save games now" in str(bo.session.link.trouble)
    assert isinstance(bo.session.link.trouble.values["reason"], RackoError), "to be translated"
    assert str(store.path.parent) not in str(bo.session.link.trouble)
    assert bo.session.link.up
    assert (await bo.session._host.status()).trouble is not None
    await asyncio.gather(ana.play(), bo.play())  # and the game goes on to its end
    assert ana.session.info.stage is Stage.FINISHED
    store._db.execute("PRAGMA query_only = OFF")
    limit_pages(store, 10_000)
    async with asyncio.timeout(20):
        while ana.session.link.trouble is not None:
            server.lobby.post._retry_at = 0.0
            await ana.session.say("better now?")
    room = room_of(server, ana.session)
    back = Table.restore(room.table.setup, store.journal(room.id))
    assert back.view(0) == room.table.view(0)
    assert len(store.games()) == 1


async def test_a_finished_game_is_kept_as_a_record_that_holds(serve: Serve) -> None:
    server = await serve()
    ana, bo = await pair(server.port)
    await ana.session.ask(s.Start())
    await asyncio.gather(ana.play(), bo.play())
    (game,) = server.lobby.store.games()
    verification = record.verify(game.record)
    assert verification is not None
    view = ana.session.view(0)
    assert view is not None
    assert view.result is not None
    played = record.read(game.record)
    assert [seat.name for seat in played.seats] == ["Ana", "Bo"]


async def test_one_damaged_table_does_not_keep_the_others_from_coming_back(serve: Serve) -> None:
    server = await serve()
    ana, _ = await pair(server.port)
    cy, _ = await pair(server.port)
    store = server.lobby.store
    room = room_of(server, ana.session)
    store._db.execute("UPDATE journal SET input = '{}' WHERE tab = ?", (room.id,))
    await server.stop()
    again = await serve()
    assert list(again.lobby.rooms) == [cy.session.code]


class Always(random.Random):
    """Draws what comes first."""

    def choice(self, seq: Any) -> Any:
        return seq[0]


def test_the_code_of_a_damaged_table_is_not_given_to_another(hall: Hall) -> None:
    hall.lobby._rng = Always()
    code = hall.create(FakePeer("Ana")).code
    hall.store._db.execute("UPDATE tables SET setup = '{}'")
    hall.crash()
    assert not hall.lobby.rooms
    hall.lobby._rng = Always()
    bo = FakePeer("Bo")
    room = hall.create(bo)
    assert room.code != code
    assert bo.last(p.Snapshot).trouble is None
    assert hall.store.codes() == {code, room.code}


def of_table(number: int, fault: Exception) -> Callable[..., None]:
    """An `append` that fails for one table."""
    append = Store.append

    def failing(store: Store, table: int, *what: Any) -> None:
        append(store, table, *what)
        if table == number:
            raise fault

    return failing


@pytest.mark.parametrize("fault", [StoreError("is damaged"), ZeroDivisionError()])
@pytest.mark.parametrize("together", [False, True])
def test_a_write_that_cannot_be_done_costs_its_table_the_saving_and_no_other(
    hall: Hall,
    fault: Exception,
    together: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (ana, bo), (cy, _) = two(hall), two(hall)
    bad, good = ana.place.room, cy.place.room  # type: ignore[union-attr]
    watcher = FakePeer("Eve")
    hall.watch(watcher, bad)
    before = hall.store.journal(bad.id)
    with monkeypatch.context() as store:
        store.setattr(Store, "append", of_table(bad.id, fault))
        for number, peer in enumerate((cy, ana, cy)):
            said = s.Say(peer.view.seat, "", f"hello {number}")
            hall.lobby.handle(peer, p.Ask(f"x{number}", input_to_plain(said)), hall.now)
            if not together:
                hall.flush()
        hall.flush()
    for peer in (ana, bo, watcher):
        assert "cannot save this table any more" in peer.last(p.Update).trouble.text
        assert peer.count(p.Update) > 1
    assert f"table-not-saved table={bad.code}" in caplog.text
    assert cy.last(p.Update).trouble is None
    assert hall.lobby.post.trouble is None
    assert [given.text for _, given in hall.store.journal(good.id)[-2:]] == [  # type: ignore[union-attr]
        "hello 0",
        "hello 2",
    ]
    hall.move(ana, bo)  # and on, unsaved
    assert hall.store.journal(bad.id) == before
    code = bad.code
    for peer in (ana, bo):
        hall.ask(peer, s.Stand(peer.view.seat or 0))
    hall.pass_time(1.0)
    assert bad.closed
    hall.lobby._rng = Always()
    assert hall.create(FakePeer("Di")).code != code
    hall.crash()  # as far as it was saved it comes back
    assert code in hall.lobby.rooms


def test_the_last_move_of_a_game_is_written_with_its_record_or_not_at_all(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = two(hall, Rules(target=5, stalemate_turnovers=1))
    room = ana.place.room  # type: ignore[union-attr]
    before = len(hall.store.journal(room.id))

    def fails(*_what: object) -> None:
        raise StoreError("is damaged")

    monkeypatch.setattr(Store, "add_game", fails)
    moves = 0
    while room.table.stage is Stage.PLAYING:
        hall.move(ana, bo)
        moves += 1
    assert room.unsaved
    assert len(hall.store.journal(room.id)) == before + moves - 1


def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    for version in (0, 1):
        path = tmp_path / f"bookmarks-{version}.sqlite"
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE bookmarks (page TEXT)")
        db.execute(f"PRAGMA user_version = {version}")
        db.close()
        before = path.read_bytes()
        with pytest.raises(StoreError, match="another program"):
            Store(path)
        assert path.read_bytes() == before


def test_two_that_make_the_file_at_once_both_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    connect = sqlite3.connect

    class Late(sqlite3.Connection):
        """Another program makes the file after this one has seen that there is none."""

        def executescript(self, script: str, /) -> sqlite3.Cursor:
            db = connect(path)
            db.executescript(script)
            db.close()
            return super().executescript(script)

    monkeypatch.setattr(sqlite3, "connect", lambda *a, **named: connect(*a, factory=Late, **named))
    store = Store(path)
    assert store.open_tables() == []
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE journal SET at = 'soon'",
        "UPDATE journal SET at = 1e300",
        "UPDATE journal SET input = x'00ff'",
        "UPDATE games SET ended = 'x'",
        "UPDATE games SET record = x'00ff'",
    ],
)
def test_a_value_of_the_wrong_type_is_damage_and_no_crash(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(path)
    number = store.create(SETUP, 5.0)
    store.append(number, 6.0, INPUTS[0])
    store.add_game(number, 7.0, "a record")
    store.close()
    db = sqlite3.connect(path)
    db.execute(damage)
    db.commit()
    db.close()
    store = Store(path)
    with pytest.raises(StoreError, match="damaged"):
        [store.entries(number), store.games()]
    store.close()


@pytest.mark.parametrize(
    "damage",
    ["setup = x'00ff'", "setup = '{}'", "setup = '[[['", "extra = 7", "created = 'x'"],
)
def test_a_damaged_table_does_not_hide_the_others_and_is_in_the_log(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path / "games.sqlite3")
    first, second = store.create(SETUP, 5.0), store.create(SETUP, 6.0)
    store._db.execute(f"UPDATE tables SET {damage} WHERE id = ?", (second,))
    assert [saved.id for saved in store.open_tables()] == [first]
    assert f"table {second} in" in caplog.text
    store.close()


def test_a_file_with_a_damaged_page_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(path)
    for _ in range(200):
        store.add_game(None, 7.0, "a record" * 30)
    store.close()
    pages = bytearray(path.read_bytes())
    pages[4096 * 8 : 4096 * 9] = bytes(range(256)) * 16
    path.write_bytes(pages)
    with pytest.raises(StoreError, match="damaged"):
        Store(path)
    assert path.read_bytes() == pages
