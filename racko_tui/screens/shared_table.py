"""The table with others at it who read screens of their own: talk, and who is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.types import CSSPathType

from racko_core.errors import RackoError
from racko_core.rules import Seat
from racko_core.seating import Return, Say
from racko_net.session import Update
from racko_tui import keys
from racko_tui.i18n import _, sentence
from racko_tui.screens.table import TableScreen
from racko_tui.table.company import Company
from racko_tui.table.presence import presence
from racko_tui.table.talk import line, unsent
from racko_tui.widgets.picture import Span
from racko_tui.widgets.talk import TalkLine


class SharedTableScreen(TableScreen):
    """A table of a server, at a seat of it or watching."""

    CSS_PATH: ClassVar[CSSPathType] = [
        "shared_table.tcss",
        "table.tcss",
        "../widgets/board.tcss",
        "../widgets/traveller.tcss",
    ]
    IDLE = frozenset()

    def __init__(self, company: Company) -> None:
        super().__init__(company)
        self.company = company
        self._people: Sequence[Span] = ()
        if company.note:
            self.chronicle.pin(company.note)

    def compose(self) -> ComposeResult:  # noqa: D102
        yield from super().compose()
        bound = keys.of_screen(type(self), self.racko.settings.keys)
        yield TalkLine(next(each.keys for each in bound if each.id == "table.chat"))

    def _tick(self) -> None:
        """Tell how time goes by, for who is away too; most of the time there is nothing to tell."""
        if self._people != self.people():
            self.paint()
        else:
            super()._tick()

    def paint(self) -> None:  # noqa: D102
        self._people = self.people()
        super().paint()

    def people(self) -> Sequence[Span]:
        """What somebody has just said, and who is not here; while one is not there oneself, nobody
        knows.
        """
        if not self.link.up:
            return []
        told = presence(self.info, self.decision.view, self.me, self.session.clock())
        newest = self.company.newest
        return told if newest is None else [(line(newest), "accent"), *told]

    async def show(self, update: Update) -> None:
        """Say, too, when racks are opened to spectators or closed, and to whoever comes back what
        holds.
        """
        before, now = self.info.options.open_racks, update.info.options.open_racks
        await super().show(update)
        word = ""
        if now and not before:
            word = _("Spectators see every rack from the next deal on.")
        elif now and update.caught_up and self.session.seats:
            word = _("Spectators see every rack.")
        elif before and not now:
            word = _("Spectators see the racks no longer.")
        if word:
            self.chronicle.pin(word)
            self.paint()

    # Talk

    def on_key(self, event: events.Key) -> None:
        """What is typed for the others means nothing to the table; whoever types is here."""
        self.query_one(TalkLine).catch(event)
        if self.me is not None and self.info.chairs[self.me].away and self.link.up:
            self._come_back(self.me)

    @work(exit_on_error=False, exclusive=True, group="back")
    async def _come_back(self, seat: Seat) -> None:
        """Take the seat back from the bot, or from nobody."""
        try:
            await self.company.ask(Return(seat))
        except RackoError as refused:
            self.say(sentence(refused), "warning")

    def action_chat(self) -> None:
        """Open the line for a few words to the others."""
        self.query_one(TalkLine).open()

    @work(exit_on_error=False, group="talk")
    async def on_talk_line_say(self, said: TalkLine.Say) -> None:
        """Say it."""
        self.query_one(TalkLine).shut()
        try:
            await self.company.ask(Say(self.me, "", said.text))
        except RackoError as refused:
            self.query_one(TalkLine).keep(said.text)
            self.say(unsent(refused, self._names["chat"]), "warning")

    def on_talk_line_shut(self) -> None:
        """Say nothing."""
        self.query_one(TalkLine).shut()

    # People

    def action_people(self) -> None:
        """Show who is here, and what whoever runs the table can do."""
        from racko_tui.screens.people import PeopleScreen

        self.app.push_screen(PeopleScreen(self.company))

    async def leave(self) -> None:
        """Ask what becomes of the seat, then leave."""
        await self.racko.online.leave()

    async def go_home(self) -> None:
        """Give the seat up after the game: nobody is to wait for us."""
        await self.racko.online.leave(ask=False)
