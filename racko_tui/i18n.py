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
"""Code to name, each in its own language."""
DOMAIN: Final = "racko"
FOLDER: Final = Path(__file__).parent / "locale"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"
_ascii_only = False


def preferred() -> str:
    """The language that the environment asks for (LC_ALL, LC_MESSAGES, LANG), or English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            code = (locale.normalize(value) or value)[:2].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def install(language: str, *, ascii_only: bool | None = None) -> None:
    """Speak `language`, a key of `LANGUAGES`, from now on.

    `ascii_only` says whether in ASCII alone; None leaves that as it is.
    """
    global _catalogue, _language, _ascii_only
    _catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    _language = language
    if ascii_only is not None:
        _ascii_only = ascii_only


def language() -> str:
    """The language spoken, a key of `LANGUAGES`."""
    return _language


def _(text: str) -> str:
    """`text` in the language spoken."""
    return _shown(_catalogue.gettext(text))


def ngettext(one: str, many: str, count: int) -> str:
    """`one` or `many` in the form that the language has for `count`."""
    return _shown(_catalogue.ngettext(one, many, count))


def pgettext(context: str, text: str) -> str:
    """`text` in the language spoken, in its meaning in `context`."""
    return _shown(_catalogue.pgettext(context, text))


def sentence(error: RackoError) -> str:
    """What an error says, in the language spoken."""
    values = {
        name: sentence(value) if isinstance(value, RackoError) else value
        for name, value in error.values.items()
    }
    return _(error.template).format(**values)


def _shown(text: str) -> str:
    if _ascii_only and not text.isascii():
        from racko_tui.asciify import asciify

        return asciify(text)
    return text
