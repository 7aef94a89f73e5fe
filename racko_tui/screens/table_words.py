"""The part of the table screen that says something to the player."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.picture import Span


class Speaking(RackoScreen[None]):
    """Says one thing at a time. What answers a key gives way to what happens after it."""

    if TYPE_CHECKING:  # what the table screen has besides
        paint: Callable[[], None]

    READ: ClassVar[float] = 4.0
    """Seconds for which an answer stands all the same: bots are quicker than who reads it."""

    word: Span | None = None
    """What is to be said to the player."""
    _said = 0.0  # when that was said
    _outdated = False  # whether something has happened since

    def say(self, text: str, style: str) -> None:
        """Say something to the player."""
        self.word = text, style
        self._said, self._outdated = monotonic(), False
        self.paint()

    def outdate(self) -> None:
        """Something else has happened: an answer to a key goes when it can have been read."""
        if self.word is not None and self.word[1] == "warning" and not self._outdated:
            self._outdated = True
            left = self._said + self.READ - monotonic()
            if left > 0:
                self.set_timer(left, self._give_way)
            else:
                self._give_way()

    def _give_way(self) -> None:
        if self._outdated and monotonic() >= self._said + self.READ:
            self.word, self._outdated = None, False
            self.paint()
