"""The positions of a game in which somebody had to decide, each as its seat saw it then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.deck import Deck
from racko_core.errors import N_, IllegalAction, RackoError
from racko_core.events import Discarded, Drew, Event, Placed, RoundEnded
from racko_core.game import Game
from racko_core.record import Record
from racko_core.rules import Seat
from racko_core.view import Phase, View


class UnknownRound(RackoError):
    """A round that cannot be played again from what is known of it."""


@dataclass(frozen=True, slots=True)
class Position:
    """One decision before it is judged."""

    number: int
    """Its place among the actions of its round, the deal being 0."""
    seat: Seat
    view: View
    action: Action
    """What was done."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """The decisions of one round, in order."""

    number: int
    positions: tuple[Position, ...]
    ended: RoundEnded | None
    """None for a round that was not played to its end."""


def rounds_of(record: Record) -> Iterator[PlayedRound]:
    """The rounds of a record. Raises RecordError where it does not hold."""
    record.replay()  # tells the line of what is wrong
    game = record.start()
    actions: list[Action] = []
    for action in [*record.actions, None]:
        if actions and action in (act.DEAL, None):
            yield _played(game, actions)
            actions = []
        if action is not None:
            actions.append(action)


def round_of(view: View) -> PlayedRound:
    """The round that a view was taken of, after its end and before the next deal.

    Raises UnknownRound for a view that was taken earlier, or that does not hold together.
    """
    if not view.sheet or view.phase not in (Phase.DEAL, Phase.OVER):
        raise UnknownRound(N_("This round has not ended yet; it can be analysed afterwards."))
    opening, ended = view.opening, view.sheet[-1]
    try:
        first = Deck(opening.deck, bytes.fromhex(opening.salt), opening.commitment)
        deck = Deck(ended.deck, bytes.fromhex(ended.salt), view.commitment)
        game = Game.after(view.rules, lambda number: deck if number else first, view.sheet[:-1])
        played = _played(game, _actions(view.history, game))
    except (IllegalAction, ValueError, LookupError):
        played = None
    if played is None or played.ended != ended:
        raise UnknownRound(N_("What is known of this round is not enough to play it again."))
    return played


def _played(game: Game, actions: Iterable[Action]) -> PlayedRound:
    """Play a round in `game`, which waits for the deal, and keep what each seat saw."""
    before = len(game.sheet)
    positions = []
    for number, action in enumerate(actions):
        if number and game.turn is not None:
            positions.append(Position(number, game.turn, game.view(game.turn), action))
        game.apply(action)
    ended = game.sheet[-1] if len(game.sheet) > before else None
    return PlayedRound(game.round, tuple(positions), ended)


def _actions(history: Iterable[Event], game: Game) -> Iterator[Action]:
    """What was done in a round; whoever asks for the next action has applied the last to `game`."""
    yield act.DEAL
    for event in history:
        match event:
            case Drew():
                yield act.DRAW
            case Placed(slot=slot, source=source):
                yield (act.PLACES if source == "draw" else act.TAKES)[slot - 1]
            case Discarded():
                yield act.DISCARD
            case RoundEnded(how="hand"):
                yield act.GO_OUT
            case _ if game.phase is Phase.CALL:
                yield act.PLAY_ON  # nobody is told, so there is no event for it
            case _:
                pass
