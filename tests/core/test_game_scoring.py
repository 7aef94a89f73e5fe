from __future__ import annotations

from collections.abc import Mapping, Sequence

from racko_core.actions import DEAL
from racko_core.events import GameEnded, RackScore, RoundEnded
from racko_core.game import Game
from racko_core.rules import Card, Rules, Seat
from racko_core.view import Phase
from tests.core.stacked import FALLING, order_for, play, stacked_game

Racks = Mapping[Seat, Sequence[Card]]

EXAMPLE = (5, 9, 13, 24, 25, 32, 4, 35, 36, 38)
"""Six cards up to the first break; nine that rise."""
IN_ORDER = (1, 2, 3, 6, 7, 8, 10, 11, 12, 14)
"""In order; its longest runs are of three."""


def ended(rules: Rules, racks: Racks) -> RoundEnded:
    """The end of a round in which seat 1 was dealt RACK-O and went out at once."""
    game = stacked_game(rules, order_for(rules, racks))
    play(game, "deal !" if rules.call == "manual" else "deal")
    return game.sheet[0]


def points(round_ended: RoundEnded) -> list[int]:
    return [score.points for score in round_ended.scores]


def test_going_out_is_worth_75_and_the_others_score_up_to_the_first_break() -> None:
    result = ended(Rules(), {0: EXAMPLE, 1: IN_ORDER})
    assert result.scores == (RackScore(6, False, 0, 0, 30), RackScore(10, True, 0, 0, 75))
    assert result.totals == (30, 75)


def test_ascents_count_every_card_that_rises() -> None:
    result = ended(Rules(scoring="ascents"), {0: EXAMPLE, 1: IN_ORDER})
    assert points(result) == [45, 75]


def test_the_front_card_always_counts() -> None:
    for scoring in ("prefix", "ascents"):
        rules = Rules.from_dict({"scoring": scoring})
        assert points(ended(rules, {0: FALLING, 1: IN_ORDER})) == [5, 75]


def test_a_rack_in_order_that_did_not_go_out_scores_fifty() -> None:
    assert points(ended(Rules(), {0: (5, 9, 13, 15, 16, 17, 18, 19, 20, 21), 1: IN_ORDER})) == [
        50,
        75,
    ]


def test_the_bonus_is_for_who_goes_out_and_for_the_longest_run_once() -> None:
    loser = (21, 22, 23, 24, 25, 26, 27, 4, 35, 36)
    result = ended(Rules(bonus=True), {0: loser, 1: IN_ORDER})
    assert result.scores == (RackScore(7, False, 0, 0, 35), RackScore(10, True, 3, 50, 125))


def test_a_longer_run_pays_more_and_six_or_more_pay_the_same() -> None:
    for rack, bonus in (
        ((1, 2, 4, 5, 7, 8, 10, 11, 13, 14), 0),
        ((1, 2, 3, 4, 7, 9, 10, 11, 13, 14), 100),
        ((1, 2, 3, 4, 5, 9, 10, 11, 13, 14), 200),
        ((1, 2, 3, 4, 5, 6, 10, 11, 13, 14), 400),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 400),
    ):
        result = ended(Rules(bonus=True), {0: FALLING, 1: rack})
        assert points(result) == [5, 75 + bonus]
        assert points(ended(Rules(), {0: FALLING, 1: rack})) == [5, 75]


TEAM_RACKS = {
    0: (21, 22, 23, 24, 60, 59, 58, 57, 56, 55),
    1: IN_ORDER,
    2: (31, 32, 33, 54, 53, 52, 51, 50, 49, 48),
    3: (41, 42, 43, 44, 45, 40, 39, 38, 37, 36),
}


def test_partners_add_up_and_both_score_their_own_run_when_one_goes_out() -> None:
    result = ended(Rules.preset("partners"), TEAM_RACKS)
    assert points(result) == [25, 75 + 50, 20, 25 + 200]
    assert result.totals == (45, 350)
    assert [score.run for score in result.scores] == [0, 3, 0, 5]


