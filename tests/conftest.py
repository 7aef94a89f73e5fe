"""What every test may rely on: a home of its own, the same terminal and language everywhere."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from racko_tui import i18n
from racko_tui.locale.compile import compile_catalogues
from racko_tui.logfile import LogFile


def pytest_configure(config: pytest.Config) -> None:
    """Test the catalogues as they are now, not as they were when the project was installed."""
    if not hasattr(config, "workerinput"):
        compile_catalogues(i18n.FOLDER)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only folder that the program may write to."""
    folder = tmp_path / "home"
    for name in ("RACKO_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    i18n.install("en", ascii_only=False)
    yield folder
    i18n.install("en", ascii_only=False)
    for handler in logging.getLogger().handlers[:]:
        if isinstance(handler, LogFile):  # the log lies in the home that goes now
            logging.getLogger().removeHandler(handler)
            handler.close()
