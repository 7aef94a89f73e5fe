"""Why a move is good: a sentence that a child understands, ready to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """The kinds of reasons."""

    GOES_OUT = "goes out"
    """The card makes the rack RACK-O."""
    COMPLETES_ORDER = "completes the order"
    """All ten cards are in order then, but a run is still missing."""
    MAKES_RUN = "makes a run"
    """The card lengthens a run that scores, or that going out needs."""
    FILLS_GAP = "fills a gap"
    """The card fits between its neighbours, and one more card stands well."""
    WIDENS_GAP = "widens a gap"
    """As many cards stand well as before, but more cards fit into what is open."""
    SCORES_MORE = "scores more"
    """More cards count if somebody else goes out."""
    GIVES_NOTHING = "gives nothing away"
    """The card that is discarded is one that the next player has shown not to want."""
    DRAW_FITS = "the draw is likely better"
    """The discard does little, and of the cards that may come so many do more."""
    DRAW_KNOWN = "the next card is known"
    """The pile was turned over, and the card on top of it has been seen."""
    FITS_NOWHERE = "fits nowhere"
    """No slot has room for the card beside the cards that stand well."""
    KEEPS = "keeps the rack"
    """The card would only push out one that is as good."""
    GOING_OUT = "going out"
    """Ending the round now is worth more than waiting."""
    PLAYING_ON = "playing on"
    """A longer run may come, and is worth the risk."""
    BETTER_CHANCE = "better chance"
    """Nothing simpler can be said than how much more often it wins."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence. Whoever shows it looks `one` and `many` up in a catalogue first."""

    why: Why
    one: str
    """The English sentence, with `{named}` places; where it counts something, for a count of 1."""
    many: str
    """The same for other counts, by `values["count"]`; empty where nothing is counted."""
    values: Mapping[str, object]
    """What fills the places. Slots are given by their labels, 5 to 50."""

    @property
    def template(self) -> str:
        """The English sentence with its places, in the number that `values` asks for."""
        return self.many if self.many and self.values["count"] != 1 else self.one

    def __str__(self) -> str:
        return self.template.format(**self.values)


def NN_(one: str, many: str) -> tuple[str, str]:
    """Mark both for the message catalogue, as one message, and return them unchanged."""
    return one, many
