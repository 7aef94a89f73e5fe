"""What is told of a game: everything that can be seen, and nothing that cannot."""

from __future__ import annotations

import re

import pytest

from racko_core.bots import bot, decide_safely
from racko_core.events import Drew, Placed, seen_by
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.seating import Remark, Said
from racko_core.view import Phase
from racko_tui.table.chronicle import Chronicle
from racko_tui.table.narration import Narrator, outcome_of

NAMES = ("Ana", "Bo", "Cy")


def lines_of_a_round(me: Seat | None) -> list[str]:
    game = Game.new(Rules(players=3, target=75), b"narration")
    chronicle = Chronicle()
    narrator = Narrator(NAMES, game.rules, me)
    chronicle.add(game.opening, narrator)
    player = bot("novice")
    while game.phase is not Phase.OVER and not game.sheet:
        for event in game.apply(decide_safely(player, game.view(game.turn))):
            chronicle.add(seen_by(event, me), narrator)
    return chronicle.lines


@pytest.mark.parametrize("me", [0, None])
def test_a_round_is_told_from_the_deal_to_the_points(me: Seat | None) -> None:
    lines = lines_of_a_round(me)
    assert lines[0].startswith("Cards drawn for the first deal: Ana ")
    assert lines[1].startswith("Round 1: ")
    assert any("RACK-O!" in line and "+75" in line for line in lines[-2:])
    assert all("{" not in line and "None" not in line for line in lines)


def test_only_the_player_is_called_you() -> None:
    assert any(line.startswith("You ") for line in lines_of_a_round(0))
    assert not any("You " in line for line in lines_of_a_round(None))


def test_a_card_that_others_drew_is_never_told() -> None:
    for line in lines_of_a_round(None):
        if "drew a card, put" in line:
            assert len(re.findall(r"\d+", line)) == 2  # the slot, and the card discarded


def test_a_turn_is_one_line_of_the_log() -> None:
    narrator, chronicle = Narrator(NAMES, Rules(players=3), 0), Chronicle()
    chronicle.add(Drew(1, None), narrator)
    assert chronicle.lines == ["Bo drew a card."]
    chronicle.add(Placed(1, 4, None, "draw", 17), narrator)
    assert chronicle.lines == ["Bo drew a card, put it into slot 20 and discarded 17."]
    chronicle.add(Drew(2, None), narrator)
    assert len(chronicle.lines) == 2


def test_what_is_told_anew_has_nothing_to_do_with_what_was_told_before() -> None:
    narrator, chronicle = Narrator(NAMES, Rules(players=3), 0), Chronicle()
    chronicle.add(Drew(1, None), narrator)
    chronicle.begin_again()
    chronicle.add(Placed(1, 4, None, "draw", 17), narrator)  # the end of a turn not told of
    assert chronicle.lines == ["Bo drew a card, put it into slot 20 and discarded 17."]


def test_words_of_people_are_told_as_they_are() -> None:
    narrator = Narrator(NAMES, Rules(players=3))
    assert narrator.tell(Said(1, "Bo", "[b]{name}[/b]")) == "Bo: [b]{name}[/b]"
    assert narrator.tell(Remark("away", 1, "Bo")) == "Bo is away."


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (33, "2, then 3 in order from the front."),
        (12, "2, then 1 out of place. 2, then 9 in order from the front."),
        (1, "As many are out of place as before."),
        (40, "2, then 3 in order from the front."),
    ],
)
def test_the_outcome_says_what_changes(card: int, words: str) -> None:
    before = (4, 8, 3, 16, 20, 24, 28, 32, 36, 7)
    after = (4, 8, card, 16, 20, 24, 28, 32, 36, 7)
    assert outcome_of(before, after, 40) == words


def test_the_outcome_says_when_all_are_in_order() -> None:
    before = (4, 8, 3, 16, 20, 24, 28, 32, 36, 39)
    after = (4, 8, 12, 16, 20, 24, 28, 32, 36, 39)
    assert outcome_of(before, after, 40).startswith("All ten")
