"""What ten cards in a rack are worth. Pure functions; a rack is a sequence of cards, slot 1 first.

They are asked after every turn, so they are plain loops over ten numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from racko_core.rules import (
    POINTS_FOR_GOING_OUT,
    POINTS_PER_CARD,
    RUN_BONUS,
    SLOTS,
    Card,
    Rules,
    Slot,
)

Rack = tuple[Card, ...]
"""Ten cards, slot 1 (the front) first."""


def with_card(rack: Sequence[Card], slot: Slot, card: Card) -> Rack:
    """The rack with a card in a slot, in place of what stood there."""
    return (*rack[: slot - 1], card, *rack[slot:])


def is_in_order(rack: Sequence[Card]) -> bool:
    """Whether the cards rise strictly from front to back."""
    before = 0
    for card in rack:
        if card <= before:
            return False
        before = card
    return True


def prefix(rack: Sequence[Card]) -> int:
    """Number of cards from the front up to the first break: 1 up to 10."""
    for index in range(1, len(rack)):
        if rack[index] < rack[index - 1]:
            return index
    return len(rack)


def ascents(rack: Sequence[Card]) -> int:
    """Number of cards that count in the `ascents` scoring: the front card and every card higher
    than the one directly in front of it.
    """
    return 1 + sum(rack[index] > rack[index - 1] for index in range(1, len(rack)))


def breaks(rack: Sequence[Card]) -> tuple[Slot, ...]:
    """The slots whose card is lower than the card directly in front of it."""
    return tuple(index + 1 for index in range(1, len(rack)) if rack[index] < rack[index - 1])


def longest_run(rack: Sequence[Card]) -> tuple[Slot, int]:
    """First slot and length of the longest run (the front one of equals); length 1 is no run."""
    best_start = best = start = length = 1
    for index in range(1, len(rack)):
        if rack[index] == rack[index - 1] + 1:
            length += 1
            if length > best:
                best_start, best = start, length
        else:
            start, length = index + 1, 1
    return best_start, best


def run_bonus(length: int) -> int:
    """Points for a run of so many cards."""
    return RUN_BONUS.get(min(length, max(RUN_BONUS)), 0)


def is_racko(rack: Sequence[Card], rules: Rules) -> bool:
    """Whether this rack is RACK-O: in order, with the run that the rules ask for."""
    return is_in_order(rack) and (rules.min_run == 0 or longest_run(rack)[1] >= rules.min_run)


def cards_that_score(rack: Sequence[Card], rules: Rules) -> int:
    """Number of cards that score for a player who did not go out: 1 up to 10."""
    return prefix(rack) if rules.scoring == "prefix" else ascents(rack)


def points_without_going_out(rack: Sequence[Card], rules: Rules) -> int:
    """Points of a player who did not go out: 5 up to 50."""
    return POINTS_PER_CARD * cards_that_score(rack, rules)


def points_for_going_out() -> int:
    """Points of the player who goes out, without a bonus."""
    return POINTS_PER_CARD * SLOTS + POINTS_FOR_GOING_OUT
