"""What a record holds, and the game that it tells of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.deck import Deck
from racko_core.errors import N_, IllegalAction, RecordError
from racko_core.game import Game
from racko_core.rules import Rules

HUMAN: Final = "human"
"""The kind of a seat that a person plays; other kinds are levels of bots."""


@dataclass(frozen=True, slots=True)
class SeatName:
    """Who sat at a seat."""

    name: str
    """Any text of up to 300 characters."""
    kind: str = HUMAN
    """`human`, the level of a bot, or `exec`: lower-case letters, digits and hyphens."""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round as it stands in a record."""

    number: int
    """1 up."""
    line: int
    """Its first line in the text, 1 up."""
    commitment: str
    deck: Deck | None
    """None for a round in play, whose deck is only promised."""
    turns: Sequence[tuple[Action, ...]]
    """The actions after the deal, as many together as stand in a line."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record taken apart. Nothing in it is known to be right before `verify` has said so."""

    rules: Rules
    seats: tuple[SeatName, ...]
    about: dict[str, str]
    """What else was noted, such as a date; in the order of the text."""
    seed: bytes | None
    opening: Deck
    """The deck that was drawn from for the first deal."""
    opening_line: int
    """Where the opening starts in the text, 1 up."""
    rounds: tuple[RoundRecord, ...]

    def deck(self, number: int) -> Deck:
        """The deck of a round (0: the draw for the dealer): as it stands here, else by the seed.

        Raises RecordError where the record tells neither.
        """
        if number == 0:
            return self.opening
        told = self.rounds[number - 1] if number <= len(self.rounds) else None
        if told is not None and told.deck is not None:
            return told.deck
        if self.seed is not None:
            return Deck.for_round(self.rules, self.seed, number)
        raise RecordError(
            N_("The record does not tell the deck of round {round} (line {line})."),
            line=told.line if told is not None else self.opening_line,
            round=number,
        )

    @property
    def actions(self) -> list[Action]:
        """Every action, the deals among them."""
        return [action for _, action in self._actions()]

    def start(self) -> Game:
        """The game before its first action; apply `actions` to it one by one to watch it."""
        return Game(self.rules, self.deck)

    def replay(self) -> Game:
        """The game as it stands at the end of the record.

        Raises RecordError where an action is not allowed.
        """
        game = self.start()
        for line, action in self._actions():
            try:
                game.apply(action)
            except IllegalAction as reason:
                raise RecordError(
                    N_("In line {line} of the record “{code}” is not allowed: {reason}"),
                    line=line,
                    code=act.encode(action),
                    reason=reason,
                ) from None
        return game

    def _actions(self) -> Iterator[tuple[int, Action]]:
        """Every action and the line it stands in."""
        for part in self.rounds:
            if part.deck is None:
                return
            yield part.line, act.DEAL
            for line, actions in enumerate(part.turns, part.line + 4):
                for action in actions:
                    yield line, action


class CutOffError(RecordError):
    """A record whose end is missing; `read(data, partial=True)` gives what is left of it."""
