from __future__ import annotations

import copy
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racko_core.actions import DEAL, DISCARD, DRAW, GO_OUT, PLACES, PLAY_ON, TAKES, Action
from racko_core.deck import seed_from
from racko_core.errors import IllegalAction
from racko_core.events import Event
from racko_core.game import Game
from racko_core.record import SeatName, verify, write
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core.chance import (
    OPTIONS,
    chooser,
    kind_decks,
    random_rules,
    rules_from,
    seeded_decks,
)
from tests.core.secrecy import as_bytes, twin

ALL: tuple[Action, ...] = (DEAL, DRAW, DISCARD, GO_OUT, PLAY_ON, *TAKES, *PLACES)
SEATS = [SeatName("Ana"), SeatName("Bo", "novice"), SeatName("Cy"), SeatName("Di", "solid")]

any_rules = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in OPTIONS.items()}
).map(rules_from)
senses = st.sampled_from((0.0, 0.7, 1.0))
SOAK_ROUNDS = 100_000
MOST_ROUNDS = 4
"""A game is left after so many rounds; those with a far target would take long."""


@settings(max_examples=300, deadline=None)
@given(any_rules, senses, st.integers(0, 2**32), st.booleans())
def test_every_card_is_in_exactly_one_place_after_every_action(
    rules: Rules, sense: float, seed: int, kind: bool
) -> None:
    game = Game(rules, (kind_decks if kind else seeded_decks)(rules, seed))
    choose = chooser(random.Random(seed), sense)
    whole = list(range(1, rules.cards + 1))
    while game.result is None and len(game.sheet) < MOST_ROUNDS:
        game.apply(choose(game))
        assert sorted(game.places()) == whole


@settings(max_examples=300, deadline=None)
@given(any_rules, senses, st.integers(0, 2**32), st.integers(0, 200), st.booleans())
def test_legal_actions_are_exactly_those_that_are_accepted(
    rules: Rules, sense: float, seed: int, after: int, at_call: bool
) -> None:
    game, rng = Game(rules, kind_decks(rules, seed)), random.Random(seed)
    choose = chooser(rng, sense)
    while game.result is None and len(game.actions) < after:
        if at_call and game.phase is Phase.CALL:
            break  # by chance alone hardly any game would stand there
        game.apply(choose(game))
    legal = game.legal_actions()
    accepted = set()
    trial = copy.deepcopy(game)
    for action in rng.sample(ALL, len(ALL)):
        try:
            trial.apply(action)
        except IllegalAction:
            continue  # it must have changed nothing: the next action meets the same game
        accepted.add(action)
        trial = copy.deepcopy(game)
    assert set(legal) == accepted
    assert len(legal) == len(accepted)
    assert (game.turn is None) == (not legal)


@settings(max_examples=200, deadline=None)
@given(any_rules, senses, st.integers(0, 2**32))
def test_a_guarded_game_ends_and_its_totals_are_the_sum_of_its_rounds(
    rules: Rules, sense: float, seed: int
) -> None:
    rules = rules.with_changes(max_rounds=MOST_ROUNDS)
    game = Game(rules, kind_decks(rules, seed))
    choose = chooser(random.Random(seed), sense)
    longest = MOST_ROUNDS * 3 * rules.cards * 10
    while game.result is None:
        game.apply(choose(game))
        assert len(game.actions) < longest
    for side, seats in enumerate(rules.sides):
        earned = sum(ended.scores[seat].points for ended in game.sheet for seat in seats)
        assert earned == game.totals[side]
    best = max(game.totals)
    assert game.result.winners == tuple(s for s, total in enumerate(game.totals) if total == best)
    assert best >= rules.target or game.result.rounds == MOST_ROUNDS


@settings(max_examples=200, deadline=None)
@given(any_rules, senses, st.integers(0, 2**32), st.integers(0, 400))
def test_a_record_replays_to_the_same_events_wherever_the_game_stands(
    rules: Rules, sense: float, seed: int, after: int
) -> None:
    game = Game(rules, seeded_decks(rules, seed))
    choose = chooser(random.Random(seed), sense)
    events: list[Event] = []
    while game.result is None and len(game.actions) < after:
        events += game.apply(choose(game))
    _replays(game, events, seed)


def _replays(game: Game, events: list[Event], seed: int | None) -> None:
    """The record of the game, with its seed where there is one, tells the same events."""
    key = None if seed is None else seed_from(seed)
    found = verify(write(game, SEATS[: game.rules.players], seed=key))
    again = found.record.start()
    told = [event for action in found.record.actions for event in again.apply(action)]
    assert told == events
    for seat in (None, *range(game.rules.players)):
        assert as_bytes(again.view(seat)) == as_bytes(game.view(seat))


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("half", [0, 1])
def test_soak_of_100_000_random_rounds_over_all_options(half: int) -> None:
    rng = random.Random(half)
    rounds, hows, began = 0, dict.fromkeys(("auto", "hand", "dealt", "stalemate"), 0), time.time()
    while rounds < SOAK_ROUNDS:
        rules = random_rules(rng)
        seed = None if rng.random() < 0.2 else rng.getrandbits(32)
        decks = kind_decks(rules, rounds) if seed is None else seeded_decks(rules, seed)
        game = Game(rules, decks)
        choose = chooser(rng, rng.choice((0.0, 0.5, 0.8, 1.0)))
        whole = list(range(1, rules.cards + 1))
        events: list[Event] = []
        limit = 12 * 3 * rules.cards * 10
        while game.result is None and (len(game.sheet) < 12 or game.phase is not Phase.DEAL):
            events += game.apply(choose(game))
            assert sorted(game.places()) == whole
            assert len(game.actions) < limit
            if game.phase not in (Phase.DEAL, Phase.OVER) and rng.random() < 0.005:
                seat = rng.choice((None, *range(rules.players)))
                assert as_bytes(game.view(seat)) == as_bytes(twin(game, seat, rng).view(seat))
        _replays(game, events, seed)
        rounds += len(game.sheet)
        for ended in game.sheet:
            hows[ended.how] += 1
    print(f"{rounds} rounds in {time.time() - began:.0f} s: {hows}")
