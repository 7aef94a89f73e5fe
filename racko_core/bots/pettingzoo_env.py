"""Rack-O as a PettingZoo environment, for whoever trains a player of their own (extra `rl`).

    from racko_core.bots.pettingzoo_env import env
    from racko_core.rules import Rules

    table = env(Rules.preset("bonus", 3, stalemate_turnovers=3))
    table.reset(seed=42)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        if terminated or truncated:
            action = None
        else:
            action = table.action_space(agent).sample(observation["action_mask"])
        table.step(action)

Agents are `player_0`, `player_1`, ... by seat. An episode is one round, or with `whole_game=True`
a game; rounds are dealt by themselves. It needs a guard against rounds without an end: rules
without `stalemate_turnovers` get `rules.GUARD`.

Actions are indices into `ACTIONS`: 0 draw, 1-10 take the discard into that slot, 11-20 place the
drawn card there, 21 discard, 22 go out, 23 play on. Those allowed now are 1 in `action_mask`.

The reward comes when a round ends, with `reward="margin"`: the points of one's side less the mean
of the other sides', in hundreds. With `reward="win"` it comes when the episode ends: 1 for the
side that went out (of a game: won), -1 for all others together, divided among their sides; sides
that share a win share the 1, and when nobody went out all get 0. Partners get the same.

An observation is a dict of `action_mask`, int8 of 24, and `observation`, float32 in 0..1, made
from the agent's own `View` and nothing else. `layout(rules)` tells which stretch of it holds what;
others come clockwise from the left, cards in rising order, slots from the front:

    phase      3                   one's own turn: to draw or take; card drawn; rack is RACK-O
    rack       10 x cards          1 where that card stands in that slot
    hand       cards               the drawn card
    top        cards               the top of the discard pile
    beneath    cards               what lies beneath it
    coming     cards               1 may be drawn, 0.25 once the pile is turned over, 0 not
    order      cards               1, 1/2, 1/3, ... the next cards of a pile that was turned over
    known      others x 10 x cards what everybody saw go into a rack
    unwanted   others x cards      what that player left on the discard pile, or dropped
    last_slot  players x 10        the slot changed last, oneself first
    dealer     players             who dealt, oneself first
    turns      players             turns ended, in fiftieths, oneself first
    totals     players             points of each one's side, as a share of the target
    draw_count 1                   cards in the draw pile, as a share of all
    turnovers  1                   how often the pile was renewed, in tenths
    rounds     1                   rounds begun, as a share of `max_rounds`
    rules      6                   min_run in sixths; bonus, manual calls, ascents, shuffle, teams
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.neighbour import unwanted
from racko_core.bots.outlook import SURE, draw_pile, outlook
from racko_core.deck import seed_from
from racko_core.errors import N_, IllegalAction
from racko_core.game import Game
from racko_core.rules import SLOTS, Rules, Seat
from racko_core.view import Phase, View

ACTIONS: Final[tuple[Action, ...]] = (
    act.DRAW,
    *act.TAKES,
    *act.PLACES,
    act.DISCARD,
    act.GO_OUT,
    act.PLAY_ON,
)
HUNDRED: Final = 100
"""Points of margin that are a reward of 1."""

_INDEX: Final = {action: index for index, action in enumerate(ACTIONS)}
_PHASES: Final = (Phase.TURN, Phase.DRAWN, Phase.CALL)
_MANY_TURNS: Final = 50
_MANY_TURNOVERS: Final = 10
_LONGEST_RUN: Final = 6

Numbers = NDArray[np.float32]
Observation = dict[str, Any]
"""Arrays by name: `observation` and `action_mask`."""
Choice = Any
"""An index into `ACTIONS`, of whatever type a learner has it; None once the episode has ended."""
Reward = Literal["margin", "win"]


def env(
    rules: Rules | None = None, *, whole_game: bool = False, reward: Reward = "margin"
) -> AECEnv[str, Observation, Choice]:
    """The environment in PettingZoo's usual wrappers: an illegal action ends the episode with a
    reward of -1 for whoever chose it, one out of range or out of order raises.
    """
    table: Any = RackoEnv(rules, whole_game=whole_game, reward=reward)
    table = wrappers.TerminateIllegalWrapper(table, illegal_reward=-1)
    table = wrappers.AssertOutOfBoundsWrapper(table)
    return wrappers.OrderEnforcingWrapper(table)


def _check(name: str, given: object, choices: Sequence[object]) -> None:
    if given not in choices:
        raise ValueError(f"{name} is {' or '.join(map(repr, choices))}, not {given!r}")


def layout(rules: Rules) -> dict[str, slice]:
    """Which stretch of an observation holds what, by the names of this module's docstring."""
    parts, start = {}, 0
    for name, count in _counts(rules).items():
        parts[name] = slice(start, start + count)
        start += count
    return parts


