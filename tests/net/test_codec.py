"""Events on the wire and the disk: what a game tells comes back as it was; nothing else does."""

from __future__ import annotations

import json
import random

import pytest

from racko_core.events import Event, seen_by
from racko_core.game import Game
from racko_core.rules import Rules
from racko_net.codec import event_from_plain, event_to_plain
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
            assert event_from_plain(json.loads(json.dumps(event_to_plain(seen)))) == seen


@pytest.mark.parametrize(
    "plain",
    [
        [],
        {},
        {"event": "jump"},
        {"event": "turn"},
        {"event": "turn", "seat": "0"},
        {"event": "dealt", "racks": [[1, 2.5]], "discard": 1, "draw_count": 19},
    ],
)
def test_anything_else_is_not_an_event(plain: object) -> None:
    with pytest.raises(ValueError):
        event_from_plain(plain)
