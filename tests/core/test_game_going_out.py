from __future__ import annotations

import pytest

from racko_core.actions import DEAL, DRAW, GO_OUT, PLAY_ON, TAKES, Discard
from racko_core.errors import IllegalAction
from racko_core.events import Discarded, Placed, Renewed, RoundEnded, TurnStarted
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core.stacked import ALMOST, FALLING, RISING, dealt_game, play

RUN = (4, 8, 12, 16, 20, 24, 28, 38, 39, 2)
"""In order with a run of three once 40 stands at the back."""


def almost(rack: tuple[int, ...] = ALMOST, **settings: object) -> Game:
    """Seat 1 is to play, and 40, which completes `rack`, is the next card to be drawn."""
    rules = Rules.from_dict({"call": "auto", **settings})
    return dealt_game(rules, {1: rack}, draws=(40,))


def last(game: Game) -> RoundEnded:
    assert game.phase in (Phase.DEAL, Phase.OVER)
    return game.sheet[-1]


def test_automatic_the_round_ends_the_moment_a_rack_is_racko() -> None:
    game = almost()
    events = play(game, "d p10")
    assert isinstance(events[-2], Placed)
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, ended.how, ended.turns) == (1, "auto", (0, 1))
    assert ended.racks[1] == (4, 8, 12, 16, 20, 24, 28, 32, 36, 40)
    assert game.phase is Phase.DEAL


def test_a_card_taken_from_the_discards_completes_a_rack_as_well() -> None:
    game = dealt_game(Rules(), {1: ALMOST}, discard=40)
    play(game, "t10")
    assert last(game).went_out == 1


def test_the_end_of_a_round_reveals_the_deck_that_was_committed_to() -> None:
    game = almost()
    play(game, "d p10")
    ended = last(game)
    assert ended.deck == game._deck.order
    assert ended.salt == game._deck.salt.hex()


def test_manual_the_player_chooses_at_the_end_of_the_turn() -> None:
    game = almost(call="manual")
    events = play(game, "d p10")
    assert isinstance(events[-1], Placed)
    assert (game.phase, game.turn) == (Phase.CALL, 1)
    assert game.legal_actions() == (GO_OUT, PLAY_ON)
    (ended,) = game.apply(GO_OUT)
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, ended.how, ended.turns) == (1, "hand", (0, 1))


def test_manual_playing_on_passes_the_turn_and_going_out_stays_possible_at_its_start() -> None:
    game = almost(call="manual")
    assert play(game, "d p10 +")[-1] == TurnStarted(0)
    assert game.legal_actions() == (DRAW, *TAKES)
    play(game, "d x")
    assert (game.phase, game.turn) == (Phase.TURN, 1)
    assert game.legal_actions() == (DRAW, *TAKES, GO_OUT)
    play(game, "!")
    assert (last(game).went_out, last(game).how, last(game).turns) == (1, "hand", (1, 1))


def test_manual_a_turn_that_keeps_racko_offers_the_choice_again() -> None:
    game = almost(call="manual")
    play(game, "d p10 + d x d x")
    assert game.phase is Phase.CALL


def test_manual_a_turn_that_breaks_the_rack_ends_the_chance() -> None:
    game = dealt_game(Rules(call="manual"), {1: RISING}, discard=39)
    play(game, "t1 d x")
    assert game.turn == 1
    assert game.legal_actions() == (DRAW, *TAKES)
    with pytest.raises(IllegalAction, match="needs all ten cards in order"):
        game.apply(GO_OUT)


def test_manual_nobody_goes_out_with_a_drawn_card_in_hand() -> None:
    game = dealt_game(Rules(call="manual"), {1: RISING})
    play(game, "d")
    with pytest.raises(IllegalAction, match="First place or discard"):
        game.apply(GO_OUT)


def test_manual_the_pile_is_renewed_only_once_the_player_has_decided() -> None:
    game = dealt_game(Rules(call="manual"), {0: FALLING, 1: RISING})
    play(game, "d x + d x " * 9 + "d x")  # the nineteenth draw empties the pile
    view = game.view(1)
    assert (view.phase, view.draw_count, view.turnovers) == (Phase.CALL, 0, 0)
    events = play(game, "+")
    assert isinstance(events[0], Renewed)
    assert events[1] == TurnStarted(0)


