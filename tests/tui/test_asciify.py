"""Spelling with ASCII alone."""

from __future__ import annotations

import pytest

from racko_tui.terminal import asciify


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("Réglages", "Reglages"),
        ("trækbunke på plads, Ålborg, Øst", "traekbunke paa plads, Aalborg, Oest"),
        ("« donne »", '" donne "'),
        ("“score” – it’s 5 × 10…", '"score" - it\'s 5 x 10...'),
        ("Łódź 東", "?odz ?"),
        ("plain", "plain"),
    ],
)
def test_words_stay_readable(text: str, spelt: str) -> None:
    assert asciify.asciify(text) == spelt


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Åse", "Ase"), ("│ 5 ✗┃", "| 5 x|"), ("東x", "??x"), ("e\u0301", "e"), ("…", ".")],
)
def test_on_a_laid_out_screen_nothing_changes_its_width(text: str, shown: str) -> None:
    asciify.register()
    assert text.encode("ascii", asciify.ERRORS).decode() == shown
