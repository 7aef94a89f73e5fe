"""Between friends at one keyboard: nothing of the table is shown until the next one is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.timer import Timer
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen
from racko_tui.screens.deliberate import Deliberate
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.logo import Logo


class HandOverScreen(RackoScreen[None]):
    """Waits for `name` to say that the keyboard is theirs."""

    CSS_PATH = "handover.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", N_("it is me"), show=False),
        Binding("q,escape", "leave", N_("leave"), show=False),
        Binding("question_mark", "help", N_("help"), show=False),
    ]

    QUIET: ClassVar[float] = 0.8
    """Seconds without a key before the one that counts: longer than most keyboards wait until they
    repeat a key that is held down."""

    def __init__(
        self, name: str, leave: Callable[[], object], explain: Callable[[], object]
    ) -> None:
        """`leave` and `explain`: what the table does where one wants to leave, or asks for help."""
        super().__init__()
        self.player = name
        self._leave, self._explain = leave, explain
        self._calm: Timer | None = None  # until it is calm again after a key that came too soon
        self._keys = Deliberate(self.QUIET, float("inf"))  # nothing counts before it is shown
        self._meant = False  # whether the key that is being handled was pressed on purpose

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="sheet"):
            with Center():
                yield Logo(flat=True)
            yield Static(
                _("{name}, it is your turn.").format(name=self.player), id="who", markup=False
            )
            yield Static(id="how", classes="quiet", markup=False)
            me = _("I am {name}: show my rack").format(name=self.player)
            yield Hints([("⏎", me), ("q", _("leave")), ("?", _("help"))])

    def on_mount(self, event: events.Mount) -> None:
        """From now on the next player may press a key."""
        self._keys = Deliberate(self.QUIET, event.time)
        self._ask()

    def _ask(self) -> None:
        self._calm = None
        self.query_one("#how", Static).update(
            _("Pass the keyboard. Your rack is shown when you are there.")
        )

    def on_key(self, event: events.Key) -> None:
        """Tell a key that was pressed on purpose from one held down, or pressed too early."""
        self._look_at(event)

    def on_click(self, event: events.Click) -> None:
        """A click does the same as a key."""
        self._look_at(event)
        self.action_go_on()

    def _look_at(self, event: events.Event) -> None:
        # The player before may hold Enter down, or have pressed it once too often; that must not
        # show them the next rack.
        self._meant = self._keys.meant(event.time)
        if self._calm is not None:
            self._calm.reset()

    def action_go_on(self) -> None:
        """The next player is there."""
        if self._meant:
            self.dismiss()
            return
        self.query_one("#how", Static).update(
            _("That was too soon. Let go of all keys, and press it again in a moment.")
        )
        if self._calm is None:
            self._calm = self.set_timer(self.QUIET, self._ask)

    def action_leave(self) -> None:
        """Leave the table, if that was meant."""
        self._leave()

    def action_help(self) -> None:
        """Keys and rules of the table."""
        self._explain()
