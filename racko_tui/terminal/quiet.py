"""An application that dies without a sound: what went wrong is for the log, not for a terminal."""

from __future__ import annotations

import logging
from typing import Any

from textual._context import active_message_pump
from textual.app import App, ReturnType
from textual.widget import Widget

_log = logging.getLogger(__name__)


class QuietApp(App[ReturnType]):
    """Calls `fail` for an error that ends it; Textual's tracebacks take 0.1 s, and no player reads
    one.
    """

    def fail(self, error: Exception) -> None:
        """An error of ours ends the application."""

    def _handle_exception(self, error: Exception) -> None:
        if self._is_ending():
            _log.debug("an error at the end", exc_info=error)
        else:
            self.fail(error)
            super()._handle_exception(error)

    def _is_ending(self) -> bool:
        """Whether the application, or the widget that fails, is being taken apart.

        Handlers still run then, in screens whose parts are gone, or never came.
        """
        pump = active_message_pump.get(self)
        return self._exit or (isinstance(pump, Widget) and not pump.is_attached)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def panic(self, *renderables: Any) -> None:
        """End without printing anything."""
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
