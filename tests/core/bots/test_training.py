"""The trainer plays the game that the engine plays, and sees in it what the player sees."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from racko_core import actions as act
from racko_core.bots.expert import inputs
from racko_core.bots.expert.sight import sight_of
from racko_core.bots.training import policy, rounds
from racko_core.bots.training.compiling import compiled, plain
from racko_core.bots.training.polisher import Polisher
from racko_core.bots.training.trainer import CARDS, Plan, Trainer, memory
from racko_core.deck import Deck, seed_from
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase

SMALL = Plan(hidden=4, warm_up=1, rounds=8)


@pytest.mark.parametrize(
    ("players", "min_run"), [(2, 0), (3, 0), (4, 0), (2, 3)], ids=["two", "three", "four", "run"]
)
def test_a_round_of_programmes_goes_as_in_the_engine(players: int, min_run: int) -> None:
    cards = CARDS[players]
    rules = Rules(players=players, min_run=min_run, stalemate_turnovers=rounds.GUARD)
    trainer = Trainer(Plan(players=players, min_run=min_run, hidden=4), load=plain)
    tables = trainer.tables
    for seed in range(3):
        game = Game.new(rules, seed_from(seed))
        order = Deck.for_round(rules, seed_from(seed), 1).order
        game.apply(act.DEAL)
        first = (game.dealer + 1) % players
        sight, racks, work, _ = memory(players, cards, 4)
        assert rounds.deal(np.array(order), first, cards, min_run, sight, racks) < 0
        mine = memory(players, cards, 4)[2]
        while not game.sheet:
            seat = game.turn
            assert seat is not None
            view = game.view(seat)
            rack = np.array(view.rack)
            seen = sight_of(view)
            slot = rounds.best_programme(
                as_arrays(seen), seat, cards, min_run, rack, view.hand or 0, tables, mine
            )
            if view.phase is Phase.TURN:
                game.apply(act.TAKES[slot] if slot >= 0 else act.DRAW)
            else:
                game.apply(act.PLACES[slot] if slot >= 0 else act.DISCARD)
        winner = play(trainer, order, first, racks, sight, work)
        ended = game.sheet[0]
        assert winner == (-1 if ended.went_out is None else ended.went_out)
        assert [tuple(map(int, rack)) for rack in racks] == list(ended.racks)
        assert tuple(map(int, sight.turns)) == ended.turns


def as_arrays(sight: inputs.Sight) -> inputs.Sight:
    return inputs.Sight(*(np.array(part) for part in sight))


def play(
    trainer: Trainer, order: tuple[int, ...], first: int, racks: Any, sight: Any, work: Any
) -> int:
    net = trainer.net(0)
    players = len(racks)
    samples = memory(players, CARDS[players], 4)[3]
    return rounds.play_round(
        (net, net),
        np.zeros(players, np.int64),
        np.full(players, rounds.PROGRAMME),
        1.0,
        np.array(order),
        first,
        CARDS[players],
        trainer.starts,
        trainer.plan.min_run,
        0,
        sight,
        racks,
        trainer.tables,
        work,
        samples,
        np.zeros(3),
    )


def test_points_are_those_of_the_engine() -> None:
    points = np.zeros(2, np.float32)
    racks = np.array([[5, 9, 13, 24, 25, 32, 4, 35, 42, 55], [1, 2, 3, 14, 15, 16, 17, 18, 20, 40]])
    rounds.score(racks, 1, 0, 0, points)
    assert points.tolist() == [30, 75]
    rounds.score(racks, 1, 1, 0, points)
    assert points.tolist() == [30, 275]
    rounds.score(racks, -1, 1, 0, points)
    assert points.tolist() == [30, 50]


def test_a_run_of_training_is_repeated_by_its_plan_and_goes_on_where_it_stopped(
    tmp_path: Path,
) -> None:
    whole = Trainer(SMALL, load=plain)
    for _ in range(3):
        whole.step(1, 1)
    halves = Trainer(SMALL, load=plain)
    halves.step(1, 1)
    halves.save(tmp_path / "net.npz")
    later = Trainer(SMALL, load=plain)
    later.load(tmp_path / "net.npz")
    later.step(1, 1)
    later.step(1, 1)
    assert later.done == whole.done == 3
    assert np.array_equal(later.flats, whole.flats)
    assert not np.array_equal(whole.flats[0], Trainer(SMALL, load=plain).flats[0])


def test_polishing_changes_choices_and_holds_values(tmp_path: Path) -> None:
    trainer = Trainer(SMALL, load=plain)
    trainer.step(1, 1)
    trainer.save(tmp_path / "critic.npz")
    polisher = Polisher(SMALL, tmp_path / "critic.npz", 0.05, load=plain)
    before = polisher.flats[0].copy()
    tallies = polisher.step(1, 1)
    assert tallies[2] == 1
    assert tallies[1] > 0
    assert not np.array_equal(before, polisher.flats[0])


def test_what_the_compiler_makes_of_the_loops_says_what_they_say() -> None:
    pytest.importorskip("numba", reason="the trainer's compiler, of the extra `train`")
    code = compiled([inputs, rounds, policy])
    tables = Trainer(SMALL, load=plain).tables
    random = np.random.default_rng(5)
    for _ in range(20):
        cards = random.permutation(40) + 1
        row, below = np.zeros(12, np.int64), np.zeros(42, np.int64)
        inputs.fill_row(40, cards[:10], row)
        inputs.count_below(40, np.where(random.random(42) < 0.5, 0, 3), below)
        fast, slow = np.zeros(12), np.zeros(12)
        code["fill_fronts"](row, below, tables[0], fast)
        inputs.fill_fronts(row, below, tables[0], slow)
        assert np.allclose(fast, slow)


def test_a_plan_says_everything_that_a_run_follows_from() -> None:
    names = {field.name for field in fields(Plan)}
    assert {"seed", "rounds", "rate", "fade", "sparring", "players"} <= names
