"""What all our screens share: the way to the application that shows them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events, on
from textual._styles_cache import StylesCache
from textual.screen import Screen

from racko_tui.i18n import _
from racko_tui.widgets.form import Form

if TYPE_CHECKING:
    from textual.worker import Worker

    from racko_tui.app import RackoApp

Result = TypeVar("Result")


class RackoScreen(Screen[Result]):
    """A screen of this program."""

    AUTO_FOCUS = "*"
    IDLE: ClassVar[frozenset[str]] = frozenset()
    """Ids of keys that have nothing to do on this screen; help leaves them out."""

    _once: Worker[None] | None = None

    @property
    def racko(self) -> RackoApp:
        """The application."""
        return cast("RackoApp", self.app)

    @on(events.ScreenSuspend)
    @on(events.ScreenResume)
    def _redraw_forms(self) -> None:
        """Show no cursor where nobody types: the keys go to the screen above."""
        for form in self.query(Form):
            form.refresh()

    def on_unmount(self) -> None:
        """Let go of what was drawn: Textual keeps the lines of the last thousand widgets alive, a
        megabyte for each round.
        """
        StylesCache.get_inner_outer.cache_clear()

    @property
    def busy(self) -> bool:
        """Whether what was asked for once is still being done."""
        return self._once is not None and not self._once.is_finished

    def once(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do it in the background, unless something is being done already: Enter pressed twice on
        a slow line asks for one thing, and is told to wait.
        """
        if not self.keeps_waiting():
            self._once = self.run_worker(work(), group="once", exit_on_error=False)

    def keeps_waiting(self) -> bool:
        """Whether what was asked for once is still being done; then the player is told to wait."""
        if self.busy:
            self.tell_to_wait(_("There is no answer yet; wait a moment."))
        return self.busy

    def tell_to_wait(self, text: str) -> None:
        """Show it, on a screen where things take time."""

    def end(self, result: Result | None = None) -> None:
        """Close the screens above this one, then this one with a result."""
        from racko_tui.screens.too_small import TooSmallScreen

        small = isinstance(self.app.screen, TooSmallScreen)
        self.uncover()
        self.dismiss(result)
        if small:
            self.app.push_screen(TooSmallScreen())

    def uncover(self) -> None:
        """Close every screen above this one; nobody hears an answer from them."""
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.pop_screen()
