"""Games whose every card a test has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from racko_core.actions import DEAL, decode
from racko_core.deck import Deck, commitment
from racko_core.events import Event
from racko_core.game import Game
from racko_core.rules import SLOTS, Card, Rules, Seat

RISING = (4, 8, 12, 16, 20, 24, 28, 32, 36, 40)
"""In order, without a run."""
ALMOST = (4, 8, 12, 16, 20, 24, 28, 32, 36, 2)
"""In order but for the back; 37, 38, 39 or 40 put there makes it RACK-O."""
FALLING = (35, 33, 31, 29, 27, 25, 23, 21, 19, 17)
"""Worth 5 points, and far from RACK-O."""


def as_deck(order: Sequence[Card]) -> Deck:
    salt = bytes(range(16))
    return Deck(tuple(order), salt, commitment(order, salt))


def opening(rules: Rules, *drawn: Card) -> list[Card]:
    """A deck from which the seats draw these cards for the first deal."""
    return [*drawn, *(card for card in range(1, rules.cards + 1) if card not in drawn)]


def order_for(
    rules: Rules,
    racks: Mapping[Seat, Sequence[Card]],
    draws: Sequence[Card] = (),
    discard: Card | None = None,
    dealer: Seat = 0,
) -> list[Card]:
    """A deck that deals these racks, then turns up `discard`, then gives `draws` to be drawn.

    Seats without a rack get falling ones of what is left; the rest lies below in rising order.
    """
    used = {card for rack in racks.values() for card in rack} | {*draws, discard}
    left = [card for card in range(rules.cards, 0, -1) if card not in used]
    full = {}
    for seat in range(rules.players):
        full[seat] = racks[seat] if seat in racks else [left.pop(0) for _ in range(SLOTS)]
    first = left.pop() if discard is None else discard
    dealt = []
    for slot in range(SLOTS, 0, -1):
        for place in range(1, rules.players + 1):
            dealt.append(full[(dealer + place) % rules.players][slot - 1])
    order = [*dealt, first, *draws, *reversed(left)]
    assert sorted(order) == list(range(1, rules.cards + 1)), "a card stands in two places"
    return order


def stacked_game(
    rules: Rules, *orders: Sequence[Card], drawn: Sequence[Card] | None = None
) -> Game:
    """A game with these decks for its rounds, the last for all later ones too. Seat 0 deals first,
    unless the cards `drawn` for the deal say otherwise.
    """
    if drawn is None:
        lowest = rules.first_dealer == "low"
        drawn = range(1, rules.players + 1) if lowest else range(rules.players, 0, -1)
    decks = [as_deck(opening(rules, *drawn)), *map(as_deck, orders)]
    return Game(rules, lambda number: decks[min(number, len(decks) - 1)])


def dealt_game(
    rules: Rules,
    racks: Mapping[Seat, Sequence[Card]],
    draws: Sequence[Card] = (),
    discard: Card | None = None,
) -> Game:
    """A game whose first round has just been dealt by seat 0; seat 1 plays first."""
    game = stacked_game(rules, order_for(rules, racks, draws, discard))
    game.apply(DEAL)
    return game


def play(game: Game, codes: str) -> list[Event]:
    """Do the actions with these codes, parted by spaces, and return all events."""
    return [event for code in codes.split() for event in game.apply(decode(code))]
