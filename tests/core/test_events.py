from __future__ import annotations

from racko_core.actions import DEAL
from racko_core.events import Dealt, Discarded, Drew, Placed, seen_by
from racko_core.game import Game
from racko_core.rules import Rules


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
