"""What everybody at a table has seen of a round, and where that leaves each card.

Plain loops over lists or arrays: the player calls them as they stand, the trainer compiles the very
same functions.

A card's *quarters* say how surely it still comes, 4 for a card that is unseen (see `outlook`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

Row = Any
"""A list of integers, or an array of them; the trainer compiles for either."""
Rows = Any
"""The same, nested."""
SLOTS: Final = 10
UNSEEN: Final = 0
BURIED: Final = 1
TOP: Final = 2
HELD: Final = 3
"""Known to be in another player's slot."""
HIDDEN: Final = 4
"""In some other player's rack, since it is in no pile; the slot is not known."""
MINE: Final = 5
"""Where a card is, as far as a seat knows."""


class Sight(NamedTuple):
    """What everybody at the table has seen of a round, and remembers. Lists, or arrays of int64.

    By player first where two lists are nested; slots are 0 up unless said otherwise. Cards that
    were drawn from a pile whose order is known count as seen.
    """

    known: Rows
    """By slot: the card seen going in, 0 for none."""
    left: Rows
    """By card: the slot, 1 up, that it left last."""
    dropped: Rows
    """By card: whether it was drawn and discarded."""
    declined: Rows
    """By card: whether it was left lying on the discard pile."""
    unknown: Rows
    """By slot: how many cards went in unseen since one was seen there."""
    last: Row
    """The slot changed last, 1 up; 0 for none."""
    swaps: Row
    """Turns that changed the rack."""
    turns: Row
    """Turns ended."""
    discards: Row
    """The discard pile, the top last."""
    draw: Row
    """The draw pile where its order is known, the top last."""
    pile: Row
    """By card: 1 if it was in the draw pile when that was last renewed."""
    counts: Row
    """See the constants below."""


DISCARDS: Final = 0
"""Of `Sight.counts`: cards in the discard pile."""
DRAWS: Final = 1
"""Cards in the draw pile."""
TURNOVERS: Final = 2
"""How often the draw pile was renewed."""
ORDERED: Final = 3
"""1 if the order of the draw pile is known, that is, after it was turned over."""
COUNTS: Final = 4


def saw_draw(sight: Sight) -> None:
    """Somebody draws, and so declines the top of the discard pile; `saw_declined` says who."""
    sight.counts[DRAWS] -= 1


def saw_declined(sight: Sight, player: int) -> None:
    """`player` left the top of the discard pile lying."""
    sight.declined[player][sight.discards[sight.counts[DISCARDS] - 1]] = 1


def saw_change(sight: Sight, player: int, slot: int, card: int, out: int) -> None:
    """`out` left a slot for `card`, 0 for one that was not seen; then the turn was over."""
    sight.known[player][slot] = card
    if card:
        sight.unknown[player][slot] = 0
        sight.left[player][card] = 0
        sight.dropped[player][card] = 0
        sight.declined[player][card] = 0
    else:
        sight.unknown[player][slot] += 1
    sight.left[player][out] = slot + 1
    sight.last[player] = slot + 1
    sight.swaps[player] += 1
    sight.turns[player] += 1


def saw_take(sight: Sight, player: int, slot: int, out: int) -> None:
    """`player` took the top discard into a slot, and `out` became the top."""
    top = sight.counts[DISCARDS] - 1
    saw_change(sight, player, slot, sight.discards[top], out)
    sight.discards[top] = out


def saw_place(sight: Sight, player: int, slot: int, card: int, out: int) -> None:
    """`player` placed the drawn card, 0 for one that was not seen; `out` became the top."""
    saw_change(sight, player, slot, card, out)
    sight.discards[sight.counts[DISCARDS]] = out
    sight.counts[DISCARDS] += 1


def saw_discard(sight: Sight, player: int, card: int) -> None:
    """`player` discarded the drawn card."""
    sight.dropped[player][card] = 1
    sight.turns[player] += 1
    sight.discards[sight.counts[DISCARDS]] = card
    sight.counts[DISCARDS] += 1


def saw_turnover(sight: Sight, cards: int) -> None:
    """The discard pile was turned over to be the draw pile; its bottom starts the new one."""
    count = sight.counts[DISCARDS]
    for card in range(cards + 1):
        sight.pile[card] = 0
    # What lay at the bottom is drawn first, so the top of the old pile is the bottom of the new.
    for place in range(1, count):
        sight.draw[count - 1 - place] = sight.discards[place]
        sight.pile[sight.discards[place]] = 1
    sight.counts[DISCARDS] = 1
    sight.counts[DRAWS] = count - 1
    sight.counts[TURNOVERS] += 1
    sight.counts[ORDERED] = 1


def saw_shuffle(sight: Sight, cards: int) -> None:
    """The discard pile but its top was shuffled to be the draw pile."""
    count = sight.counts[DISCARDS]
    for card in range(cards + 1):
        sight.pile[card] = 0
    for place in range(count - 1):
        sight.pile[sight.discards[place]] = 1
    sight.discards[0] = sight.discards[count - 1]
    sight.counts[DISCARDS] = 1
    sight.counts[DRAWS] = count - 1
    sight.counts[TURNOVERS] += 1


def fill_status(sight: Sight, seat: int, cards: int, rack: Row, hand: int, status: Row) -> int:
    """Fill in where each card is, as far as `seat` knows; returns how many are unseen."""
    counts = sight.counts
    for card in range(1, cards + 1):
        status[card] = UNSEEN
    if counts[ORDERED]:
        for card in range(1, cards + 1):
            status[card] = HIDDEN
        for place in range(counts[DRAWS]):
            status[sight.draw[place]] = UNSEEN
    elif counts[TURNOVERS]:
        for card in range(1, cards + 1):
            if not sight.pile[card]:
                status[card] = HIDDEN
    for place in range(counts[DISCARDS] - 1):
        status[sight.discards[place]] = BURIED
    for other in range(len(sight.turns)):
        if other != seat:
            for slot in range(SLOTS):
                if sight.known[other][slot]:
                    status[sight.known[other][slot]] = HELD
    for slot in range(SLOTS):
        status[rack[slot]] = MINE
    if hand:
        status[hand] = MINE
        status[sight.discards[counts[DISCARDS] - 1]] = BURIED
    else:
        status[sight.discards[counts[DISCARDS] - 1]] = TOP
    unseen = 0
    for card in range(1, cards + 1):
        if status[card] == UNSEEN:
            unseen += 1
    return unseen


def count_below(cards: int, status: Row, below: Row) -> None:
    """Fill in the quarters of the cards below each card, up to cards + 1."""
    total = 0
    below[0] = 0
    for card in range(1, cards + 1):
        below[card] = total
        if status[card] == UNSEEN:
            total += 4
        elif status[card] == BURIED:
            total += 1
    below[cards + 1] = total
