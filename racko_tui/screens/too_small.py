"""The notice that covers everything while the terminal is too small."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen


class TooSmallScreen(RackoScreen[None]):
    """Shown below the smallest size; the application takes it away again."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen Static { width: 100%; text-align: center; }
    """

    def __init__(self) -> None:
        super().__init__(classes="-covers")

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(id="notice", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Say how much is missing."""
        from racko_tui.app import SMALLEST

        self.query_one("#notice", Static).update(
            _(
                "This window is {width}x{height}.\nRack-O needs {columns}x{rows}.\nMake it larger"
                " to go on; nothing is lost."
            ).format(
                width=event.size.width,
                height=event.size.height,
                columns=SMALLEST[0],
                rows=SMALLEST[1],
            )
        )
