"""What a player can do. Seven actions; whose turn it is says who does them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from racko_core.errors import N_, IllegalAction
from racko_core.rules import SLOTS, Slot


@dataclass(frozen=True, slots=True)
class Deal:
    """Shuffle and deal the next round."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the draw pile and look at it."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top discard and put it into a slot; the card that stood there is discarded."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Place:
    """Put the drawn card into a slot; the card that stood there is discarded."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the drawn card."""


@dataclass(frozen=True, slots=True)
class GoOut:
    """Call RACK-O and end the round."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Keep a rack that is RACK-O and end the turn without a word."""


Action = Deal | Draw | Take | Place | Discard | GoOut | PlayOn

DEAL: Final = Deal()
DRAW: Final = Draw()
DISCARD: Final = Discard()
GO_OUT: Final = GoOut()
PLAY_ON: Final = PlayOn()
TAKES: Final = tuple(Take(slot) for slot in range(1, SLOTS + 1))
PLACES: Final = tuple(Place(slot) for slot in range(1, SLOTS + 1))

_CODES: Final[dict[Action, str]] = {
    DEAL: "deal",
    DRAW: "d",
    DISCARD: "x",
    GO_OUT: "!",
    PLAY_ON: "+",
    **{take: f"t{take.slot}" for take in TAKES},
    **{place: f"p{place.slot}" for place in PLACES},
}
_ACTIONS: Final = {code: action for action, code in _CODES.items()}


def encode(action: Action) -> str:
    """The action as it stands in records and messages: `d`, `t3`, `p10`, `x`, `!`, `+`, `deal`."""
    try:
        return _CODES[action]
    except KeyError:
        raise no_such_slot() from None


def decode(code: str) -> Action:
    """The inverse of `encode`; raises `IllegalAction` for anything else."""
    try:
        return _ACTIONS[code]
    except (KeyError, TypeError):
        raise IllegalAction(N_("There is no action “{code}”."), code=str(code)[:20]) from None


def no_such_slot() -> IllegalAction:
    """The refusal of a slot that a rack does not have."""
    return IllegalAction(N_("A rack has slots 1 to 10; choose one of them."))
