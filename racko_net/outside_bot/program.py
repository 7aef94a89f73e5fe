"""A program that answers lines with lines: started, asked, and ended with its process group.

An answer has a time; what it may write is bounded; what it writes beside its answers goes to the
log, bounded too; and it runs in a process group of its own, which is ended as a whole, by a guard
if nobody else is left to do it. Only what it starts in a group or a session of its own (`setsid`)
lives on: that is the business of whoever wrote it. The calls here wait, so whoever must not wait
makes them from a thread.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import select
import shlex
import shutil
import signal
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from racko_core.errors import N_, RackoError
from racko_net.outside_bot.guard import Guard
from racko_net.outside_bot.murmurs import BREATH, CHUNK, Murmurs
from racko_net.outside_bot.permission import OutsideError
from racko_net.reasons import reason, system
from racko_net.text import harmless, quoted

_log = logging.getLogger(__name__)

MOST_BYTES: Final = 64 * 1024
"""What a program may write until its answer is complete."""
GRACE: Final = 1.0
"""Seconds that a program has to end by itself when nobody asks it any more."""
_LAST_GRACE: Final = 0.5
"""Seconds that it has after SIGTERM."""
_LOOK: Final = 0.1
"""Seconds between two looks at whether the answer is still wanted."""
_SHOWN: Final = 60
"""Characters of what it wrote in a sentence about it."""

_guard: Final = Guard()


class Unwanted(Exception):
    """Nobody wants the answer any more."""


def words_of(command: str) -> list[str]:
    """The command as a shell would part it; `~` at the start of a word is one's home.

    Raises `OutsideError` for one that cannot be.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        quote = "quotation" in str(error)  # else a backslash at the end
        reason = N_("a quote is not closed") if quote else N_("nothing follows the last backslash")
        raise _unstartable(command, RackoError(reason)) from None
    if not words:
        raise OutsideError("bot-missing", N_("The command that starts the program is missing."))
    return [_at_home(word) if word.startswith("~") else word for word in words]


def check(command: str) -> None:
    """Raise `OutsideError` where a command cannot be that of a program; nothing is started."""
    first = words_of(command)[0]
    if shutil.which(first, path=_environment()["PATH"]) is None:
        raise _unstartable(command, system(errno.ENOENT))


def _environment() -> dict[str, str]:
    """That of a program: ours, and `racko` is found whatever the way it was started itself.

    Its folder comes last, so that `python3` is the one of the shell, as before.
    """
    path = os.environ.get("PATH", os.defpath)
    return {**os.environ, "PATH": os.pathsep.join([path, sysconfig.get_path("scripts")])}


def _at_home(word: str) -> str:
    try:
        return str(Path(word).expanduser())
    except RuntimeError:
        return word


def _unstartable(command: str, reason: object) -> OutsideError:
    return OutsideError(
        "bot-missing",
        N_("“{program}” cannot be started ({reason}); check the command."),
        program=shown(command),
        reason=reason,
    )


def unasked(command: str, text: bytes) -> OutsideError:
    """The complaint about something that nobody asked for."""
    return OutsideError(
        "bot-wrong",
        N_("“{program}” wrote “{text}” without being asked; only answers belong there."),
        program=shown(command),
        text=shown(text),
    )


def shown(text: str | bytes) -> str:
    """As much of a text as fits into a sentence."""
    return quoted(text if isinstance(text, str) else text.decode("utf-8", "replace"), _SHOWN)


