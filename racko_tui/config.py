"""Settings, and where everything lies on the user's disk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from racko_core.errors import N_, RackoError

Speed = Literal["slow", "normal", "fast", "instant"]
BOT_PAUSES: Final[dict[str, float]] = {"slow": 1.8, "normal": 0.9, "fast": 0.35, "instant": 0.0}
"""Seconds for each step of a bot's turn."""
Motion = Literal["auto", "on", "off"]
"""`auto` is on, but off where the line may be slow."""
THEMES: Final = ("racko", "paper", "okabe", "contrast", "terminal")
"""Names of the colour themes; the module `themes` has the colours."""
LANGUAGES: Final = ("", "en", "fr", "da")
"""Language codes; empty follows the environment."""
GAMES_FILE: Final = "games.sqlite"
"""Name of the file of games in `data_dir`."""
_MOST_BYTES: Final = 1024 * 1024
"""Of a file of settings; a larger one is something else."""
NAME_LENGTH: Final = 24
"""Characters in a player's name."""
COMMAND_LENGTH: Final = 300
"""Characters in the command of a program."""
MOST_PROGRAMS: Final = 8
"""Commands that are remembered."""


class ConfigError(RackoError):
    """Settings that cannot be read or written."""


@dataclass(slots=True)
class Settings:
    """What the player chose; saved as TOML."""

    name: str = ""
    """The player's own name; empty asks the system."""
    theme: str = "racko"
    motion: Motion = "auto"
    bot_speed: Speed = "normal"
    memory_aid: bool = True
    """Show the cards that everybody saw go into the opponents' racks."""
    digits_act: bool = False
    """A digit places the card at once instead of choosing the slot."""
    bell: bool = False
    """Ring the terminal's bell when it is your turn."""
    language: str = ""
    """A language code; empty follows the environment."""
    ascii: bool = False
    """Draw with ASCII characters only."""
    keys: dict[str, str] = field(default_factory=dict)
    """Changed bindings: binding id to keys, as Textual writes them."""
    last_game: dict[str, Any] = field(default_factory=dict)
    """The last choice of the new-game screen."""
    hosting: dict[str, Any] = field(default_factory=dict)
    """The last choice of who can join a game hosted from here, and at which port."""
    programs: list[str] = field(default_factory=list)
    """Commands of programs that have played, the last one first."""


_ALLOWED: Final[dict[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "motion": get_args(Motion),
    "bot_speed": get_args(Speed),
    "language": LANGUAGES,
}


def data_dir() -> Path:
    """Folder of games and results; `RACKO_HOME` overrides it."""
    return _folder("user_data_path")


def games_in(folder: Path) -> bool:
    """Whether a file of games is there."""
    return is_there(folder / GAMES_FILE)


def is_there(path: Path) -> bool:
    """Whether something is there; also what cannot be looked at: its reader will say why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def config_dir() -> Path:
    """Folder of the settings; `RACKO_HOME` overrides it."""
    return _folder("user_config_path")


def log_dir() -> Path:
    """Folder of the log; `RACKO_HOME` overrides it."""
    return _folder("user_log_path")


def _folder(name: str) -> Path:
    home = os.environ.get("RACKO_HOME")
    if home:
        return Path(os.path.expanduser(home))  # noqa: PTH111 (Path stops at “~nobody”)
    import platformdirs

    folder: Path = getattr(platformdirs, name)("racko", appauthor=False)
    return folder


def load() -> Settings:
    """The settings on disk, or the defaults where there are none.

    Raises `ConfigError` for a file that cannot be read. A value that does not fit is passed over
    by itself, and so is an unknown name: an older racko reads the settings of a newer one.
    """
    return from_values(_on_disk(settings_path()))


def settings_path() -> Path:
    """Where the settings are."""
    return config_dir() / "settings.toml"


def _on_disk(path: Path) -> dict[str, Any]:
    try:
        path.stat()
        from racko_net.files import NotPlain, read_plain  # most have no such file to read

        data = read_plain(path, _MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise NotPlain(N_("it is too large"))
        import tomllib

        return tomllib.loads(data.decode())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:  # TOML and UTF-8 raise ValueErrors
        from racko_net.reasons import reason

        raise ConfigError(
            N_("The settings in “{path}” cannot be read ({reason}); mend or remove the file."),
            path=path,
            reason=_no_toml(error) or reason(error),
        ) from error


def _no_toml(error: Exception) -> RackoError | None:
    """Where a file is no TOML, if that is what is wrong: its reader says so at the end."""
    import re
    import tomllib

    if not isinstance(error, tomllib.TOMLDecodeError):
        return None
    if line := re.search(r"\(at line ([0-9]+)", str(error)):
        return RackoError(N_("line {line} is no TOML"), line=int(line[1]))
    return RackoError(N_("its last line is no TOML"))


def from_values(values: Mapping[str, Any]) -> Settings:
    """The settings that these values make, the default wherever one does not fit."""
    defaults = asdict(Settings())
    settings = Settings()
    for name, default in defaults.items():
        value = values.get(name, default)
        if type(value) is type(default) and value in _ALLOWED.get(name, (value,)):
            setattr(settings, name, value)
    settings.name = settings.name[:NAME_LENGTH] if settings.name.isprintable() else ""
    settings.programs = [
        command
        for command in settings.programs
        if isinstance(command, str) and command.isprintable() and len(command) <= COMMAND_LENGTH
    ][:MOST_PROGRAMS]
    settings.keys = {
        name: keys for name, keys in settings.keys.items() if isinstance(keys, str) and keys
    }
    return settings


def save(settings: Settings) -> None:
    """Write the settings, whole or not at all. Raises `ConfigError`.

    A file that cannot be read is left as it is; what a newer racko wrote into it is kept.
    """
    import tomli_w

    path = Path(os.path.realpath(settings_path()))  # a link to the file stays one
    values = {**_on_disk(path), **asdict(settings)}
    # A name of its own for each process: two that save at once never mix their files.
    draft = path.with_name(f"settings.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(tomli_w.dumps(values), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        from racko_net.reasons import reason

        with suppress(OSError):
            draft.unlink()
        raise ConfigError(
            N_("The settings cannot be saved in “{path}” ({reason}); check the folder."),
            path=path,
            reason=reason(error),
        ) from error
