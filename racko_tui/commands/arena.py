"""`racko arena`: bots against bots, many times, and how strong that shows them to be."""

from __future__ import annotations

import json
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from racko_core.errors import N_, RackoError
from racko_core.rules import Rules
from racko_net.reasons import reason
from racko_tui import logfile
from racko_tui.commands.bot import bot_time_option, try_programs
from racko_tui.commands.options import (
    Argument,
    BotName,
    Option,
    number,
    path,
    preset_option,
    rules_from,
    rules_options,
    seats_option,
    seed_option,
)
from racko_tui.i18n import _, ngettext, sentence

if TYPE_CHECKING:
    from racko_core.arena import Contest, Make, Report, Standing
    from racko_core.bots import Bot
    from racko_net.outside_bot.permission import Limits

_ROUNDS: Final = 1000
_MOST: Final = 1_000_000_000
_INTERRUPTED: Final = 130


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "arena",
        callback=arena,
        params=[
            Argument(
                ["bots"],
                nargs=-1,
                required=True,
                type=BotName(references=True),
                metavar=_("BOT BOT..."),
            ),
            Option(
                ["--rounds"],
                type=number(1, _MOST),
                metavar="N",
                help=_(
                    "Play so many rounds, each the first of a game of its own; {count} unless told"
                    " otherwise."
                ).format(count=_ROUNDS),
            ),
            Option(
                ["--games"],
                type=number(1, _MOST),
                metavar="N",
                help=_("Play so many games, to the last round, instead."),
            ),
            preset_option(),
            seats_option(),
            *rules_options(),
            seed_option(),
            Option(
                ["--jobs"],
                type=number(1, 1000),
                metavar="N",
                help=_("Processes to play in; one for each core unless told otherwise."),
            ),
            Option(
                ["--dask"],
                metavar=_("ADDRESS"),
                help=_("Play on the Dask cluster whose scheduler is there, instead of here."),
            ),
            Option(
                ["--records"],
                type=path(),
                metavar=_("FOLDER"),
                help=_("Write the record of every game into a file of its own in this folder."),
            ),
            bot_time_option(),
            Option(["--json", "as_json"], is_flag=True, help=_("Print one JSON object.")),
        ],
        help="\n\n".join(_help()),
        short_help=_("Find out how strong bots are."),
    )


def _help() -> Iterator[str]:
    from racko_core.bots import LEVELS
    from racko_core.bots.reference import REFERENCES
    from racko_core.rules import GUARD

    yield _(
        "Let bots play against each other, and say how strong each of them is. A bot is a level"
        " ({levels}), one to measure others against ({references}), or “exec:COMMAND” for a"
        " program of your own."
    ).format(levels=", ".join(LEVELS), references=", ".join(REFERENCES))
    yield _(
        "Every deck is played several times, once for each way in which the bots can change seats,"
        " so that nobody is lucky with cards or seat. There are as many seats as bots, or those of"
        " --seats. With more seats than bots the last bot named takes those that are left: “expert"
        " solid --seats 3” is one expert against two solid players. With fewer seats than bots"
        " (two, where five bots or more are named), every choice of so many bots plays a match."
        " Where teams play, each bot is a whole team."
    )
    yield ngettext(
        "The rounds or games asked for are those of one match; there may be a few more, to finish"
        " the last deck. A round ends with nobody going out when the draw pile has been renewed"
        " {count} time. Ctrl+C ends the play, and says what is known so far.",
        "The rounds or games asked for are those of one match; there may be a few more, to finish"
        " the last deck. A round ends with nobody going out when the draw pile has been renewed"
        " {count} times. Ctrl+C ends the play, and says what is known so far.",
        GUARD,
    ).format(count=GUARD)


def arena(
    bots: tuple[str, ...],
    rounds: int | None,
    games: int | None,
    preset: str | None,
    seats: int | None,
    seed: str | None,
    jobs: int | None,
    dask: str | None,
    records: Path | None,
    bot_time: float | None,
    as_json: bool,
    **rules: Any,
) -> int | None:
    """Play, and print how things stand then; the exit status where it is not 0."""
    from racko_core.arena import Contest, Tally, cores

    logfile.start()  # what a bot has to complain of is told in the end
    _exclude("--rounds", rounds, "--games", games)
    _exclude("--jobs", jobs, "--dask", dask)
    try:
        contest = Contest.of(
            bots,
            _rules(len(bots), preset, seats, rules),
            unit="games" if games else "rounds",
            count=games or rounds or _ROUNDS,
            seed=str(secrets.randbelow(10**9)) if seed is None else seed,
            recorded=records is not None,
        )
    except RackoError as error:
        raise click.UsageError(sentence(error), click.get_current_context()) from None
    if dask is None:
        try_programs(contest.bots, contest.rules, bot_time)
    folder = None if records is None else _Records(records)
    jobs = None if dask else jobs or cores()
    tally = Tally(contest)
    began = perf_counter()
    trouble: RackoError | None = None
    with _Interrupts() as interrupts, _progress(contest) as show:
        reports = _reports(contest, _maker(contest, bot_time), jobs, dask)
        try:
            while (report := interrupts.let(reports)) is not None:
                tally.add(report)
                show(len(report.outcomes))
                if folder is not None:
                    folder.write(report)
        except RackoError as error:
            if not tally.decks:
                raise
            trouble = error
        finally:
            reports.close()
    _print(tally.standing(), perf_counter() - began, jobs, as_json=as_json)
    if trouble is not None:
        raise trouble
    return _INTERRUPTED if interrupts.heard else None


