from __future__ import annotations

import json
import random

import pytest

from racko_core.actions import DEAL
from racko_core.events import (
    Dealt,
    Discarded,
    Drew,
    Event,
    Placed,
    from_dict,
    seen_by,
    to_dict,
)
from racko_core.game import Game
from racko_core.rules import Rules
from tests.core.chance import chooser, seeded_decks


def events_of(rules: Rules, seed: int) -> list[Event]:
    game = Game(rules, seeded_decks(rules, seed))
    choose = chooser(random.Random(seed), 0.8)
    events: list[Event] = [game.opening]
    while game.result is None:
        events += game.apply(choose(game))
    return events


def test_every_event_survives_json_and_every_kind_occurs() -> None:
    rules = Rules(players=4, target=150, bonus=True, teams=True, stalemate_turnovers=2)
    events = [event for seed in range(4) for event in events_of(rules, seed)]
    assert len({type(event) for event in events}) == 10
    for event in events:
        for seat in (None, 0, 1, 2, 3):
            seen = seen_by(event, seat)
            assert from_dict(json.loads(json.dumps(to_dict(seen)))) == seen


@pytest.mark.parametrize(
    ("plain", "error"),
    [
        ({}, KeyError),
        ({"event": "jump"}, KeyError),
        ({"event": "turn"}, TypeError),
        ({"event": "turn", "seat": 0, "card": 3}, TypeError),
    ],
)
def test_anything_else_is_not_an_event(plain: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        from_dict(plain)


def test_others_do_not_learn_a_drawn_card() -> None:
    drew, kept = Drew(1, 30), Placed(1, 4, 30, "draw", 12)
    assert seen_by(drew, 1) == drew
    assert seen_by(kept, 1) == kept
    for seat in (0, None):
        assert seen_by(drew, seat) == Drew(1, None)
        assert seen_by(kept, seat) == Placed(1, 4, None, "draw", 12)


def test_everybody_learns_what_lay_on_the_discard_pile() -> None:
    for event in (Placed(1, 4, 30, "discard", 12), Discarded(1, 30)):
        assert seen_by(event, 0) == seen_by(event, None) == event


def test_a_deal_shows_a_seat_its_own_rack_alone() -> None:
    game = Game.new(Rules(players=3), bytes(32))
    deal = game.apply(DEAL)[1]
    assert isinstance(deal, Dealt)
    mine = seen_by(deal, 1)
    assert isinstance(mine, Dealt)
    assert mine.racks == (None, deal.racks[1], None)
    watched = seen_by(deal, None)
    assert isinstance(watched, Dealt)
    assert watched.racks == (None, None, None)
