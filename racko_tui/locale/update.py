"""Brings the catalogues up to date with the program: `python -m racko_tui.locale.update`.

Every marked text is looked for in the three packages. What is new is added to the `.po` files
without a translation, what is gone is taken out, and the `.mo` files are compiled. The command
then lists what waits for a translator. Edit the `.po` files and run it again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from racko_tui.i18n import DOMAIN, FOLDER, LANGUAGES
from racko_tui.locale.compile import compile_catalogues

ROOT: Final = FOLDER.parent.parent
PACKAGES: Final = ("racko_core", "racko_net", "racko_tui")
KEYWORDS: Final = {
    "_": None,
    "N_": None,
    "ngettext": (1, 2),
    "NN_": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""The functions that mark a text, and which of their arguments it is."""
COMMENT: Final = "Translators:"
"""How a comment starts that a translator should read."""


def template() -> Catalog:
    """Every marked text of the program, with the files it stands in."""
    catalogue = Catalog(project="racko", charset="utf-8")
    for package in PACKAGES:
        found = extract_from_dir(
            ROOT / package,
            method_map=[("**.py", "python")],
            keywords=KEYWORDS,
            comment_tags=[COMMENT],
            strip_comment_tags=True,
        )
        for file, _line, message, comments, context in sorted(found, key=lambda one: one[:2]):
            place = (f"{package}/{Path(file).as_posix()}", 0)
            catalogue.add(message, None, [place], auto_comments=comments, context=context)
    return catalogue


def po_file(language: str) -> Path:
    """Where the catalogue of a language lies."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def translated() -> list[str]:
    """The languages that have a catalogue: all but English."""
    return [language for language in LANGUAGES if language != "en"]


def load(language: str) -> Catalog:
    """The catalogue of a language as it stands on disk."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def waiting(catalogue: Catalog) -> Iterator[Message]:
    """The messages without a translation, or with one that nobody has looked at."""
    for message in catalogue:
        texts = message.string if isinstance(message.string, (list, tuple)) else [message.string]
        if message.id and (message.fuzzy or not all(texts)):
            yield message


def main() -> int:
    """Update every catalogue; the exit status is 1 while anything waits for a translator."""
    marked = template()
    left = 0
    for language in translated():
        catalogue = load(language)
        written = catalogue.creation_date  # else every run would change the file
        catalogue.update(marked, no_fuzzy_matching=True)
        catalogue.creation_date = written
        catalogue.msgid_bugs_address = "none"
        text = BytesIO()
        write_po(text, catalogue, width=99, include_lineno=False, ignore_obsolete=True)
        po_file(language).write_bytes(text.getvalue())
        for message in waiting(catalogue):
            left += 1
            print(f"{language}: {message.id}")
    compile_catalogues(FOLDER)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
