"""What the player can do now, which slot they have chosen, and what would come of it.

No widgets here: the table screen asks this and shows the answers. Whatever cannot be done now
raises `NotNow` with the sentence that says why.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.errors import N_, RackoError
from racko_core.rack import Rack
from racko_core.rules import SLOTS, Card, Slot
from racko_core.view import Phase, View


class NotNow(RackoError):
    """A key that does nothing at this moment; nothing has changed."""


class Held(StrEnum):
    """What holds a game up, whoever's turn it is."""

    LOST = "lost"
    """The connection to the table is lost."""
    PAUSED = "paused"
    """The table is paused."""


class Step(StrEnum):
    """What the table waits for, as the player at this terminal sees it."""

    WAIT = "wait"
    """Somebody else, or no game yet."""
    TURN = "turn"
    """Draw, or take the discard."""
    TAKE = "take"
    """A slot for the discard; nothing has been done yet, so it can be put back."""
    DRAWN = "drawn"
    """A slot for the drawn card, or its discarding."""
    CALL = "call"
    """Going out or playing on."""
    BETWEEN = "between"
    """The next round."""
    OVER = "over"
    """Nothing: the game has ended."""
    HELD = "held"
    """That it may go on."""


Verb = Literal["draw", "take", "place", "put_back", "discard", "go_out", "play_on"]

CHOOSING: Final = (Step.TAKE, Step.DRAWN)
"""The steps in which a slot is to be chosen."""

WHILE_HELD: Final = {
    Held.LOST: N_("Nothing can be done until the connection is back."),
    Held.PAUSED: N_("Nothing can be done while the table is paused."),
}
_CHOOSE: Final = N_("Choose a slot first: with the arrows, the digits 1 to 9 and 0, or the mouse.")
_CALL: Final = N_("Your rack is RACK-O: go out, or play on.")
_TAKING: Final = N_("First put {card} into a slot, or put it back.")
_DRAWN: Final = N_("First put {card} into a slot, or discard it.")

_WHY_NOT: Final[dict[tuple[Verb, Step], str]] = {
    ("draw", Step.TURN): N_("The draw pile is empty; take the discard."),
    ("draw", Step.TAKE): _TAKING,
    ("draw", Step.DRAWN): N_("You have drawn already: put {card} into a slot, or discard it."),
    ("draw", Step.CALL): _CALL,
    ("take", Step.TAKE): _CHOOSE,
    ("take", Step.DRAWN): N_("You have drawn already, so the discard has to stay where it is."),
    ("take", Step.CALL): _CALL,
    ("place", Step.TURN): N_("First draw a card, or take the discard."),
    ("place", Step.TAKE): _CHOOSE,
    ("place", Step.DRAWN): _CHOOSE,
    ("place", Step.CALL): _CALL,
    ("put_back", Step.DRAWN): N_("A drawn card cannot go back: put it into a slot, or discard it."),
    ("discard", Step.TURN): N_("There is no card in your hand to discard; draw one first."),
    ("discard", Step.TAKE): N_("A card from the discard pile has to go into your rack."),
    ("discard", Step.CALL): _CALL,
    ("go_out", Step.TURN): N_("Going out needs all ten cards in order."),
    ("go_out", Step.TAKE): _TAKING,
    ("go_out", Step.DRAWN): _DRAWN,
    ("play_on", Step.TURN): N_("Your turn has just begun: draw a card, or take the discard."),
    ("play_on", Step.TAKE): _TAKING,
    ("play_on", Step.DRAWN): _DRAWN,
}


