"""The expert: its inputs, its network, its values."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest

import racko_core.bots.expert
from racko_core import actions as act
from racko_core.bots import bot
from racko_core.bots.expert import Expert, inputs, memory
from racko_core.bots.expert.network import name_for, network
from racko_core.bots.expert.positions import may_come, valued
from racko_core.bots.expert.sight import sight_of
from racko_core.deck import seed_from
from racko_core.events import Dealt
from racko_core.game import Game
from racko_core.rules import PRESETS, Rules
from racko_core.view import Phase, View

MOST_BYTES = 3_000_000
KINDS = [
    *(Rules(players=players) for players in (2, 3, 4)),
    *(Rules(players=players, bonus=True) for players in (2, 3, 4)),
    Rules(min_run=3),
    Rules(min_run=5),
    Rules(min_run=3, bonus=True),
    Rules(players=3, min_run=3),
    Rules.preset("partners"),
    Rules(players=4, teams=True),
    Rules(exhausted="shuffle", scoring="ascents", call="manual"),
]


def positions(rules: Rules, seed: int, level: str = "solid") -> Iterator[View]:
    """The views of one round of alike players, before every decision."""
    game = Game.new(rules.with_changes(stalemate_turnovers=2), seed_from(seed))
    game.apply(act.DEAL)
    player = bot(level)
    for _ in range(400):
        if game.phase in (Phase.DEAL, Phase.OVER):
            return
        assert game.turn is not None
        view = game.view(game.turn)
        yield view
        game.apply(player.decide(view))


def test_all_weights_are_small() -> None:
    folder = files(racko_core.bots.expert) / "weights"
    sizes = {path.name: len(path.read_bytes()) for path in folder.iterdir()}
    assert 0 < sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_a_network_for_every_preset(preset: str, players: int) -> None:
    if (preset == "duel" and players != 2) or (preset == "partners" and players != 4):
        pytest.skip("not for so many")
    rules = Rules.preset(preset, players)
    net = network(name_for(rules))
    assert len(net.w1) == inputs.layout(players, rules.cards)[inputs.SIZE]


@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_it_decides_legally_and_many_at_once_as_one_by_one(rules: Rules) -> None:
    views = [view for seed in range(2) for view in positions(rules, seed)]
    expert = Expert()
    assert len(views) > 10
    together = expert.decide_many(views)
    for view, action in zip(views, together, strict=True):
        assert action in view.legal
    some = slice(0, None, 5)
    assert [expert.decide(view) for view in views[some]] == together[some]


@pytest.mark.parametrize("rules", [Rules(), Rules(min_run=3)], ids=str)
def test_a_view_is_worth_the_same_to_the_last_bit_alone_and_among_many(rules: Rules) -> None:
    views = list(positions(rules, 0, "novice"))[:15]
    expert = Expert()
    together = expert.appraise_many(views)
    assert [expert.appraise(view) for view in views] == together
    assert expert.appraise_many(views[:7]) + expert.appraise_many(views[7:]) == together


@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_it_appraises_every_action_the_best_first(rules: Rules) -> None:
    views = list(positions(rules, 3))[::4]
    expert = Expert()
    for view, ranked in zip(views, expert.appraise_many(views), strict=True):
        assert {one.action for one in ranked} == set(view.legal)
        assert len(ranked) == len(view.legal)
        assert ranked[0].error == 0
        for one in ranked:
            assert 0 <= one.win <= 1
            assert one.error >= 0


@pytest.mark.parametrize(
    "rules",
    [
        Rules(call="manual"),
        Rules(call="manual", bonus=True),
        Rules(players=3, call="manual", bonus=True),
        Rules.preset("partners"),
    ],
    ids=str,
)
def test_going_out_or_playing_on_is_appraised_alone_and_among_others(rules: Rules) -> None:
    views = [view for seed in range(6) for view in positions(rules, seed)]
    called = [index for index, view in enumerate(views) if view.phase is Phase.CALL]
    assert called
    expert = Expert()
    alone = [expert.appraise(views[index]) for index in called]
    assert expert.appraise_many([views[index] for index in called]) == alone
    # Among a few others of every phase: more of them would only take longer.
    near = sorted({i for at in called for i in range(at - 3, at + 4)} & set(range(len(views))))
    assert {views[index].phase for index in near} == {Phase.TURN, Phase.DRAWN, Phase.CALL}
    among = dict(zip(near, expert.appraise_many([views[index] for index in near]), strict=True))
    assert [among[index] for index in called] == alone
    for ranked in alone:
        assert {one.action for one in ranked} == {act.GO_OUT, act.PLAY_ON}
        assert ranked[0].win <= 1


def test_drawing_is_worth_the_mean_of_what_the_cards_that_may_come_are_worth() -> None:
    game = Game.new(Rules(), seed_from(8))
    game.apply(act.DEAL)
    assert game.turn is not None
    view = game.view(game.turn)
    expert = Expert()
    draw = next(one for one in expert.appraise(view) if one.action == act.DRAW)
    cards = may_come(view)
    assert set(cards) == set(range(1, 41)) - set(view.rack) - {view.discard}
    best = []
    for seed in range(4000):
        other = Game.new(Rules(), seed_from(8))
        other.apply(act.DEAL)
        pile = other._draw
        where = seed % len(pile)
        pile[-1], pile[where] = pile[where], pile[-1]
        other.apply(act.DRAW)
        hand = other.view(view.seat)
        if hand.hand in cards and len(best) < len(cards):
            cards.remove(hand.hand)
            best.append(expert.appraise(hand)[0].win)
        if not cards:
            break
    # The opponent holds the rest of what may come; the mean over the pile is near it.
    assert draw.win == pytest.approx(np.mean(best), abs=0.01)


def test_two_slots_are_hardly_worth_less_than_all() -> None:
    rules = Rules()
    views = [
        view for seed in range(8) for view in positions(rules, seed) if view.phase is Phase.DRAWN
    ]
    net = network(name_for(rules))
    losses = []
    for full, few in zip(valued(views, rules, net), valued(views, rules, net, 2), strict=True):
        assert len(few.actions) == 3
        assert act.DISCARD in few.actions
        kept = [full.actions.index(action) for action in few.actions]
        assert np.array_equal(few.wins, full.wins[:, kept])
        losses.append(full.win.max() - few.win.max())
    assert 0 < np.mean(losses) < 0.003  # 0.0012 of 317 views


def test_after_a_turn_over_it_knows_what_comes() -> None:
    for seed in range(40):
        for view in positions(Rules(min_run=5), seed, "novice"):
            if view.turnovers and view.phase is Phase.TURN and act.DRAW in view.legal:
                assert len(may_come(view)) == 1
                return
    pytest.fail("no round came to a turn-over")


@pytest.mark.parametrize("rules", KINDS[:3] + KINDS[-1:], ids=str)
def test_it_remembers_what_was_seen(rules: Rules) -> None:
    for view in positions(rules, 5, "novice"):
        sight = sight_of(view)
        counts = sight.counts
        assert tuple(sight.discards[: counts[memory.DISCARDS]]) == view.discards
        assert counts[memory.DRAWS] == view.draw_count
        assert counts[memory.TURNOVERS] == view.turnovers
        assert tuple(sight.turns) == view.turns
        assert [slot or None for slot in sight.last] == list(view.last_slot)
        for mine, told in zip(sight.known, view.known, strict=True):
            for here, there in zip(mine, told, strict=True):
                assert there is None or here == there


def test_the_history_that_a_view_needs_begins_with_the_deal() -> None:
    view = next(positions(Rules(), 1))
    assert isinstance(view.history[1], Dealt)


def test_numpy_is_loaded_for_whoever_meets_the_expert_only() -> None:
    code = (
        "import sys; from racko_core.bots import LEVELS, bot; bot('solid');"
        "assert 'numpy' not in sys.modules; bot('expert'); assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
