"""The trainer plays the game that the engine plays, and sees in it what the player sees."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots import bot
from racko_core.bots.expert import costs, inputs, memory, others, run_costs
from racko_core.bots.expert.sight import sight_of
from racko_core.bots.training import rounds, thinking
from racko_core.bots.training.compiling import compiled, plain
from racko_core.bots.training.trainer import Plan, Trainer, table
from racko_core.deck import Deck, seed_from
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase

SMALL = Plan(hidden=4, warm_up=1, rounds=8)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(rounds.PROGRAMME, "solid"), (rounds.CASUAL, "casual"), (rounds.SORTER, "sorter")],
)
@pytest.mark.parametrize(
    ("players", "min_run"), [(2, 0), (3, 0), (4, 0), (2, 3)], ids=["two", "three", "four", "run"]
)
def test_a_round_of_programmes_is_a_round_of_those_players(
    players: int, min_run: int, kind: int, name: str
) -> None:
    rules = Rules(players=players, min_run=min_run, stalemate_turnovers=rounds.GUARD)
    trainer = Trainer(Plan(players=players, min_run=min_run, hidden=4), load=plain)
    terms, other = trainer.terms, table(players, rules.cards, 4)
    player = bot(name)
    choose = {
        "solid": thinking.best_programme,
        "casual": thinking.best_casual,
        "sorter": thinking.best_sorter,
    }[name]
    alike = decisions = 0
    for seed in range(3):
        game = Game.new(rules, seed_from(seed))
        game.apply(act.DEAL)
        first = (game.dealer + 1) % players
        while not game.sheet:
            seat = game.turn
            assert seat is not None
            view = game.view(seat)
            sight = memory.Sight(*(np.array(part) for part in sight_of(view)))
            slot = choose(terms, sight, seat, np.array(view.rack), view.hand or 0, other.work)
            if view.phase is Phase.TURN:
                action: Action = act.TAKES[slot] if slot >= 0 else act.DRAW
            else:
                action = act.PLACES[slot] if slot >= 0 else act.DISCARD
            alike += action == player.decide(view)
            decisions += 1
            game.apply(action)
        order = Deck.for_round(rules, seed_from(seed), 1).order
        net = trainer.net(0)
        winner = rounds.play_round(
            terms,
            trainer.table,
            (net, net),
            np.zeros(players, np.int64),
            np.full(players, kind),
            np.array(order),
            first,
        )
        ended = game.sheet[0]
        racks, turns = trainer.table.racks, trainer.table.sight.turns
        assert winner == (-1 if ended.went_out is None else ended.went_out)
        assert [tuple(map(int, rack)) for rack in racks] == list(ended.racks)
        assert tuple(map(int, turns)) == ended.turns
    # Costs that are nearly equal may be told apart by a rounding.
    assert alike >= 0.97 * decisions


def test_points_are_those_of_the_engine() -> None:
    points = np.zeros(2, np.float32)
    racks = np.array([[5, 9, 13, 24, 25, 32, 4, 35, 42, 55], [1, 2, 3, 14, 15, 16, 17, 18, 20, 40]])
    terms = Trainer(SMALL, load=plain).terms
    rounds.score(terms, racks, 1, points)
    assert points.tolist() == [30, 75]
    terms = terms._replace(bonus=1)
    rounds.score(terms, racks, 1, points)
    assert points.tolist() == [30, 275]
    rounds.score(terms, racks, -1, points)
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


def test_what_the_compiler_makes_of_the_loops_says_what_they_say() -> None:
    pytest.importorskip("numba", reason="the trainer's compiler, of the extra `train`")
    code = compiled([memory, costs, run_costs, others, inputs, thinking])
    waits = Trainer(SMALL, load=plain).terms.waits
    random = np.random.default_rng(5)
    for _ in range(20):
        cards = random.permutation(40) + 1
        row, below = np.zeros(12, np.int64), np.zeros(42, np.int64)
        costs.fill_row(40, cards[:10], row)
        memory.count_below(40, np.where(random.random(42) < 0.5, 0, 3), below)
        fast, slow = np.zeros(12), np.zeros(12)
        code["fill_fronts"](row, below, waits, fast)
        costs.fill_fronts(row, below, waits, slow)
        assert np.allclose(fast, slow)


def test_a_plan_says_everything_that_a_run_follows_from() -> None:
    names = {field.name for field in fields(Plan)}
    assert {"seed", "rounds", "rate", "fade", "sparring", "players"} <= names


def test_a_network_begins_with_others_side_by_side_and_says_what_the_first_did(
    tmp_path: Path,
) -> None:
    parts = []
    for seed in (1, 2):
        part = Trainer(Plan(hidden=4, seed=seed), load=plain)
        part.flats[4] = np.random.default_rng(seed).normal(size=part.flats.shape[1])
        part.save(path := tmp_path / f"{seed}.npz")
        parts.append((part, path))
    wide = Trainer(Plan(hidden=8), load=plain)
    wide.start_from([path for _, path in parts])
    assert np.array_equal(wide.flats[0], wide.flats[4])
    joined, (first, second) = wide.net(4), [part.net(4) for part, _ in parts]
    assert np.array_equal(joined.w1, np.concatenate([first.w1, second.w1], axis=1))
    work = [table(2, 40, hidden).work for hidden in (8, 4)]
    for net, room in zip((joined, first), work, strict=True):
        thinking.evaluate(net, 1, net.b1, 2, np.array([5, 900]), np.array([1.0, 0.5]), room)
    assert work[0].out == pytest.approx(work[1].out)
    with pytest.raises(ValueError, match="4 hidden units, not 8"):
        wide.start_from([parts[0][1]])
