"""Local games on disk: started, left, continued, finished, and never in two places at once."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from racko_core import actions as act
from racko_core.errors import RackoError
from racko_core.record import SeatName, verify
from racko_core.rules import Rules
from racko_core.seating import Do, Notice, Ready, Remark, Stage
from racko_core.view import Phase
from racko_net.local import LocalSession
from racko_net.outside_bot.permission import Programs
from racko_net.store import Store, StoreError
from racko_tui.local.games import Choice, Games, GamesError, LocalGame, export
from tests.net.outside.positions import PATIENCE, PATIENT, STRANGE, strange

ALONE = Choice(Rules(target=150), (SeatName("Ana"), SeatName("Bo", "novice")), "7")
FRIENDS = Choice(Rules(target=150), (SeatName("Ana"), SeatName("Bo")), "7")


async def step(game: LocalGame, action: act.Action) -> None:
    view = game.session.table.view(None)
    assert view is not None
    assert view.turn is not None
    await game.session.ask(Do(view.turn, action))


async def finish(session: LocalSession) -> None:
    """Everyone at the keyboard plays until the game is over, as badly as it takes."""
    from racko_core.bots import bot

    player = bot("solid")
    while session.table.stage is Stage.PLAYING:
        turn = session.table.game.turn if session.table.game else None
        assert turn is not None
        view = session.view(turn if turn in session.seats else session.seats[0])
        assert view is not None
        if view.phase is Phase.DEAL:
            for seat in session.seats:
                await session.ask(Ready(seat))
            await session.ask(Do(turn, act.DEAL))
        elif turn not in session.seats:
            await session.update()
        else:
            await session.ask(Do(turn, player.decide(view)))


async def rematch(session: LocalSession) -> None:
    """Both friends want another game."""
    for seat in (0, 1):
        await session.ask(Ready(seat))
    given = session.table.due(session.clock())
    assert given is not None
    await session.ask(given)


async def news(session: LocalSession) -> list[Notice]:
    """What was told since it was last asked for."""
    heard: list[Notice] = []
    while session._updates.qsize():
        heard += (await session.update()).seen[0].notices
    return heard


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(tmp_path / "data")


async def test_a_game_is_continued_with_the_card_in_hand(games: Games, tmp_path: Path) -> None:
    game = games.start(FRIENDS, 0.0)
    await step(game, act.DEAL)
    await step(game, act.DRAW)
    before = game.session.view(game.session.table.game.turn)  # type: ignore[union-attr]
    assert before is not None
    assert before.hand is not None
    await game.session.close()
    games.leave(game)
    games.close()

    again = Games(tmp_path / "data")
    saved = again.saved()
    assert saved is not None
    assert (saved.names, saved.round, saved.totals) == (("Ana", "Bo"), 1, (0, 0))
    resumed = again.resume(0.5)
    assert resumed.session.view(before.seat) == before
    assert resumed.session.info.options.bot_pause == 0.5
    await resumed.session.close()


async def test_every_action_is_on_disk_before_anybody_hears_of_it(
    games: Games, tmp_path: Path
) -> None:
    game = games.start(FRIENDS, 0.0)
    await step(game, act.DEAL)
    for action in (act.DRAW, act.DISCARD, act.DRAW, act.PLACES[3]):
        await step(game, action)
        other = Games(tmp_path / "data")
        journal = other.store().journal(1)
        assert journal[-1][1].action == action  # type: ignore[union-attr]
        other.close()


async def test_every_unfinished_game_is_listed_and_any_can_be_continued(tmp_path: Path) -> None:
    times = iter(range(1000, 2000))
    games = Games(tmp_path / "data", clock=lambda: float(next(times)))
    started = [games.start(choice, 0.0) for choice in (ALONE, FRIENDS, ALONE)]
    await finish(started[1].session)
    games.leave(started[0])
    games.leave(started[1])
    assert [game.id for game in games.unfinished()] == [1]  # the third is being played
    games.leave(started[2])
    assert [game.id for game in games.unfinished()] == [3, 1]
    oldest = games.resume(0.0, 1)
    assert oldest.id == 1
    games.leave(oldest)
    newest = games.resume(0.0)
    assert newest.id == 3
    games.leave(newest)
    with pytest.raises(GamesError, match="no game to continue"):
        games.resume(0.0, 2)


async def test_a_table_whose_setup_is_damaged_does_not_block_the_others(
    games: Games, caplog: pytest.LogCaptureFixture
) -> None:
    for choice in (ALONE, FRIENDS):
        games.leave(games.start(choice, 0.0))
    games.store()._db.execute("UPDATE tables SET setup = '{}' WHERE id = 2")
    saved = games.saved()
    assert saved is not None
    assert saved.id == 1
    assert "table 2" in caplog.text
    games.leave(games.resume(0.0))


async def with_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Games, Path, Path]:
    """The games of somebody who left one with a program, and went elsewhere; both folders."""
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
    shutil.copy(STRANGE, here / "bot.py")
    monkeypatch.chdir(here)
    seats = (SeatName("Ana"), SeatName("Otto", f"exec:{sys.executable} bot.py fine"))
    games = Games(tmp_path / "data", programs=Programs(at_home=True, limits=PATIENT))
    game = games.start(Choice(Rules(), seats, "7"), 0.0)
    await game.session.close()
    games.leave(game)
    monkeypatch.chdir(elsewhere)
    return games, here, elsewhere


async def test_a_program_is_started_where_its_game_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, _here, _elsewhere = await with_a_program(tmp_path, monkeypatch)
    saved = games.saved()
    assert saved is not None
    assert saved.failures() == {}
    game = games.resume(0.0)
    await step(game, act.DEAL)
    async with asyncio.timeout(PATIENCE):
        while (view := game.session.view(0)) is None or view.turns[1] == 0:
            if view is not None and view.my_turn:
                await step(game, view.legal[0])
            await game.session.update()
    assert game.session.table.chairs[1].level.startswith("exec:"), "no novice took its place"
    await game.session.close()


async def test_a_game_whose_program_does_not_answer_is_refused_and_keeps_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, here, _elsewhere = await with_a_program(tmp_path, monkeypatch)
    (here / "bot.py").rename(here / "away.py")
    saved = games.saved()
    assert saved is not None
    (failure,) = saved.failures().values()
    assert "ended with the status 2" in str(failure)
    here.rename(tmp_path / "gone")
    (failure,) = saved.failures().values()
    assert re.search(r"its folder “.*here” is not there", str(failure))
    again = games.saved()
    assert again is not None
    assert again.levels == (f"exec:{sys.executable} bot.py fine",)


async def test_where_the_player_wants_it_a_novice_plays_on_for_a_program_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, here, _elsewhere = await with_a_program(tmp_path, monkeypatch)
    here.rename(tmp_path / "gone")
    saved = games.saved()
    assert saved is not None
    game = games.resume(0.0, saved.id, saved.failures())
    heard = [notice.news for notice in await news(game.session)]
    assert Remark("bot-missing", 1, "Otto") in heard, "everybody at the keyboard is told"
    await step(game, act.DEAL)
    await game.session.close()
    games.leave(game)

    again = games.saved()
    assert again is not None
    assert again.levels == ("novice",), "it is written down"
    game = games.resume(0.0)
    async with asyncio.timeout(PATIENCE):
        await finish(game.session)
    games.leave(game)
    (kept,) = games.finished()
    assert [seat.kind for seat in verify(kept.record).record.seats] == ["human", "novice"]


async def test_a_program_that_answers_keeps_its_seat_beside_one_that_is_gone(
    tmp_path: Path,
) -> None:
    good, gone = f"exec:{strange('fine')}", f"exec:{strange('stillborn')}"
    seats = (SeatName("Ana"), SeatName("Otto", good), SeatName("Ida", gone))
    games = Games(tmp_path / "data", programs=Programs(at_home=True, limits=PATIENT))
    game = games.start(Choice(Rules(players=3), seats, "7"), 0.0)
    await game.session.close()
    games.leave(game)
    saved = games.saved()
    assert saved is not None
    failed = saved.failures()
    assert [(level, failure.why) for level, failure in failed.items()] == [(gone, "bot-ended")]
    game = games.resume(0.0, saved.id, failed)
    assert [chair.level for chair in game.session.info.chairs[1:]] == [good, "novice"]
    await game.session.close()


async def test_the_same_game_is_not_played_in_two_places(games: Games, tmp_path: Path) -> None:
    game = games.start(ALONE, 0.0)
    with pytest.raises(GamesError, match="another window"):
        Games(tmp_path / "data").resume(0.0)
    games.leave(game)
    Games(tmp_path / "data").resume(0.0)


def test_a_killed_process_lets_go_of_its_game(games: Games, tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    program = (
        "import asyncio, os, sys; from pathlib import Path;"
        "from tests.tui.test_games import ALONE, Games\n"
        "async def main():\n"
        "    game = Games(Path(sys.argv[1])).start(ALONE, 0.0)\n"
        "    print('started' if game.claim else '', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    other = subprocess.Popen([sys.executable, "-c", program, folder], stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"started\n"
    with pytest.raises(GamesError, match="another window"):
        games.saved()
    other.kill()
    other.wait()
    other.stdout.close()
    saved = games.saved()
    assert saved is not None
    assert saved.names == ("Ana", "Bo")


async def test_two_processes_play_different_games_in_one_folder(
    games: Games, tmp_path: Path
) -> None:
    other = Games(tmp_path / "data")
    first, second = games.start(ALONE, 0.0), other.start(FRIENDS, 0.0)
    assert first.id != second.id
    await step(first, act.DEAL)
    await step(second, act.DEAL)
    other.leave(second)
    saved = Games(tmp_path / "data").saved()
    assert saved is not None
    assert saved.id == second.id  # the first one is being played


async def test_a_finished_game_is_kept_as_a_record_and_not_continued(games: Games) -> None:
    game = games.start(FRIENDS, 0.0)
    await finish(game.session)
    games.leave(game)
    (kept,) = games.finished()
    checked = verify(kept.record)
    assert [seat.name for seat in checked.record.seats] == ["Ana", "Bo"]
    assert checked.game.result is not None
    assert checked.seeded
    assert games.saved() is None
    with pytest.raises(GamesError, match="no game to continue"):
        games.resume(0.0)
    assert not list(games.folder.glob("*.lock"))


async def test_a_rematch_is_continued_too(games: Games, tmp_path: Path) -> None:
    game = games.start(FRIENDS, 0.0)
    await finish(game.session)
    await rematch(game.session)
    await step(game, act.DEAL)
    games.leave(game)
    again = Games(tmp_path / "data").resume(0.0)
    assert again.session.info.game == 2
    assert again.session.view(0) == game.session.view(0)


async def test_a_killed_process_after_the_end_leaves_nothing_to_continue(games: Games) -> None:
    game = games.start(FRIENDS, 0.0)
    await finish(game.session)
    assert game.claim is not None
    game.claim.release()  # as the system does for a process that was killed
    assert games.saved() is None
    assert [kept.record for kept in games.finished()] == [game.session.record()]


class Killed(BaseException):
    """As SIGKILL: nothing more is done."""


async def test_a_process_killed_at_the_end_keeps_the_last_move_with_the_record_or_neither(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(FRIENDS, 0.0)

    def killed(*_what: object) -> None:
        raise Killed

    with monkeypatch.context() as kill:
        kill.setattr(Store, "add_game", killed)
        with pytest.raises(Killed):
            await finish(game.session)
    assert game.claim is not None
    game.claim.release()
    again = Games(tmp_path / "data").resume(0.0)
    await finish(again.session)
    assert again.session.table.view(None) == game.session.table.view(None)
    games.leave(again)
    assert [kept.record for kept in games.finished()] == [again.session.record()]


def full(*_what: object, **_more: object) -> None:
    raise StoreError("Nothing can be saved in “{path}”.", path="x")


async def test_a_record_that_could_not_be_written_is_written_when_the_game_is_left(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(FRIENDS, 0.0)
    with monkeypatch.context() as disk:
        disk.setattr(Store, "add_game", full)
        await finish(game.session)
    assert game.session.link.kept == "part"
    games.leave(game)
    assert [kept.record for kept in games.finished()] == [game.session.record()]
    assert games.saved() is None
    assert not list(games.folder.glob("*.lock"))


async def test_a_game_whose_record_is_never_written_is_played_on_from_where_it_was_saved(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(FRIENDS, 0.0)
    with monkeypatch.context() as disk:
        disk.setattr(Store, "add_game", full)
        await finish(game.session)
        games.leave(game)
        assert games.saved() is not None
    again = games.resume(0.0)
    await finish(again.session)
    games.leave(again)
    assert len(games.finished()) == 1


async def test_a_game_that_ended_unsaved_before_a_rematch_is_not_played_once_more(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(FRIENDS, 0.0)
    await step(game, act.DEAL)
    with monkeypatch.context() as disk:
        disk.setattr(Store, "append", full)
        await finish(game.session)
        first = game.session.record()
        await rematch(game.session)
    assert game.session.table.stage is Stage.PLAYING
    games.leave(game)
    assert [kept.record for kept in games.finished()] == [first]
    assert games.saved() is None, "on disk it stood in the game that is over"
    assert not list(games.folder.glob("*.lock"))


async def test_a_game_that_is_continued_on_a_full_disk_is_kept_once(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games.leave(games.start(FRIENDS, 0.0))
    with monkeypatch.context() as disk:
        disk.setattr(Store, "append", full)
        game = games.resume(0.5)
        with pytest.raises(GamesError, match="another window"):
            Games(tmp_path / "data").resume(0.0)
        await finish(game.session)
    games.leave(game)
    assert [kept.record for kept in games.finished()] == [game.session.record()]
    assert games.saved() is None


async def test_a_game_that_was_never_saved_is_kept_as_a_record_if_the_disk_has_room_again(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as disk:
        disk.setattr(Store, "create", full)
        game = games.start(FRIENDS, 0.0)
    assert game.session.link.kept == "nothing"
    await finish(game.session)
    games.leave(game)
    assert [kept.record for kept in games.finished()] == [game.session.record()]


async def test_a_finished_table_without_its_record_is_not_put_away_before_that_is_written(
    games: Games, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = games.start(FRIENDS, 0.0)
    other = games.start(ALONE, 0.0)
    games.leave(other)
    await finish(game.session)
    assert game.claim is not None
    game.claim.release()
    games.store()._db.execute("DELETE FROM games")  # as a racko left it that wrote it later
    with monkeypatch.context() as disk:
        disk.setattr(Store, "add_game", full)
        assert [saved.id for saved in games.unfinished()] == [other.id], "others can go on"
        with pytest.raises(GamesError, match="no game to continue"):
            games.resume(0.0, game.id)
    assert "Nothing can be saved" in caplog.text
    assert len(games.store().open_tables()) == 2
    assert [saved.id for saved in games.unfinished()] == [other.id]
    (kept,) = games.finished()
    assert kept.record == game.session.record()
    assert len(games.store().open_tables()) == 1


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b""])
async def test_a_file_that_is_no_database_is_said_so_and_left_alone(
    games: Games, damage: bytes
) -> None:
    games.folder.mkdir()
    path = games.folder / "games.sqlite"
    path.write_bytes(damage)
    if not damage:  # an empty file is a database that has not begun
        assert games.saved() is None
        return
    with pytest.raises(RackoError, match="damaged"):
        games.saved()
    game = games.start(ALONE, 0.0)
    await step(game, act.DEAL)
    assert game.session.view(0) is not None
    assert game.session.link.trouble is not None
    assert "damaged" in str(game.session.link.trouble)
    assert path.read_bytes() == damage
    games.leave(game)


async def test_a_file_of_a_newer_racko_is_said_so_and_left_alone(games: Games) -> None:
    games.store()._db.execute("PRAGMA user_version = 99")
    games.close()
    with pytest.raises(RackoError, match="newer racko"):
        games.saved()
    game = games.start(ALONE, 0.0)
    await step(game, act.DEAL)
    assert "newer racko" in str(game.session.link.trouble)
    assert game.session.link.kept == "nothing"


async def test_a_folder_that_cannot_be_made_costs_the_saving_only(tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    games = Games(tmp_path / "file" / "data")
    assert games.saved() is None
    assert games.finished() == []
    game = games.start(FRIENDS, 0.0)
    await finish(game.session)
    assert "cannot be used" in str(game.session.link.trouble)
    assert verify(game.session.record() or "").game.result is not None
    games.leave(game)


async def test_a_full_disk_costs_the_saving_and_not_the_game(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(FRIENDS, 0.0)
    await step(game, act.DEAL)

    monkeypatch.setattr(type(games.store()), "append", full)
    assert game.session.link.kept == "all"
    await step(game, act.DRAW)
    assert game.session.link.kept == "part"
    await step(game, act.DISCARD)  # and on
    games.leave(game)


async def test_a_clock_set_back_does_not_stop_the_bots(tmp_path: Path) -> None:
    late = Games(tmp_path / "data", clock=lambda: 2_000_000_000.0)
    game = late.start(ALONE, 1.0)
    await step(game, act.DEAL)
    if game.session.table.game.turn == 0:  # type: ignore[union-attr]
        await step(game, act.DRAW)
        await step(game, act.DISCARD)
    late.leave(game)
    early = Games(tmp_path / "data", clock=lambda: 1_000_000_000.0)
    resumed = early.resume(1.0)
    due = resumed.session.table.next_due()
    assert due is not None
    assert due - resumed.session.clock() <= 1.0
    await resumed.session.close()


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ((SeatName("Ana"),), "1 seats are taken"),
        ((SeatName("Bo", "novice"), SeatName("Cy", "solid")), "Somebody has to play"),
        ((SeatName("Ana"), SeatName("Bo", "genius")), "no bot called"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(
    seats: tuple[SeatName, ...], sentence: str
) -> None:
    with pytest.raises(RackoError, match=sentence):
        Choice(Rules(), seats)


def test_the_same_seed_deals_the_same_cards(tmp_path: Path) -> None:
    import asyncio

    async def racks(folder: str, seed: str) -> object:
        game = Games(tmp_path / folder).start(Choice(Rules(), FRIENDS.seats, seed), 0.0)
        await step(game, act.DEAL)
        view = game.session.view(0)
        assert view is not None
        return view.rack

    async def both() -> None:
        assert await racks("a", "7") == await racks("b", "7")
        assert await racks("c", "") != await racks("d", "")

    asyncio.run(both())


def test_an_export_never_overwrites(tmp_path: Path) -> None:
    record = 'racko record 1\nabout ended "2026-01-02T10:11:12+00:00"\n'
    first, second = export(record, tmp_path), export("other\n" + record, tmp_path)
    assert first != second
    assert first.read_text() == record
    with pytest.raises(GamesError, match="cannot be written"):
        export(record, tmp_path / "missing")


def test_the_name_of_an_exported_record_keeps_day_and_time_apart(tmp_path: Path) -> None:
    record = 'racko record 1\nabout ended "2026-01-02T10:11:12+00:00"\n'
    names = [export(record, tmp_path).name for _ in range(2)]
    assert names == ["racko-2026-01-02-1011.txt", "racko-2026-01-02-1011-2.txt"]


def test_a_folder_that_cannot_be_looked_into_is_said_so_and_is_no_crash(tmp_path: Path) -> None:
    games = Games(tmp_path / ("x" * 300))
    for ask in (games.saved, games.finished):
        with pytest.raises(StoreError, match="cannot be used"):
            ask()


async def test_a_game_on_a_full_disk_goes_on_unsaved_at_another_speed(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    games.leave(games.start(ALONE, 0.5))

    with monkeypatch.context() as disk:
        disk.setattr(Store, "append", full)
        game = games.resume(0.0)
        assert game.session.link.kept == "part"
        await step(game, act.DEAL)
        assert "Nothing can be saved" in str(game.session.link.trouble)
        await game.session.close()
        games.leave(game)
    assert games.saved() is not None
