"""No level cheats: what it does follows from what it has seen, whatever the hidden cards are."""

from __future__ import annotations

import random

import pytest

from racko_core.bots import LEVELS, bot
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.rules import PRESETS, Rules
from racko_core.view import Phase
from tests.core.secrecy import as_bytes, twin

EVERY_RULE = [
    *(
        Rules.preset(name, players)
        for name in PRESETS
        for players in (2, 3, 4)
        if not (name == "duel" and players != 2) and not (name == "partners" and players != 4)
    ),
    Rules(exhausted="shuffle", scoring="ascents"),
    Rules(players=3, exhausted="shuffle", call="manual", min_run=2),
    Rules(players=4, teams=True, min_run=4, scoring="ascents"),
]
WORLDS = 3
"""In which the cards that the seat has not seen lie elsewhere, for each decision."""


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_hidden_cards_change_no_decision(rules: Rules) -> None:
    rng = random.Random(str(rules))
    moved = asked = 0
    for number in range(10):
        game = Game.new(rules.with_changes(stalemate_turnovers=2), seed_from(number))
        while not game.sheet:
            seat = game.turn
            assert seat is not None
            view = game.view(seat)
            if game.phase is Phase.CALL or (view.round and rng.random() < 0.04):
                worlds = [twin(game, seat, rng) for _ in range(WORLDS)]
                moved += sum(world.places() != game.places() for world in worlds)
                views = [world.view(seat) for world in worlds]
                assert all(as_bytes(other) == as_bytes(view) for other in views)
                for level in LEVELS:
                    answers = {bot(level).decide(other) for other in views}
                    assert answers == {bot(level).decide(view)}, f"{level} knows what it cannot see"
                asked += 1
            sensible = rng.random() < 0.8
            game.apply(bot("solid").decide(view) if sensible else rng.choice(view.legal))
    assert asked > 10
    assert moved > 2 * asked, "the worlds are hardly different"
