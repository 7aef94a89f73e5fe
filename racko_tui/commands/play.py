"""`racko play`: straight to a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from racko_core.errors import N_, RackoError
from racko_tui.commands.bot import bot_time_option, try_programs
from racko_tui.commands.options import Option, preset_option, rules_from, rules_options, seed_option
from racko_tui.commands.screen import open_screen, settings_on_disk
from racko_tui.i18n import _, sentence

if TYPE_CHECKING:
    from racko_core.record import SeatName


def command() -> click.Command:
    """The command, in the language spoken."""
    from racko_core.bots import LEVELS
    from racko_core.seating import USUAL

    return click.Command(
        "play",
        callback=play,
        params=[
            Option(
                ["--players"],
                metavar=_("NAME,..."),
                help=_("Who sits at this keyboard; you alone unless told otherwise."),
            ),
            Option(
                ["--bots"],
                metavar=_("LEVEL,..."),
                help=_(
                    "The bots, each a level ({levels}), or “exec:” and the command of a program."
                    " Left out, “{level}” takes every seat that the rules need."
                ).format(levels=", ".join(LEVELS), level=USUAL),
            ),
            bot_time_option(),
            preset_option(),
            *rules_options(),
            seed_option(),
        ],
        help=_("Sit down at a table at once, with bots, or with friends at this keyboard."),
        short_help=_("Sit down at a table at once."),
    )


def play(
    players: str | None,
    bots: str | None,
    bot_time: float | None,
    preset: str | None,
    seed: str | None,
    **rules: Any,
) -> None:
    """Open the screen at a new table."""
    from racko_core.bots import meant
    from racko_core.seating import USUAL
    from racko_tui.begin import Play
    from racko_tui.local.games import Choice
    from racko_tui.local.seats import own_name

    settings = settings_on_disk()
    people = [own_name(settings)] if players is None else _listed(players)
    if bots is None:
        seats = rules_from(preset, None, rules).players
        levels = [USUAL] * (seats - len(people))
    else:
        levels = _listed(bots)
    chosen = rules_from(preset, len(people) + len(levels), rules)
    try:
        levels = [meant(level) for level in levels]
        choice = Choice(chosen, _seats(people, levels), seed or "")
        try_programs(levels, chosen, bot_time)
    except RackoError as error:
        raise click.UsageError(sentence(error), click.get_current_context()) from None
    open_screen(settings, Play(choice, bot_time))


def _seats(people: list[str], levels: list[str]) -> tuple[SeatName, ...]:
    """People first, then the bots, which find names for themselves."""
    from racko_core.record import HUMAN, SeatName
    from racko_net.text import clean_name
    from racko_tui.local.drafts import friendly_name
    from racko_tui.local.games import GamesError

    seats: dict[str, SeatName] = {}
    for name in map(clean_name, people):
        if name in seats:
            raise GamesError(N_("Two seats are called “{name}”; change one of them."), name=name)
        seats[name] = SeatName(name, HUMAN)
    for level in levels:
        name = friendly_name(seats)
        seats[name] = SeatName(name, level)
    return tuple(seats.values())


def _listed(words: str) -> list[str]:
    """What commas part, unless they stand in quotes, as they may in a command."""
    parts = re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*'|["'])+""", words)
    return [part.strip() for part in parts if part.strip()]
