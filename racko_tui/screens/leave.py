"""The question before a game is left."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from racko_core.errors import N_
from racko_net.session import Kept
from racko_tui.i18n import _
from racko_tui.widgets.menu import Item, Menu


class LeaveScreen(ModalScreen[bool]):
    """Asks once; the result is whether to leave."""

    CSS_PATH = "leave.tcss"
    BINDINGS = [Binding("escape", "stay", N_("stay"), show=False)]  # noqa: RUF012

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self.kept = kept

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(_("Leave this game?"), classes="title", markup=False)
            yield Static(self._what_becomes_of_it(), markup=False)
            yield Menu([Item.no("stay", _("Stay")), Item.yes("leave", _("Leave"))], id="answers")

    def _what_becomes_of_it(self) -> str:
        if self.kept == "nothing":
            return _("It cannot be saved, so it would be gone.")
        if self.kept == "part":
            return _(
                "It can no longer be saved. “Continue” on the first screen brings back what was"
                " saved last."
            )
        return _("It is saved after every move. “Continue” on the first screen brings you back.")

    def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Answer."""
        self.dismiss(chosen.item.id == "leave")

    def action_stay(self) -> None:
        """Escape never leaves."""
        self.dismiss(False)
