"""Whether a record is true: a replay that checks all it states.

From the opening on a record has one spelling. So what was replayed is written anew and compared
line by line: nothing that a record states goes unchecked.
"""

from __future__ import annotations

from dataclasses import dataclass

from racko_core.deck import Deck, commitment
from racko_core.errors import N_, RecordError
from racko_core.game import Game
from racko_core.record.model import Record
from racko_core.record.reader import read, text_of
from racko_core.record.writer import lines_of


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found to be right."""

    record: Record
    game: Game
    """The game as it stands at the end of the record."""
    proofs: int
    """Decks that match their commitments, the one of the opening among them."""
    seeded: bool
    """Whether all of these follow from a seed."""


def verify(data: str | bytes) -> Verification:
    """Play a record again and check all it states. Raises RecordError for the first thing wrong.

    A proof shows that a deck was fixed when its commitment was made. That this was before the
    round, only those know who saw the commitment then.
    """
    record = read(data)
    decks = [(0, record.opening_line, record.opening)]
    decks += [(part.number, part.line, part.deck) for part in record.rounds if part.deck]
    for number, line, deck in decks:
        if commitment(deck.order, deck.salt) != deck.commitment:
            raise RecordError(
                N_("The deck in line {line} of the record is not the one that was committed to."),
                line=line + 2,
            )
        if record.seed and Deck.for_round(record.rules, record.seed, number) != deck:
            raise RecordError(
                N_("The deck in line {line} of the record does not follow from the seed."),
                line=line + 2,
            )
    game = record.replay()
    promise = record.rounds[-1].commitment if len(record.rounds) > len(game.sheet) else None
    due = lines_of(game, record.seats, record.seed, record.about, promise)
    said = text_of(data).removesuffix("\n").split("\n")
    for line in range(record.opening_line, max(len(due), len(said)) + 1):
        a, b = ("".join(lines[line - 1 : line]) for lines in (said, due))
        if a != b:
            raise RecordError(
                N_("Line {line} of the record says “{said}”; by the rules it is “{due}”."),
                line=line,
                said=a[:80],
                due=b[:80],
            )
    return Verification(record, game, len(decks), record.seed is not None)
