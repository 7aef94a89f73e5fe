"""The log file: what went wrong, for whoever mends it. Nothing secret is written there."""

from __future__ import annotations

import logging
from pathlib import Path

from racko_tui import config
from racko_tui.i18n import _


def path() -> Path:
    """Where the log is."""
    return config.log_dir() / "racko.log"


def complaint() -> str:
    """What to tell the player when an error of ours ends the program."""
    return _("Something went wrong in racko, and it had to stop; “{path}” says what.").format(
        path=path()
    )


def start() -> None:
    """Send everything that is logged to the file, and nothing to the screen.

    The file is opened with the first line written; a folder that cannot be used costs the log and
    nothing else.
    """
    logging.raiseExceptions = False  # a full disk must not write on the screen
    root = logging.getLogger()
    if not any(isinstance(handler, LogFile) for handler in root.handlers):
        root.addHandler(LogFile())
        root.setLevel(logging.WARNING)


class LogFile(logging.Handler):
    """Opens the file, and imports what that takes, with the first line written."""

    _file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:  # noqa: D102
        if self._file is None:
            self._file = _opened()
        self._file.handle(record)

    def close(self) -> None:  # noqa: D102
        if self._file is not None:
            self._file.close()
        super().close()


def _opened() -> logging.Handler:
    from logging.handlers import RotatingFileHandler

    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            path(), maxBytes=256 * 1024, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler
