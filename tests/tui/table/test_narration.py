"""What is told of a game: everything that can be seen, and nothing that cannot."""

from __future__ import annotations

import re

import pytest

from racko_core import actions as act
from racko_core.bots import bot, decide_safely
from racko_core.events import Drew, Placed, seen_by
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.seating import Remark, Said
from racko_core.view import Phase
from racko_tui.table.chronicle import Chronicle
from racko_tui.table.narration import Narrator, advice, outcome_of

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


def test_a_hint_names_card_slot_and_reason() -> None:
    game = Game.new(Rules(), b"a hint")
    game.apply(act.DEAL)
    view = game.view(game.turn)
    text = advice(view, act.TAKES[1])
    assert text.startswith(f"Hint: take {view.discard} and put it into slot 10. ")
    assert text.endswith(".")
    assert str(view.discard) in advice(view, act.DRAW)


@pytest.mark.parametrize(
    ("rack", "slot", "card", "why"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 1), 10, 20, "All ten"),
        ((3, 2, 9, 4, 30, 6, 7, 8, 9, 1), 1, 1, "3 cards are in order"),
        ((8, 2, 9, 4, 30, 6, 33, 8, 9, 1), 4, 15, "between 9 and 30"),
    ],
)
def test_the_reason_of_a_hint_fits_the_rack(
    rack: tuple[int, ...], slot: int, card: int, why: str
) -> None:
    game = Game.new(Rules(), b"a hint")
    game.apply(act.DEAL)
    assert game.turn is not None
    view = game.view(game.turn)
    view.racks = tuple(rack if seat == game.turn else None for seat in range(2))
    view.discards = (card,)
    assert why in advice(view, act.TAKES[slot - 1])


def test_a_hint_to_discard_says_that_the_card_brings_nothing() -> None:
    game = Game.new(Rules(), b"narration")
    game.apply(act.DEAL)
    game.apply(act.DRAW)
    view = game.view(game.turn)
    said = f"discard {view.hand}. It brings your rack no nearer to order."
    assert advice(view, act.DISCARD).endswith(said)
