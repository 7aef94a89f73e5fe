"""`racko bot`: bots in other programs are tried, and ours are served to other programs."""

from __future__ import annotations

import logging
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from racko_tui import logfile
from racko_tui.commands.options import (
    Argument,
    Group,
    OneOf,
    Option,
    Seconds,
    number,
    shared_options,
)
from racko_tui.i18n import _, decimal, ngettext, sentence
from racko_tui.terminal import console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from racko_core.rules import Rules
    from racko_net.outside_bot.check import Check, Finding


def command() -> click.Command:
    """The command, in the language spoken."""
    subcommands: list[click.Command] = [_check(), _run()]
    for each in subcommands:
        each.params += shared_options()
        each.options_metavar = _("[OPTIONS]")
    return Group(
        "bot",
        commands={each.name or "": each for each in subcommands},
        subcommand_metavar=_("COMMAND"),
        help=_(
            "Try a bot that is another program, or serve one of ours to another program. Wherever"
            " the level of a bot is named, “exec:” and a command name a program; “{path}” says how"
            " to write one."
        ).format(path=_document()),
        short_help=_("Try a bot of your own, or serve one of ours."),
    )


def _document() -> Path:
    """Where the protocol is told."""
    import racko_net

    return Path(racko_net.__file__).with_name("BOT_PROTOCOL.md")


def bot_time_option() -> Option:
    """How long a bot in another program may think."""
    return Option(
        ["--bot-time"],
        type=Seconds(0.1, 3600.0),
        metavar=_("SECONDS"),
        help=_("Time that a bot in another program has for a decision; 5 unless told."),
    )


def say_trying(commands: Iterable[str]) -> None:
    """Tell who sits at a terminal what is waited for: a program may take its time."""
    if sys.stderr.isatty():
        programs = ", ".join(dict.fromkeys(commands))
        console.complain(_("Trying {programs} …").format(programs=programs))


def try_programs(levels: Iterable[str], rules: Rules, bot_time: float | None) -> None:
    """Try the programs among these bots. Raises `RackoError` for one that does not answer."""
    from racko_core.bots import is_outside, without_exec

    levels = list(levels)
    if any(map(is_outside, levels)):
        say_trying(without_exec(level) for level in levels if is_outside(level))
        from racko_net.outside_bot.permission import Limits, Programs
        from racko_net.outside_bot.player import try_out

        try_out(levels, rules, Programs(at_home=True, limits=Limits.of(bot_time)))


def _check() -> click.Command:
    return click.Command(
        "check",
        callback=check,
        params=[
            Argument(
                ["program"], nargs=-1, required=True, type=click.UNPROCESSED, metavar=_("COMMAND")
            ),
            bot_time_option(),
            Option(
                ["--rounds"],
                type=number(1, 1000),
                default=2,
                metavar="N",
                help=_("Rounds to play by each set of rules; {count} unless told.").format(count=2),
            ),
        ],
        context_settings={"allow_interspersed_args": False},
        help=_(
            "Try a program against the bot protocol, by many rules and in many positions, and say"
            " in plain sentences what is wrong. The exit status is 0 if nothing is."
        ),
        short_help=_("Try a program, and say what is wrong."),
    )


def _run() -> click.Command:
    from racko_core.bots import OURS

    return click.Command(
        "run",
        callback=run,
        params=[Argument(["level"], type=OneOf(list(OURS)), metavar=_("BOT"))],
        help=_(
            "Answer the questions of the bot protocol, read from the standard input, as one of our"
            " bots ({bots})."
        ).format(bots=", ".join(OURS)),
        short_help=_("Serve one of our bots to another program."),
    )


