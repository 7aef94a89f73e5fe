"""The player's own name."""

from __future__ import annotations

import getpass

from racko_net.text import short_name
from racko_tui.config import Settings
from racko_tui.i18n import _


def own_name(settings: Settings) -> str:
    """The player's name: as settled, else as the system knows them."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without an entry or environment
        name = ""
    return short_name(settings.name) or short_name(name[:1].upper() + name[1:]) or _("You")
