"""Translation: the one way to what a person reads.

Mark text with `_`, `ngettext` or `pgettext` where it is shown, not when a module is imported: the
language can change while the program runs. A program speaks one language; one that serves several
people calls `speak_apart` for each.
"""

from __future__ import annotations

import gettext
import locale
import os
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final

from racko_core.errors import RackoError, figure

LANGUAGES: Final = {"en": "English", "fr": "Français", "da": "Dansk"}
"""Code to name, each in its own language."""
DOMAIN: Final = "racko"
FOLDER: Final = Path(__file__).parent / "locale"


@dataclass(slots=True)
class _Speech:
    """How somebody is spoken to."""

    catalogue: gettext.NullTranslations = field(default_factory=gettext.NullTranslations)
    language: str = "en"
    ascii_only: bool = False
    own: str = ""


# The context holds where to look, not what is found there: tasks have contexts of their own, and
# all of them are to notice when one of them changes the language.
_speech: ContextVar[_Speech] = ContextVar("speech", default=_Speech())  # noqa: B039


def preferred() -> str:
    """The language that the environment asks for (LC_ALL, LC_MESSAGES, LANG), or English."""
    if _speech.get().own:
        return _speech.get().own
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
    speech = _speech.get()
    speech.catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    speech.language = language
    if ascii_only is not None:
        speech.ascii_only = ascii_only


def speak_apart(own: str = "") -> None:
    """From now on, in this context and the tasks that it starts, speak to one person alone.

    `own` is the language that their system asks for, if it does.
    """
    _speech.set(_Speech(own=own))
    install(preferred())


def language() -> str:
    """The language spoken, a key of `LANGUAGES`."""
    return _speech.get().language


def _(text: str) -> str:
    """`text` in the language spoken."""
    return spelt(_speech.get().catalogue.gettext(text))


def ngettext(one: str, many: str, count: int) -> str:
    """`one` or `many` in the form that the language has for `count`."""
    return spelt(_speech.get().catalogue.ngettext(one, many, count))


def pgettext(context: str, text: str) -> str:
    """`text` in the language spoken, in its meaning in `context`."""
    return spelt(_speech.get().catalogue.pgettext(context, text))


def decimal(figure: str) -> str:
    """A figure with the decimal mark of the language spoken."""
    return figure.replace(".", pgettext("decimal mark", "."))


def sentence(error: RackoError) -> str:
    """What an error says, in the language spoken."""
    return _(error.template).format(
        **{name: _in_sentence(value) for name, value in error.values.items()}
    )


def _in_sentence(value: object) -> object:
    match value:
        case RackoError():
            return sentence(value)
        case float():
            return decimal(figure(value))
        case PurePath():  # names of files may hold anything, what moves the cursor too
            return "".join(letter if letter.isprintable() else "?" for letter in str(value))
    return value


def spelt(text: str) -> str:
    """`text`, which is not translated, in letters that can be shown."""
    if _speech.get().ascii_only and not text.isascii():
        from racko_tui.terminal.asciify import asciify

        return asciify(text)
    return text