def check(program: tuple[str, ...], bot_time: float | None, rounds: int) -> int:
    """Try the program, and tell as it goes; the exit status."""
    from racko_core.bots import OURS, without_exec
    from racko_net.outside_bot.check import Check
    from racko_net.outside_bot.permission import Limits

    _refuse_late_options(program)
    command = without_exec((program[0] if len(program) == 1 else shlex.join(program)).strip())
    if command in OURS and shutil.which(command) is None:
        raise click.UsageError(
            _(
                "“{level}” is a bot of racko's own, and no program: there is nothing to check."
                " “racko bot run {level}” serves it as one."
            ).format(level=command),
            click.get_current_context(),
        )
    with _Murmurs() as murmurs:

        def told(finding: Finding) -> None:
            murmurs.tell(keep_quiet=finding.again)
            _tell(finding)

        trial = Check(command, Limits.of(bot_time), told, rounds)
        good = trial.run()
    for line in _summary(trial):
        console.tell(line)
    return 0 if good else 1


class _Murmurs(logging.Handler):
    """What the program writes on its error output, and whatever else is logged, until it is known
    whether it belongs to a fault that was told before: then it was told before, too.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._lines.append(record.getMessage())

    def tell(self, *, keep_quiet: bool = False) -> None:
        """Print what was kept, unless one is to `keep_quiet`, and forget it."""
        lines, self._lines = self._lines, []
        if lines and not keep_quiet:
            print("\n".join(lines), file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        self.tell()


def _refuse_late_options(program: tuple[str, ...]) -> None:
    """An option of ours among the words of the command was most likely meant for us."""
    context = click.get_current_context()
    ours = [
        *context.help_option_names,
        *(opt for each in context.command.params for opt in each.opts),
    ]
    for word in program[1:]:
        option = word.partition("=")[0]
        if option.startswith("-") and option in ours:
            raise click.UsageError(
                _(
                    "“{option}” comes before the command; if it is meant for the program, put the"
                    " whole command into quotes."
                ).format(option=option),
                context,
            )


def _tell(finding: Finding) -> None:
    mark = _("good") if finding.fault is None else _("WRONG")
    text = sentence(finding.about)
    if finding.again:
        text = _("{trial} The same fault.").format(trial=text)
    console.tell(f"{mark}  {text}", indent=" " * (len(mark) + 2))
    if finding.fault is None or finding.again:
        return
    told = [sentence(finding.fault)]
    if finding.fault.why == "bot-late":
        told.append(_("Does it end each answer with a line feed, and flush its output then?"))
    for text in told:
        console.tell(f"    {text}", indent="    ")


def _summary(trial: Check) -> list[str]:
    lines = [""]
    figures = trial.figures
    if figures.decisions:
        lines.append(
            ngettext(
                "{count} decision: {mean} ms on average, {most} ms at most.",
                "{count} decisions: {mean} ms on average, {most} ms at most.",
                figures.decisions,
            ).format(
                count=figures.decisions,
                mean=decimal(f"{1000 * figures.seconds / figures.decisions:.1f}"),
                most=decimal(f"{1000 * figures.slowest:.1f}"),
            )
        )
    if figures.rounds:
        lines.append(
            ngettext(
                "It went out in {won} of {count} round against novices.",
                "It went out in {won} of {count} rounds against novices.",
                figures.rounds,
            ).format(won=figures.won, count=figures.rounds)
        )
    if faults := len(trial.faults):
        lines.append(
            ngettext("{count} thing is wrong.", "{count} things are wrong.", faults).format(
                count=faults
            )
        )
    else:
        lines.append(_("Nothing is wrong: it can play."))
    return lines


def run(level: str) -> None:
    """Serve until the input ends."""
    from racko_core.bots import bot
    from racko_net.outside_bot.serving import serve

    logfile.start()
    if sys.stdin is None:
        return  # it was closed from the start: nobody asks anything
    if sys.stdin.isatty():
        console.complain(
            _(
                "Waiting for a line of the bot protocol (“{path}” tells it); Ctrl+D ends this."
            ).format(path=_document())
        )
    serve(bot(level), level, sys.stdin.buffer, sys.stdout.buffer)