def _counts(rules: Rules) -> dict[str, int]:
    players, cards = rules.players, rules.cards
    others = players - 1
    return {
        "phase": len(_PHASES),
        "rack": SLOTS * cards,
        "hand": cards,
        "top": cards,
        "beneath": cards,
        "coming": cards,
        "order": cards,
        "known": others * SLOTS * cards,
        "unwanted": others * cards,
        "last_slot": players * SLOTS,
        "dealer": players,
        "turns": players,
        "totals": players,
        "draw_count": 1,
        "turnovers": 1,
        "rounds": 1,
        "rules": 6,
    }


def observed(view: View) -> Numbers:
    """The numbers of `observation` for a seat's view, in a round that was dealt."""
    rules, seat, rack = view.rules, view.seat, view.rack
    assert seat is not None
    cards = rules.cards
    seats = [(seat + step) % rules.players for step in range(rules.players)]
    values = np.zeros(sum(_counts(rules).values()), np.float32)
    parts = {name: values[part] for name, part in layout(rules).items()}

    if view.my_turn and view.phase in _PHASES:
        parts["phase"][_PHASES.index(view.phase)] = 1
    own = parts["rack"].reshape(SLOTS, cards)
    for place, card in enumerate(rack):
        own[place, card - 1] = 1
    if view.hand is not None:
        parts["hand"][view.hand - 1] = 1
    parts["top"][view.discards[-1] - 1] = 1
    for card in view.discards[:-1]:
        parts["beneath"][card - 1] = 1
    below = np.array(outlook(view).below, np.float32)
    parts["coming"][:] = (below[2:] - below[1:-1]) / SURE
    if view.turnovers and rules.exhausted == "flip":
        for count, card in enumerate(draw_pile(view), 1):
            parts["order"][card - 1] = 1 / count

    known = parts["known"].reshape(-1, SLOTS, cards)
    refused = parts["unwanted"].reshape(-1, cards)
    for place, other in enumerate(seats[1:]):
        for index, held in enumerate(view.known[other]):
            if held is not None:
                known[place, index, held - 1] = 1
        for card in unwanted(view, other):
            refused[place, card - 1] = 1
    last = parts["last_slot"].reshape(-1, SLOTS)
    for place, other in enumerate(seats):
        slot = view.last_slot[other]
        if slot is not None:
            last[place, slot - 1] = 1
        parts["turns"][place] = min(1, view.turns[other] / _MANY_TURNS)
        parts["totals"][place] = min(1, view.totals[rules.side_of(other)] / rules.target)
    parts["dealer"][seats.index(view.dealer)] = 1
    parts["draw_count"][0] = view.draw_count / cards
    parts["turnovers"][0] = min(1, view.turnovers / _MANY_TURNOVERS)
    parts["rounds"][0] = view.round / rules.max_rounds if rules.max_rounds else 0
    parts["rules"][:] = (
        rules.min_run / _LONGEST_RUN,
        rules.bonus,
        rules.call == "manual",
        rules.scoring == "ascents",
        rules.exhausted == "shuffle",
        rules.teams,
    )
    return values


