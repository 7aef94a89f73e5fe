"""What an app must not do when it is not on its player's own machine, for any Textual app.

Put `HostedApp` before the app's own class: `class SshApp(HostedApp, RackoApp)`.
"""

from __future__ import annotations

import io
import logging
from contextlib import nullcontext
from functools import partial
from typing import Any

import textual.app
from rich.console import Console
from textual.notifications import Notification
from textual.widgets._toast import ToastRack

from racko_core.errors import RackoError
from racko_tui.ssh import exits
from racko_tui.ssh.driver import Port, SshDriver
from racko_tui.ssh.thrift import be_thrifty
from racko_tui.terminal import asciify
from racko_tui.terminal.quiet import QuietApp

_log = logging.getLogger(__name__)


class HostedApp(QuietApp[Any]):
    """Leaves alone the host's disk, browser, output and signals, and dies without a sound."""

    ENABLE_COMMAND_PALETTE = False

    crashed = False
    """Whether an error ended it."""
    greeting: RackoError | None = None
    """Said before the first screen; it stays above the screen, and is there when that is gone."""

    def parting(self) -> RackoError | None:
        """What there is to say after the last screen, however it came to its end."""
        return None

    def host(self, port: Port, keys_per_second: float) -> None:
        """Draw on `port`, as its terminal can. Call it before the app runs."""
        terminal = port.terminal
        self.console = Console(
            color_system=terminal.colours,
            file=io.StringIO(),
            markup=True,
            highlight=False,
            emoji=False,
            legacy_windows=False,
            force_terminal=True,
            safe_box=False,
            _environ={},  # the host's own TERM says nothing about the client's
        )
        self.no_color = terminal.no_color
        self._disable_tooltips = self._disable_notifications = True  # no widget for each screen
        self.show_terminal()
        self.driver_class = partial(  # type: ignore[assignment]  # it is only ever called
            SshDriver, port=port, keys_per_second=keys_per_second
        )

    def show_terminal(self) -> None:
        """Adapt to `no_color` and `console`, which have just become the client's."""

    def show_line(self, slow: bool) -> None:
        """Adapt to a line that has become slow, or fast again."""
        self.animation_level = "none" if slow else "full"

    def warn_idle(self, seconds: float) -> None:
        """Say that the session ends in that time unless a key is pressed."""
        from racko_tui.i18n import ngettext

        minutes = max(1, round(seconds / 60.0))
        text = ngettext(
            "Are you still there? Press a key, or you are signed out in a minute.",
            "Are you still there? Press a key, or you are signed out in {count} minutes.",
            minutes,
        )
        self.bell()
        self.notify(text.format(count=minutes), severity="warning", timeout=seconds)

    def _refresh_notifications(self) -> None:
        """Show what is to be said on the screen on top; a rack for it is there for that long."""
        if self._notifications and self._screen_stack and self.screen.is_attached:
            if not self.screen.query_children(ToastRack):
                self.screen.mount(ToastRack(id="textual-toastrack"))
            super()._refresh_notifications()
        self.call_later(self._take_racks_away)

    def _unnotify(self, notification: Notification, refresh: bool = True) -> None:
        super()._unnotify(notification, refresh=True)

    def _take_racks_away(self) -> None:
        for screen in self.screen_stack:
            if screen is not self.screen or not self._notifications:
                screen.query_children(ToastRack).remove()

    def fail(self, error: Exception) -> None:
        """Log that this session has crashed, and no other."""
        self.crashed = True
        _log.error("a session has crashed", exc_info=error)

    def save_screenshot(self, *args: Any, **options: Any) -> str:
        """Do nothing: the file would lie on the host's disk."""
        return ""

    def deliver_screenshot(self, *args: Any, **options: Any) -> None:
        """Do nothing, for the same reason."""

    def action_suspend_process(self) -> None:
        """Do nothing: the process is not the player's."""


def prepare_process() -> None:
    """Once in a process that hosts apps: what is done for the whole process must not be."""
    asciify.register()
    # Every app would redirect the one standard output, and whoever ends first would restore it.
    for name in ("redirect_stdout", "redirect_stderr"):
        setattr(textual.app, name, nullcontext)
    be_thrifty()
    exits.contain()
