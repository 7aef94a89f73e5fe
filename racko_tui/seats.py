"""The player's own name."""

from __future__ import annotations

import getpass

from racko_tui.config import NAME_LENGTH, Settings
from racko_tui.i18n import _


def own_name(settings: Settings) -> str:
    """The player's name: as settled, else as the system knows them."""
    if settings.name:
        return settings.name
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without an entry or environment
        name = ""
    return (name[:1].upper() + name[1:])[:NAME_LENGTH] or _("You")
