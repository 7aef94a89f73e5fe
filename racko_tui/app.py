"""The full-screen application: settings, themes, and which screen is shown."""

from __future__ import annotations

from textual.app import App

from racko_tui.config import Settings


class RackoApp(App[None]):
    """Rack-O in the terminal."""

    TITLE = "Rack-O"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, settings: Settings, *, ascii_only: bool = False) -> None:
        super().__init__()
        self.settings = settings
        self.ascii_only = ascii_only or settings.ascii
        """Whether to draw with ASCII characters only."""