def test_automatic_a_rack_in_order_at_the_deal_goes_out_with_no_turn_at_all() -> None:
    game = dealt_game(Rules(), {0: RISING})
    ended = last(game)
    assert (ended.went_out, ended.how, ended.turns) == (0, "dealt", (0, 0))


@pytest.mark.parametrize("winner", [1, 3])
def test_of_two_racks_in_order_at_the_deal_the_first_in_turn_order_goes_out(winner: int) -> None:
    racks = {0: range(1, 11), winner: range(11, 21)}
    game = dealt_game(Rules(players=4), racks)
    assert last(game).went_out == winner
    assert last(game).scores[0].points == 50


def test_manual_a_rack_in_order_at_the_deal_waits_for_its_player() -> None:
    game = dealt_game(Rules(call="manual"), {0: RISING})
    assert GO_OUT not in game.legal_actions()
    play(game, "d x")
    assert game.turn == 0
    play(game, "!")
    assert (last(game).went_out, last(game).how, last(game).turns) == (0, "hand", (0, 1))


def test_a_rack_in_order_without_the_run_that_is_needed_plays_on() -> None:
    game = almost(min_run=3)
    events = play(game, "d p10")
    assert events[-1] == TurnStarted(0)
    play(dealt := dealt_game(Rules(min_run=3), {1: RISING}), "d x")
    assert dealt.phase is Phase.TURN  # nor does it go out at the deal


def test_a_rack_in_order_with_the_run_goes_out() -> None:
    game = almost(RUN, min_run=3)
    play(game, "d p10")
    assert last(game).went_out == 1
    longer = almost(RUN, min_run=4)
    play(longer, "d p10")
    assert longer.phase is Phase.TURN


def test_manual_calls_need_the_run_as_well() -> None:
    game = almost(call="manual", min_run=3)
    play(game, "d p10")
    assert (game.phase, game.turn) == (Phase.TURN, 0)
    play(game, "d x")
    with pytest.raises(IllegalAction, match="in order and a run of 3"):
        game.apply(GO_OUT)


def test_a_rack_in_order_that_lacks_the_run_scores_fifty() -> None:
    rules = Rules(min_run=3, stalemate_turnovers=1)
    game = dealt_game(rules, {1: RISING, 0: FALLING})
    play(game, "d x " * 19)
    assert [score.points for score in last(game).scores] == [5, 50]
    assert not last(game).scores[1].went_out


def test_the_stalemate_guard_ends_a_round_with_nobody_going_out() -> None:
    rules = Rules(stalemate_turnovers=2, bonus=True, call="auto")
    game = dealt_game(rules, {0: FALLING, 1: (1, 2, 3, 30, 28, 26, 24, 22, 20, 18)})
    events = play(game, "d x " * 38)
    assert isinstance(events[-3], Discarded)
    renewed, ended = events[-2:]
    assert isinstance(renewed, Renewed)
    assert renewed.turnover == 2
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, ended.how, ended.turnovers) == (None, "stalemate", 2)
    assert [score.points for score in ended.scores] == [5, 20]  # no bonus for anybody


def test_without_the_guard_a_round_goes_on() -> None:
    game = dealt_game(Rules(), {0: FALLING, 1: (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)})
    play(game, "d x " * 190)
    assert game.view(None).turnovers == 10


def test_racko_on_the_turn_that_would_meet_the_guard_wins() -> None:
    rules = Rules(stalemate_turnovers=1)
    draws = [card for card in range(1, 41) if card not in (*ALMOST, *FALLING, 40, 37)]
    game = dealt_game(rules, {0: FALLING, 1: ALMOST}, draws=[*draws[:18], 40], discard=37)
    play(game, "d x " * 18 + "d p10")
    assert (last(game).how, last(game).turnovers) == ("auto", 0)


def test_only_the_player_in_turn_can_act_so_actions_name_no_seat() -> None:
    game = almost()
    assert game.view(0).legal == ()
    assert game.view(None).legal == ()
    assert game.view(1).legal == game.legal_actions()
    assert Discard() not in game.legal_actions()
    assert DEAL not in game.legal_actions()
