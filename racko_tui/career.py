"""What one player has done in all games: every finished game adds to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from racko_core.rules import Seat
from racko_tui.scores import Scorecard, tally

_REMEMBERED: Final = 50
"""Games that are known by name, so that none counts twice."""


@dataclass(slots=True)
class Career:
    """The figures of one player. Zeros before the first game."""

    games: dict[str, int] = field(default_factory=dict)
    """By the number of players, in digits: how many."""
    won: dict[str, int] = field(default_factory=dict)
    """The same: how many of them were won, alone, with a partner, or with others level."""
    rounds: int = 0
    rackos: int = 0
    """Rounds ended by going out."""
    points: int = 0
    """In all rounds, bonuses included."""
    best: int = 0
    """Points of the best round."""
    fastest: int = 0
    """Turns of the quickest RACK-O with a turn; 0 for none."""
    run: int = 0
    """Length of the longest run in a rack at the end of a round; 1 is no run."""
    hints: int = 0
    """Decisions that the player had help with."""
    counted: list[str] = field(default_factory=list)
    """The games that were counted last, by the commitment of their opening."""

    @property
    def played(self) -> int:
        """All games."""
        return sum(self.games.values())

    @property
    def victories(self) -> int:
        """All games won."""
        return sum(self.won.values())

    def add(self, card: Scorecard, seat: Seat, name: str) -> bool:
        """Count a finished game, seen from `seat`; False for one that counts already.

        `name` is what no other game is called.
        """
        if name in self.counted or card.result is None or not card.sheet:
            return False
        players, one = str(card.rules.players), tally(card, seat)
        won = card.rules.side_of(seat) in card.result.winners
        self.games[players] = self.games.get(players, 0) + 1
        self.won[players] = self.won.get(players, 0) + won
        self.rounds += len(card.sheet)
        self.rackos += one.rackos
        self.points += sum(ended.scores[seat].points for ended in card.sheet)
        self.best = max(self.best, one.best)
        self.fastest = min(filter(None, (self.fastest, one.fastest)), default=0)
        self.run = max(self.run, one.run)
        self.hints += one.hints
        self.counted = [*self.counted, name][-_REMEMBERED:]
        return True

    def to_dict(self) -> dict[str, Any]:
        """In plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The inverse; whatever is not as it should be counts as nothing."""
        career = cls()
        for name in ("rounds", "rackos", "points", "best", "fastest", "run", "hints"):
            if _is_count(values.get(name)):
                setattr(career, name, values[name])
        games, won = values.get("games"), values.get("won")
        if isinstance(games, dict) and isinstance(won, dict):
            for size in ("2", "3", "4"):
                if _is_count(games.get(size)) and _is_count(won.get(size)):
                    career.games[size], career.won[size] = games[size], won[size]
        counted = values.get("counted")
        if isinstance(counted, list):
            career.counted = [name for name in counted if isinstance(name, str)][-_REMEMBERED:]
        return career


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
