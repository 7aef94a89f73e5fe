"""What the coach says, in every language."""

from __future__ import annotations

import pytest

from racko_core import actions as act
from racko_core.coach import Label, Reason, Why, Words
from racko_core.coach.explanation import because
from racko_core.rules import Rules
from racko_tui.coaching import (
    label_name,
    move_in_words,
    points_in_words,
    reason_in_words,
    so_many_cards,
)
from racko_tui.i18n import LANGUAGES, install
from tests.core.coach.guessing import first_of
from tests.core.stacked import dealt_game, play

SAID = {
    "en": "26 in slot 30 leaves eight cards that fit between 16 and 26, against two before.",
    "fr": "26 dans la fente 30 laisse huit cartes qui vont entre 16 et 26, contre deux avant.",
    "da": "26 på plads 30 giver otte kort, der passer mellem 16 og 26, mod to før.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_is_said_in_every_language(language: str) -> None:
    rack = (4, 8, 12, 16, 33, 19, 28, 32, 36, 40)
    view = dealt_game(Rules(), {1: rack}, (), 26).view(1)
    install(language)
    assert reason_in_words(because(view, first_of(view, act.TAKES[5]))) == SAID[language]
    assert str(because(view, first_of(view, act.TAKES[5]))) == SAID["en"].replace(
        "eight", "8"
    ).replace("two", "2")


def test_counts_are_words_as_far_as_one_counts_on_fingers() -> None:
    install("en")
    assert [so_many_cards(count) for count in (0, 1, 12, 13)] == ["none", "one", "twelve", "13"]
    install("fr")
    assert so_many_cards(1) == "une"


def test_a_sentence_starts_with_a_capital_and_counts_one_apart() -> None:
    install("en")
    words = "{count} card", "{count} cards"
    several = Reason(Why.AS_GOOD, Words(words[0], {"count": 3}, words[1]))
    assert reason_in_words(several) == "Three cards"
    assert reason_in_words(Reason(Why.AS_GOOD, Words(words[0], {"count": 1}, words[1]))) == (
        "One card"
    )


def test_points_that_stay_the_same_are_said_once() -> None:
    install("en")
    assert points_in_words(-15.2, -14.8) == "Points on the others: −15."
    assert points_in_words(3.2, -1.0) == "Points on the others: +3 → −1."


def test_every_move_and_every_label_has_words() -> None:
    install("en")
    game = dealt_game(Rules(), {}, (7,), 26)
    assert move_in_words(game.view(1), act.TAKES[5]) == "take 26 into slot 30"
    assert move_in_words(game.view(1), act.DRAW) == "draw"
    play(game, "d")
    assert move_in_words(game.view(1), act.PLACES[0]) == "put 7 into slot 5"
    assert move_in_words(game.view(1), act.DISCARD) == "discard 7"
    assert move_in_words(game.view(1), act.GO_OUT) == "go out"
    assert move_in_words(game.view(1), act.PLAY_ON) == "play on"
    assert [label_name(label) for label in Label] == ["fine", "inaccuracy", "mistake", "blunder"]