def _exclude(option: str, given: object, other: str, too: object) -> None:
    if given is not None and too is not None:
        raise click.UsageError(
            _("{option} and {other} exclude each other; give one of them.").format(
                option=option, other=other
            ),
            click.get_current_context(),
        )


def _rules(bots: int, preset: str | None, seats: int | None, rules: dict[str, Any]) -> Rules:
    """The rules asked for; they say how many play where they can, else the bots do."""
    fixed = preset in ("duel", "partners") or rules["teams"]
    if seats is None and not fixed:
        seats = bots if 2 <= bots <= 4 else 2
    return rules_from(preset, seats, rules)


def _reports(
    contest: Contest, make: Make, jobs: int | None, dask: str | None
) -> Generator[Report, None, None]:
    from racko_core.arena import play

    if dask is None:
        return play(contest, make, jobs or 1)
    try:
        from racko_core.arena import cluster
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("racko"):
            raise
        raise RackoError(
            N_("“--dask” needs one thing more; install it with “pip install 'racko[cluster]'”.")
        ) from missing
    return cluster.play(contest, make, dask)


def _maker(contest: Contest, bot_time: float | None) -> Make:
    from racko_core.bots import bot, is_outside

    if not any(map(is_outside, contest.bots)):
        return bot
    from racko_net.outside_bot.permission import Limits

    return partial(_player, limits=Limits.of(bot_time))


def _player(name: str, limits: Limits) -> Bot:
    """A bot where it plays, be it in another process: what a program writes is logged there."""
    from racko_net.outside_bot.player import player

    logfile.start("racko_net")
    return player(name, limits)


class _Interrupts:
    """Ctrl+C ends the play, and nothing else: what is being counted or written is finished."""

    def __init__(self) -> None:
        self.heard = False
        self._may_raise = False
        self._before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
        if self._may_raise:
            self._may_raise = False
            raise KeyboardInterrupt

    def let(self, reports: Iterator[Report]) -> Report | None:
        """The next report; None at the end, or after Ctrl+C."""
        try:
            self._may_raise = True
            report = None if self.heard else next(reports, None)
            self._may_raise = False
        except KeyboardInterrupt:
            return None
        return report


@contextmanager
def _progress(contest: Contest) -> Iterator[Callable[[int], None]]:
    """What to call with the number of decks that are done; it shows them to whoever looks on."""
    if not sys.stderr.isatty():
        yield lambda decks: None
        return
    with click.progressbar(
        length=contest.decks, label=_("Decks"), show_pos=True, width=0, file=sys.stderr
    ) as bar:
        yield bar.update


class _Records:
    """A folder in which every game gets a file."""

    def __init__(self, folder: Path) -> None:
        """Raises `RackoError` where nothing can be written, or something would be mixed up."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.glob("deck-*.txt")):
                raise RackoError(
                    N_("There are records of games in “{path}” already; name another folder."),
                    path=folder,
                )
            probe = folder / ".racko"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise self._unwritable(error) from None

    def write(self, report: Report) -> None:
        """Write the records of a report."""
        for outcome in report.outcomes:
            for table, record in enumerate(outcome.records, 1):
                path = self._folder / f"deck-{outcome.deck + 1:06}-{table:02}.txt"
                try:
                    with path.open("x", encoding="utf-8") as file:
                        file.write(record)
                except OSError as error:
                    with suppress(OSError):  # half a record is none
                        path.unlink()
                    raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> RackoError:
        return RackoError(
            N_("The records cannot be written into “{path}” ({reason}); check the folder."),
            path=self._folder,
            reason=reason(error),
        )


def _print(standing: Standing, seconds: float, jobs: int | None, *, as_json: bool) -> None:
    if as_json:
        from racko_core.arena import to_dict

        print(json.dumps(to_dict(standing, seconds, jobs)))
    else:
        from racko_tui.commands.standings import told

        print("\n".join(told(standing, shutil.get_terminal_size().columns)))
