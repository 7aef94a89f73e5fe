"""Waiting at the door: friends still play on this machine after its owner has left the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.logo import Logo

if TYPE_CHECKING:
    from racko_tui.lan.online import Online


class ServingScreen(RackoScreen[bool]):
    """Ends by itself when nobody is left; the result is whether to end the program."""

    CSS_PATH = "serving.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "close", N_("close"), show=False),
        Binding("escape", "back", N_("back"), show=False),
    ]

    def __init__(self, online: Online) -> None:
        super().__init__()
        self.online = online

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="sheet"):
            with Center():
                yield Logo(flat=True)
            yield Static(id="who")
            yield Static(
                _("The game stays open until they have left; then racko ends by itself."),
                classes="quiet",
            )
            yield Hints([("x", _("close it now; the tables are kept")), ("Esc", _("back"))])

    def on_mount(self) -> None:
        """Look whether somebody is there."""
        self.set_interval(0.5, self._look)
        self._look()

    def _look(self) -> None:
        hosting = self.online.hosting
        if hosting is None or not hosting.guests:
            self.dismiss(True)
        else:
            self.query_one("#who", Static).update(self.online.guests_in_words())

    def action_close(self) -> None:
        """Send everyone home."""
        self.dismiss(True)

    def action_back(self) -> None:
        """Do not end the program."""
        self.dismiss(False)
