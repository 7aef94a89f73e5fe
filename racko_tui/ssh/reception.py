"""Where a player arrives over SSH: straight at the tables, with the rest a key away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import work
from textual.widgets import Static

from racko_core.errors import RackoError
from racko_tui.i18n import _, sentence
from racko_tui.lan.joining import Join
from racko_tui.screens.career import CareerScreen, in_short
from racko_tui.screens.home import HomeScreen
from racko_tui.widgets.menu import Item, Menu

if TYPE_CHECKING:
    from racko_tui.ssh.play import SshApp


class ReceptionScreen(HomeScreen):
    """Home, as far as it makes sense on somebody else's machine."""

    def __init__(self, wish: Join, note: RackoError | None) -> None:
        super().__init__()
        self._wish = wish
        self._note = note

    def _items(self) -> list[Item]:
        return [
            Item("tables", "t", _("Tables"), _("those of this server, and your own")),
            Item("career", "g", _("Games"), *self._games()),
            Item("settings", "s", _("Settings"), _("colours, keys, language, speed of bots")),
            Item("help", "?", _("Help"), _("the rules, and the keys")),
            Item("quit", "q", _("Quit")),
        ]

    def _games(self) -> tuple[str, str]:
        """What is known of the player's games, and why it is not."""
        career = self.ssh.career()
        if career is None:
            return "", _("counted for whoever has an SSH key")
        return in_short(career), ""

    @property
    def ssh(self) -> SshApp:
        """The application."""
        return cast("SshApp", self.app)

    def on_mount(self) -> None:
        """To the tables at once; what one should know is here as well as there."""
        self.say(self._noted())
        self._go()

    def _noted(self) -> str:
        return sentence(self._note) if self._note else ""

    async def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """To the tables again; everything else is as at home."""
        match chosen.item.id:
            case "tables":
                self._go()
            case "career":
                career = self.ssh.career()
                if career is not None:
                    self.ssh.push_screen(CareerScreen(self.ssh.settings.name, career))

    def look_for_saved(self) -> None:
        """The games of this machine are its owner's; only those of the player may have changed."""
        if self.is_attached:
            note, why_not = self._games()
            self.query_one(Menu).change("career", note=note, why_not=why_not)

    @work(exit_on_error=False, exclusive=True, group="go")
    async def _go(self) -> None:
        from racko_tui.screens.lobby import LobbyScreen

        try:
            host = await self.racko.online.reach(self._wish)
        except RackoError as trouble:
            self.query_one("#said", Static).update(sentence(trouble))
            return
        wish, self._wish = self._wish, replace(self._wish, table="")
        self.racko.push_screen(LobbyScreen(host, wish, self._noted()))
