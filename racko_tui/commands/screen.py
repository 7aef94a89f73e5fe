"""From the command line to the full screen."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Final

import click

from racko_tui import config
from racko_tui.config import Settings
from racko_tui.i18n import sentence
from racko_tui.terminal import console
from racko_tui.terminal.lifeline import Lifeline

if TYPE_CHECKING:
    from racko_tui.begin import Begin

_UNREAD: Final = "racko_tui.settings"
"""Where a command remembers why its settings could not be read."""


def settings_on_disk() -> Settings:
    """The settings; where they cannot be read, the reason is told and the defaults do."""
    try:
        return config.load()
    except config.ConfigError as trouble:
        console.complain(sentence(trouble))
        click.get_current_context().meta[_UNREAD] = trouble  # the first screen hides what is told
        return Settings()


def open_screen(settings: Settings, begin: Begin) -> None:
    """Show the application, and end with its exit status.

    Raises `NoScreen` where there is no terminal.
    """
    console.require_screen()
    context = click.get_current_context()
    letters = context.find_object(console.Letters)
    ascii_only = letters is not None and letters.ascii_only
    console.prepare_output(ascii_only=ascii_only)  # what the settings ask for, the screens see to
    unread = context.meta.get(_UNREAD)
    gc.disable()  # start-up makes no garbage worth looking for; the application turns it on again
    with Lifeline() as lifeline:  # what asks for the end while this is imported must not be lost
        from racko_tui.app import run

        status = run(settings, begin, lifeline, ascii_only=ascii_only, unsaved=unread)
    context.exit(status)
