"""What the host keeps of its players."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from racko_core.errors import RackoError
from racko_net.clientside.tokens import SavedSeat
from racko_tui.career import Career
from racko_tui.scores import Scorecard
from racko_tui.ssh import players
from racko_tui.ssh.players import as_code, player
from racko_tui.ssh.visit import Identity
from tests.tui.steering import played

ANA = Identity("Ana", "key", "key:SHA256:a/../b")


def seat(number: int) -> SavedSeat:
    return SavedSeat("server", "localhost:7225", f"T{number}", "Ana", 0, f"{number:032x}", 0.0)


def test_an_identity_has_settings_and_seats_whatever_the_name(tmp_path: Path) -> None:
    first = player(tmp_path, ANA)
    settings = first.settings()
    settings.memory_aid = False
    first.save(settings)
    first.seats.save(seat(1))
    again = player(tmp_path, Identity("Annie", "key", ANA.id))
    assert not again.settings().memory_aid
    assert again.settings().name == "Annie"
    assert [each.table for each in again.seats.saved("server")] == ["T1"]
    [folder] = (tmp_path / "players").iterdir()
    assert folder.name.isalnum(), "nothing that a client says is in a path"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_who_has_no_identity_has_a_code_and_leaves_no_trace_without_a_seat(tmp_path: Path) -> None:
    guest = player(tmp_path, Identity("Ana"))
    guest.save(guest.settings())
    assert "last for this visit" in str(guest.forgotten)
    assert not [*tmp_path.iterdir()]
    assert as_code(guest.code) == guest.code
    guest.seats.save(seat(1))
    assert [each.table for each in guest.seats.saved()] == ["T1"]
    [folder] = (tmp_path / "guests").iterdir()
    assert [path.name for path in folder.iterdir()] == ["seats"]
    assert guest.code not in folder.name
    guest.seats.forget(seat(1))
    guest.seats.forget(seat(2))
    assert guest.seats.saved() == []
    assert not [*(tmp_path / "guests").iterdir()]


def test_codes_are_all_different_and_read_however_they_are_typed() -> None:
    codes = {player(Path("nowhere"), Identity("Ana")).code for _ in range(100)}
    assert len(codes) == 100
    for code in codes:
        for typed in (code, code.lower(), code.replace("-", ""), f" {code} "):
            assert as_code(typed) == code
    for other in ("KAFU", "KAFUBE", "K7-AB", "", "BCD-FGH-JK", "BCD-FGH-JKO", "BCD-FGH-JKMM"):
        assert as_code(other) is None


def test_a_code_gives_the_seats_back_and_stays_what_it_is(tmp_path: Path) -> None:
    first = player(tmp_path, Identity("Ana"))
    first.seats.save(seat(1))
    again = player(tmp_path, Identity("Ann"))
    assert again.code != first.code
    again.seats.save(seat(2))
    assert again.recall(tmp_path, first.code)
    assert again.code == first.code
    assert {each.table for each in again.seats.saved()} == {"T1", "T2"}
    again.seats.save(seat(3))
    assert {each.table for each in first.seats.saved()} == {"T1", "T2", "T3"}
    assert len([*(tmp_path / "guests").iterdir()]) == 1


def test_with_a_key_the_code_is_needed_once(tmp_path: Path) -> None:
    guest = player(tmp_path, Identity("Ana"))
    guest.seats.save(seat(1))
    ana = player(tmp_path, ANA)
    assert ana.recall(tmp_path, guest.code)
    assert [each.table for each in player(tmp_path, ANA).seats.saved()] == ["T1"]
    assert not ana.code
    assert not [*(tmp_path / "guests").iterdir()]
    assert not player(tmp_path, Identity("Eve")).recall(tmp_path, guest.code)


def card(seed: str = "1") -> Scorecard:
    table = played(seed=seed)
    assert table.game is not None
    return Scorecard.of_game(table.game, ("Ana", "Bo"))


def test_the_figures_of_all_games_come_back_with_the_identity(tmp_path: Path) -> None:
    assert player(tmp_path, ANA).career() == Career()
    player(tmp_path, ANA).count(card(), 0, "one")
    player(tmp_path, ANA).count(card(), 0, "one")
    player(tmp_path, ANA).count(card("2"), 1, "two")
    assert player(tmp_path, ANA).career().played == 2
    [folder] = (tmp_path / "players").iterdir()
    assert [path.name for path in folder.iterdir()] == ["career.json"]
    (folder / "career.json").write_text("[" * 100_000)
    assert player(tmp_path, ANA).career() == Career()


def test_nothing_is_counted_for_who_has_no_identity_or_on_a_full_disk(tmp_path: Path) -> None:
    guest = player(tmp_path, Identity("Ana"))
    guest.count(card(), 0, "one")
    assert guest.career() == Career()
    assert not [*tmp_path.iterdir()]
    (tmp_path / "players").write_text("in the way")
    player(tmp_path, ANA).count(card(), 0, "one")


def test_broken_settings_are_the_usual_ones(tmp_path: Path) -> None:
    ana = player(tmp_path, ANA)
    ana.save(ana.settings())
    [folder] = (tmp_path / "players").iterdir()
    (folder / "settings.toml").write_text("= rubbish")
    assert player(tmp_path, ANA).settings().theme == "racko"


def test_what_cannot_be_kept_is_a_sentence_without_a_path(tmp_path: Path) -> None:
    (tmp_path / "players").write_text("in the way")
    ana = player(tmp_path, ANA)
    for keep in (lambda: ana.save(ana.settings()), lambda: ana.seats.save(seat(1))):
        with pytest.raises(RackoError) as refused:
            keep()
        assert str(tmp_path) not in str(refused.value)


def test_new_keys_do_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_MOST_PLAYERS", 3)
    for number in range(5):
        somebody = player(tmp_path, Identity("x", "key", f"key:{number}"))
        somebody.save(somebody.settings())
        for folder in (tmp_path / "players").iterdir():
            os.utime(folder, ns=(folder.stat().st_mtime_ns - 10**9,) * 2)
    assert len([*(tmp_path / "players").iterdir()]) == 3
    assert player(tmp_path, Identity("x", "key", "key:4"))._folder.exists()  # type: ignore[union-attr]


def test_seats_of_one_player_do_not_fill_it_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "_MOST_SEATS", 2)
    ana = player(tmp_path, ANA)
    for number in range(4):
        ana.seats.save(seat(number))
    assert len(ana.seats.saved()) == 2
