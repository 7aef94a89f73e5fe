"""Telling a key that was pressed on purpose from one held down, or pressed once too often."""

from __future__ import annotations


class Deliberate:
    """Watches when keys are pressed; only the times matter that it is given, in seconds."""

    def __init__(self, quiet: float, since: float) -> None:
        """`quiet`: seconds without a key before one that counts; none was pressed after `since`."""
        self.quiet = quiet
        self._last = since

    def meant(self, at: float) -> bool:
        """Whether a key pressed at this time counts; each that does not begins the wait anew."""
        meant = at - self._last >= self.quiet
        self._last = max(self._last, at)
        return meant
