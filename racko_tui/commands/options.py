"""Options that several commands share."""

from __future__ import annotations

from math import isnan
from typing import Any, get_args

import click
from click.types import IntParamType

from racko_core.errors import RulesError
from racko_core.rules import PRESETS, Call, Exhausted, FirstDealer, Rules, Scoring
from racko_tui.i18n import LANGUAGES, _, sentence


def shared_options() -> list[click.Option]:
    """What may stand before and after the name of any command; `racko_tui.cli` obeys it."""
    return [
        click.Option(
            ["--lang"],
            type=click.Choice(list(LANGUAGES)),
            expose_value=False,
            help=_("The language to speak."),
        ),
        click.Option(
            ["--ascii"], is_flag=True, expose_value=False, help=_("Use ASCII characters only.")
        ),
    ]


def preset_option() -> click.Option:
    """The preset that the rules start from."""
    return click.Option(
        ["--rules", "preset"],
        type=click.Choice(list(PRESETS)),
        help=_("The preset to start from."),
    )


def seats_option() -> click.Option:
    """The number of players, where nobody is named."""
    return click.Option(
        ["--seats"], type=number(), metavar="N", help=_("The number of players: 2, 3 or 4.")
    )


def rules_options() -> list[click.Option]:
    """One option for each rule; left out, it is None and the preset decides."""

    def choice(name: str, words: Any, text: str) -> click.Option:
        return click.Option([name], type=click.Choice(get_args(words)), help=text)

    def count(name: str, text: str) -> click.Option:
        return click.Option([name], type=number(), metavar="N", help=text)

    def flag(name: str, text: str) -> click.Option:
        return click.Option([f"--{name}/--no-{name}"], default=None, help=text)

    return [
        count("--target", _("The points that end the game; 500 unless told otherwise.")),
        count("--min-run", _("The run that going out needs: 0 for none, or 2 to 6 cards.")),
        choice("--scoring", Scoring, _("What scores: the cards up to the first break, or all that"
                                       " rise.")),
        flag("bonus", _("Whether whoever goes out also scores for a run.")),
        choice("--call", Call, _("Whether a rack in order ends the round by itself, or its player"
                                 " says so.")),
        choice("--exhausted", Exhausted, _("What becomes of the discard pile when the draw pile is"
                                           " empty.")),
        choice("--first-dealer", FirstDealer, _("Which card drawn makes the first dealer.")),
        flag("teams", _("Whether four play two against two.")),
        count("--max-rounds", _("The round after which the game ends in any case.")),
        count("--stalemate-turnovers", _("How often the draw pile is renewed before a round ends"
                                         " with nobody going out.")),
    ]  # fmt: skip


def number(least: int | None = None, most: int | None = None) -> click.ParamType[int]:
    """The type of a whole number, within bounds or not, with its name in the language spoken."""
    whole = IntParamType() if least is None and most is None else click.IntRange(least, most)
    whole.name = _("whole number")
    return whole


class Seconds(click.FloatRange):
    """A time, within bounds."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """The number."""
        found: float = super().convert(value, param, ctx)
        if isnan(found):  # neither below the bounds nor above them
            self.fail(_("“{value}” is not a time.").format(value=value), param, ctx)
        return found


def seed_option() -> click.Option:
    """What fixes every deal."""
    return click.Option(
        ["--seed"],
        metavar="N",
        callback=_text,
        help=_("A number or a word that fixes every deal; left out, chance decides."),
    )


def _text(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse what the terminal cannot have meant: bytes that are no text."""
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise click.BadParameter(_("that is not text"), context, option) from None
    return value


def rules_from(preset: str | None, players: int | None, settings: dict[str, Any]) -> Rules:
    """The rules that were asked for; what makes no sense is wrong usage.

    Where the number of players is open it is the one that the rules need.
    """
    changes = {name: value for name, value in settings.items() if value is not None}
    preset = preset or "classic"
    if players is None and changes.get("teams"):
        players = 4
    try:
        return Rules.preset(preset, players, **changes)
    except RulesError as error:
        raise click.UsageError(sentence(error), click.get_current_context()) from None
