"""The lobby of a server: its tables, one's own seats first, and the way to a new one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from racko_core.errors import N_, RackoError
from racko_core.seating import Chair, Kind, Stage, TableInfo
from racko_net.keys import GONE, WRONG_PASSWORD
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.lan.joining import Join
from racko_tui.lan.online import wants_password
from racko_tui.phrases import table_name
from racko_tui.screens.base import RackoScreen
from racko_tui.table.presence import options_in_words
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.listing import Entry, Listing
from racko_tui.words import players_in_words, preset_name, preset_of

if TYPE_CHECKING:
    from textual.worker import Worker

    from racko_net.client import Host
    from racko_net.clientside.remote import RemoteSession
    from racko_net.clientside.tokens import Offer, SavedSeat
    from racko_net.protocol import Listed
    from racko_tui.lan.table_drafts import Plan

Result = TypeVar("Result")

EVERY: Final = 2.0
"""Seconds between two looks at the tables."""


def _acts(name: str, key: str, word: str, tooltip: str) -> Binding:
    return Binding(key, name, word, show=False, tooltip=tooltip, id=f"lobby.{name}")


class LobbyScreen(RackoScreen[None]):
    """The tables of one server. It hangs up when it is left."""

    CSS_PATH = "lobby.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        _acts("new", "n", N_("new table"), N_("Open a table of your own.")),
        _acts("watch", "w", N_("watch"), N_("Watch the table without playing.")),
        _acts("code", "c", N_("code"), N_("Go to a table by its code.")),
        _acts("back", "escape,q", N_("back"), N_("Leave the server.")),
    ]

    def __init__(self, host: Host, wish: Join, note: str = "") -> None:
        """`note`: what whoever comes here should know."""
        super().__init__()
        self.note = note
        self.host = host
        self.wish = wish
        self._tables: list[Listed] = []
        self._offers: list[Offer] = []
        self._gone: set[str] = set()  # tokens of seats that the server knows no longer
        self._looking: Worker[None] | None = None
        self._left = False
        self._told_to_wait = False
        self._session: RemoteSession | None = None  # the last table, until it is marked again

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(id="heading", classes="title", markup=False)
        if self.note:
            yield Static(self.note, id="note", classes="quiet", markup=False)
        with VerticalScroll(id="tables", can_focus=False):
            yield Listing(id="list", gives=(2, 1))
        yield Static(id="about", classes="quiet", markup=False)
        yield Static(id="said", markup=False)
        yield Hints(self._hints(None))

    def on_mount(self) -> None:
        """Look at the tables, again and again, and go to the one wished for."""
        self.query_one(Listing).focus()
        self.set_interval(EVERY, self._look_again)
        self.once(self._begin)

    def on_screen_resume(self) -> None:
        """Things may have changed meanwhile."""
        self._look_again()

    # The list

    def _look_again(self) -> None:
        looking = self._looking is not None and not self._looking.is_finished
        if self.app.screen is not self or self.busy or looking or self.racko.online.shut_out:
            return
        self._looking = self.run_worker(self._update(), group="look", exit_on_error=False)

    async def _update(self) -> None:
        try:
            self._tables = await self._let_in(self.host.tables)
        except RackoError as trouble:
            await self._refused(trouble)
            return
        if self._told_to_wait:
            self._say("")
        offers = self.host.offers(self._tables)
        self._offers = [offer for offer in offers if offer.seat.token not in self._gone]
        self._show()

    def _show(self) -> None:
        if not self.is_attached:
            return
        count = len(self._tables)
        words = [
            self.host.welcome.name,
            self.racko.online.address_of(self.host),
            ngettext("{count} table", "{count} tables", count).format(count=count),
        ]
        self.query_one("#heading", Static).update("  ·  ".join(words))
        entries = [
            Entry(
                f"seat {offer.seat.table} {offer.seat.token}",
                (
                    offer.listed.table,
                    _("your seat"),
                    _who(offer.listed.info),
                    _("played elsewhere") if offer.here else state_in_words(offer.listed),
                ),
                "$accent bold",
            )
            for offer in self._offers
        ]
        own = {offer.listed.table for offer in self._offers}
        entries += [
            Entry(
                f"table {listed.table}",
                (listed.table, table_name(listed.info), _who(listed.info), state_in_words(listed)),
            )
            for listed in sorted(self._tables, key=_inviting)
            if listed.table not in own
        ]
        entries.append(Entry("new", ("", _("New table"), "", "")))
        listing = self.query_one(Listing)
        listing.show(entries)
        if self._session is not None and self._session.link.closed:
            left, self._session = self._session.code, None
            listing.mark(next((e.id for e in entries if e.id.split()[1:2] == [left]), "new"))

    def on_listing_marked(self, marked: Listing.Marked) -> None:
        """Say more about the table."""
        listed = self._listed(marked.entry)
        self.query_one("#about", Static).update("" if listed is None else _about(listed))
        self.query_one(Hints).show(self._hints(marked.entry))

    def _listed(self, entry: Entry | None) -> Listed | None:
        code = entry.id.split()[1:2] if entry is not None else []
        return next((each for each in self._tables if [each.table] == code), None)

    def _hints(self, entry: Entry | None) -> list[Hint]:
        """The keys that do something for the marked line, in words for what they do there."""
        enter, watch = "", False
        if entry is not None and entry.id == "new":
            enter = _("new table")
        listed = self._listed(entry)
        if entry is not None and listed is not None:
            watch = listed.info.options.spectators
            if self.wish.watch:
                enter, watch = _("watch") if watch else "", False
            elif entry.id.startswith("seat "):
                enter = _("back to your seat")
            elif _has_room(listed.info):
                enter = _("sit down")
        new = entry is None or entry.id != "new"
        return [
            *([("⏎", enter)] if enter else []),
            *([("n", _("new table"))] if new else []),
            *([("w", _("watch"))] if watch else []),
            ("c", _("by code")),
            ("Esc", _("leave the server")),
        ]

    # Going to a table

    async def _begin(self) -> None:
        """Go to the table wished for; one's own seat there comes first."""
        await self._update()
        code, watch = self.wish.table, self.wish.watch
        if not code or self._left:
            return
        while not watch and (seat := self.host.own_seat(code)) is not None:
            if seat.token in self._gone:
                break  # it is kept for where it was played, and bars nobody's way here
            await self._take_back(seat)
            if seat.token not in self._gone:
                return
        await self._sit(code, watch=watch)

    def on_listing_chosen(self, chosen: Listing.Chosen) -> None:
        """Sit down there."""
        if chosen.entry.id == "new":
            self.action_new()
        else:
            self.once(partial(self._choose, chosen.entry, watch=self.wish.watch))

    async def _choose(self, entry: Entry, *, watch: bool) -> None:
        _kind, code, *token = entry.id.split()
        own = [offer.seat for offer in self._offers if [offer.seat.token] == token]
        if own and not watch:
            await self._take_back(own[0])
        else:
            await self._sit(code, watch=watch)

    async def _take_back(self, seat: SavedSeat) -> None:
        """Sit down there again. One that is gone is offered no more, though it may be kept: that is
        for the address where it was played last to decide.
        """
        refused = await self._attend(partial(self.host.resume, seat))
        if refused is None:
            return
        if refused.template in GONE:
            self._gone.add(seat.token)
        if not self._left:
            await self._update()

    async def _sit(self, code: str, *, watch: bool) -> None:
        from racko_tui.screens.question import LineScreen

        listed = next((each for each in self._tables if each.table == code), None)
        go = self.host.watch if watch else self.host.join
        if listed is None or not listed.locked:
            await self._attend(lambda: go(code))
            return
        asked = _("This table has a password.")
        while True:
            password = await self.app.push_screen_wait(LineScreen(asked, secret=True))
            if not password:
                return
            refused = await self._attend(partial(go, code, password=password))
            if refused is None or refused.template != WRONG_PASSWORD:
                return
            asked = sentence(refused)

    async def _attend(self, go: Callable[[], Awaitable[RemoteSession]]) -> RackoError | None:
        """Sit down; or say why not, and return it."""
        try:
            session = await self._let_in(go)
        except RackoError as refused:
            await self._refused(refused)
            return refused
        self._say("")
        self._go_to(session)
        return None

    async def _refused(self, trouble: RackoError) -> None:
        """Say why something is not done; without a server there is nothing to be here for."""
        self._say(sentence(trouble))
        if self.host.closed or (wants_password(trouble) and not self.host.connected):
            await self._leave()

    async def _let_in(self, go: Callable[[], Awaitable[Result]]) -> Result:
        return await self.racko.online.let_in(go, self.host.use_password)

    # Keys

    def action_watch(self) -> None:
        """Watch the marked table."""
        entry = self.query_one(Listing).entry
        if self._listed(entry) is None or entry is None:
            self._say(_("There is no table here to watch."))
        else:
            self.once(partial(self._choose, entry, watch=True))

    def action_code(self) -> None:
        """Ask for a code."""
        self.once(self._by_code)

    async def _by_code(self) -> None:
        from racko_tui.screens.question import LineScreen

        online, asked = self.racko.online, _("The code of the table, such as KAFU")
        code = await self.app.push_screen_wait(LineScreen(asked, online.note_on_codes))
        if not code or not code.strip():
            return
        try:
            recalled = online.recall(code)
        except RackoError as trouble:
            self._say(sentence(trouble))
            return
        if not recalled:
            await self._sit(code.strip().upper(), watch=self.wish.watch)
            return
        await self._update()
        if self._offers and not self._left:
            await self._take_back(self._offers[0].seat)

    def action_new(self) -> None:
        """Plan a table."""
        if self.keeps_waiting():
            return
        from racko_tui.screens.new_table import NewTableScreen

        welcome = self.host.welcome
        self.racko.push_screen(
            NewTableScreen(self._make, welcome.player, welcome.options, welcome.bots)
        )

    async def _make(self, plan: Plan) -> None:
        from racko_tui.lan.online import make_table

        self._go_to(await self._let_in(lambda: make_table(self.host, plan)))

    def _go_to(self, session: RemoteSession) -> None:
        self._session = session
        self.racko.online.attend(session, self.host)

    @work(exit_on_error=False, group="back")
    async def action_back(self) -> None:
        """Hang up."""
        await self._leave()

    async def _leave(self) -> None:
        if not self._left:
            self._left = True
            await self.host.close()
            self.end()

    def tell_to_wait(self, text: str) -> None:  # noqa: D102
        self._say(text)
        self._told_to_wait = True

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)
        self._told_to_wait = False


