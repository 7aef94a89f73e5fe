"""`racko analyse`: what every decision of a game cost, and what was luck."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from racko_core.errors import N_, RackoError
from racko_tui.commands.options import Argument, Option
from racko_tui.i18n import _
from racko_tui.terminal import console

if TYPE_CHECKING:
    from racko_core.coach import Progress

_INTERRUPTED: Final = 130


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "analyse",
        callback=analyse,
        params=[
            Argument(["file"], required=False, metavar=_("[FILE]")),
            Option(["--json", "as_json"], is_flag=True, help=_("Print one JSON object.")),
        ],
        help=_(
            "Judge every decision in the record of a game by what its player could see then, and"
            " every draw by the cards that could have come. Without a file the game that was"
            " finished last is taken; “-” reads from the standard input."
        ),
        short_help=_("Judge every decision of a game."),
    )


def analyse(file: str | None, as_json: bool) -> int | None:
    """Print what the coach thinks of a game, as a report or as JSON."""
    from racko_core.coach import analyse as judged
    from racko_core.coach import coach
    from racko_core.record import read

    record = read(_newest() if file is None else _given(file))
    if not any(part.turns for part in record.rounds):
        raise RackoError(N_("There is no turn in this record that could be judged."))
    try:
        with _progress() as progress:
            found = judged(record, coach(), progress)
    except KeyboardInterrupt:  # figures of a part would look like those of the game
        console.complain(
            _("You stopped this before every decision was judged; start it again for the whole.")
        )
        return _INTERRUPTED
    if as_json:
        from racko_core.coach import to_dict

        print(json.dumps(to_dict(found, record.seats)))
    else:
        from racko_tui.commands.assessment import told
        from racko_tui.commands.record_file import names_in

        columns = shutil.get_terminal_size().columns
        print("\n".join(told(found, names_in(record), columns)))
    return None


def _given(file: str) -> bytes:
    from racko_tui.commands.record_file import read_file

    return read_file(file)


def _newest() -> str:
    """The record of the game that was finished last."""
    from racko_tui import config
    from racko_tui.local.games import Games

    games = Games(config.data_dir())
    try:
        newest = games.finished(1)
    finally:
        games.close()
    if not newest:
        raise RackoError(N_("No game has been finished yet; name the file of a record."))
    return newest[0].record


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """What to tell how far it is; it shows that to whoever looks on."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(
        length=1, label=_("Decisions"), show_pos=True, width=0, file=sys.stderr
    ) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
