"""What an app must not do when it is not on its player's own machine, for any Textual app.

Put `HostedApp` before the app's own class: `class SshApp(HostedApp, RackoApp)`.
"""

from __future__ import annotations

import io
import logging
from contextlib import nullcontext
from functools import partial
from typing import Any, Final

import textual.app
import textual.strip
from rich.console import Console
from textual._styles_cache import StylesCache
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from racko_core.errors import RackoError
from racko_tui.ssh import exits
from racko_tui.ssh.driver import Port, SshDriver
from racko_tui.terminal import asciify

_log = logging.getLogger(__name__)


class HostedApp(App[Any]):
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

    def _handle_exception(self, error: Exception) -> None:
        self.crashed = True
        _log.error("a session has crashed", exc_info=error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()  # Rich's traceback would take the loop for 0.1 s

    def panic(self, *renderables: Any) -> None:
        """End without printing anything."""
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()

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
    # Every line on every screen has seven caches of its own, each of which keeps other lines. They
    # gain nothing that could be measured, and are a quarter of the memory of a session.
    setattr(textual.strip, "FIFOCache", lambda maxsize: _FORGETFUL)  # noqa: B010
    setattr(Stylesheet, "_process_component_classes", _process_and_slim)  # noqa: B010
    exits.contain()


_process = Stylesheet._process_component_classes
_UNUSED: Final = ("_nodes", "_bindings", "_timers", "message_signal", "_query_one_cache")


def _process_and_slim(stylesheet: Stylesheet, node: DOMNode) -> None:
    """Find the styles of a widget's component classes, and keep the styles alone.

    Textual makes a whole node for each. It is never shown and never gets a message, but what a
    node needs for that makes up a third of a session: a table has 300 of them.
    """
    _process(stylesheet, node)
    for styles in node._component_styles.values():
        for name in _UNUSED:
            vars(styles.node).pop(name, None)


class _Forgetful:
    """A cache that keeps nothing."""

    __slots__ = ()

    def get(self, key: object, default: object = None) -> object:
        return default

    def __contains__(self, key: object) -> bool:
        return False

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def set(self, key: object, value: object) -> None:
        pass

    def clear(self) -> None:
        pass


_FORGETFUL: Final = _Forgetful()


def forget_styles() -> None:
    """After an app has ended: let go of what Textual's caches keep of it."""
    StylesCache.get_inner_outer.cache_clear()
