"""The command `racko`: its subcommands, the language it speaks, and how it ends.

Nothing here imports a screen, the network or a bot: each command does when it runs.
"""

from __future__ import annotations

import contextlib
import errno
import gettext
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from racko_core import __version__
from racko_core.errors import RackoError
from racko_tui import config, i18n
from racko_tui.commands.options import Group, Option, shared_options
from racko_tui.i18n import _, sentence
from racko_tui.terminal import console

COMMANDS: Final = {
    "play": "racko_tui.commands.play",
    "continue": "racko_tui.commands.resume",
    "join": "racko_tui.commands.join",
    "serve": "racko_tui.commands.serve",
    "web": "racko_tui.commands.web",
    "status": "racko_tui.commands.status",
    "score": "racko_tui.commands.score",
    "rules": "racko_tui.commands.rules",
    "verify": "racko_tui.commands.verify",
    "arena": "racko_tui.commands.arena",
    "bot": "racko_tui.commands.bot",
    "analyse": "racko_tui.commands.analyse",
}
"""Name to module, in the order of the help text. A module has a function `command`."""

OK: Final = 0
FAILURE: Final = 1
"""Something did not work; a sentence on the error output says what."""
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130

_UNHEARD: Final = (errno.EPIPE, errno.EIO, errno.ENOSPC)
"""How a write fails when nobody reads any more, or when the disk is full."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `racko` with these arguments, those of the process by default; the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = _run(given)
    except OSError as error:
        status = _unwritten(error) if error.errno in _UNHEARD else _failed()
    except Exception:
        status = _failed()
    return _flushed(status)


def _run(arguments: list[str]) -> int:
    try:
        letters = speak(arguments)
        status = racko().main(arguments, "racko", standalone_mode=False, obj=letters)
    except click.ClickException as error:
        told = io.StringIO()
        error.show(told)
        told.write(_loose_words(arguments, error.format_message()))
        console.complain(told.getvalue().rstrip("\n"))
        return WRONG_USAGE
    except console.NoScreen as error:
        console.complain(sentence(error))
        if sys.stdout.isatty() and not sys.stderr.isatty():
            print(sentence(error))  # a player who redirects errors would see nothing at all
        return WRONG_USAGE
    except RackoError as error:
        console.complain(sentence(error))
        return FAILURE
    except click.Abort:
        return INTERRUPTED
    return status if isinstance(status, int) else OK


def _loose_words(arguments: Sequence[str], complaint: str) -> str:
    """What to say where the word complained of seems to belong to the command of a program, from
    which it has parted for want of quotes; else nothing.
    """
    from racko_core.bots import OURS

    for before, word, loose in zip(["", *arguments], arguments, arguments[1:], strict=False):
        begins = re.search(r"(^|[,=])exec:[^, ]*$", word, re.IGNORECASE)
        offered = before == "--bot" and " " not in word
        if (begins or offered) and loose in complaint and loose not in OURS:
            return _(
                "If “{word}” belongs to the command of a program, put it into quotes with the rest:"
                ' "{command}".'
            ).format(word=loose, command=f"{re.sub('^--[a-z]+=', '', word)} {loose}")
    return ""


def _flushed(status: int) -> int:
    """The exit status, once everything is written, or cannot be.

    What is left to write would fail again, aloud, when the interpreter ends.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            status = status or _unwritten(error)
    return status


def _unwritten(error: OSError) -> int:
    """Of a full disk one is told; where nobody reads any more, there is nobody to tell."""
    if error.errno == errno.ENOSPC:
        console.complain(_("The output cannot be written: there is no space left."))
    return FAILURE


def _failed() -> int:
    """Keep the traceback of an error of ours from the player, and for who mends it."""
    import logging

    from racko_tui import logfile

    logfile.start()
    logging.getLogger(__name__).critical("an error ended racko", exc_info=True)
    with contextlib.suppress(OSError):
        console.complain(logfile.complaint())
    return FAILURE


def speak(arguments: Sequence[str]) -> console.Letters:
    """Settle language and letters before the first word: help and complaints need them too.

    `--lang` comes first, then the settings, then the environment.
    """
    try:
        settings = config.load()
    except config.ConfigError:
        settings = config.Settings()  # the screens tell; a score needs no settings
    asked = console.Letters(ascii_only="--ascii" in arguments or not console.speaks_utf8())
    ascii_only = asked.ascii_only or settings.ascii
    console.prepare_output(ascii_only=ascii_only)
    language = _asked_language(arguments) or settings.language or i18n.preferred()
    i18n.install(language, ascii_only=ascii_only)
    # Click asks gettext for its own messages, and gettext asks the environment.
    gettext.bindtextdomain(i18n.DOMAIN, str(i18n.FOLDER))
    gettext.textdomain(i18n.DOMAIN)
    os.environ["LANGUAGE"] = language
    return asked


def _asked_language(arguments: Sequence[str]) -> str | None:
    """The last `--lang` that names a language; click complains about any other."""
    asked = None
    for option, value in zip(arguments, [*arguments, ""][1:], strict=True):
        name, _equals, inline = option.partition("=")
        if name == "--lang":
            language = (inline or value).lower()
            asked = language if language in i18n.LANGUAGES else asked
    return asked


def racko() -> click.Group:
    """The command with its subcommands, in the language spoken."""
    return _Racko(
        "racko",
        callback=_home,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        options_metavar=_("[OPTIONS]"),
        subcommand_metavar=_("[COMMAND]"),
        params=[
            *shared_options(),
            Option(
                ["--version"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_version,
                help=_("Print the version."),
            ),
        ],
        help=_("Play Rack-O in the terminal. Without a command, the game opens at home."),
    )


class _Racko(Group):
    """Imports a subcommand when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command()
        command.params += shared_options()
        command.options_metavar = _("[OPTIONS]")
        return command


def _show_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        print(f"racko {__version__}")
        context.exit()


@click.pass_context
def _home(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        from racko_tui.begin import Home
        from racko_tui.commands.screen import open_screen, settings_on_disk

        open_screen(settings_on_disk(), Home())
