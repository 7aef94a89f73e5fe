from __future__ import annotations

import pytest

from racko_core.actions import DEAL
from racko_core.events import DealerDrawn, Dealt, RoundStarted, TurnStarted
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core.stacked import FALLING, dealt_game, opening, order_for, play, stacked_game


@pytest.mark.parametrize(("first_dealer", "dealer"), [("high", 2), ("low", 1)])
def test_the_first_dealer_is_who_drew_the_highest_or_the_lowest_card(
    first_dealer: str, dealer: int
) -> None:
    rules = Rules.from_dict({"players": 4, "first_dealer": first_dealer})
    game = stacked_game(rules, opening(rules), drawn=(17, 3, 59, 30))
    assert isinstance(game.opening, DealerDrawn)
    assert game.opening.cards == (17, 3, 59, 30)
    assert game.dealer == game.opening.dealer == game.turn == dealer
    assert game.phase is Phase.DEAL


def test_the_draw_for_the_dealer_is_shown_to_all_and_its_deck_is_another_one() -> None:
    game = Game.new(Rules(players=3), bytes(32))
    assert game.view(None).opening.cards == game.opening.deck[:3]
    events = game.apply(DEAL)
    assert isinstance(events[0], RoundStarted)
    assert events[0].commitment != game.opening.commitment
    assert len(set(game.places())) == 50


def test_the_deal_goes_round_from_the_dealers_left_into_the_slots_from_the_back() -> None:
    rules = Rules(players=3)
    game = stacked_game(rules, list(range(50, 0, -1)), drawn=(1, 50, 2))
    events = game.apply(DEAL)
    deal = events[1]
    assert isinstance(deal, Dealt)
    assert deal.racks[2] == tuple(range(23, 51, 3))  # the first card, 50, in slot 10
    assert deal.racks[0] == tuple(range(22, 50, 3))
    assert deal.racks[1] == tuple(range(21, 49, 3))
    assert (deal.discard, deal.draw_count) == (20, 19)


@pytest.mark.parametrize(("players", "draw_count"), [(2, 19), (3, 19), (4, 19)])
def test_the_rest_is_the_draw_pile_and_its_top_starts_the_discards(
    players: int, draw_count: int
) -> None:
    game = dealt_game(Rules(players=players), {}, draws=(9, 8, 7), discard=13)
    view = game.view(None)
    assert view.discards == (13,)
    assert view.draw_count == draw_count
    assert game._draw[-3:] == [7, 8, 9]


def test_the_player_left_of_the_dealer_starts_and_play_goes_clockwise() -> None:
    rules = Rules(players=3)
    game = stacked_game(rules, order_for(rules, {}, dealer=1), drawn=(1, 50, 2))
    events = play(game, "deal d x d x d x")
    turns = [event.seat for event in events if isinstance(event, TurnStarted)]
    assert turns == [2, 0, 1, 2]


def test_the_deal_passes_to_the_left_after_every_round() -> None:
    rules = Rules(players=3, target=500, call="auto")
    orders = [order_for(rules, {1: range(1, 11)}, dealer=dealer) for dealer in (0, 1, 2, 0)]
    game = stacked_game(rules, *orders)
    for number, dealer in enumerate((0, 1, 2, 0), 1):
        assert game.turn == dealer
        game.apply(DEAL)
        assert (game.round, game.dealer) == (number, dealer)
    assert [ended.dealer for ended in game.sheet] == [0, 1, 2, 0]


def test_a_round_starts_from_nothing_but_the_totals() -> None:
    rules = Rules(target=500, max_rounds=3)
    first = order_for(rules, {1: (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)}, draws=(11,))
    second = order_for(rules, {0: FALLING}, dealer=1)
    game = stacked_game(rules, first, second)
    play(game, "deal d p10 deal")
    view = game.view(0)
    assert view.known == ((None,) * 10,) * 2
    assert view.last_slot == (None, None)
    assert view.turns == (0, 0)
    assert (view.turnovers, view.draw_count) == (0, 19)
    assert len(view.discards) == 1
    assert [type(event) for event in view.history] == [RoundStarted, Dealt, TurnStarted]
    assert view.totals == (5, 75)
