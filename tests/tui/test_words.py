"""The rules in plain words say what the engine does, for every option."""

from __future__ import annotations

import pytest

from racko_core.bots import LEVELS
from racko_core.rack import points_without_going_out
from racko_core.rules import PRESETS, Rules
from racko_tui import words
from racko_tui.i18n import install


def text(rules: Rules) -> str:
    return "\n".join(words.rules_in_words(rules))


@pytest.mark.parametrize(("scoring", "points"), [("prefix", "30 points"), ("ascents", "45 points")])
def test_the_example_is_scored_as_the_engine_scores_it(scoring: str, points: str) -> None:
    rules = Rules(scoring=scoring)  # type: ignore[arg-type]
    assert points in words.scoring_example(rules)
    assert str(points_without_going_out(words.EXAMPLE, rules)) in points
    assert "5 9 13 24 25 32 4 35 37 39" in words.scoring_example(rules)
    assert max(words.EXAMPLE) <= Rules(players=2).cards, "no deck is without one of its cards"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Rules(), Rules(first_dealer="low")),
        (Rules(), Rules(exhausted="shuffle")),
        (Rules(), Rules(call="manual")),
        (Rules(), Rules(min_run=3)),
        (Rules(), Rules(scoring="ascents")),
        (Rules(call="manual"), Rules(bonus=True)),
        (Rules(players=4), Rules(players=4, teams=True)),
        (Rules(), Rules(max_rounds=3)),
        (Rules(), Rules(stalemate_turnovers=2)),
        (Rules(), Rules(target=300)),
        (Rules(), Rules(players=3)),
    ],
)
def test_every_option_changes_what_is_said(one: Rules, other: Rules) -> None:
    assert text(one) != text(other)


def test_numbers_of_the_rules_are_said() -> None:
    said = text(Rules(players=4, target=355, min_run=4, bonus=True, max_rounds=17))
    for number in (
        "1 to 60",
        "355",
        "at least 4",
        "17 rounds",
        "3 cards 50",
        "6 or more cards 400",
    ):
        assert number in said


@pytest.mark.parametrize("language", ["en", "fr", "da"])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_no_gap_is_left_open_in_any_language(preset: str, language: str) -> None:
    install(language)
    said = text(Rules.preset(preset)) + words.preset_name(preset) + words.preset_in_words(preset)
    assert "{" not in said


def test_a_preset_is_recognised_whatever_the_target() -> None:
    for name in PRESETS:
        rules = Rules.preset(name, target=150)
        assert words.preset_of(rules) == name
    assert words.preset_of(Rules(max_rounds=3)) is None


def test_names_are_joined_as_one_says_them() -> None:
    assert words.players_in_words(["Ana"]) == "Ana"
    assert words.players_in_words(["Ana", "Bo"]) == "Ana and Bo"
    assert words.players_in_words(["Ana", "Bo", "Cy"]) == "Ana, Bo and Cy"


@pytest.mark.parametrize("language", ["en", "fr", "da"])
def test_who_plays_two_reads_also_which_cards_more_players_use(language: str) -> None:
    install(language)
    (said,) = (paragraph for paragraph in words.rules_in_words(Rules()) if "40" in paragraph)
    for players in (2, 3, 4):
        assert str(Rules(players=players).cards) in said


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_says_how_it_plays_in_one_sentence_that_fits_below_the_form(level: str) -> None:
    said = words.level_in_words(level)
    assert said.endswith(".")
    assert said.count(".") == 1
    assert len(said) <= 76
    assert words.level_name(level) in said
