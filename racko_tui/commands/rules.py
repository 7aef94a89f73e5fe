"""`racko rules`: the rules in force, in words."""

from __future__ import annotations

import shutil
import textwrap
from typing import Any

import click

from racko_core.rules import PRESETS
from racko_tui.commands.options import Argument, OneOf, rules_from, rules_options, seats_option
from racko_tui.i18n import _
from racko_tui.words import preset_in_words, preset_name, rules_in_words


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "rules",
        callback=show_rules,
        params=[
            Argument(["preset"], type=OneOf(list(PRESETS)), required=False),
            seats_option(),
            *rules_options(),
        ],
        help=_("Say the rules of a preset in words, with the options changed that are given."),
        short_help=_("Say the rules in words."),
    )


def show_rules(preset: str | None, seats: int | None, **settings: Any) -> None:
    """Print the rules, and which presets there are."""
    rules = rules_from(preset, seats, settings)
    width = min(shutil.get_terminal_size().columns, 80)
    name = preset or "classic"
    title = _("{preset}: {about}").format(preset=preset_name(name), about=preset_in_words(name))
    paragraphs = [title, *rules_in_words(rules)]
    print("\n\n".join(textwrap.fill(text, width) for text in paragraphs))
    if preset is None:
        print("\n" + _("Presets:"))
        column = max(map(len, PRESETS))
        for other in PRESETS:
            print(f"  {other:{column}}  {preset_in_words(other)}")
