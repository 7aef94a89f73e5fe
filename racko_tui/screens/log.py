"""Everything that happened at the table, to scroll through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints


class LogScreen(RackoScreen[None]):
    """The log, its newest line in sight."""

    CSS_PATH = "log.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,l,q", "close", N_("close"), show=False),
    ]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._log_lines = tuple(lines)

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("What happened"), classes="title")
        with VerticalScroll(id="lines"):
            yield Static("\n".join(self._log_lines), markup=False)
        yield Hints([("↑↓", _("scroll")), ("Esc", _("back to the table"))])

    def on_mount(self) -> None:
        """Start at the end."""
        lines = self.query_one("#lines", VerticalScroll)
        lines.focus()
        lines.scroll_end(animate=False)

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()
