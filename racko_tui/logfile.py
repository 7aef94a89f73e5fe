"""The log file: what went wrong, for whoever mends it. Nothing secret is written there.

Every process of racko writes to the same file, at the same time as others.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
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


def start(part: str | None = None) -> None:
    """Send everything that is logged to the file, and nothing to the screen.

    With `part`, only what that package logs: for processes that are not ours alone. The file is
    opened with the first line written; a folder that cannot be used costs the log and nothing else.
    """
    logging.raiseExceptions = False  # a full disk must not write on the screen
    root, logger = logging.getLogger(), logging.getLogger(part)
    if not any(isinstance(handler, LogFile) for handler in (*root.handlers, *logger.handlers)):
        logger.addHandler(LogFile())
        logger.setLevel(logging.WARNING)


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

    class Shared(RotatingFileHandler):
        """Has the file open only while it writes a line, and alone: whoever finds it full can
        begin a new one, and nobody goes on in the old one.
        """

        def emit(self, record: logging.LogRecord) -> None:
            with _alone_in(Path(self.baseFilename).parent):
                super().emit(record)
                with contextlib.suppress(OSError):  # a full disk has been met already
                    self.close()

    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        handler = Shared(path(), maxBytes=256 * 1024, backupCount=2, encoding="utf-8", delay=True)
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let no other process of ours write there meanwhile, where the system can see to it."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            held = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, held)
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
