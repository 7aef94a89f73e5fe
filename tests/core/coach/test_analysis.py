"""What decisions cost and what was luck, over games of every kind."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from racko_core import record as records
from racko_core.actions import DEAL, DRAW, GO_OUT, PLAY_ON
from racko_core.bots import LEVELS, bot
from racko_core.coach import Label, analyse, analyse_rounds
from racko_core.coach.positions import UnknownRound, round_of, rounds_of
from racko_core.deck import seed_from
from racko_core.game import Game
from racko_core.record import SeatName
from racko_core.rules import Rules, Seat
from racko_core.view import Phase, View
from tests.core.chance import chooser, kind_decks, random_rules
from tests.core.coach.guessing import Batches, Empty, Guess

GUARD = 2


def played(rules: Rules, seed: int, levels: list[str], rounds: int) -> Game:
    game = Game.new(
        rules.with_changes(max_rounds=rounds, stalemate_turnovers=GUARD), seed_from(seed)
    )
    players = [bot(level) for level in levels]
    while game.result is None:
        assert game.turn is not None
        view = game.view(game.turn)
        game.apply(players[game.turn].decide(view))
    return game


def record_of(game: Game, seed: int | None = None) -> records.Record:
    seats = [SeatName(f"P{seat}") for seat in range(game.rules.players)]
    secret = None if seed is None else seed_from(seed)
    return records.read(records.write(game, seats, seed=secret, about={}))


def told(game: Game, seat: Seat | None, rounds: list[View]) -> None:
    """Keep the view of a round that has just ended."""
    if len(rounds) < len(game.sheet):
        rounds.append(game.view(seat))


@pytest.mark.parametrize("seed", range(40))
def test_a_round_is_played_again_from_what_any_seat_was_told(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng).with_changes(max_rounds=3)
    game = Game(rules, kind_decks(rules, seed))
    choose = chooser(rng, 0.9)
    seat = rng.choice([None, *range(rules.players)])
    views: list[View] = []
    for _ in range(3000):
        if game.result is not None:
            break
        game.apply(choose(game))
        told(game, seat, views)
    again = list(rounds_of(record_of(game)))[: len(views)]
    assert [round_of(view) for view in views] == again
    assert [part.number for part in again] == list(range(1, len(views) + 1))
    before = GO_OUT in game.actions, PLAY_ON in game.actions
    flat = [position.action for part in again for position in part.positions]
    if game.result is not None:
        assert flat == [action for action in game.actions if action != DEAL]
        assert before == (GO_OUT in flat, PLAY_ON in flat)


def test_a_round_in_play_cannot_be_had_from_a_view() -> None:
    game = Game.new(Rules(), seed_from(1))
    for action in (DEAL, DRAW):
        with pytest.raises(UnknownRound, match="not ended"):
            analyse_rounds([game.view(0)], Guess())
        game.apply(action)


def test_a_view_that_does_not_tell_its_round_is_refused() -> None:
    game = played(Rules(), 3, ["solid", "solid"], 1)
    view = game.view(0)
    for history in (view.history[:-3], view.history[4:], (), view.history[:3] + view.history[5:]):
        with pytest.raises(UnknownRound, match="not enough"):
            round_of(replace(view, history=history))


@pytest.mark.parametrize(
    ("rules", "levels"),
    [
        (Rules(), ["casual", "solid"]),
        (Rules(min_run=3), ["solid", "casual"]),
        (Rules(players=3, bonus=True, scoring="ascents"), ["solid", "casual", "novice"]),
        (Rules(players=4, teams=True, bonus=True), ["solid", "casual", "solid", "casual"]),
        (Rules(players=4, exhausted="shuffle"), ["solid"] * 4),
    ],
    ids=["two", "run", "three", "teams", "four"],
)
def test_a_game_is_judged(rules: Rules, levels: list[str]) -> None:
    game = played(rules, 5, levels, 2)
    found = analyse(record_of(game, 5), Guess())
    decisions = [decision for part in found.rounds for decision in part.decisions]
    assert [one.action for one in decisions] == [one for one in game.actions if one != DEAL]
    for one in decisions:
        assert {worth.action for worth in one.ranked} == set(one.view.legal)
        assert one.view.seat == one.seat
        assert one.chosen.action == one.action
        assert one.loss >= 0
        assert (one.loss == 0) or one.action != one.best.action
        assert (one.luck is not None) == (one.action == DRAW)
        hidden = [rack for seat, rack in enumerate(one.view.racks) if seat != one.seat]
        assert set(hidden) == {None}
    assert [part.ended for part in found.rounds] == game.sheet
    for part in found.rounds:
        assert part.ended is not None
        assert tuple(report.turns for report in part.reports) == tuple(
            # Who went out before taking a card had a turn to decide in, but did not end it.
            turns + (part.decisions[-1].action == GO_OUT
                     and part.decisions[-1].view.phase is Phase.TURN
                     and part.decisions[-1].seat == seat)
            for seat, turns in enumerate(part.ended.turns)
        )  # fmt: skip
    for report in found.reports:
        mine = [decision for decision in decisions if decision.seat == report.seat]
        assert sum(report.labels.values()) == len(mine)
        assert report.loss == pytest.approx(sum(one.loss for one in mine))
        assert report.luck.win == pytest.approx(sum(one.luck.win for one in mine if one.luck))
        assert report.accuracy is not None
        assert 0 < report.accuracy <= 100


def test_luck_is_what_the_card_was_worth_more_than_the_cards_that_could_come() -> None:
    game = played(Rules(), 5, ["casual", "solid"], 1)
    (part,) = analyse(record_of(game), Guess()).rounds
    for draw, after in pairwise(part.decisions):
        if draw.luck is None:
            continue
        mean = next(one for one in draw.ranked if one.action == DRAW)
        assert draw.luck.win == after.best.win - mean.win
        assert draw.luck.points == after.best.points - mean.points


def test_the_luck_of_one_side_is_the_bad_luck_of_the_others() -> None:
    for rules, levels in (
        (Rules(), ["solid", "casual"]),
        (Rules(players=3), ["solid", "casual", "solid"]),
        (Rules(players=4, teams=True, bonus=True), ["solid"] * 4),
    ):
        game = played(rules, 7, levels, 2)
        found = analyse(record_of(game), Guess())
        assert sum(one.rounds for one in found.outcomes) == 2
        assert sum(one.rounds_without_luck for one in found.outcomes) == pytest.approx(2)
        assert [one.points for one in found.outcomes] == list(game.totals)
        assert sum(one.points_without_luck for one in found.outcomes) == pytest.approx(
            sum(game.totals)
        )
        lucks = [sum(found.reports[seat].luck.points for seat in side) for side in rules.sides]
        others = len(lucks) - 1
        for side, one in enumerate(found.outcomes):
            rest = [luck for other, luck in enumerate(lucks) if other != side]
            net = lucks[side] - sum(rest) / others
            margins = [
                points[side] - sum(points[:side] + points[side + 1 :]) / others
                for points in (
                    [each.points for each in found.outcomes],
                    [each.points_without_luck for each in found.outcomes],
                )
            ]
            assert margins[0] - margins[1] == pytest.approx(net)
            assert one.rounds - one.rounds_without_luck == pytest.approx(
                sum(found.reports[seat].luck.win for seat in rules.sides[side])
                - sum(
                    found.reports[seat].luck.win
                    for seats in rules.sides
                    for seat in seats
                    if seat not in rules.sides[side]
                )
                / others
            )


def test_better_players_are_more_accurate() -> None:
    names = [level for level in LEVELS if level in ("novice", "casual", "solid")]
    found = []
    for level in names:
        loss = turns = 0.0
        for seed in range(3):
            game = played(Rules(), seed, [level, "solid"], 2)
            report = analyse(record_of(game), Guess()).reports[0]
            loss, turns = loss + report.loss, turns + report.turns
        found.append(loss / turns)
    assert found == sorted(found, reverse=True)
    assert found[0] > 2 * found[-1]


def test_mistakes_are_listed_the_worst_first() -> None:
    game = played(Rules(), 11, ["novice", "solid"], 2)
    found = analyse(record_of(game), Guess())
    worst = found.worst(most=1000)
    assert worst
    assert all(decision.label is not Label.FINE for _, decision in worst)
    losses = [decision.loss for _, decision in worst]
    assert losses == sorted(losses, reverse=True)
    assert all(decision in found.rounds[number - 1].decisions for number, decision in worst)
    assert [one for one in worst if one[1].seat == 0] == found.worst(0, most=1000)
    assert found.worst() == worst[:3]


def test_no_label_is_given_for_less_than_the_error_of_the_estimate() -> None:
    game = played(Rules(), 11, ["novice", "novice"], 1)
    record = record_of(game)
    sure = analyse(record, Guess())
    unsure = analyse(record, Guess(error=0.07))
    assert sure.worst(most=1000) != []
    for a, b in zip(sure.rounds[0].decisions, unsure.rounds[0].decisions, strict=True):
        assert b.label is (a.label if a.loss >= 0.07 else Label.FINE)
    assert analyse(record, Guess(error=1.0)).worst() == []


def test_many_decisions_are_appraised_at_once_where_that_is_offered() -> None:
    game = played(Rules(), 5, ["casual", "solid"], 1)
    batches = Batches()
    said: list[tuple[int, int]] = []
    found = analyse(record_of(game), batches, lambda done, total: said.append((done, total)))
    total = len(game.actions) - 1
    assert found == analyse(record_of(game), Guess())
    assert sum(batches.sizes) == total
    assert len(batches.sizes) < total / 10
    assert said[0] == (0, total)
    assert said[-1] == (total, total)
    assert said == sorted(said)


def test_what_there_is_of_a_game_that_is_not_over_is_judged() -> None:
    game = Game.new(Rules(), seed_from(9))
    seats = [SeatName("Ana"), SeatName("Bo")]
    for asked in range(5):
        text = records.write(game, seats, seed=seed_from(9), about={})
        found = analyse(records.read(text), Empty())
        done = [one for part in found.rounds for one in part.decisions]
        assert len(done) == max(0, asked - 1)
        assert all(part.ended is None and part.outcomes == () for part in found.rounds)
        assert len(found.outcomes) == 2
        if asked == 0:
            assert [report.accuracy for report in found.reports] == [None, None]
        game.apply(game.legal_actions()[0])
