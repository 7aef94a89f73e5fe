"""Cards that travel between the piles, the hand and the racks: short, and over at any key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual.geometry import Region

from racko_core.rules import Card, Seat, Slot
from racko_tui.widgets.picture import Line, Picture

SECONDS: Final = 0.22
FRAMES: Final = 6


Landing = tuple[Seat | str, Slot | None]
"""Where a card is going: a seat and its slot, or the name of a place."""


@dataclass(frozen=True, slots=True)
class Flight:
    """One card's way across the screen."""

    start: Region
    end: Region
    card: Card | None
    """None for a card of which only the back is seen."""


class Traveller(Picture):
    """A card on its way, above everything else."""

    def __init__(self) -> None:
        super().__init__()
        self.card: Card | None = None

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        left, right = self.glyphs.card
        if self.card is None:
            return [[(self.glyphs.back * width, "face-back")]]
        return [[(f"{left}{self.card:>2}{right}", "face-hand")]]


class Motion:
    """Moves the travellers of a screen."""

    def __init__(self, travellers: Sequence[Traveller]) -> None:
        self._travellers = travellers
        self._hurry = asyncio.Event()
        self.running = False

    def finish(self) -> None:
        """Be there at once."""
        self._hurry.set()

    async def play(self, flights: Sequence[Flight], seconds: float = SECONDS) -> None:
        """Show all the flights at the same time; returns when they are over, or at `finish`."""
        self._hurry.clear()
        self.running = True
        flying = list(zip(self._travellers, flights, strict=False))
        try:
            for traveller, flight in flying:
                traveller.card = flight.card
                traveller.styles.offset = (flight.start.x, flight.start.y)
                traveller.display = True
                traveller.redraw()
            for frame in range(1, FRAMES + 1):
                if await self._wait(seconds / FRAMES):
                    return
                share = _eased(frame / FRAMES)
                for traveller, flight in flying:
                    x = round(flight.start.x + (flight.end.x - flight.start.x) * share)
                    y = round(flight.start.y + (flight.end.y - flight.start.y) * share)
                    traveller.styles.offset = (x, y)
        finally:
            self.running = False
            for traveller, _ in flying:
                traveller.display = False

    async def _wait(self, seconds: float) -> bool:
        """Wait for a frame's time; whether somebody is in a hurry."""
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            return False
        return True


def _eased(share: float) -> float:
    """Start fast, arrive gently."""
    return 1 - (1 - share) ** 2