class Decision:
    """The player's side of one moment of the game."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.slot: Slot | None = None
        """The chosen slot."""
        self.taking = False
        """Whether the discard is to be taken, and only its slot is missing."""
        self.offer: Slot | None = None
        """Where one key takes the discard to: a hint has just said so, and nothing else was done
        since."""
        self.watching = False
        """Whether nobody at this terminal plays."""
        self.held: Held | None = None
        """What holds the game up; nothing can be done meanwhile, and what was chosen stays so."""

    @property
    def moment(self) -> tuple[object, ...]:
        """Differs whenever a key would mean something else than before."""
        view = self.view
        if view is None:
            return ()
        if not view.my_turn:
            return (view.round, len(view.sheet), view.turn, view.phase)
        return (view.round, len(view.sheet), view.turn, view.phase, view.turns, view.turnovers)

    @property
    def step(self) -> Step:
        """What is to be done."""
        view = self.view
        if view is None:
            return Step.WAIT
        if self.held is not None:
            return Step.HELD
        if view.phase is Phase.OVER:
            return Step.OVER
        if view.phase is Phase.DEAL:
            return Step.BETWEEN if view.sheet else Step.WAIT
        if not view.my_turn:
            return Step.WAIT
        if view.phase is Phase.DRAWN:
            return Step.DRAWN
        if view.phase is Phase.CALL:
            return Step.CALL
        return Step.TAKE if self.taking else Step.TURN

    def show(self, view: View | None) -> bool:
        """The game stands like this now; returns whether another moment has come.

        Then nothing is chosen any more: no slot is kept for a card that it was not meant for.
        """
        before = self.moment, self.view is not None and self.view.my_turn
        self.view = view
        changed = self.moment != before[0]
        if changed and (before[1] or (view is not None and view.my_turn)):
            self.slot = self.offer = None
            self.taking = False
        return changed

    # Choosing a slot

    def choose(self, slot: Slot) -> None:
        """Choose a slot."""
        self._rack()
        self.slot, self.offer = slot, None

    def move(self, by: int) -> None:
        """Choose the slot so many places further back; at first, the one nearest to the card."""
        self._rack()
        slot = self.natural if self.slot is None else self.slot + by
        self.choose(min(max(slot, 1), SLOTS))

    @property
    def natural(self) -> Slot:
        """The slot where the card would stand if all cards were dealt out evenly."""
        if self.view is None or self.card is None:
            return SLOTS // 2
        return 1 + (self.card - 1) * SLOTS // self.view.rules.cards

    # What would come of it

    @property
    def card(self) -> Card | None:
        """The card that could go into the rack now: the one in hand, or the discard."""
        if self.view is None:
            return None
        match self.step:
            case Step.DRAWN:
                return self.view.hand
            case Step.TURN | Step.TAKE:
                return self.view.discard
        return None

    @property
    def leaving(self) -> Card | None:
        """The card in the chosen slot."""
        rack = self.rack
        return rack[self.slot - 1] if rack and self.slot else None

    @property
    def rack(self) -> Rack | None:
        """The player's own rack."""
        view = self.view
        return None if view is None or view.seat is None or not view.racks else view.rack

    @property
    def after(self) -> Rack | None:
        """The rack with the card in the chosen slot."""
        rack, card, slot = self.rack, self.card, self.slot
        if rack is None or card is None or slot is None:
            return None
        return (*rack[: slot - 1], card, *rack[slot:])

    # Doing it

    def do(self, verb: Verb) -> Action | None:
        """The action that the table is to be asked for; None where nobody else need know.

        Raises `NotNow` if it cannot be done at this moment.
        """
        view, step = self.view, self.step
        offer, self.offer = self.offer, None
        if view is None:
            raise NotNow(N_("The game has not started yet."))
        match verb, step:
            case "take", Step.TURN:
                self.taking = True
                return None
            case "put_back", Step.TAKE:
                self.taking = False
                self.slot = None
                return None
            case (
                "put_back",
                Step.TURN | Step.WAIT | Step.BETWEEN | Step.OVER | Step.CALL | Step.HELD,
            ):
                self.taking = False
                self.slot = None
                return None
            case "place", Step.TURN if offer:
                return act.TAKES[offer - 1]
            case "place", Step.TAKE if self.slot:
                return act.TAKES[self.slot - 1]
            case "place", Step.DRAWN if self.slot:
                return act.PLACES[self.slot - 1]
            case "draw", Step.TURN if act.DRAW in view.legal:
                return act.DRAW
            case "discard", Step.DRAWN:
                return act.DISCARD
            case "go_out", Step.TURN | Step.CALL if act.GO_OUT in view.legal:
                return act.GO_OUT
            case "play_on", Step.CALL:
                return act.PLAY_ON
        raise self._why_not(verb, step, view)

    def _why_not(self, verb: Verb, step: Step, view: View) -> NotNow:
        if self.held is not None:
            return NotNow(WHILE_HELD[self.held])
        if step is Step.OVER:
            return NotNow(N_("The game is over."))
        if step is Step.BETWEEN:
            return NotNow(N_("The round is over; the next one is dealt soon."))
        if step is Step.WAIT and self.watching:
            return NotNow(N_("You are watching; only the players can do that."))
        if step is Step.WAIT:
            return NotNow(N_("It is not your turn; wait until it is."))
        if verb == "go_out" and step is Step.TURN:
            if view.rules.call == "auto":
                return NotNow(N_("Going out happens by itself in this game."))
            if view.rules.min_run:
                return NotNow(
                    N_("Going out needs all ten cards in order and a run of {min_run}."),
                    min_run=view.rules.min_run,
                )
        return NotNow(_WHY_NOT[verb, step], card=self.card)

    def _rack(self) -> Rack:
        rack = self.rack
        if rack is None:
            raise NotNow(N_("There is no rack of yours at this table now."))
        return rack
