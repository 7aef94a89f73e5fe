"""An appraiser for tests: guesses the chance to win from the distance to a rack in order.

It is exact where it has to be: drawing is worth the mean over the cards that may come.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

from racko_core import actions as act
from racko_core.actions import Action, Draw, GoOut, Place, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.distance import waits
from racko_core.bots.outlook import SURE, outlook
from racko_core.rack import Rack, is_racko, longest_run, run_bonus, with_card
from racko_core.rules import SLOTS, Card
from racko_core.view import Phase, View
from tests.core.bots.oracle import distance


class Guess:
    """The lower the distance, the better the chance; turns of others are not thought of."""

    def __init__(self, error: float = 0.0) -> None:
        self.error = error
        self.asked = 0

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        self.asked += 1
        value = _valuer(view)
        found = [self._one(action, *_worth(view, action, value)) for action in view.legal]
        found.sort(key=lambda one: -one.win)
        best = found[0]
        return (Appraisal(best.action, best.win, best.points, 0.0), *found[1:])

    def _one(self, action: Action, win: float, points: float) -> Appraisal:
        return Appraisal(action, win, points, self.error)


class Batches(Guess):
    """The same for many views at once."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def appraise_many(self, views: list[View]) -> list[tuple[Appraisal, ...]]:
        self.sizes.append(len(views))
        return [self.appraise(view) for view in views]


Worth = tuple[float, float]
Value = Callable[[Rack], Worth]


def _valuer(view: View) -> Value:
    below = outlook(view).below
    rules = view.rules

    def value(rack: Rack) -> Worth:
        if is_racko(rack, rules):
            win = 1.0
        else:
            win = 0.95 / (1 + exp(12 * (distance(rack, below, waits(), rules.min_run) - 0.5)))
        bonus = run_bonus(longest_run(rack)[1]) if rules.bonus else 0
        return win, 100 * win - 50 + win * bonus

    return value


def _worth(view: View, action: Action, value: Value) -> Worth:
    rack = view.rack
    match action:
        case GoOut():
            return value(rack)
        case Take(slot) | Place(slot):
            card = view.discards[-1] if isinstance(action, Take) else view.hand
            assert card is not None
            return value(with_card(rack, slot, card))
        case Draw():
            worths = [_drawn(rack, card, value) for card in may_come(view)]
            wins, points = zip(*worths, strict=True)
            return sum(wins) / len(wins), sum(points) / len(points)
        case _:
            win, points_ = value(rack)
            return (win, points_) if view.phase is Phase.DRAWN else (0.9 * win, points_)


def _drawn(rack: Rack, card: Card, value: Value) -> Worth:
    return max(value(rack), *(value(with_card(rack, slot, card)) for slot in range(1, SLOTS + 1)))


def may_come(view: View) -> list[Card]:
    ahead = outlook(view)
    if ahead.next_card is not None:
        return [ahead.next_card]
    below = ahead.below
    return [
        card for card in range(1, view.rules.cards + 1) if below[card + 1] - below[card] == SURE
    ]


class Empty:
    """Every action is worth the same, the earlier in the list the better by next to nothing."""

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        return tuple(
            Appraisal(action, 0.5 - n / 1e6, 0.0, 0.0) for n, action in enumerate(view.legal)
        )


def first_of(view: View, *actions: Action) -> tuple[Appraisal, ...]:
    """Appraisals that rank these actions first."""
    rest = [one for one in view.legal if one not in actions]
    return tuple(Appraisal(one, 0.5 - n / 100, 0.0, 0.0) for n, one in enumerate([*actions, *rest]))


__all__ = ["Batches", "Empty", "Guess", "act", "first_of", "may_come"]
