"""The question before a game is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.widgets.menu import Item, Menu

if TYPE_CHECKING:
    from racko_tui.app import RackoApp


class LeaveScreen(ModalScreen[bool]):
    """Asks once; the result is whether to leave."""

    CSS_PATH = "leave.tcss"
    BINDINGS = [Binding("escape", "stay", N_("stay"), show=False)]  # noqa: RUF012

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(_("Leave this game?"), classes="title", markup=False)
            yield Static(self._what_becomes_of_it(), markup=False)
            yield Menu([Item.no("stay", _("Stay")), Item.yes("leave", _("Leave"))], id="answers")

    def _what_becomes_of_it(self) -> str:
        game = cast("RackoApp", self.app).local_game
        if game is not None and game.id is None:
            return _("It cannot be saved, so it would be gone.")
        if game is not None and not game.saved:
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
