"""`racko score`: every case of the rules, as JSON and in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from racko_tui.cli import OK, WRONG_USAGE, main

CASES = json.loads((Path(__file__).parents[1] / "core" / "racks.json").read_text("utf-8"))
EXAMPLE = ["5", "9", "13", "24", "25", "32", "4", "35", "42", "55"]
RUN_OF_THREE = ["4", "8", "12", "16", "20", "24", "25", "26", "36", "40"]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    def tell(*arguments: object) -> str:
        assert main(["score", *map(str, arguments)]) == OK
        return capsys.readouterr().out

    return tell


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_json_holds_for_every_case(case: dict[str, Any], told: Any) -> None:
    for options, points_of_winner, goes_out in (
        ([], case["winner_points"], case["goes_out"]),
        (["--bonus"], case["winner_points_bonus"], case["goes_out"]),
        (["--rules", "bonus"], case["winner_points_bonus"], case["goes_out"]),
        (["--min-run", 3], case["winner_points"], case["goes_out_min_run_3"]),
        (["--rules", "duel"], case["winner_points"], case["goes_out_min_run_3"]),
        (["--rules", "vintage"], case["winner_points_bonus"], case["goes_out_min_run_3"]),
        (["--rules", "vintage", "--seats", 4], case["winner_points_bonus"], case["goes_out"]),
        (["--rules", "partners"], case["winner_points_bonus"], case["goes_out"]),
        (["--scoring", "ascents"], case["winner_points"], case["goes_out"]),
    ):
        worth = json.loads(told(*case["rack"], "--json", *options))
        loser = "ascents_points" if "ascents" in options else "prefix_points"
        assert worth == {
            "rack": case["rack"],
            "in_order": case["in_order"],
            "prefix_points": case["prefix_points"],
            "ascents_points": case["ascents_points"],
            "longest_run": case["longest_run"],
            "run_bonus": case["run_bonus"],
            "goes_out": goes_out,
            "points": points_of_winner if goes_out else case[loser],
        }


def test_the_picture_shows_numbers_at_their_places_and_the_break(told: Any) -> None:
    picture = told(*EXAMPLE).splitlines()[:10]
    assert [int(line.split()[0]) for line in picture] == list(range(50, 0, -5))
    front_first = [line.partition("│")[2] for line in reversed(picture)]
    for card, line in zip(EXAMPLE, front_first, strict=True):
        assert line.split()[0] == card
        assert line.index(card) + len(card) == int(card) + 1
    assert ["✗" in line for line in front_first] == [slot == 7 for slot in range(1, 11)]
    assert ["┃" in line for line in front_first] == [slot <= 6 for slot in range(1, 11)]


def test_words_explain_a_broken_rack(told: Any) -> None:
    words = told(*EXAMPLE)
    assert "Slot 35 breaks the order: 4 is lower than 32 in front of it." in words
    assert "The longest run is 24 25." in words
    assert "6 cards count" in words
    assert "30 points" in words
    assert "9 cards count" in told(*EXAMPLE, "--scoring", "ascents")


def test_words_explain_going_out(told: Any) -> None:
    assert "make 75" in told(*RUN_OF_THREE)
    assert "50 more: 125 points" in told(*RUN_OF_THREE, "--bonus")
    assert "Without going out: All ten cards count: 50 points." in told(
        *RUN_OF_THREE, "--call", "manual"
    )


def test_words_explain_why_a_rack_in_order_cannot_go_out(told: Any) -> None:
    words = told(*RUN_OF_THREE, "--min-run", "4")
    assert "cannot go out without a run of 4 cards" in words
    assert "All ten cards count: 50 points." in words
    assert "break" not in words


@pytest.mark.parametrize(
    "rule",
    [
        ("--target", "300"),
        ("--exhausted", "flip"),
        ("--first-dealer", "low"),
        ("--max-rounds", "3"),
        ("--stalemate-turnovers", "2"),
        ("--teams",),
    ],
)
def test_only_rules_that_count_for_a_rack_are_offered(
    rule: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *EXAMPLE, *rule]) == WRONG_USAGE
    assert rule[0] in capsys.readouterr().err


def test_cards_are_those_that_so_many_play_with(
    told: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *EXAMPLE, "--seats", "2"]) == WRONG_USAGE
    assert "“42” is not a card; cards are the numbers 1 to 40." in capsys.readouterr().err
    assert "30 points" in told(*EXAMPLE, "--seats", "4")


def test_a_rack_in_ascii_keeps_its_picture(told: Any) -> None:
    words = told(*EXAMPLE, "--ascii")
    assert words.isascii()
    assert "35 |    4" in words


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        (EXAMPLE[:9], "holds ten cards, and 9 are given"),
        (EXAMPLE[:1], "holds ten cards, and 1 is given"),
        ([*EXAMPLE, "60"], "holds ten cards, and 11 are given"),
        ([*EXAMPLE[:9], "5"], "The card 5 is given twice"),
        ([*EXAMPLE[:9], "61"], "“61” is not a card; cards are the numbers 1 to 60"),
        ([*EXAMPLE[:9], "0"], "“0” is not a card"),
        ([*EXAMPLE[:9], "1e1"], "“1e1” is not a card"),
        ([*EXAMPLE[:9], "٤"], "“٤” is not a card"),
        ([*EXAMPLE[:9], "601"], "“601” is not a card"),
    ],
)
def test_anything_but_ten_cards_is_refused(
    cards: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *cards, "--json"]) == WRONG_USAGE
    assert complaint in capsys.readouterr().err