class Program:
    """One run of a program. Not for two threads at the same time."""

    def __init__(
        self,
        command: str,
        wanted: Callable[[], bool] = lambda: True,
        folder: str | None = None,
    ) -> None:
        """Start it, in `folder` if there is one named. `wanted` is looked at while it is waited
        for. Raises `OutsideError`.
        """
        self.command = command
        self._wanted = wanted
        words = words_of(command)
        if folder is not None and not Path(folder).is_dir():
            gone = RackoError(N_("its folder “{folder}” is not there"), folder=harmless(folder))
            raise _unstartable(command, gone)
        try:
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=_environment(),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            no_name = RackoError(N_("no file can be called so"))  # it has a NUL in it
            why = reason(error) if isinstance(error, OSError) else no_name
            raise _unstartable(command, why) from None
        process = self._process
        try:
            _guard.watch(process.pid)
        except BaseException as error:
            with process:  # closes its pipes
                self._kill()
            if isinstance(error, OSError):
                raise _unstartable(command, reason(error)) from None
            raise
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._pipes = (process.stdin, process.stdout, process.stderr)
        self._to, self._from, self._errors = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        self._heard = bytearray()
        self._taken = 0  # bytes since the question
        self._over = False  # it has closed its output
        self._murmurs = Murmurs(shown(command))

    # Question and answer

    def ask(self, line: bytes, seconds: float, asked: str) -> bytes:
        """Write a line, and read the one that answers it, without its end.

        `asked` is the type of the line. Raises `OutsideError` if the program fails, and `Unwanted`.
        """
        deadline = monotonic() + seconds
        self._look(b"", 0.0)
        if self._heard.strip():
            raise unasked(self.command, bytes(self._heard))
        self._heard.clear()
        self._taken = 0
        left = memoryview(line)
        while True:
            left = left[self._look(left, min(_LOOK, deadline - monotonic())) :]
            answer, line_feed, rest = self._heard.lstrip().partition(b"\n")
            if line_feed and not left and len(answer) <= MOST_BYTES:
                self._heard = rest
                return bytes(answer)
            if self._taken > MOST_BYTES:
                raise OutsideError(
                    "bot-wrong",
                    N_("“{program}” wrote more than {most} bytes in place of an answer."),
                    program=shown(self.command),
                    most=MOST_BYTES,
                )
            if self._over:
                raise self._ended(asked)
            if monotonic() >= deadline:
                raise self._gone(asked) if self.ended else self._late(seconds)
            if not self._wanted():
                raise Unwanted

    def tell(self, line: bytes, seconds: float = 1.0) -> None:
        """Write a line that needs no answer."""
        deadline = monotonic() + seconds
        left = memoryview(line)
        while left and not self._over and monotonic() < deadline:
            left = left[self._look(left, deadline - monotonic()) :]

    def _look(self, left: memoryview | bytes, seconds: float) -> int:
        """Wait at most so long for anything to read, or to write of `left`; what was written."""
        poll = select.poll()
        if not self._over:
            poll.register(self._from, select.POLLIN)
        if self._murmurs.open(monotonic()):
            poll.register(self._errors, select.POLLIN)
        if left:
            poll.register(self._to, select.POLLOUT)
        written = 0
        for number, _ in poll.poll(max(0.0, seconds) * 1000.0):
            if number == self._from:
                self._over = not self._read_answer()
            elif number == self._errors:
                self._murmurs.take(_read(self._errors), monotonic())
            else:
                written = self._write(left)
        return written

    def _read_answer(self) -> bool:
        data = _read(self._from)
        if data and self._taken <= MOST_BYTES:
            self._heard += data
        self._taken += len(data or b"")
        return data != b""

    def _write(self, left: memoryview | bytes) -> int:
        try:
            return os.write(self._to, left[:CHUNK])
        except BlockingIOError:
            return 0
        except OSError:
            return len(left)  # nobody reads; the end of what it writes will tell

    def _late(self, seconds: float) -> OutsideError:
        begun = self._heard.lstrip()
        if begun and b"\n" not in begun:
            return OutsideError(
                "bot-wrong",
                N_(
                    "“{program}” wrote “{answer}”, and within {seconds} s no line feed, which ends"
                    " every answer."
                ),
                program=shown(self.command),
                answer=shown(bytes(begun)),
                seconds=seconds,
            )
        return OutsideError(
            "bot-late",
            N_("“{program}” did not answer within {seconds} s."),
            program=shown(self.command),
            seconds=seconds,
        )

    def _ended(self, asked: str) -> OutsideError:
        """It has closed its output, most often because it has ended."""
        if not self._wait(_LAST_GRACE):
            self.end(0.0)
            return OutsideError(
                "bot-ended",
                N_("“{program}” closed its output before it had answered “{asked}”."),
                program=shown(self.command),
                asked=asked,
            )
        return self._gone(asked)

    def _gone(self, asked: str) -> OutsideError:
        """It has ended, though what it started may hold its output open."""
        status, begun = self.end(0.0), bytes(self._heard.strip())
        said = self._murmurs.why()
        if status < 0:
            told = N_(
                "“{program}” was ended by the signal {number} before it had answered “{asked}”."
            )
            if said:
                told = N_(
                    "“{program}” was ended by the signal {number} before it had answered"
                    " “{asked}”: “{said}”."
                )
            return OutsideError(
                "bot-ended",
                told,
                program=shown(self.command),
                asked=asked,
                number=-status,
                said=said,
            )
        if begun:
            return OutsideError(
                "bot-ended",
                N_(
                    "“{program}” wrote “{answer}” and ended with the status {status}, without the"
                    " line feed that ends every answer."
                ),
                program=shown(self.command),
                answer=shown(begun),
                status=status,
            )
        told = N_("“{program}” ended with the status {status} before it had answered “{asked}”.")
        if said:
            told = N_(
                "“{program}” ended with the status {status} before it had answered “{asked}”:"
                " “{said}”."
            )
        return OutsideError(
            "bot-ended",
            told,
            program=shown(self.command),
            asked=asked,
            status=status,
            said=said,
        )

    # The end

    @property
    def pid(self) -> int:
        """Its number, and that of its group."""
        return self._process.pid

    def rest(self, seconds: float) -> bytes | None:
        """What else it writes once it has been told that nothing follows.

        None if it has not ended after that time.
        """
        self._pipes[0].close()
        return bytes(self._heard) if self._wait(seconds) else None

    def _wait(self, seconds: float) -> bool:
        """Listen until it has ended, but not longer; whether it has."""
        deadline = monotonic() + seconds
        while not (gone := self._over and self.ended) and monotonic() < deadline:
            self._look(b"", min(BREATH if self._over else _LOOK, deadline - monotonic()))
        return gone

    @property
    def ended(self) -> bool:
        """Whether the process has ended. It is not waited for: its number stays its own."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13; the end of its output must do
            return self._over
        try:
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._process.pid, how) is not None
        except ChildProcessError:
            return True

    def end(self, grace: float = GRACE) -> int:
        """End it and its process group; its exit status. It has `grace` to end by itself."""
        if self._process.returncode is None:
            try:
                if self.rest(grace) is None:
                    self._signal(signal.SIGTERM)
                    self.rest(_LAST_GRACE)
            finally:  # nobody may be patient enough for that
                self._kill()  # the rest of the group; not one that ends by itself now
            self._look(b"", 0.0)
            self._murmurs.close()
            for pipe in self._pipes:
                pipe.close()
        return self._process.returncode

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)
        _guard.forget(self._process.pid)
        self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        """Signal the whole group, whose number nobody else can have: it is not yet waited for."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, number)


def _read(pipe: int) -> bytes | None:
    """What can be read now; None for nothing, empty for the end."""
    try:
        return os.read(pipe, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
