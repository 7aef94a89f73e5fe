"""Programs are tried before a game goes on; whoever will not wait for them leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.phrases import trying
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints

if TYPE_CHECKING:
    from racko_tui.local.games import Failures


class TrialScreen(RackoScreen["Failures | None"], ModalScreen["Failures | None"]):
    """Says that programs are tried; the result is what failed, None for Escape.

    A screen of its own: nothing else can be begun meanwhile, of which the game would know nothing.
    """

    CSS_PATH = "question.tcss"
    BINDINGS = [Binding("escape", "leave", N_("back"), show=False)]  # noqa: RUF012

    def __init__(self, trial: Callable[[], Failures]) -> None:
        super().__init__(classes="question")
        self._trial = trial

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(trying(), markup=False)
            yield Hints([("Esc", _("back"))])

    @work
    async def on_mount(self) -> None:
        """Try them."""
        from racko_net.outside_bot.seats import beside

        self.end(await beside(self._trial))

    def action_leave(self) -> None:
        """Whatever the programs will answer, nobody hears it."""
        self.dismiss()
