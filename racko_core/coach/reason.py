"""Why a move is good: a sentence that a child understands, ready to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Why(StrEnum):
    """The kinds of reasons."""

    GOES_OUT = "goes out"
    """The card makes the rack RACK-O."""
    COMPLETES_ORDER = "completes the order"
    """All ten cards are in order then, but a run is still missing."""
    MAKES_RUN = "makes a run"
    """The card lengthens a run, where runs score or going out needs one."""
    FILLS_GAP = "fills a gap"
    """One more card is in place then."""
    FEWER_STRAYS = "fewer out of place"
    """The same, but other cards than before are in place as well."""
    LAST_CHANCE = "last chance"
    """The same, and no other card that may come would do it."""
    WIDENS_GAP = "widens a gap"
    """As many cards are in place as before, but more of those that may come fit beside it."""
    MAKES_ROOM = "makes room"
    """Too few cards fit into a gap; the card changes what is in place so that more do."""
    NEARER_RUN = "nearer to a run"
    """More of the cards that may come make a longer run than before."""
    KEEPS_FROM_OTHERS = "keeps a card from others"
    """For the rack either card is as good, but the next player could use the one that stays."""
    EVENS = "evens the rack out"
    """Either card is in place in the slot, and the new one suits it better."""
    SCORES_MORE = "scores more"
    """More cards count if somebody else goes out, than before or than in the other slot."""
    MORE_FIT = "more cards fit"
    """More of the cards that may come fill a gap, than before or than in the other slot."""
    MORE_HELP = "more cards help"
    """The same for those that put more cards in place, be it that others are than now."""
    MORE_IN_PLACE = "more in place"
    """More cards are in place than with the card in the other slot."""
    DRAW_FITS = "the draw is likely better"
    """The discard fills no gap, and of the cards that may come so many do."""
    TOO_TIGHT = "the discard is too tight"
    """The discard, or the card in hand, would fill a gap, but leave few that fit beside it."""
    FEWER_FIT = "fewer cards fit"
    """The same, but then fewer of those that may come would fill another gap than now."""
    DRAW_MANY = "many others do as well"
    """The discard would do good in a slot, but most of the cards that may come fill a gap."""
    DRAW_KNOWN = "the next card is known"
    """The discard pile was turned over, so the card on top of the draw pile has been seen."""
    RUN_MAY_COME = "a longer run may come"
    """The rack is RACK-O, and of the cards that may come so many make a run that scores more."""
    RACKO_MAY_COME = "RACK-O may come"
    """The rack is in order but lacks a run, and of the cards that may come so many make one."""
    NOT_THERE = "not in that slot"
    """The card puts no more cards in place in the slot where it would go, or went."""
    FILLS_NO_GAP = "fills no gap"
    """With the drawn card in any slot, no more cards are in place than now."""
    NO_LONGER_RUN = "no longer run"
    """The rack is RACK-O, and the drawn card makes no run that scores more."""
    GOING_OUT = "going out"
    """The points are safe."""
    GAME_GOES_ON = "the game goes on"
    """Going out would end the game, or may end it, with another side ahead."""
    MORE_POINTS = "more points"
    """Nothing simpler can be said than how many more points it brings on average."""
    BETTER_CHANCE = "better chance"
    """Nothing simpler can be said than how much more often it wins the round."""
    AS_GOOD = "as good"
    """The other move is as good, as far as can be told."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence or a part of one. Whoever shows it looks `one` and `many` up in a catalogue."""

    one: str
    """In English, with `{named}` places; where something is counted, for a count of 1."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What fills the places: numbers, other `Words`, or runs of cards as text. Slots are given by
    their labels, 5 to 50. `count` and `before` count cards, from 0 up."""
    many: str = ""
    """The same for other counts, by `values["count"]`; empty where nothing is counted."""

    @property
    def template(self) -> str:
        """The English text with its places, in the number that `values` asks for."""
        return self.many if self.many and self.values["count"] != 1 else self.one

    def __str__(self) -> str:
        return self.template.format(**self.values)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is good."""

    why: Why
    words: Words

    def __str__(self) -> str:
        return str(self.words)


def NN_(one: str, many: str) -> tuple[str, str]:
    """Mark both for the message catalogue, as one message, and return them unchanged."""
    return one, many
