"""The expert: plays what its network values most, and can say what every move is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.calling import with_racko
from racko_core.bots.expert.called import after, holds_racko
from racko_core.bots.expert.network import SCALE, Floats, name_for, network
from racko_core.bots.expert.positions import Valued, may_come, valued
from racko_core.bots.expert.run_costs import run_that_matters
from racko_core.bots.restless import restlessness, whim
from racko_core.events import Drew
from racko_core.rules import SLOTS, Rules
from racko_core.view import Phase, View

_CHANCE: Final = {2: 0.8, 3: 0.5, 4: 0.5}
"""How much of a move's worth is the chance to win, by players; the rest is the margin in hundreds
of points. Where three or four play, the points of those who do not go out decide games."""
_CHANCE_WITH_BONUS: Final = 0.2
"""The same where runs score: a long one is worth more than the round."""
_BOLDNESS: Final = 0.2
"""What a restless bot may give away."""
_CLOSE: Final = 0.01
"""Drawing and taking worth this much apart are compared by looking at every card that may come;
the network's own value of drawing decides the rest. Only between two, and where no runs matter: it
won 50.3 ±0.2 % of 12,000 rounds there against itself without the look. With a run it won no more
(67.8 % of rounds against `sorter`, and 68.1 % without), nor between four (35.3 ±0.5 % against
three `casual`, and 35.1 % without), and took up to 50 ms."""
_LIKELY: Final = 2
"""Slots that are tried for each card that may come, when a decision looks ahead, ..."""
_MANY: Final = 16
"""... and of more cards than these, only every other one. Both together take about a third of the
time and keep four fifths of what the look gains (measured on 175 looks), which is little enough."""
_LEAST_ERROR: Final = 0.009
_SHARE_OF_ERROR: Final = 0.035
"""Of a loss, in the chance to win: so far the two networks for two players are apart, which were
trained apart, as a standard error of one of them; measured on 15,000 moves in 60 rounds."""


class Expert:
    """Looks at everything that it may know, and values it by what came of it in self-play."""

    def decide(self, view: View) -> Action:
        """A legal action for the seat whose turn it is."""
        return self.decide_many([view])[0]

    def decide_many(self, views: Sequence[View]) -> list[Action]:
        """What `decide` says of each view; faster than one by one."""
        actions = [_at_once(view) for view in views]
        asked = [view for view, action in zip(views, actions, strict=True) if action is None]
        values = self._values(asked)
        self._look_ahead(
            [(view, one) for view, one in zip(asked, values, strict=True) if _is_close(view, one)],
            quickly=True,
        )
        found = iter(map(_best, asked, values))
        return [next(found) if action is None else action for action in actions]

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        """Every legal action, the best first. Drawing is worth the mean over the cards that may
        come, each equally likely, of the best that can be done with it.
        """
        return self.appraise_many([view])[0]

    def appraise_many(self, views: Sequence[View]) -> list[tuple[Appraisal, ...]]:
        """What `appraise` says of each view; faster than one by one."""
        values = self._values(views)
        self._look_ahead(
            [
                (view, one)
                for view, one in zip(views, values, strict=True)
                if act.DRAW in view.legal
            ],
            quickly=False,
        )
        return list(map(_ranked, views, values))

    def _look_ahead(self, open_draws: Sequence[tuple[View, Valued]], *, quickly: bool) -> None:
        """Put the mean of what is best with each card in place of what drawing is valued at."""
        drawn = [_drawn(view, quickly=quickly) for view, _ in open_draws]
        slots = _LIKELY if quickly else SLOTS
        found = iter(self._values([later for some in drawn for later in some], slots))
        for (_, values), some in zip(open_draws, drawn, strict=True):
            draw = values.actions.index(act.DRAW)
            later = [
                (one, int(np.argmax(_worth(view, one))))
                for view, one in zip(some, found, strict=False)
            ]
            values.wins[:, draw] = np.mean([one.wins[:, best] for one, best in later], axis=0)
            values.margins[:, draw] = np.mean([one.margins[:, best] for one, best in later], axis=0)

    def _values(self, views: Sequence[View], most: int = SLOTS) -> list[Valued]:
        groups: dict[Rules, list[int]] = {}
        result: dict[int, Valued] = {}
        for number, view in enumerate(views):
            if view.phase is Phase.CALL:
                result[number] = _called(view)
            else:
                groups.setdefault(view.rules, []).append(number)
        for rules, numbers in groups.items():
            some = valued(
                [views[number] for number in numbers], rules, network(name_for(rules)), most
            )
            for number, values in zip(numbers, some, strict=True):
                view = views[number]
                result[number] = _with_racko(view, values) if holds_racko(view) else values
        return [result[number] for number in range(len(views))]


def _at_once(view: View) -> Action | None:
    """What needs no network."""
    if view.phase is Phase.DEAL:
        return act.DEAL
    if holds_racko(view):
        return with_racko(view)
    return None


def _called(view: View) -> Valued:
    """The values of going out and of playing on, of which the network knows nothing."""
    wins, margins = np.array([after(view, action) for action in view.legal]).T[:, None]
    return Valued(view.legal, wins, margins)


def _with_racko(view: View, values: Valued) -> Valued:
    """The values of a seat that holds RACK-O: the network's only where that is given up."""
    wins, margins = [], []
    for action in view.legal:
        worth = after(view, action)
        if worth is None:
            column = values.actions.index(action)
            wins.append(values.wins[:, column])
            margins.append(values.margins[:, column])
        else:
            wins.append(np.full(len(values.wins), worth[0]))
            margins.append(np.full(len(values.wins), worth[1]))
    return Valued(view.legal, np.stack(wins, axis=1), np.stack(margins, axis=1))


