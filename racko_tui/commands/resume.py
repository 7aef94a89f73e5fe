"""`racko continue`: back to the game that was left last."""

from __future__ import annotations

import click

from racko_tui.commands.bot import bot_time_option
from racko_tui.commands.options import Option
from racko_tui.commands.screen import open_screen, settings_on_disk
from racko_tui.i18n import _


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "continue",
        callback=resume,
        params=[
            bot_time_option(),
            Option(
                ["--replace-programs"],
                is_flag=True,
                help=_(
                    "Let a novice play on, for good, in the place of each program that does not"
                    " answer."
                ),
            ),
        ],
        help=_("Play on in the game that was left last, to the card in your hand."),
        short_help=_("Play on in the game that was left last."),
    )


def resume(bot_time: float | None, replace_programs: bool) -> None:
    """Open the screen at the game that was left."""
    from racko_tui.begin import Continue

    open_screen(settings_on_disk(), Continue(bot_time, replace_programs))
