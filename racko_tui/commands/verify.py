"""`racko verify`: whether a game record is true."""

from __future__ import annotations

import click

from racko_core.record import Verification
from racko_core.record import verify as verify_record
from racko_net.text import filled, width
from racko_tui.commands.options import Argument
from racko_tui.commands.record_file import names_in, read_file
from racko_tui.i18n import _, ngettext
from racko_tui.phrases import side_names
from racko_tui.words import players_in_words


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "verify",
        callback=verify,
        params=[Argument(["file"], metavar=_("FILE"))],
        help=_(
            "Replay the record of a game and check every rule, every point and every proof of a"
            " fair deal. “-” reads from the standard input."
        ),
        short_help=_("Check the record of a game."),
    )


def verify(file: str) -> None:
    """Print what the record tells, once all of it has been found right."""
    print("\n".join(_told(verify_record(read_file(file)))))


def _told(found: Verification) -> list[str]:
    game, names = found.game, names_in(found.record)
    sides = side_names(names, game.rules)
    totals = game.sheet[-1].totals if game.sheet else (0,) * len(sides)
    lines = [
        _("The record is true: every rule and every point holds."),
        ngettext(
            "{count} deck fits its commitment.",
            "{count} decks fit their commitments.",
            found.proofs,
        ).format(count=found.proofs),
    ]
    if found.seeded:
        lines.append(_("All of them follow from the seed in the record."))
    lines.append("")
    column = max(map(width, sides))
    lines += [
        f"{filled(side, column)}  {total:5}" for side, total in zip(sides, totals, strict=True)
    ]
    rounds = ngettext("{count} round", "{count} rounds", len(game.sheet)).format(
        count=len(game.sheet)
    )
    if game.result is None:
        lines.append(_("The game is not over after {rounds}.").format(rounds=rounds))
    else:
        winners = players_in_words([sides[side] for side in game.result.winners])
        lines.append(_("Won by {winners} after {rounds}.").format(winners=winners, rounds=rounds))
    return lines