def state_in_words(listed: Listed) -> str:
    """How far a table has come."""
    info = listed.info
    if info.stage is Stage.GATHERING:
        chairs = sum(chair.kind is Kind.OPEN for chair in info.chairs)
        free = ngettext("{count} chair free", "{count} chairs free", chairs).format(count=chairs)
        words = [free if chairs else _("about to start")]
    else:
        words = [_("playing") if info.stage is Stage.PLAYING else _("game over")]
    if listed.locked:
        words.append(_("password"))
    return ", ".join(words)


def _inviting(listed: Listed) -> int:
    """Tables where one can sit down come first, then those where one can watch."""
    info = listed.info
    if _has_room(info):
        return 0
    return 1 if info.options.spectators else 2


def _has_room(info: TableInfo) -> bool:
    return info.stage is Stage.GATHERING and any(chair.kind is Kind.OPEN for chair in info.chairs)


def _who(info: TableInfo) -> str:
    return players_in_words([_name(chair) for chair in info.chairs if chair.kind is not Kind.OPEN])


def _name(chair: Chair) -> str:
    return _("{name} (bot)").format(name=chair.name) if chair.kind is Kind.BOT else chair.name


def _about(listed: Listed) -> str:
    return " ".join([*rules_in_short(listed.info), *options_in_words(listed.info.options)])


def rules_in_short(info: TableInfo) -> Sequence[str]:
    """The rules of a table in a line."""
    preset = preset_of(info.rules)
    name = preset_name(preset) if preset else _("rules of its own")
    lines = [
        _("{rules}, {players} players, to {target} points.").format(
            rules=name, players=info.rules.players, target=info.rules.target
        )
    ]
    if info.rules.max_rounds is not None:
        rounds = info.rules.max_rounds
        lines.append(
            ngettext("{count} round at most.", "{count} rounds at most.", rounds).format(
                count=rounds
            )
        )
    return lines
