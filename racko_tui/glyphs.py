"""The characters that pictures are drawn with: a set in Unicode, and one in ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Every field is as wide in one set as in the other."""

    frame: tuple[str, str, str, str, str, str]
    """A frame: top left, top and bottom, top right, sides, bottom left, bottom right."""
    edge: str
    """The edge of a slot, on a line below its card."""
    dot: str
    """Dots in a slot, to compare places by."""
    tick: str
    """Where the number would be if all cards were spread evenly."""
    card: tuple[str, str]
    """What stands left and right of the number on a card."""
    rim: str
    """The upper rim of a large card."""
    coming: tuple[str, str]
    """The same for a card that would stand there."""
    advised: tuple[str, str]
    """The same for a card that a hint would put there."""
    leaving: tuple[str, str]
    """The same for a card that would leave."""
    back: str
    """The back of a card."""
    cursor: str
    """Points at the chosen slot, or at who is to play."""
    hint: str
    """Points at the slot that a hint means."""
    last: str
    """Marks the slot that was changed last."""
    scores: str
    """Marks a card that scores now."""
    breaks: str
    """Marks a card that is out of place."""
    run: str
    """Marks a card of the longest run."""
    slips: tuple[str, str, str]
    """Mark inaccuracies, mistakes and blunders, where each has one cell."""
    rule: str
    """A thin line."""


UNICODE: Final = Glyphs(
    frame=("╭", "─", "╮", "│", "╰", "╯"),
    edge="▔",
    dot="·",
    tick="+",
    card=(" ", " "),
    rim="▄",
    coming=("▶", "◀"),
    advised=("◆", "◆"),
    leaving=("╎", "╎"),
    back="░",
    cursor="▶",
    hint="◆",
    last="◀",
    scores="┃",
    breaks="✗",
    run="═",
    slips=("▂", "▄", "█"),
    rule="─",
)
ASCII: Final = Glyphs(
    frame=("+", "-", "+", "|", "+", "+"),
    edge="-",
    dot=".",
    tick="+",
    card=("[", "]"),
    rim="_",
    coming=(">", "<"),
    advised=("*", "*"),
    leaving=("(", ")"),
    back="#",
    cursor=">",
    hint="*",
    last="<",
    scores="|",
    breaks="x",
    run="=",
    slips=("-", "=", "#"),
    rule="-",
)


def glyphs(ascii_only: bool) -> Glyphs:
    """The set that a terminal can show."""
    return ASCII if ascii_only else UNICODE
