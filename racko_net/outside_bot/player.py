"""A program as a bot, and the bot of any name: a level, or `exec:` and a command.

An `OutsideBot` starts its program when it is first asked. Whoever seats one decides what follows
when it fails: a table seats a novice for good, `Understudied` (the arena) for the rest of a round.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Self

from racko_core import actions
from racko_core.actions import Action
from racko_core.bots import EXEC, Bot, bot, is_outside
from racko_core.errors import N_, RackoError
from racko_core.rules import Rules, Seat
from racko_core.seating import UNDERSTUDY
from racko_core.view import Phase, View
from racko_net.outside_bot import messages
from racko_net.outside_bot.permission import Limits, OutsideError, Programs
from racko_net.outside_bot.program import Program, Unwanted, shown
from racko_net.text import short_name

_log = logging.getLogger(__name__)

_MOST_FAILURES: Final = 3
"""Rounds in which a program may fail before it is not started again."""


class OutsideBot:
    """A bot in another program. The program runs from the first decision until `close`.

    `close` may be called from another thread while `decide` waits.
    """

    def __init__(
        self, command: str, limits: Limits | None = None, folder: str | None = None
    ) -> None:
        """`folder`: where the program is started; None for the one that this process is in."""
        self.command = command
        self.name = ""
        """What the program calls itself; known once it has been asked."""
        self._limits = limits or Limits()
        self._folder = folder
        self._program: Program | None = None
        self._rules: Rules | None = None
        self._questions = 0
        self._closed = threading.Event()
        self._at_work = threading.Lock()

    def decide(self, view: View) -> Action:
        """What the program decides; where there is no choice it is not asked.

        Raises `OutsideError` if the program fails, which has been ended then: the next decision
        starts it again. Raises `Unwanted` if the bot was closed meanwhile.
        """
        if len(view.legal) == 1:
            return view.legal[0]
        with self._at_work:
            try:
                return self._ask(self._started(view.rules), view)
            except OutsideError:
                self._end(0.0)
                raise

    def start(self, rules: Rules) -> None:
        """Start the program for games by these rules, as the first decision would."""
        with self._at_work:
            self._started(rules)

    def close(self) -> None:
        """End the program."""
        self._closed.set()
        with self._at_work:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def program(self) -> Program | None:
        """The program, while it runs."""
        return self._program

    def _started(self, rules: Rules) -> Program:
        if self._closed.is_set():
            raise Unwanted
        if self._program is not None and rules == self._rules:
            return self._program
        self._end()
        limits = self._limits
        self._program = program = Program(
            self.command, lambda: not self._closed.is_set(), self._folder
        )
        self._rules = rules
        try:
            first = messages.hello(rules, limits.hello, limits.decision)
            answer = self._answer(program, first, limits.hello, messages.Ready)
            if answer.version != messages.VERSION:
                raise OutsideError(
                    "bot-wrong",
                    N_("“{program}” speaks version {version} of the protocol, not {known}."),
                    program=shown(self.command),
                    version=answer.version,
                    known=messages.VERSION,
                )
        except OutsideError:
            self._end(0.0)
            raise
        self.name = short_name(answer.name)
        return program

    def _ask(self, program: Program, view: View) -> Action:
        self._questions += 1
        asked = messages.question(view, self._questions)
        answer = self._answer(program, asked, self._limits.decision, messages.Choice)
        if answer.id != asked.id:
            reason = RackoError(N_("the id should be {id}, that of the question"), id=asked.id)
            raise _wrong(self.command, messages.encode(answer), reason)
        if answer.action not in asked.legal:
            raise not_legal(self.command, answer.action, asked.legal)
        return actions.decode(answer.action)

    def _answer(
        self, program: Program, asked: messages.Line, seconds: float, kind: type[messages.Answer]
    ) -> messages.Answer:
        line = program.ask(messages.encode(asked), seconds, messages.type_of(type(asked)))
        try:
            return messages.from_program(line, kind)
        except ValueError:
            raise _wrong(self.command, line, messages.complaint(line, kind)) from None

    def _end(self, grace: float | None = None) -> None:
        program, self._program = self._program, None
        if program is not None:
            if grace is None:
                program.end()
            else:
                program.end(grace)


def seated(level: str, programs: Programs) -> OutsideBot:
    """The bot of that level, one of these programs. Raises `OutsideError` where none may be run."""
    return OutsideBot(programs.command(level), programs.limits, programs.folder)


class _Trial(threading.Thread):
    """Starts a program once, and ends it when it has answered the hello."""

    def __init__(self, level: str, rules: Rules, programs: Programs) -> None:
        super().__init__(name="outside bot", daemon=True)
        self.level = level
        self.failure: Exception | None = None
        self._rules = rules
        self._programs = programs

    def run(self) -> None:
        try:
            with seated(self.level, self._programs) as outside:
                outside.start(self._rules)
        except Exception as failure:
            self.failure = failure


def failures(
    levels: Iterable[str], rules: Rules, programs: Programs
) -> list[tuple[str, OutsideError]]:
    """Try each program among bots of these levels, all side by side: before anybody sits down,
    opens a server or plays on, for a program that fails later loses its seat.

    The levels of those that do not answer, in the order given, and why; the last also says what
    to do.
    """
    trials = [_Trial(level, rules, programs) for level in dict.fromkeys(filter(is_outside, levels))]
    for trial in trials:
        trial.start()
    failed: list[tuple[str, OutsideError]] = []
    for trial in trials:
        trial.join()
        if isinstance(trial.failure, OutsideError):
            failed.append((trial.level, trial.failure))
        elif trial.failure is not None:
            raise trial.failure
    return [*failed[:-1], *((level, _advised(failure)) for level, failure in failed[-1:])]


def try_out(levels: Iterable[str], rules: Rules, programs: Programs) -> None:
    """The same; raises `OutsideError` for one that does not answer."""
    for _, failure in reversed(failures(levels, rules, programs)):
        raise failure


def _advised(failure: OutsideError) -> OutsideError:
    """The same with what tells more; a command that cannot be started says enough itself."""
    if failure.why == "bot-missing":
        return failure
    told = N_("{failure} “racko bot check” with the program's command tells more.")
    return OutsideError(failure.why, told, failure=failure)


def not_legal(command: str, action: str, legal: Iterable[str]) -> OutsideError:
    """The complaint about an action that the question did not allow."""
    return OutsideError(
        "bot-wrong",
        N_("“{program}” chose “{action}”, which is not among {allowed}."),
        program=shown(command),
        action=shown(action),
        allowed=" ".join(legal),
    )


def _wrong(command: str, answer: bytes, reason: RackoError) -> OutsideError:
    return OutsideError(
        "bot-wrong",
        N_("“{program}” answered “{answer}”: {reason}."),
        program=shown(command),
        answer=shown(answer),
        reason=reason,
    )


class Understudied:
    """A bot in another program whose part a novice takes for the rest of a round in which it fails.

    The first decision that the novice has to take over raises `OutsideError`, once for each seat
    of a round, so that they can be counted. In the next round the program is started again, but
    not for ever.
    """

    def __init__(self, outside: OutsideBot) -> None:
        self._outside = outside
        self._understudy = bot(UNDERSTUDY)
        self._failures: list[OutsideError] = []
        self._forfeited: set[tuple[str, Seat | None]] = set()
        """Commitments of the rounds in which it failed, and its seats there: rounds may be played
        side by side, and the same deck from several seats."""

    def decide(self, view: View) -> Action:
        """What the program decides, or the novice."""
        seat = (view.commitment, view.seat)
        if view.phase is Phase.TURN and not (view.seat is None or view.turns[view.seat]):
            self._forfeited.discard(seat)  # the same deck once more, in another match
        if seat in self._forfeited:
            return self._understudy.decide(view)
        try:
            if len(self._failures) >= _MOST_FAILURES:
                raise self._failures[-1]
            return self._outside.decide(view)
        except OutsideError as error:
            self._forfeited.add(seat)
            if len(self._failures) < _MOST_FAILURES:
                self._failures.append(error)
                _log.warning("%s", error)
            raise

    def close(self) -> None:
        """End the program."""
        self._outside.close()


def player(name: str, limits: Limits | None = None) -> Bot:
    """The bot of that name: a level, or `exec:` and the command of a program.

    Raises `RackoError` if there is none. A program has to be ended with `close`.
    """
    if name.startswith(EXEC):
        return Understudied(OutsideBot(name.removeprefix(EXEC), limits))
    return bot(name)
