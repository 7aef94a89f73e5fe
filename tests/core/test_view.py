from __future__ import annotations

import random

import pytest

from racko_core import game as game_module
from racko_core.actions import GO_OUT, PLAY_ON
from racko_core.deck import commitment
from racko_core.events import Event
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.view import Phase
from tests.core.chance import chooser, random_rules, seeded_decks
from tests.core.secrecy import as_bytes, seen_cards, shown_cards, twin
from tests.core.stacked import ALMOST, FALLING, RISING, dealt_game, play


def leaks(rng: random.Random, rounds: int) -> list[str]:
    """What views told beyond what their seats had seen, in so many random rounds."""
    found = []
    while rounds > 0:
        rules = random_rules(rng)
        # A third turn-over adds no new kind of position, and rounds without end take all the time.
        rules = rules.with_changes(stalemate_turnovers=min(2, rules.stalemate_turnovers or 2))
        game = Game(rules, seeded_decks(rules, rng.getrandbits(32)))
        choose = chooser(rng, rng.choice((0.5, 0.9, 1.0)))
        while game.result is None and rounds > 0:
            rounds -= game.phase is Phase.DEAL
            game.apply(choose(game))
            if game.phase in (Phase.DEAL, Phase.OVER) or rng.random() < 0.97:
                continue
            for seat in (None, *range(rules.players)):
                view = game.view(seat)
                if not shown_cards(view) <= seen_cards(game, seat):
                    found.append("an unseen card")
                if as_bytes(view) != as_bytes(twin(game, seat, rng).view(seat)):
                    found.append("a difference")
    return found


def test_a_view_does_not_depend_on_anything_its_seat_has_not_seen() -> None:
    assert leaks(random.Random(1), rounds=300) == []


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_seeing(event: Event, seat: Seat | None) -> Event:
        return event

    monkeypatch.setattr(game_module, "seen_by", all_seeing)
    assert set(leaks(random.Random(1), rounds=5)) == {"an unseen card", "a difference"}


def test_a_seat_sees_its_own_rack_and_hand_alone() -> None:
    game = dealt_game(Rules(players=3), {1: FALLING}, draws=(40,))
    play(game, "d")
    mine, other, watched = game.view(1), game.view(0), game.view(None)
    assert (mine.rack, mine.hand) == (FALLING, 40)
    assert (mine.my_turn, other.my_turn, watched.my_turn) == (True, False, False)
    assert (other.racks[1], other.hand) == (None, None)
    assert (watched.racks, watched.hand) == ((None, None, None), None)
    for view in (mine, other, watched):
        assert (view.phase, view.turn) == (Phase.DRAWN, 1)


def test_a_spectator_has_no_rack_and_nobody_has_one_before_the_deal() -> None:
    game = Game.new(Rules(), bytes(32))
    for seat in (0, None):
        with pytest.raises(LookupError):
            _ = game.view(seat).rack
    assert game.view(0).discard is None
    assert game.view(0).commitment == ""
    with pytest.raises(LookupError):
        _ = dealt_game(Rules(), {}).view(None).rack


def test_the_discard_one_may_take_is_the_top_of_the_pile() -> None:
    game = dealt_game(Rules(), {1: FALLING}, draws=(40,), discard=5)
    play(game, "d x")
    assert game.view(0).discards == (5, 40)
    assert game.view(0).discard == 40


def test_when_the_game_is_over_it_is_nobodys_turn() -> None:
    game = dealt_game(Rules(target=5), {1: RISING})
    for seat in (0, 1, None):
        assert not game.view(seat).my_turn


def test_others_are_not_told_that_a_player_could_go_out() -> None:
    game = dealt_game(Rules(call="manual"), {1: RISING})
    play(game, "d x")
    assert (game.view(1).phase, game.view(1).legal) == (Phase.CALL, (GO_OUT, PLAY_ON))
    assert (game.view(0).phase, game.view(0).legal) == (Phase.TURN, ())
    assert game.view(None).phase is Phase.TURN


def test_after_a_round_everybody_sees_all_racks() -> None:
    game = dealt_game(Rules(), {1: RISING})
    for seat in (0, 1, None):
        view = game.view(seat)
        assert view.racks == game.sheet[-1].racks
        assert view.racks[1] == RISING


def test_a_view_stays_as_it_was_when_the_game_goes_on() -> None:
    game = dealt_game(Rules(), {1: FALLING})
    views = [game.view(seat) for seat in (0, 1, None)]
    before = [as_bytes(view) for view in views]
    play(game, "d p3 t4 d x")
    assert [as_bytes(view) for view in views] == before


def test_the_commitment_is_told_before_the_first_card_and_fits_what_is_revealed() -> None:
    game = dealt_game(Rules(), {1: ALMOST}, draws=(40,))
    told = game.view(None).commitment
    play(game, "d p10")
    ended = game.sheet[-1]
    assert told == commitment(ended.deck, bytes.fromhex(ended.salt))
