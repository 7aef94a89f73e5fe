"""What is played in the arena: which bots, by which rules, on which decks, from which seats.

Every deck is played once from each rotation of the seats, so that luck of the cards and of the
place at the table is everybody's alike. Each side of the rules (a player, or with teams a team) is
one bot's. How many bots are named decides what is played:

- as many as there are sides: they sit down together;
- fewer: the last one named takes the sides that are left, so `expert solid` for three players is
  one against two alike;
- more: every choice of as many bots as there are sides plays a match of its own, a round robin.

Three or more different bots can sit round a table in several orders; decks take them in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Final, Literal

from racko_core.deck import seed_from
from racko_core.errors import N_, RackoError
from racko_core.rules import Rules

Unit = Literal["rounds", "games"]

Seating = tuple[int, ...]
"""By seat: whose it is, an index into `Contest.bots`."""


class ArenaError(RackoError):
    """Something that the arena cannot do."""


@dataclass(frozen=True, slots=True)
class Contest:
    """All that decides what happens in the arena; the same contest has the same outcome."""

    rules: Rules
    bots: tuple[str, ...]
    """The different bots, by name."""
    matches: tuple[tuple[int, ...], ...]
    """By side, whose it is: an index into `bots`. Each match is played on every deck."""
    unit: Unit
    """Whether first rounds are played, or whole games."""
    decks: int
    """Decks to play. For games, each is a whole game's decks."""
    seed: str
    """A number or a word from which every deck follows."""
    recorded: bool = False
    """Whether each game's record is wanted."""

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        rules: Rules,
        *,
        unit: Unit = "rounds",
        count: int,
        seed: str,
        recorded: bool = False,
    ) -> Contest:
        """A contest between these bots, of at least `count` rounds or games in each match.

        It is more where that makes whole decks. Rules without a stalemate guard get one.
        """
        if len(names) < 2:
            raise ArenaError(N_("The arena needs two bots or more; the same one twice will do."))
        rules = rules.guarded()
        bots = tuple(dict.fromkeys(names))
        sides = len(rules.sides)
        matches: tuple[tuple[int, ...], ...]
        if len(names) > sides and len(bots) >= sides:
            matches = tuple(combinations(range(len(bots)), sides))
        else:
            named = bots if len(names) > sides else names
            match = [bots.index(name) for name in named]
            matches = (tuple(match + match[-1:] * (sides - len(match))),)
        contest = cls(rules, bots, matches, unit, 0, seed, recorded)
        decks = played = 0
        while played < count and decks < _CYCLE:
            played += len(contest.seatings(matches[0], decks))
            decks += 1
        if played < count:  # a cycle holds every order equally often
            decks = -(-count * decks // played)
        return cls(rules, bots, matches, unit, decks, seed, recorded)

    def seed_of(self, deck: int) -> bytes:
        """The seed of the games on deck number `deck`, 0 up."""
        return seed_from(f"{self.seed} {deck}")

    def seatings(self, match: tuple[int, ...], deck: int) -> tuple[Seating, ...]:
        """The rotations of a match that are played on a deck: all that differ."""
        orders = _orders(match, self.rules.players)
        return orders[deck % len(orders)]

    def tables(self, deck: int) -> Iterator[tuple[tuple[int, ...], Seating]]:
        """Every table of a deck: its match, and who sits where."""
        for match in self.matches:
            for seating in self.seatings(match, deck):
                yield match, seating

    @property
    def tables_per_deck(self) -> int:
        """Tables of the first deck; others may have a few less."""
        return sum(1 for _ in self.tables(0))


_CYCLE: Final = 6
"""Decks after which every order round the table has come equally often: there are 1, 2, 3 or 6."""


@cache
def _orders(match: tuple[int, ...], players: int) -> tuple[tuple[Seating, ...], ...]:
    """The ways round the table that differ, each with the rotations that differ."""
    found = {}
    for order in permutations(match):
        seats = order * (players // len(match))
        rotations = sorted({seats[turn:] + seats[:turn] for turn in range(players)})
        found[rotations[0]] = tuple(rotations)
    return tuple(found[first] for first in sorted(found))
