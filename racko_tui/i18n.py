"""Translation: the one way to what a person reads.

Mark text with `_`, `ngettext` or `pgettext` where it is shown, not when a module is imported: the
language can change while the program runs.
"""

from __future__ import annotations

import gettext
import locale
import os
from pathlib import Path
from typing import Final

from racko_core.errors import RackoError

LANGUAGES: Final = {"en": "English", "fr": "Français", "da": "Dansk"}
_DOMAIN: Final = "racko"
_FOLDER: Final = Path(__file__).parent / "locale"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def preferred() -> str:
    """The language that the environment asks for (LC_ALL, LC_MESSAGES, LANG), or English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            code = (locale.normalize(value) or value)[:2].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def install(language: str) -> None:
    """Speak `language`, a key of `LANGUAGES`, from now on."""
    global _catalogue
    _catalogue = gettext.translation(_DOMAIN, _FOLDER, [language], fallback=True)


def _(text: str) -> str:
    """`text` in the language spoken."""
    return _catalogue.gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """`one` or `many` in the form that the language has for `count`."""
    return _catalogue.ngettext(one, many, count)


def pgettext(context: str, text: str) -> str:
    """`text` in the language spoken, in its meaning in `context`."""
    return _catalogue.pgettext(context, text)


def sentence(error: RackoError) -> str:
    """What an error says, in the language spoken."""
    return _(error.template).format(**error.values)
