"""The messages of click that a player can meet, so that they stand in the catalogues.

Click looks them up with gettext itself. Wordings of older releases stand beside those of newer
ones; a release that words one anew says it in English until it is added here.
"""

from __future__ import annotations

from typing import Final

from racko_core.errors import N_


def NN_(one: str, many: str) -> tuple[str, str]:
    """Mark a message with a plural for the catalogue and return it unchanged."""
    return one, many


SINGLE: Final = (
    N_("(dynamic)"),
    N_("Aborted!"),
    N_("Argument {name!r} takes {nargs} values."),
    N_("Commands"),
    N_("Error: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("Invalid value: {message}"),
    N_("Missing command."),
    N_("No such option {name!r}."),
    N_("No such option: {name}"),
    N_("Option {name!r} does not take a value."),
    N_("Options"),
    N_("Positional arguments"),
    N_("Show this message and exit."),
    N_("Try '{command} {option}' for help."),
    N_("Usage:"),
    N_("default: {default}"),
    N_("required"),
)
PLURAL: Final = (
    NN_("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    NN_("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    NN_("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    NN_("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
