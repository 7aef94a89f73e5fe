"""Random games over all options, made from a generator that the caller seeds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from racko_core.actions import DEAL, DRAW, GO_OUT, PLACES, TAKES, Action
from racko_core.deck import Deck, seed_from
from racko_core.game import Decks, Game
from racko_core.rules import SLOTS, Rules
from racko_core.view import Phase
from tests.core.stacked import as_deck

OPTIONS: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4),
    "target": (5, 100, 150, 500),
    "first_dealer": ("high", "low"),
    "exhausted": ("flip", "shuffle"),
    "call": (None, "auto", "manual"),
    "min_run": (0, 0, 2, 3, 6),
    "scoring": ("prefix", "ascents"),
    "bonus": (False, True),
    "teams": (False, True),
    "max_rounds": (None, 1, 3),
    "stalemate_turnovers": (1, 2, 3),
}
"""Every option, with values that make sense together, but for teams: those need four."""


def rules_from(settings: dict[str, Any]) -> Rules:
    return Rules(**{**settings, "teams": settings["teams"] and settings["players"] == 4})


def random_rules(rng: random.Random) -> Rules:
    return rules_from({name: rng.choice(values) for name, values in OPTIONS.items()})


def seeded_decks(rules: Rules, seed: int) -> Decks:
    return lambda number: Deck.for_round(rules, seed_from(seed), number)


def kind_decks(rules: Rules, seed: int) -> Decks:
    """Decks that deal racks in order, or nearly so, much more often than chance would."""

    def deck(number: int) -> Deck:
        rng = random.Random(f"{seed} {number}")
        order = list(Deck.for_round(rules, seed_from(seed), number).order)
        for seat in range(rules.players):
            places = range(seat, rules.players * SLOTS, rules.players)
            cards = sorted((order[place] for place in places), reverse=True)
            if rng.random() < 0.4:
                front, back = rng.sample(range(SLOTS), 2)
                cards[front], cards[back] = cards[back], cards[front]
            if rng.random() < 0.6:
                for place, card in zip(places, cards, strict=True):
                    order[place] = card
        return as_deck(order)

    return deck


Chooser = Callable[[Game], Action]


def chooser(rng: random.Random, sense: float) -> Chooser:
    """Chooses a legal action: with probability `sense` one that sorts the rack, else any.

    Random players alone hardly ever end a round.
    """

    def choose(game: Game) -> Action:
        legal = game.legal_actions()
        if rng.random() >= sense:
            return rng.choice(legal)
        if GO_OUT in legal:
            return GO_OUT if rng.random() < 0.7 else legal[0]
        if game.phase is Phase.DEAL:
            return DEAL
        assert game.turn is not None
        drawn = game.phase is Phase.DRAWN
        card = game._hand if drawn else game._discards[-1]
        assert card is not None
        rack = game._racks[game.turn]
        index = (card - 1) * SLOTS // game.rules.cards
        if (rack[index] - 1) * SLOTS // game.rules.cards == index:
            return legal[0] if drawn else DRAW  # that slot is well filled
        return PLACES[index] if drawn else TAKES[index]

    return choose
