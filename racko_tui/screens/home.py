"""Home: where everything starts."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Center, Vertical
from textual.widgets import Static

from racko_core.errors import RackoError
from racko_tui import i18n
from racko_tui.config import data_dir, games_in
from racko_tui.i18n import _, sentence
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.logo import Logo
from racko_tui.widgets.menu import Item, Menu


class HomeScreen(RackoScreen[None]):
    """The first screen: a menu under the name of the game."""

    def compose(self) -> ComposeResult:  # noqa: D102
        self._language = i18n.language()
        with Vertical(id="sheet"):
            with Center(id="name"):
                yield Logo()
            yield Menu(self._items(), id="menu")
            unsaved = self.racko.unsaved
            yield Static(sentence(unsaved) if unsaved else "", id="said", markup=False)
        yield Hints([("↑↓", _("choose")), ("⏎", _("open")), ("q", _("quit"))])

    def _items(self) -> list[Item]:
        return [
            Item("play", "p", _("Play"), _("at this keyboard, with bots or friends")),
            Item("continue", "c", _("Continue"), "…", "" if self._played() else _nothing()),
            Item("host", "h", _("Host"), self._host_note()),
            Item("join", "j", _("Join"), _("a game on your network, or at an address")),
            Item("history", "g", _("Games"), _("the games that were played, with scorecards")),
            Item("settings", "s", _("Settings"), _("colours, keys, language, speed of bots")),
            Item("help", "?", _("Help"), _("the rules, and the keys")),
            Item("quit", "q", _("Quit")),
        ]

    async def on_screen_resume(self) -> None:
        """Things may have changed meanwhile: the language, the game to continue."""
        if self._language != i18n.language():
            await self.recompose()
            self.query_one(Menu).focus()
        self.call_after_refresh(self.look_for_saved)

    @staticmethod
    def _played() -> bool:
        """Whether there are any games on the disk."""
        return games_in(data_dir())

    def _host_note(self) -> str:
        """What hosting is, or who is here already."""
        if self.racko.is_online and self.racko.online.hosting is not None:
            return self.racko.online.guests_in_words()
        return _("a game for friends at their own machines")

    def show_guests(self) -> None:
        """Say how many are here now; they come and go."""
        if self.is_attached:
            self.query_one(Menu).change("host", note=self._host_note())

    def look_for_saved(self) -> None:
        """Say what would be continued. This reads the disk, so it comes after the first paint."""
        if not self.is_attached or self.racko.playing:
            return  # a game that was just left is still being put away; we are called again then
        menu = self.query_one(Menu)
        menu.change("host", note=self._host_note())
        if not self._played():
            return
        from racko_tui import phrases

        try:
            saved = self.racko.games.saved()
        except RackoError as trouble:
            # It may be possible when it is chosen: a window was closed, a disk has room again.
            menu.change("continue", note=_("not possible now"), why_not="")
            self.say(sentence(trouble))
            return
        if saved is None:
            menu.change("continue", note="", why_not=_nothing())
            return
        ago = phrases.when(saved.touched, self.racko.games.clock())
        line = phrases.saved_line(saved.names, saved.round, saved.totals, saved.rules, ago)
        menu.change("continue", note=line, why_not="")

    async def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Open what was chosen."""
        self.say("")
        match chosen.item.id:
            case "play":
                from racko_tui.screens.new_game import NewGameScreen

                self.racko.push_screen(NewGameScreen())
            case "continue":
                self.racko.resume(choose=True)
            case "host":
                self.racko.online.host()
            case "join":
                self.racko.online.join()
            case "history":
                from racko_tui.screens.history import HistoryScreen

                self.racko.push_screen(HistoryScreen())
            case "settings":
                from racko_tui.screens.settings import SettingsScreen

                self.racko.push_screen(SettingsScreen())
            case "help":
                from racko_tui.screens.help import HelpScreen

                self.racko.push_screen(HelpScreen(self))
            case "quit":
                await self.racko.action_leave_program()

    def on_menu_refused(self, refused: Menu.Refused) -> None:
        """Say why not."""
        if refused.item.id == "continue":
            self.say(sentence(self.racko.online.nothing_to_continue()))
        else:
            self.say(f"{refused.item.label}: {refused.item.why_not}.")

    def say_not_continued(self, trouble: RackoError) -> None:
        """Say why a game does not go on, beside what else could."""
        self.look_for_saved()
        self.say(sentence(trouble))

    def say(self, text: str) -> None:
        """Show a sentence below the menu."""
        self.query_one("#said", Static).update(text)

    def on_resize(self, event: events.Resize) -> None:
        """A low terminal shows the name flat."""
        logo = self.query_one(Logo)
        logo.flat = event.size.height < 24
        logo.refresh(layout=True)


def _nothing() -> str:
    return _("there is no game to continue")
