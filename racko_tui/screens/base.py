"""What all our screens share: the way to the application that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from textual.screen import Screen

if TYPE_CHECKING:
    from racko_tui.app import RackoApp

Result = TypeVar("Result")


class RackoScreen(Screen[Result]):
    """A screen of this program."""

    AUTO_FOCUS = "*"

    @property
    def racko(self) -> RackoApp:
        """The application."""
        return cast("RackoApp", self.app)
