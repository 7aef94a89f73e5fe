from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from pettingzoo.test import api_test, seed_test

from racko_core import actions as act
from racko_core.bots import bot
from racko_core.bots.pettingzoo_env import ACTIONS, HUNDRED, RackoEnv, env, layout, observed
from racko_core.errors import IllegalAction
from racko_core.game import Game
from racko_core.rules import GUARD, Rules
from racko_core.view import Phase, View
from tests.core.chance import chooser, random_rules, seeded_decks
from tests.core.secrecy import twin
from tests.core.stacked import ALMOST, FALLING, dealt_game, play, stacked_game

TABLES = [
    Rules(),
    Rules.preset("duel"),
    Rules.preset("bonus", 3),
    Rules.preset("partners"),
    Rules.preset("vintage", 4, exhausted="shuffle", scoring="ascents", max_rounds=2),
]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """What api_test only remarks on: a dict of observation and mask is PettingZoo's own custom."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        warnings.filterwarnings("ignore", "Environment has not defined a render")
        yield


@pytest.mark.parametrize("whole_game", [False, True])
@pytest.mark.parametrize("rules", TABLES)
def test_pettingzoos_own_tests_pass(rules: Rules, whole_game: bool) -> None:
    quick = rules.with_changes(stalemate_turnovers=1, target=100)
    reward = "win" if whole_game else "margin"
    api_test(env(quick, whole_game=whole_game, reward=reward), num_cycles=300)
    api_test(RackoEnv(quick, whole_game=whole_game), num_cycles=100)
    seed_test(lambda: env(quick, whole_game=whole_game), num_cycles=150)


def play_out(table: Any, rng: random.Random) -> tuple[list[tuple[Any, ...]], dict[str, float]]:
    """Random play to the end: what was seen and done, and the reward of every agent."""
    story, rewards = [], {}
    for agent in table.agent_iter():
        seen, reward, ended, _, _ = table.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        choice = None
        if not ended:
            choice = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
            story.append((agent, choice, seen["observation"].tobytes()))
        table.step(choice)
    return story, rewards


def test_episodes_after_a_seed_follow_from_it() -> None:
    def episodes(seed: int) -> list[Any]:
        table = env(Rules(stalemate_turnovers=1))
        table.reset(seed=seed)
        first = play_out(table, random.Random(1))
        table.reset()
        return [first, play_out(table, random.Random(1))]

    once = episodes(7)
    assert once == episodes(7)
    assert once != episodes(8)
    assert once[0] != once[1]


def test_without_a_seed_no_two_tables_are_alike() -> None:
    tables = [env(), env()]
    for table in tables:
        table.reset()
    one, other = (table.unwrapped._game.opening for table in tables)  # type: ignore[attr-defined]
    assert one != other


def test_rules_without_an_end_get_a_guard_and_others_keep_their_own() -> None:
    assert RackoEnv().rules.stalemate_turnovers == GUARD
    assert RackoEnv(Rules(stalemate_turnovers=2)).rules.stalemate_turnovers == 2


def parts(view: View) -> dict[str, Any]:
    values = observed(view)
    return {name: values[part] for name, part in layout(view.rules).items()}


def cards_of(part: Any) -> set[int]:
    return set((np.flatnonzero(part) + 1).tolist())


@pytest.mark.parametrize("seed", range(60))
def test_an_observation_tells_what_the_view_does(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng).with_changes(stalemate_turnovers=3)
    game = Game(rules, seeded_decks(rules, seed))
    choose = chooser(rng, 0.5)
    for _ in range(120):
        if game.turn is None:
            break
        game.apply(choose(game))
        if not game.round or (game.turn is not None and rng.random() < 0.5):
            continue
        seat = rng.randrange(rules.players)
        view, cards = game.view(seat), rules.cards
        part = parts(view)
        values = observed(view)
        assert values.dtype == np.float32
        assert 0 <= values.min() <= values.max() <= 1
        rack = part["rack"].reshape(10, cards)
        assert rack.sum() == 10
        assert tuple((rack.argmax(1) + 1).tolist()) == view.rack
        assert cards_of(part["hand"]) == ({view.hand} if view.hand else set())
        assert cards_of(part["top"]) == {view.discards[-1]}
        assert cards_of(part["beneath"]) == set(view.discards[:-1])
        for place in range(1, rules.players):
            other = (seat + place) % rules.players
            seen = part["known"].reshape(-1, 10, cards)[place - 1]
            assert view.known[other] == tuple(min(cards_of(slot), default=None) for slot in seen)
        for place in range(rules.players):
            slot = view.last_slot[(seat + place) % rules.players]
            row = part["last_slot"].reshape(-1, 10)[place]
            assert cards_of(row) == ({slot} if slot else set())
        assert (seat + int(part["dealer"].argmax())) % rules.players == view.dealer
        assert part["draw_count"][0] == pytest.approx(view.draw_count / cards)
        own = view.my_turn and view.phase in (Phase.TURN, Phase.DRAWN, Phase.CALL)
        assert part["phase"].sum() == own


def test_a_pile_that_was_turned_over_is_known_in_its_order() -> None:
    game = Game(Rules(), seeded_decks(Rules(), 3))
    game.apply(act.DEAL)
    while not game.view(0).turnovers:
        game.apply(act.DRAW)
        game.apply(act.DISCARD)
    seat = game.turn
    assert seat is not None
    order = parts(game.view(seat))["order"]
    assert order.max() == 1
    following = [int(card) + 1 for card in np.argsort(-order)[: game.view(0).draw_count]]
    drawn = []
    for _ in range(5):
        seat = game.turn
        assert seat is not None
        game.apply(act.DRAW)
        drawn.append(game.view(seat).hand)
        game.apply(act.DISCARD)
    assert drawn == following[:5]


def test_what_the_others_refused_is_told_by_player() -> None:
    game = dealt_game(Rules(players=3), {1: ALMOST}, draws=[50, 49, 48], discard=47)
    play(game, "d x d x")  # seat 1 leaves 47 and drops 50, seat 2 leaves 50 and drops 49
    refused = parts(game.view(0))["unwanted"].reshape(2, 50)
    assert cards_of(refused[0]) == {47, 50}
    assert cards_of(refused[1]) == {50, 49}


@pytest.mark.parametrize("seed", range(30))
def test_hidden_cards_change_nothing_in_an_observation(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    game = Game(rules, seeded_decks(rules, seed))
    choose = chooser(rng, 0.4)
    for _ in range(80):
        if game.turn is None:
            break
        game.apply(choose(game))
        if game.phase in (Phase.DEAL, Phase.OVER):
            continue  # all racks lie open
        seat = rng.randrange(rules.players)
        other = twin(game, seat, rng)
        assert np.array_equal(observed(game.view(seat)), observed(other.view(seat)))


@pytest.mark.parametrize("seed", range(20))
def test_the_mask_allows_what_the_rules_allow(seed: int) -> None:
    rng = random.Random(seed)
    table = RackoEnv(random_rules(rng).with_changes(stalemate_turnovers=2), whole_game=True)
    table.reset(seed=seed)
    choose = chooser(rng, 0.6)
    for _ in range(200):
        game = table._game
        if not any(table.terminations.values()):
            for agent in table.agents:
                mask = table.observe(agent)["action_mask"]
                allowed = {ACTIONS[index] for index in np.flatnonzero(mask)}
                mine = agent == table.agent_selection
                assert allowed == (set(game.legal_actions()) if mine else set())
            table.step(ACTIONS.index(choose(game)))
        else:
            assert not table.observe(table.agent_selection)["action_mask"].any()
            table.step(None)
        if not table.agents:
            break


def at(game: Game, **settings: Any) -> RackoEnv:
    """The environment in the middle of that game."""
    table = RackoEnv(game.rules, **settings)
    table.reset(seed=1)
    table._game = game
    table._choose_agent()
    return table


def do(table: Any, *actions: act.Action) -> None:
    for action in actions:
        table.step(ACTIONS.index(action))


def rewards(table: RackoEnv) -> list[float]:
    return [table.rewards[agent] for agent in table.possible_agents]


def test_the_margin_is_ones_points_less_the_mean_of_the_others() -> None:
    game = dealt_game(Rules(players=3, stalemate_turnovers=3), {0: FALLING, 1: ALMOST}, [50])
    table = at(game)
    do(table, act.DRAW, act.PLACES[9])
    points = [score.points for score in game.sheet[0].scores]
    assert points[1] == 75
    assert rewards(table)[1] == pytest.approx((75 - (points[0] + points[2]) / 2) / HUNDRED)
    assert sum(rewards(table)) == pytest.approx(0)
    assert all(table.terminations.values())


@pytest.mark.parametrize("reward", ["margin", "win"])
def test_partners_get_the_same_and_the_other_team_the_opposite(reward: Any) -> None:
    game = dealt_game(Rules.preset("partners", stalemate_turnovers=3), {1: ALMOST}, [60])
    table = at(game, reward=reward)
    do(table, act.DRAW, act.PLACES[9], act.GO_OUT)
    out = rewards(table)[1]
    assert out == 1 if reward == "win" else out > 0
    assert rewards(table) == pytest.approx([-out, out, -out, out])


def test_going_out_is_worth_one_and_costs_the_others_one_together() -> None:
    game = dealt_game(Rules(players=3, stalemate_turnovers=3), {1: ALMOST}, [50])
    table = at(game, reward="win")
    do(table, act.DRAW, act.PLACES[9])
    assert rewards(table) == pytest.approx([-0.5, 1, -0.5])


def test_a_round_in_which_nobody_goes_out_is_no_win() -> None:
    table = RackoEnv(Rules(stalemate_turnovers=1), reward="win")
    table.reset(seed=1)
    while not any(table.terminations.values()):
        do(table, act.DRAW, act.DISCARD)
    assert rewards(table) == [0, 0]


def test_who_may_call_can_play_on() -> None:
    game = dealt_game(Rules.preset("bonus", stalemate_turnovers=3), {1: ALMOST}, [40])
    table = at(game)
    do(table, act.DRAW, act.PLACES[9])
    mask = table.observe("player_1")["action_mask"]
    assert {ACTIONS[index] for index in np.flatnonzero(mask)} == {act.GO_OUT, act.PLAY_ON}
    do(table, act.PLAY_ON)
    assert table.agent_selection == "player_0"


def test_a_game_goes_on_over_its_rounds_and_gives_the_win_at_its_end() -> None:
    rules = Rules(target=200, stalemate_turnovers=3)
    table = RackoEnv(rules, whole_game=True, reward="win")
    table.reset(seed=5)
    solid = bot("solid")
    while not any(table.terminations.values()):
        assert rewards(table) == [0, 0]
        do(table, solid.decide(table._game.view(table._game.turn)))
    result = table._game.result
    assert result is not None
    assert result.rounds > 1
    assert rewards(table) == [1 if side in result.winners else -1 for side in range(2)]


def test_a_shared_win_is_shared_out() -> None:
    rules = Rules(players=3, max_rounds=1, stalemate_turnovers=1, target=500)
    game = stacked_game(rules, range(1, 51))  # all racks fall
    game.apply(act.DEAL)
    table = at(game, whole_game=True, reward="win")
    while not any(table.terminations.values()):
        do(table, act.DRAW, act.DISCARD)
    assert table._game.result is not None
    assert table._game.result.winners == (0, 1, 2)
    assert rewards(table) == pytest.approx([0, 0, 0])


def test_an_illegal_action_is_refused_in_a_sentence_or_ends_the_wrapped_episode() -> None:
    bare = RackoEnv()
    bare.reset(seed=1)
    with pytest.raises(IllegalAction, match="Draw a card or take the discard"):
        do(bare, act.DISCARD)
    for wrong in (None, -1, len(ACTIONS)):
        with pytest.raises(IllegalAction, match="There is no action"):
            bare.step(wrong)
    wrapped = env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.last()
    do(wrapped, act.DISCARD)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"reward": "x"}, "reward is 'margin' or 'win', not 'x'"),
        ({"render_mode": "human"}, "render_mode is None or 'ansi', not 'human'"),
    ],
)
def test_a_choice_that_there_is_not_is_refused(wrong: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        RackoEnv(**wrong)


def test_a_picture_shows_what_the_agent_sees() -> None:
    table = at(dealt_game(Rules(), {1: ALMOST}, [39], discard=38), render_mode="ansi")
    do(table, act.DRAW)
    picture = table.render()
    assert picture is not None
    assert " 4  8 12 16 20 24 28 32 36  2" in picture
    assert "discard 38" in picture
    assert "hand 39" in picture
    assert RackoEnv().render() is None
