"""The games that were left, where there are several: which one to continue."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui import phrases
from racko_tui.i18n import _
from racko_tui.local.games import Saved
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.listing import Entry, Listing
from racko_tui.words import players_in_words, preset_name, preset_of


class UnfinishedScreen(RackoScreen[int]):
    """Games below one another, the one left last first; the answer is the number of one."""

    CSS_PATH = "unfinished.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", N_("back"), show=False),
    ]

    def __init__(self, games: list[Saved]) -> None:
        super().__init__()
        self.games = games

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("Continue"), classes="title", id="heading", markup=False)
        with VerticalScroll(id="games", can_focus=False):
            yield Listing(gives=(0, 1))
        yield Hints([("↑↓", _("choose")), ("⏎", _("play on")), ("Esc", _("back"))])

    def on_mount(self) -> None:
        """Show them."""
        now = self.racko.games.clock()
        listing = self.query_one(Listing)
        listing.show([_entry(game, now) for game in self.games])
        listing.focus()

    def on_listing_chosen(self, chosen: Listing.Chosen) -> None:
        """Continue this one."""
        self.dismiss(int(chosen.entry.id))

    def action_back(self) -> None:
        """Back home."""
        self.dismiss()


def _entry(game: Saved, now: float) -> Entry:
    """Who plays and how they stand, by which rules, how far they are, and when it was left."""
    who = players_in_words(list(game.names))
    if any(game.totals):
        who = phrases.score_line(game.names, game.totals, game.rules)
    preset = preset_of(game.rules)
    rules = preset_name(preset) if preset else _("rules of its own")
    where = phrases.round_line(game.round)
    return Entry(str(game.id), (who, rules, where, phrases.when(game.touched, now)))