class RackoEnv(AECEnv[str, Observation, Choice]):
    """The environment itself, without wrappers: an illegal action raises `IllegalAction`.

    Making one raises ValueError for a `reward` or a `render_mode` that there is not.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "name": "racko_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        whole_game: bool = False,
        reward: Reward = "margin",
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        _check("reward", reward, get_args(Reward))
        _check("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        chosen = (Rules() if rules is None else rules).guarded()
        self.rules = chosen
        self.whole_game = whole_game
        self.reward = reward
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(chosen.players)]
        self.agents = []
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(len(ACTIONS)) for agent in self.possible_agents
        }
        self._seed: int | str = secrets.token_hex()
        self._episode = 0

    def _seen(self) -> spaces.Space[Observation]:
        numbers = spaces.Box(0, 1, (sum(_counts(self.rules).values()),), np.float32)
        mask = spaces.Box(0, 1, (len(ACTIONS),), np.int8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """What an observation of this agent can be."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Choice]:
        """What this agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. Episodes after a seed follow from it, one after the other."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        while True:
            self._game = Game.new(self.rules, seed_from(f"{self._seed} {self._episode}"))
            self._episode += 1
            self._game.apply(act.DEAL)
            # A rack dealt in order may leave nobody anything to decide; that is no episode.
            if not self._game.sheet:
                break
        self._choose_agent()

    def observe(self, agent: str) -> Observation:
        """What this agent sees now."""
        view = self._game.view(self._seat(agent))
        mask = np.zeros(len(ACTIONS), np.int8)
        if not self.terminations.get(agent, True):
            for action in view.legal:
                mask[_INDEX[action]] = 1
        return {"observation": observed(view), "action_mask": mask}

    def step(self, action: Choice) -> None:
        """Do an action for the agent whose turn it is; None for one whose episode has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(ACTIONS):
            raise IllegalAction(N_("There is no action “{code}”."), code=str(action))
        game = self._game
        rounds = len(game.sheet)
        game.apply(ACTIONS[action])
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        while len(game.sheet) > rounds:
            rounds = len(game.sheet)
            self._end_round()
            if not self._over:
                game.apply(act.DEAL)  # which may end the next round at once
        self._accumulate_rewards()
        if self._over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self._choose_agent()

    def render(self) -> str | None:
        """With `render_mode="ansi"`, what the agent whose turn it is sees, in two lines."""
        if self.render_mode is None:
            return None
        view = self._game.view(self._seat(self.agent_selection))
        rack = " ".join(f"{card:2}" for card in view.rack)
        hand = "" if view.hand is None else f"  hand {view.hand}"
        piles = f"discard {view.discards[-1]}  draw pile {view.draw_count}{hand}"
        return f"{self.agent_selection}  {rack}\n{piles}"

    def close(self) -> None:
        """Nothing is open."""

    @property
    def _over(self) -> bool:
        game = self._game
        return game.phase is Phase.OVER or (not self.whole_game and bool(game.sheet))

    def _seat(self, agent: str) -> Seat:
        return self.possible_agents.index(agent)

    def _choose_agent(self) -> None:
        assert self._game.turn is not None
        self.agent_selection = self.possible_agents[self._game.turn]

    def _end_round(self) -> None:
        if self.reward == "margin":
            values = self._margins()
        elif self._over:
            values = self._wins()
        else:
            return
        for agent in self.agents:
            self.rewards[agent] += values[self.rules.side_of(self._seat(agent))]

    def _margins(self) -> list[float]:
        """By side: its points in the round less the mean of the others', in hundreds."""
        sides = self.rules.sides
        scores = self._game.sheet[-1].scores
        points = [sum(scores[seat].points for seat in side) for side in sides]
        all_points, others = sum(points), len(sides) - 1
        return [(own - (all_points - own) / others) / HUNDRED for own in points]

    def _wins(self) -> list[float]:
        """By side: its share of the win less the fair share, so that winning alone is 1."""
        sides = len(self.rules.sides)
        if self._game.result is not None and self.whole_game:
            winners: tuple[int, ...] = self._game.result.winners
        else:
            out = self._game.sheet[-1].went_out
            winners = tuple(range(sides)) if out is None else (self.rules.side_of(out),)
        shares = [(side in winners) / len(winners) for side in range(sides)]
        return [(share * sides - 1) / (sides - 1) for share in shares]
