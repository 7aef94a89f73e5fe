"""Where a player arrives over SSH: straight at the tables, with the rest a key away."""

from __future__ import annotations

from dataclasses import replace

from textual import work
from textual.widgets import Static

from racko_core.errors import RackoError
from racko_tui.i18n import _, sentence
from racko_tui.lan.joining import Join
from racko_tui.screens.home import HomeScreen
from racko_tui.widgets.menu import Item, Menu


class ReceptionScreen(HomeScreen):
    """Home, as far as it makes sense on somebody else's machine."""

    def __init__(self, wish: Join, note: RackoError | None) -> None:
        super().__init__()
        self._wish = wish
        self._note = note

    def _items(self) -> list[Item]:
        return [
            Item("tables", "t", _("Tables"), _("those of this server, and your own")),
            Item("settings", "s", _("Settings"), _("colours, keys, language, speed of bots")),
            Item("help", "?", _("Help"), _("the rules, and the keys")),
            Item("quit", "q", _("Quit")),
        ]

    def on_mount(self) -> None:
        """To the tables at once; what one should know is here as well as there."""
        if self._note:
            self.say(sentence(self._note))
            self.notify(sentence(self._note), timeout=5.0)
        self._go()

    async def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """To the tables again; everything else is as at home."""
        if chosen.item.id == "tables":
            self._go()

    def _look_for_saved(self) -> None:
        """There are no games of this machine."""

    @work(exit_on_error=False, exclusive=True, group="go")
    async def _go(self) -> None:
        from racko_tui.screens.lobby import LobbyScreen

        try:
            host = await self.racko.online.reach(self._wish)
        except RackoError as trouble:
            self.query_one("#said", Static).update(sentence(trouble))
            return
        wish, self._wish = self._wish, replace(self._wish, table="")
        self.racko.push_screen(LobbyScreen(host, wish))