def test_without_bonus_partners_only_add_up() -> None:
    result = ended(Rules(players=4, teams=True), TEAM_RACKS)
    assert points(result) == [25, 75, 20, 25]
    assert result.totals == (45, 100)


def test_four_players_without_teams_score_alone_and_only_who_goes_out_gets_a_bonus() -> None:
    result = ended(Rules(players=4, bonus=True), TEAM_RACKS)
    assert points(result) == [25, 125, 20, 25]
    assert result.totals == (25, 125, 20, 25)


# The end of a game


def game_of(rules: Rules, *rounds: Racks) -> Game:
    """A game in which all these rounds ended at the deal."""
    orders = [
        order_for(rules, racks, dealer=number % rules.players)
        for number, racks in enumerate(rounds)
    ]
    game = stacked_game(rules, *orders)
    for _ in rounds:
        game.apply(DEAL)
    return game


def test_the_game_ends_when_somebody_reaches_the_target() -> None:
    game = game_of(Rules(target=75), {0: FALLING, 1: IN_ORDER})
    assert game.result == GameEnded((1,), (5, 75), 1)
    assert (game.phase, game.turn) == (Phase.OVER, None)
    assert game.legal_actions() == ()
    assert game.view(0).result == game.result
    assert game.view(0).history[-1] == game.result


def test_below_the_target_the_game_goes_on() -> None:
    game = game_of(Rules(target=80), {0: FALLING, 1: IN_ORDER})
    assert (game.result, game.phase, game.turn) == (None, Phase.DEAL, 1)


def test_when_two_pass_the_target_the_higher_total_wins() -> None:
    middling = (5, 9, 13, 15, 16, 17, 18, 19, 20, 4)  # 45 points
    game = game_of(Rules(target=45), {0: middling, 1: IN_ORDER})
    assert game.result == GameEnded((1,), (45, 75), 1)


def test_a_target_reached_without_going_out_counts() -> None:
    good = (5, 9, 13, 15, 16, 17, 18, 19, 20, 21)
    rules = Rules(target=100)
    rounds = [{0: good, 1: IN_ORDER}, {0: good, 1: IN_ORDER}]
    game = game_of(rules, *rounds)
    # Round 2 is dealt by seat 1, so that seat 0 is first in turn order and goes out.
    assert game.sheet[1].went_out == 0
    assert game.result is None  # 125 each: a tie at the top
    assert game.totals == [125, 125]


def test_a_tie_at_the_top_is_decided_by_further_rounds() -> None:
    good = (5, 9, 13, 15, 16, 17, 18, 19, 20, 21)
    rounds = [{0: good, 1: IN_ORDER}, {0: good, 1: IN_ORDER}, {0: FALLING, 1: IN_ORDER}]
    game = game_of(Rules(target=100), *rounds)
    assert game.result == GameEnded((1,), (130, 200), 3)


def test_a_limit_of_rounds_ends_the_game_and_the_highest_total_wins() -> None:
    rules = Rules(max_rounds=2)
    game = game_of(rules, {0: FALLING, 1: IN_ORDER}, {0: FALLING, 1: IN_ORDER})
    assert game.result == GameEnded((1,), (10, 150), 2)


def test_a_tie_at_the_limit_of_rounds_shares_the_win() -> None:
    good = (5, 9, 13, 15, 16, 17, 18, 19, 20, 21)
    rules = Rules(max_rounds=2, target=100)
    game = game_of(rules, {0: good, 1: IN_ORDER}, {0: good, 1: IN_ORDER})
    assert game.result == GameEnded((0, 1), (125, 125), 2)


def test_the_target_ends_a_game_before_its_limit_of_rounds() -> None:
    game = game_of(Rules(max_rounds=9, target=75), {0: FALLING, 1: IN_ORDER})
    assert game.result is not None


def test_the_winners_of_a_team_game_are_sides() -> None:
    rules = Rules(players=4, teams=True, target=100)
    game = game_of(rules, TEAM_RACKS)
    assert game.result == GameEnded((1,), (45, 100), 1)
