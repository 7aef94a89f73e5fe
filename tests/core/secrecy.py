"""Whether a view tells more than its seat has seen.

Two worlds that differ only in cards which a seat has not seen must look the same to it. `twin`
makes the second world; if the two views differ in a single byte, something hidden got out.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from racko_core.events import Dealt, Discarded, Drew, Event, Placed, Renewed
from racko_core.game import Game
from racko_core.rules import Card, Seat
from racko_core.view import View


def seen_cards(game: Game, seat: Seat | None) -> set[Card]:
    """The cards whose face `seat` has seen in this round, by the rules of a real table."""
    seen: set[Card] = set()
    for event in game._events:
        match event:
            case Dealt(racks, discard, _):
                seen |= {discard} | set((racks[seat] or ()) if seat is not None else ())
            case Drew(owner, card) if owner == seat and card is not None:
                seen.add(card)
            case Placed(discarded=card) | Discarded(card=card):
                seen.add(card)
    return seen


def twin(game: Game, seat: Seat | None, rng: random.Random) -> Game:
    """The same game, but that cards which `seat` has not seen have changed places at random."""
    hidden = sorted(set(range(1, game.rules.cards + 1)) - seen_cards(game, seat))
    swapped = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    other = copy.copy(game)
    other._racks = [_swap(rack, swapped) for rack in game._racks]
    other._draw = _swap(game._draw, swapped)
    other._discards = _swap(game._discards, swapped)
    other._hand = _swap(game._hand, swapped)
    other._deck = replace(game._deck, order=_swap(game._deck.order, swapped))
    other._events = [_swap_event(event, swapped) for event in game._events]
    other._seen = {}
    return other


def _swap(cards: Any, swapped: Mapping[Card, Card]) -> Any:
    if isinstance(cards, list | tuple):
        return type(cards)(_swap(card, swapped) for card in cards)
    return swapped.get(cards, cards)


def _swap_event(event: Event, swapped: Mapping[Card, Card]) -> Event:
    names = {
        Dealt: ("racks", "discard"),
        Drew: ("card",),
        Placed: ("card", "discarded"),
        Discarded: ("card",),
        Renewed: ("discard",),
    }.get(type(event), ())
    return replace(event, **{name: _swap(getattr(event, name), swapped) for name in names})


def as_bytes(view: View) -> bytes:
    """All that a view holds."""
    return repr(view).encode()


def shown_cards(view: View) -> set[Card]:
    """The cards of this round in every place of a view that can show one."""
    shown: list[Card | None] = [*view.discards, view.hand]
    for rack in (*view.racks, *view.known):
        shown += rack or ()
    for event in view.history:
        match event:
            case Dealt(racks, discard, _):
                shown += [discard, *(card for rack in racks if rack for card in rack)]
            case Drew(_, card) | Discarded(_, card) | Renewed(discard=card):
                shown.append(card)
            case Placed(card=card, discarded=discarded):
                shown += [card, discarded]
    return {card for card in shown if card is not None}
