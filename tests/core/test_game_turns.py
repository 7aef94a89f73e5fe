from __future__ import annotations

from racko_core.actions import DRAW
from racko_core.deck import reshuffled
from racko_core.events import Discarded, Drew, Event, Placed, Renewed, TurnStarted
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core.stacked import FALLING, dealt_game, play


def fresh(rules: Rules | None = None) -> Game:
    return dealt_game(rules or Rules(), {1: FALLING}, draws=(38, 2, 9), discard=5)


def test_taking_the_discard_puts_it_into_the_slot_and_throws_what_stood_there() -> None:
    game = fresh()
    events = play(game, "t3")
    assert events == [Placed(1, 3, 5, "discard", 31), TurnStarted(0)]
    assert game.view(1).rack == (35, 33, 5, 29, 27, 25, 23, 21, 19, 17)
    assert game.view(None).discards == (31,)
    assert game.view(None).draw_count == 19


def test_drawing_shows_the_card_and_keeps_the_turn() -> None:
    game = fresh()
    assert play(game, "d") == [Drew(1, 38)]
    assert (game.phase, game.turn) == (Phase.DRAWN, 1)
    assert game.view(1).hand == 38
    assert game.view(None).draw_count == 18


def test_a_drawn_card_can_be_placed() -> None:
    game = fresh()
    assert play(game, "d p10") == [Drew(1, 38), Placed(1, 10, 38, "draw", 17), TurnStarted(0)]
    assert game.view(1).rack == (35, 33, 31, 29, 27, 25, 23, 21, 19, 38)
    assert game.view(None).discards == (5, 17)


def test_a_drawn_card_can_be_discarded() -> None:
    game = fresh()
    assert play(game, "d x") == [Drew(1, 38), Discarded(1, 38), TurnStarted(0)]
    assert game.view(1).rack == FALLING
    assert game.view(0).discards == (5, 38)
    assert game.view(1).hand is None


def test_turns_are_counted_when_they_end() -> None:
    game = fresh()
    play(game, "d")
    assert game.view(None).turns == (0, 0)
    play(game, "x t1 t1")
    assert game.view(None).turns == (1, 2)


def drawn_out(exhausted: str) -> tuple[Game, list[Event]]:
    """Nineteen turns that draw and discard; the last empties the draw pile."""
    rules = Rules.from_dict({"exhausted": exhausted})
    game = dealt_game(rules, {1: FALLING}, discard=5)
    events = play(game, "d x " * 18)
    assert not any(isinstance(event, Renewed) for event in events)
    assert game.view(None).draw_count == 1
    return game, events + play(game, "d x")


def test_flip_turns_the_discards_over_without_shuffling() -> None:
    game, events = drawn_out("flip")
    thrown = [event.card for event in events if isinstance(event, Discarded)]
    # The first one discarded in the round is the first one up again, the next the first drawn.
    assert events[-2:] == [Renewed("flip", 1, 5, 19), TurnStarted(0)]
    assert game.view(None).discards == (5,)
    drawn = [e.card for e in play(game, "d x " * 19) if isinstance(e, Drew)]
    assert drawn == thrown
    assert game.view(None).turnovers == 2


def test_flip_happens_as_soon_as_the_turn_ends_and_not_before() -> None:
    game = dealt_game(Rules(), {1: FALLING}, discard=5)
    play(game, "d x " * 18 + "d")
    assert game.view(None).draw_count == 0
    assert game.view(None).turnovers == 0
    play(game, "p1")
    assert game.view(None).turnovers == 1


def test_shuffle_keeps_the_top_discard_and_shuffles_the_rest() -> None:
    game, events = drawn_out("shuffle")
    thrown = [5, *(event.card for event in events if isinstance(event, Discarded))]
    assert events[-2:] == [Renewed("shuffle", 1, thrown[-1], 19), TurnStarted(0)]
    assert game.view(None).discards == (thrown[-1],)
    deck = game._deck
    expected = reshuffled(thrown[:-1], deck.order, deck.salt, 1)
    drawn = [e.card for e in play(game, "d x " * 19) if isinstance(e, Drew)]
    assert drawn == expected
    assert sorted(expected) == sorted(thrown[:-1])
    assert expected != thrown[:-1]


def test_each_renewal_shuffles_anew() -> None:
    game, _ = drawn_out("shuffle")
    first = game._draw[::-1]
    pile = [*game._discards, *first]
    play(game, "d x " * 19)
    assert game.view(None).turnovers == 2
    deck = game._deck
    assert game._draw[::-1] == reshuffled(pile[:-1], deck.order, deck.salt, 2)


def test_a_turned_over_pile_is_not_lost_when_it_is_a_single_card() -> None:
    for exhausted in ("flip", "shuffle"):
        game = dealt_game(Rules.from_dict({"exhausted": exhausted}), {1: FALLING}, discard=5)
        game._racks[0] += game._draw  # no legal play leads here
        game._draw = []
        play(game, "t1")
        assert game.view(None).discards == (35,)
        assert sorted(game.places()) == list(range(1, 41))
        assert DRAW not in game.legal_actions()


def test_memory_of_a_slot_follows_what_everybody_saw() -> None:
    game = fresh()
    play(game, "t3 d p3 t4")  # seat 1: 5 into 3; seat 0: 38 unseen into 3; seat 1 takes again
    view = game.view(0)
    assert view.known[1][2] == 5
    assert view.known[1][3] == view.history[-2].card  # type: ignore[union-attr]
    assert view.known[0] == (None,) * 10
    assert view.last_slot == (3, 4)
    play(game, "d x d p3")  # the known card leaves slot 3 for an unseen one
    assert game.view(0).known[1][2] is None
