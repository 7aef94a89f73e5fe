"""Who is at the table and how they are doing, and what whoever runs the table can do."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from racko_core.errors import N_, RackoError
from racko_core.rules import Seat
from racko_core.seating import (
    Configure,
    HandOver,
    Input,
    Kind,
    Pause,
    Stand,
)
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.phrases import table_name
from racko_tui.screens.lobby import EVERY
from racko_tui.screens.question import QuestionScreen
from racko_tui.table.company import Company
from racko_tui.table.presence import options_in_words, state_of
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.listing import Entry, Listing
from racko_tui.widgets.menu import Item


class PeopleScreen(ModalScreen[None]):
    """Chairs below one another; keys act on the marked one, and on the table."""

    CSS_PATH = "people.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,m,q,enter", "close", N_("back"), show=False),
        Binding("p", "pause", N_("pause"), show=False),
        Binding("x", "remove", N_("ask to leave"), show=False),
        Binding("o", "hand_over", N_("hand over"), show=False),
        Binding("w", "watching", N_("spectators"), show=False),
        Binding("e", "rules", N_("rules"), show=False),
    ]

    def __init__(self, company: Company) -> None:
        super().__init__()
        self.company = company
        self._watchers = 0

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(id="title", classes="title", markup=False)
            yield Listing(id="chairs")
            yield Static(id="how", classes="quiet", markup=False)
            yield Static(id="said", markup=False)
            yield Hints([], id="hints")

    def on_mount(self) -> None:
        """Show how things stand, and again as time goes by."""
        self.query_one(Listing).focus()
        self.set_interval(0.5, self._paint)
        self.set_interval(EVERY, self._count)
        self._paint()
        self._count()

    @work(exit_on_error=False, exclusive=True, group="count")
    async def _count(self) -> None:
        """Ask how many watch; their coming and going is no news at the table."""
        with suppress(RackoError):  # the connection is lost, and the table says so
            self._watchers = await self.company.watchers()
            self._paint()

    def _paint(self) -> None:
        if not self.is_attached:
            return
        info = self.company.info
        title = f"{table_name(info)}  ·  {self.company.code}"
        self.query_one("#title", Static).update(title)
        self.query_one(Listing).show([self._chair(seat) for seat in range(len(info.chairs))])
        how = [*self._watching(), *options_in_words(info.options)]
        self.query_one("#how", Static).update(" ".join(how))
        self.query_one("#hints", Hints).show(self._hints())

    def _chair(self, seat: Seat) -> Entry:
        info = self.company.info
        chair = info.chairs[seat]
        marks = []
        if seat == self.company.me:
            marks.append(_("you"))
        if seat == info.owner:
            marks.append(_("runs the table"))
        if chair.ready and chair.kind is Kind.HUMAN:
            marks.append(_("ready"))
        state = state_of(chair, info, self.company.clock())
        return Entry(str(seat), (str(seat + 1), chair.name, state, ", ".join(marks)))

    def _watching(self) -> list[str]:
        """Who is at the table without a chair."""
        count = self._watchers
        if self.company.me is not None:
            words = ngettext("{count} person watches.", "{count} people watch.", count)
            return [words.format(count=count)] if count else []
        others = count - 1
        if others < 1:
            return [_("You are watching.")]
        words = ngettext(
            "You are watching, and {count} other.", "You are watching, and {count} others.", others
        )
        return [words.format(count=others)]

    def _hints(self) -> list[Hint]:
        hints: list[Hint] = []
        info = self.company.info
        if not self.company.link.up:
            return [("Esc", _("back"))]
        if self._may_pause:
            hints.append(("p", _("go on") if info.paused else _("pause")))
        if self.company.owner:
            human = info.chairs[self._marked].kind is Kind.HUMAN
            if human and self._marked != self.company.me:
                hints.append(("x", _("ask to leave")))
                hints.append(("o", _("hand over")))
            hints.append(("w", _("spectators")))
            hints.append(("e", _("rules")))
        return [*hints, ("Esc", _("back"))]

    @property
    def _may_pause(self) -> bool:
        return self.company.info.may_pause(self.company.me)

    @property
    def _marked(self) -> Seat:
        entry = self.query_one(Listing).entry
        return int(entry.id) if entry is not None else 0

    def on_listing_marked(self) -> None:
        """Other keys do something now."""
        self._say("")
        self.call_after_refresh(self._paint)

    # Doing

    @work(exit_on_error=False, group="ask")
    async def _ask(self, given: Input) -> None:
        self._say("")
        try:
            await self.company.ask(given)
        except RackoError as refused:
            self._say(sentence(refused))
        self._paint()

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)

    def action_pause(self) -> None:
        """Stop all clocks and bots, or let them go on."""
        self._ask(Pause(not self.company.info.paused))

    @work(exit_on_error=False, exclusive=True, group="question")
    async def action_remove(self) -> None:
        """A bot takes that person's seat for good."""
        seat = self._marked
        chair = self.company.info.chairs[seat]
        if seat == self.company.me:
            return
        if chair.kind is Kind.HUMAN:
            question = QuestionScreen(
                _("Ask {name} to leave?").format(name=chair.name),
                _("A bot has their seat for good."),
                [Item.no("no", _("No")), Item.yes("yes", _("Yes"))],
            )
            if await self.app.push_screen_wait(question) != "yes":
                return
            if self.company.info.chairs[seat].name != chair.name:  # meanwhile
                return
        self._ask(Stand(seat))

    def action_hand_over(self) -> None:
        """Somebody else runs the table."""
        self._ask(HandOver(self._marked))

    @work(exit_on_error=False, exclusive=True, group="question")
    async def action_watching(self) -> None:
        """What spectators may do."""
        if not self.company.owner:
            return
        answers = [
            Item("watch", "w", _("May watch")),
            Item("open", "r", _("See every rack"), _("everyone is told")),
            Item("none", "n", _("None"), _("who watches now must go")),
        ]
        answer = await self.app.push_screen_wait(QuestionScreen(_("Spectators"), "", answers))
        if answer is not None:
            options = replace(
                self.company.info.options,
                spectators=answer != "none",
                open_racks=answer == "open",
            )
            self._ask(Configure(options=options))

    def action_rules(self) -> None:
        """Other rules for the next game."""
        from racko_tui.screens.new_table import ChangeTableScreen

        if not self.company.owner:
            self._say(_("Only whoever runs the table can change its rules."))
            return
        self.app.push_screen(ChangeTableScreen(self.company.info, self._change))

    async def _change(self, change: Configure) -> None:
        await self.company.ask(change)

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()
