"""The log file: what went wrong, for whoever mends it. Nothing secret is written there.

Every process of racko writes to the same file, at the same time as others.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from racko_tui import config
from racko_tui.i18n import _

_TRIES: Final = 100
_PAUSE: Final = 0.002
"""How often to ask for the file that another process writes to, and the seconds in between."""


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
                if self.takes_lines():
                    super().emit(record)
                with contextlib.suppress(OSError):  # a full disk has been met already
                    self.close()

        def takes_lines(self) -> bool:
            """Whether it is a plain file, or will be: a pipe would wait for a reader."""
            try:
                return stat.S_ISREG(Path(self.baseFilename).stat().st_mode)
            except OSError:
                return True

    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        handler = Shared(path(), maxBytes=256 * 1024, backupCount=2, encoding="utf-8", delay=True)
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let no other process of ours write there meanwhile, where the system can see to it.

    A process that was stopped while it wrote keeps nobody waiting for long: then two may write at
    once.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            held = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, held)
            _lock(held)
        yield


def _lock(held: int) -> None:
    for _try in range(_TRIES):
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            return
