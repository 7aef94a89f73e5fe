from __future__ import annotations

from typing import Any

import pytest

from racko_core.actions import (
    DEAL,
    DISCARD,
    DRAW,
    GO_OUT,
    PLACES,
    PLAY_ON,
    TAKES,
    Action,
    Place,
    Take,
)
from racko_core.errors import IllegalAction, RecordError
from racko_core.game import Game
from racko_core.rules import Rules
from tests.core.stacked import RISING, as_deck, dealt_game, opening, play, stacked_game

NO_DEAL = "The round has not been dealt yet; deal first."
OVER = "The game is over; start another one."
TAKE_OR_DRAW = "Draw a card or take the discard."
PLACE_OR_DISCARD = "Place the card that you drew in a slot, or discard it."
CALL = "Your rack is RACK-O: go out or play on."
SLOTS = "A rack has slots 1 to 10; choose one of them."


def snapshot(game: Game) -> str:
    """All that a game knows."""
    return repr({name: value for name, value in vars(game).items() if name != "_decks"})


def undealt(**settings: Any) -> Game:
    rules = Rules(**settings)
    return stacked_game(rules, opening(rules))


def at(codes: str, **settings: Any) -> Game:
    """A game in which seat 1 holds a rack in order, after these actions."""
    game = dealt_game(Rules(**settings), {1: RISING})
    play(game, codes)
    return game


def emptied() -> Game:
    game = at("", min_run=3)
    game._draw.clear()
    return game


MANUAL = {"call": "manual"}


@pytest.mark.parametrize(
    ("game", "action", "sentence"),
    [
        *((undealt(), action, NO_DEAL) for action in (DRAW, TAKES[0], PLACES[0], DISCARD)),
        *((undealt(), action, NO_DEAL) for action in (GO_OUT, PLAY_ON)),
        *((at("", target=5), action, OVER) for action in (DEAL, DRAW, TAKES[0], GO_OUT)),
        *((at("", min_run=3), action, TAKE_OR_DRAW) for action in (DEAL, DISCARD, PLACES[0])),
        (at("", min_run=3), PLAY_ON, TAKE_OR_DRAW),
        (at("", min_run=3), GO_OUT, "Going out happens by itself in this game."),
        (at("d", min_run=3), GO_OUT, "First place or discard the card that you drew."),
        *((at("d", min_run=3), action, PLACE_OR_DISCARD) for action in (DRAW, TAKES[0], DEAL)),
        (at("t10 d x", **MANUAL), GO_OUT, "Going out needs all ten cards in order."),
        (
            at("", min_run=3, **MANUAL),
            GO_OUT,
            "Going out needs all ten cards in order and a run of 3.",
        ),
        (at("d x", **MANUAL), DRAW, CALL),
        (at("d x", **MANUAL), DEAL, CALL),
        *((at("", min_run=3), Take(slot), SLOTS) for slot in (0, 11, -1)),
        *((at("d", min_run=3), Place(slot), SLOTS) for slot in (0, 11, -1)),
        (emptied(), DRAW, "The draw pile is empty; take the discard."),
        (at("d", min_run=3), "p3", PLACE_OR_DISCARD),
        (at("", min_run=3), None, TAKE_OR_DRAW),
    ],
    ids=lambda value: value.phase if isinstance(value, Game) else str(value),
)
def test_a_refusal_says_what_is_wrong_and_leaves_the_game_as_it_was(
    game: Game, action: Action, sentence: str
) -> None:
    before = snapshot(game)
    with pytest.raises(IllegalAction) as refusal:
        game.apply(action)
    assert str(refusal.value) == sentence
    assert snapshot(game) == before


def test_a_game_without_the_next_deck_is_unchanged_as_well() -> None:
    def decks(number: int) -> Any:
        if number:
            raise RecordError("no deck in line {line}", line=1)
        return as_deck(range(1, 41))

    game = Game(Rules(), decks)
    before = snapshot(game)
    with pytest.raises(RecordError):
        game.apply(DEAL)
    assert snapshot(game) == before
