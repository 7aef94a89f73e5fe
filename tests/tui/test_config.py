"""Settings on disk: what fits is taken, what does not is not, and a file is never half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from racko_net.store import StoreError
from racko_tui import config
from racko_tui.config import ConfigError, Settings
from racko_tui.lan import hosting
from racko_tui.lan.joining import kept_seats, seats_elsewhere
from racko_tui.local.seats import own_name


def test_settings_come_back_as_they_were_saved(home: Path) -> None:
    settings = Settings(
        name="Åse “1”",
        theme="okabe",
        motion="off",
        bot_speed="instant",
        keys={"table.draw": "w"},
        last_game={"players": 3, "rules": {"target": 300}},
    )
    config.save(settings)
    assert config.load() == settings
    assert [path.name for path in home.iterdir()] == ["settings.toml"]


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    assert config.load() == Settings()
    assert not home.exists()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('theme = "puce"\nname = "Bo"', Settings(name="Bo")),
        ('bot_speed = "warp"\nbell = true', Settings(bell=True)),
        ('bell = "yes"\nmotion = "off"', Settings(motion="off")),
        ("motion = true", Settings()),
        ('language = "tlh"', Settings()),
        ("name = 7", Settings()),
        ('name = "' + "x" * 50 + '"', Settings(name="x" * 24)),
        ("unknown = 1\nascii = true", Settings(ascii=True)),
        ('[keys]\n"table.draw" = 5\n"table.take" = "w"', Settings(keys={"table.take": "w"})),
        ('keys = "d"', Settings()),
    ],
)
def test_a_value_that_does_not_fit_falls_back_by_itself(
    home: Path, text: str, kept: Settings
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text, encoding="utf-8")
    assert config.load() == kept


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"theme = ", "its last line is no TOML"),
        (b"\xff\xfe\x00", "that is not UTF-8"),
        (b"a = b\nc = 2", "line 1 is no TOML"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_left_alone(
    home: Path, data: bytes, why: str
) -> None:
    home.mkdir()
    path = home / "settings.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=rf"settings.* cannot be read \({why}\)"):
        config.load()
    with pytest.raises(ConfigError, match="cannot be read"):
        config.save(Settings(name="Bo"))
    assert path.read_bytes() == data


def test_what_a_newer_racko_wrote_is_kept(home: Path) -> None:
    home.mkdir()
    path = home / "settings.toml"
    path.write_text('hologram = true\nname = "Ana"', encoding="utf-8")
    config.save(Settings(name="Bo"))
    assert "hologram = true" in path.read_text("utf-8")
    assert config.load().name == "Bo"


def test_saving_fails_with_a_sentence_and_keeps_the_old_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.save(Settings(name="Bo"))

    def full(*_args: object, **_named: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ConfigError, match="the disk is full"):
        config.save(Settings(name="Cy"))
    assert config.load().name == "Bo"
    assert [path.name for path in home.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize("text", ["a = " + "[" * 20_000, "#" * 2_000_000])
def test_settings_that_no_racko_ever_wrote_are_refused_with_a_sentence(
    home: Path, text: str
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load()


@pytest.mark.skipif(os.name != "posix", reason="pipes with names")
def test_a_pipe_in_the_place_of_the_settings_does_not_keep_racko_waiting(home: Path) -> None:
    home.mkdir()
    os.mkfifo(home / "settings.toml")
    with pytest.raises(ConfigError, match="it is no plain file"):
        config.load()


def test_a_name_in_the_settings_cannot_move_the_cursor(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('name = "A\\u001b[2J\\u202e"', encoding="utf-8")
    assert config.load().name == ""


def test_a_name_too_wide_for_a_seat_is_cut_and_never_refused() -> None:
    assert own_name(Settings(name="漢" * 24)) == "漢" * 12
    assert own_name(Settings(name="\x1b[31m Ana\n")) == "Ana"


def test_a_home_of_nobody_we_know_is_a_folder_like_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RACKO_HOME", "~nobody-we-know/racko")
    assert config.data_dir() == Path("~nobody-we-know/racko")


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_settings_behind_a_link_are_saved_where_they_are(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    file = tmp_path / "elsewhere.toml"
    file.write_text('name = "Ana"', encoding="utf-8")
    (home / "settings.toml").symlink_to(file)
    config.save(Settings(name="Bo"))
    assert (home / "settings.toml").is_symlink()
    assert "Bo" in file.read_text("utf-8")


def test_what_cannot_be_looked_at_is_there(tmp_path: Path) -> None:
    assert not config.is_there(tmp_path / "nothing")
    assert config.is_there(tmp_path / ("x" * 300))


def test_a_closed_folder_does_not_keep_anyone_from_joining(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RACKO_HOME", str(tmp_path / ("x" * 300)))
    assert seats_elsewhere(kept_seats(), 3) == []
    with pytest.raises(StoreError):
        hosting.left_tables(kept_seats())
