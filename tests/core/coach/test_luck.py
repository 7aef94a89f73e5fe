"""Luck averages to zero: over all the cards that could come it is nothing, for every appraiser."""

from __future__ import annotations

import copy
import random

import pytest

from racko_core.actions import DRAW
from racko_core.bots.appraisal import Appraiser
from racko_core.coach import coach
from racko_core.coach.room import may_come
from racko_core.game import Game
from racko_core.rules import Card, Rules
from racko_core.view import Phase
from tests.core.chance import chooser, seeded_decks
from tests.core.coach.guessing import Guess
from tests.core.secrecy import _swap, _swap_event


def with_next(game: Game, card: Card) -> Game:
    """The same game, as far as the player in turn knows, with this card on top of the draw pile."""
    top = game._draw[-1]
    swapped = {top: card, card: top}
    other = copy.copy(game)
    other._racks = [_swap(rack, swapped) for rack in game._racks]
    other._draw = _swap(game._draw, swapped)
    other._discards = list(game._discards)
    other._events = [_swap_event(event, swapped) for event in game._events]
    other._seen = {}
    other._turns = list(game._turns)
    other.actions = list(game.actions)
    return other


@pytest.mark.parametrize("appraiser", [Guess(), coach()], ids=["guess", "coach"])
@pytest.mark.parametrize(
    "rules", [Rules(), Rules(players=4, bonus=True), Rules(exhausted="shuffle")], ids=str
)
def test_the_luck_of_all_cards_that_could_come_adds_up_to_nothing(
    appraiser: Appraiser, rules: Rules
) -> None:
    rng = random.Random(1)
    game, choose = Game(rules, seeded_decks(rules, 3)), chooser(rng, 0.5)
    tried = 0
    while tried < 4:
        if game.phase is not Phase.TURN or rng.random() < 0.8:
            game.apply(choose(game))
            continue
        assert game.turn is not None
        view = game.view(game.turn)
        drawing = next(one for one in appraiser.appraise(view) if one.action == DRAW)
        coming = (
            [game._draw[-1]] if view.turnovers and rules.exhausted == "flip" else may_come(view)
        )
        luck = []
        for card in coming:
            other = with_next(game, card)
            assert other.view(other.turn) == view  # nobody knows which of them it is
            other.apply(DRAW)
            luck.append(appraiser.appraise(other.view(other.turn))[0].win - drawing.win)
        assert sum(luck) / len(luck) == pytest.approx(0, abs=1e-5)
        assert len(luck) == 1 or max(luck) > 0 > min(luck)
        tried += 1
        game.apply(choose(game))