def _best(view: View, values: Valued) -> Action:
    worth = _worth(view, values)
    restless = restlessness(view)
    if restless:
        chance = whim(view)
        worth = worth - [_BOLDNESS * restless * chance.random() for _ in values.actions]
    return values.actions[int(np.argmax(worth))]


def _worth(view: View, values: Valued) -> Floats:
    rules = view.rules
    weight = np.float32(_CHANCE_WITH_BONUS if rules.bonus else _CHANCE[rules.players])
    return weight * values.win + (1 - weight) * values.points / np.float32(SCALE)


def _drawn(view: View, *, quickly: bool) -> list[View]:
    """What the seat would see after drawing, by card; `quickly`, by some of many cards."""
    assert view.seat is not None
    cards = may_come(view)
    if quickly and len(cards) > _MANY:
        cards = cards[len(cards) % 2 :: 2]
    return [
        replace(
            view,
            phase=Phase.DRAWN,
            hand=card,
            draw_count=view.draw_count - 1,
            history=(*view.history, Drew(view.seat, card)),
            legal=(act.DISCARD, *act.PLACES),
        )
        for card in cards
    ]


def _is_close(view: View, values: Valued) -> bool:
    """Whether to draw or to take is worth a closer look."""
    rules = view.rules
    runs_matter = run_that_matters(rules.min_run, rules.bonus)
    if rules.players > 2 or runs_matter or act.DRAW not in view.legal:
        return False
    worth = _worth(view, values)
    draw = values.actions.index(act.DRAW)
    return bool(abs(worth[draw] - np.delete(worth, draw).max()) < _CLOSE)


def _ranked(view: View, values: Valued) -> tuple[Appraisal, ...]:
    order = np.argsort(-_worth(view, values), kind="stable")
    losses = values.wins[:, order[:1]] - values.wins
    win, points, errors = values.win, values.points, _errors(losses)
    return tuple(
        Appraisal(
            values.actions[which],
            float(win[which]),
            float(points[which]),
            float(errors[which]) if place else 0.0,
        )
        for place, which in enumerate(order)
    )


def _errors(losses: Floats) -> Floats:
    """By action, how far off its loss may be, as a standard error: `losses` by member."""
    apart = losses.std(axis=0, ddof=1) if len(losses) > 1 else 0.0
    errors: Floats = np.maximum(apart, _LEAST_ERROR + _SHARE_OF_ERROR * np.abs(losses.mean(axis=0)))
    return errors
