"""Between friends at one keyboard: nothing of the table is shown until the next one is there."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.logo import Logo


class HandOverScreen(RackoScreen[None]):
    """Waits for `name` to say that the keyboard is theirs."""

    CSS_PATH = "handover.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", N_("it is me"), show=False)
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.player = name

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="sheet"):
            with Center():
                yield Logo(flat=True)
            yield Static(
                _("{name}, it is your turn.").format(name=self.player), id="who", markup=False
            )
            yield Static(
                _("Pass the keyboard. Your rack is shown when you are there."),
                classes="quiet",
                markup=False,
            )
            yield Hints([("⏎", _("I am {name}: show my rack").format(name=self.player))])

    def action_go_on(self) -> None:
        """The next player is there."""
        self.dismiss()

    def on_click(self, event: events.Click) -> None:
        """A click does the same."""
        self.dismiss()
