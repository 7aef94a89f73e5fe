"""The application among others: joining, hosting, sitting at a table, and taking leave of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from racko_core.errors import N_, RackoError
from racko_core.seating import Stage, Stand
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.lan.joining import Join, kept_seats
from racko_tui.local.seats import own_name
from racko_tui.phrases import table_name
from racko_tui.widgets.menu import Item

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.worker import Worker

    from racko_net.client import Host
    from racko_net.clientside.remote import RemoteSession
    from racko_net.clientside.tokens import SavedSeat, Tokens
    from racko_tui.app import RackoApp
    from racko_tui.lan.hosting import Hosting
    from racko_tui.lan.table_drafts import Plan
    from racko_tui.local.games import Failures
    from racko_tui.table.company import Company

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

_LOOK: Final = 1.0
"""Seconds between two looks at whether guests are still there."""
_PATIENCE: Final = 60.0
"""Seconds without a guest after which doors that nobody needs are closed."""
_GOODBYE: Final = 2.0
"""Seconds in which a server is told that a seat is given up."""


class Online:
    """What an application knows of servers: at most one table, and one server of its own."""

    def __init__(self, app: RackoApp) -> None:
        self.app = app
        self.company: Company | None = None
        """The table that is played at or watched."""
        self.hosting: Hosting | None = None
        """The server that runs in this process."""
        self._tokens: Tokens | None = None
        self._asking = asyncio.Lock()
        self._asked = 0  # how often for a password
        self._guests_at = 0.0  # when one was there last
        self._looking: Timer | None = None
        self._opening: Worker[None] | None = None

    @property
    def tokens(self) -> Tokens:
        """The player's seats on servers."""
        if self._tokens is None:
            self._tokens = kept_seats()
        return self._tokens

    @property
    def engaged(self) -> bool:
        """Whether leaving the program concerns others."""
        return self.company is not None or (self.hosting is not None and self.hosting.guests > 0)

    def _run(self, work: Coroutine[Any, Any, None], group: str = "game") -> Worker[None]:
        return self.app.run_worker(work, group=group, exclusive=True)

    # Joining

    def join(self, wish: Join | None = None) -> None:
        """Look for servers, or go straight to the one wished for."""
        from racko_tui.screens.join import JoinScreen

        self.app.push_screen(JoinScreen(wish or Join(name=own_name(self.app.settings))))

    note_on_codes = ""
    """What to say of them where one is to be typed."""

    def recall(self, text: str) -> bool:
        """Take over the seats that a code gives back, where there are such codes; whether it is
        one. Raises `RackoError` if it gives none.
        """
        return False

    def address_of(self, host: Host) -> str:
        """Where friends find the server."""
        return str(host.address)

    async def reach(self, wish: Join) -> Host:
        """Connect to a server, and ask for its password where it has one. Raises `RackoError`."""

        def use(password: str) -> None:
            nonlocal wish
            wish = replace(wish, password=password)

        return await self.let_in(lambda: wish.connect(self.tokens), use)

    async def let_in(
        self,
        go: Callable[[], Awaitable[Result]],
        use: Callable[[str], None],
        refused: RackoError | None = None,
    ) -> Result:
        """Do what needs a server, and have the player say its password where it wants one, as it
        did already if it has `refused`; `use` it. Raises `RackoError`: the refusal, if the player
        says none. The player is asked one thing at a time: what was refused before an answer is
        tried again with that.
        """
        from racko_tui.screens.question import LineScreen

        while True:
            asked = self._asked
            if refused is None:
                try:
                    return await go()
                except RackoError as trouble:
                    if not wants_password(trouble):
                        raise
                    refused = trouble
            async with self._asking:
                if self._asked == asked:
                    question = LineScreen(sentence(refused), secret=True)
                    password = await self.app.push_screen_wait(question)
                    self._asked += 1
                    if not password:
                        raise refused
                    use(password)
            refused = None

    @property
    def shut_out(self) -> bool:
        """Whether the player is being asked for a password without which the table is lost."""
        return self.company is not None and wants_password(self.company.link.trouble)

    # At a table

    def attend(self, session: RemoteSession, host: Host) -> None:
        """Take part at a table, then come back to the screen before."""
        self._run(self._attend(session, host))

    async def _attend(self, session: RemoteSession, host: Host) -> None:
        staying: RemoteSession | None = session
        while staying is not None:
            staying = await self._stay(staying, host)

    async def _stay(self, session: RemoteSession, host: Host) -> RemoteSession | None:
        """Take part until the table is left; or until it is lost to a password that the player
        knows: then this is the session to go on with.
        """
        from racko_tui.screens.gathering import GatheringScreen
        from racko_tui.screens.question import NoticeScreen
        from racko_tui.screens.shared_table import SharedTableScreen

        company = self.company = self.accompany(session, host)
        try:
            if session.info.stage is Stage.GATHERING:
                await self.app.push_screen_wait(GatheringScreen(company))
                company.again()
                company.note = ""  # it was read there
            if not company.link.closed:
                await self.app.push_screen_wait(SharedTableScreen(company))
            trouble = company.link.trouble
            if not company.link.closed or trouble is None:
                return None
            if wants_password(trouble):
                try:
                    return await self.let_in(
                        partial(host.again, session), host.use_password, trouble
                    )
                except RackoError as refused:
                    if wants_password(refused):
                        await host.close()  # nobody is to be asked again
                        return None
                    trouble = refused
            notice = NoticeScreen(table_name(company.info), sentence(trouble))
            await self.app.push_screen_wait(notice)
            return None
        finally:
            self.company = None
            await session.close()

    def accompany(self, session: RemoteSession, host: Host) -> Company:
        """The table, as its screens are to share it."""
        from racko_tui.table.company import Company

        return Company(session, self.address_of(host), host.welcome.bots)

    async def leave(self, *, ask: bool = True) -> bool:
        """Ask what is to become of the seat, and do it; whether the table is left.

        Its screens close by themselves. Without asking, the seat is given up.
        """
        company = self.company
        if company is None or company.link.closed:
            return True
        answer = await self._ask_leave(company) if ask else "give"
        if answer in (None, "stay"):
            return False
        if answer == "close":
            await self.stop_hosting()
        elif answer == "give" and company.me is not None:
            try:
                async with asyncio.timeout(_GOODBYE):
                    await company.ask(Stand(company.me))
            except (RackoError, TimeoutError) as trouble:  # it is left as it is
                _log.warning("%s", trouble)
        await company.close()
        return True

    async def _ask_leave(self, company: Company) -> str | None:
        from racko_tui.screens.question import QuestionScreen

        stay = Item.no("stay", _("Stay"))
        if self.hosting is not None and self.hosting.guests:
            text = self.guests_in_words()
            answers = [
                stay,
                Item("give", "h", _("Hand over"), _("they play on, a bot has your seat")),
                Item.yes("keep", _("Leave"), _("they play on; you may come back")),
                Item("close", "x", _("Close"), _("for everyone; the tables are kept")),
            ]
        elif self.hosting is not None:
            text = _("It is kept as it stands; “Host” on the first screen opens it again.")
            answers = [stay, Item.yes("close", _("Leave"))]
        elif company.me is None:
            return "keep"
        elif company.info.stage is Stage.GATHERING:
            text = _("Your chair is free for others then.")
            answers = [stay, Item.yes("give", _("Leave"))]
        else:
            text = _("Your seat is kept: join again, and you play on with the same cards.")
            answers = [
                stay,
                Item.yes("keep", _("Leave"), _("for now")),
                Item("give", "g", _("Give up"), _("a bot has your seat for good")),
            ]
        return await self.app.push_screen_wait(
            QuestionScreen(_("Leave this table?"), text, answers)
        )

    def leave_program(self) -> None:
        """End the program, if that was meant, and when the guests need it no longer."""
        self._run(self._leave_program(), "leaving")

    async def _leave_program(self) -> None:
        from racko_tui.screens.serving import ServingScreen

        if not await self.leave():
            return
        wanted = self.hosting is not None and self.hosting.guests
        if not wanted or await self.app.push_screen_wait(ServingScreen(self)):
            self.app.exit(0)

    # Hosting

    def host(self) -> None:
        """Open the doors of this machine, or go back to the tables behind them."""
        if self._opening is None or self._opening.is_finished:
            self._opening = self._run(self._host(), "hosting")

    async def _host(self) -> None:
        from racko_tui.lan.hosting import Hosting, chosen, left_tables, offered
        from racko_tui.screens.new_table import HostScreen
        from racko_tui.screens.question import NoticeScreen

        try:
            if self.hosting is not None:
                await self._own_lobby()
                return
            left = left_tables(self.tokens)
            answer = await self._ask_again(left[0]) if left else "new"
            if answer == "again":
                settings = self.app.settings
                programs = offered(settings, self.app.programs)
                failed = await self._try_out(left[0].table, programs)
                if failed is None or not await self.app.goes_on_without(failed):
                    return
                for level in failed:  # nobody else is to seat it
                    del programs[level]
                await self._open(Hosting(*chosen(settings), programs))
                await self._sit(lambda host: self._resume(host, left[0], failed))
            elif answer == "new":
                self.app.push_screen(HostScreen(self.open_table, own_name(self.app.settings)))
        except RackoError as trouble:
            await self.app.push_screen_wait(NoticeScreen(_("Host a game"), sentence(trouble)))

    def nothing_to_continue(self) -> RackoError:
        """That no game waits at this keyboard; and where else one does, if it does."""
        from racko_tui.lan.hosting import left_tables

        with suppress(RackoError):
            for seat in left_tables(self.tokens):
                return RackoError(
                    N_(
                        "There is no game to continue here; your table {code} waits under “Host” on"
                        " the first screen."
                    ),
                    code=seat.table,
                )
        return RackoError(N_("There is no game to continue; start a new one."))

    async def _try_out(self, code: str, programs: Mapping[str, str]) -> Failures | None:
        """Try the programs at a table of one's own before its doors are open again; None if the
        player would not wait. Raises `RackoError` for a table that cannot be read.
        """
        from racko_tui.lan.hosting import seated

        levels, rules = seated(code)
        levels = [level for level in levels if level in programs]
        if not levels:
            return {}
        from racko_net.outside_bot.permission import Programs
        from racko_net.outside_bot.player import failures
        from racko_tui.screens.trial import TrialScreen

        def trial() -> Failures:
            return dict(failures(levels, rules, Programs(offered=programs)))

        return await self.app.push_screen_wait(TrialScreen(trial))

    async def _ask_again(self, seat: SavedSeat) -> str | None:
        from racko_tui.screens.question import QuestionScreen

        again = _("your table {code}, as you left it").format(code=seat.table)
        answers = [
            Item("again", "a", _("Again"), again),
            Item("new", "n", _("New"), _("another table")),
        ]
        return await self.app.push_screen_wait(QuestionScreen(_("Host a game"), "", answers))

    async def open_table(self, plan: Plan, hosting: Hosting) -> None:
        """Open the doors and sit down at a new table. Raises `RackoError`."""
        await self._open(hosting)
        await self._sit(lambda host: make_table(host, plan))

    async def _open(self, hosting: Hosting) -> None:
        await hosting.start()
        self.hosting = hosting
        self._guests_at = monotonic()
        self._looking = self.app.set_interval(_LOOK, self._look)

    async def _own_host(self) -> Host:
        assert self.hosting is not None
        wish = Join(self.hosting.address, own_name(self.app.settings))
        host = await wish.connect(self.tokens)
        self.hosting.ours.add(host)
        return host

    async def _sit(self, sit: Callable[[Host], Awaitable[RemoteSession]]) -> None:
        try:
            host = await self._own_host()
            session = await sit(host)
        except BaseException:  # cancelled, too: nobody is behind these doors
            await self.stop_hosting()
            raise
        self._run(self._attend_own(session, host))

    async def _resume(self, host: Host, seat: SavedSeat, failed: Failures) -> RemoteSession:
        """Sit down again; only who is there reads that a novice plays on for a program."""
        session = await host.resume(seat)
        if self.hosting is not None:
            self.hosting.replace(seat.table, failed)
        return session

    async def _attend_own(self, session: RemoteSession, host: Host) -> None:
        try:
            await self._attend(session, host)
        finally:
            await host.close()
            if self.hosting is not None and not self.hosting.guests:
                await self.stop_hosting()

    async def _own_lobby(self) -> None:
        from racko_tui.screens.lobby import LobbyScreen

        host = await self._own_host()
        self.app.push_screen(LobbyScreen(host, Join(name=own_name(self.app.settings))))

    async def _look(self) -> None:
        """Close the doors that nobody has needed for a while."""
        hosting = self.hosting
        if hosting is None:
            return
        if hosting.guests or any(host.connected for host in hosting.ours):
            self._guests_at = monotonic()
        elif monotonic() - self._guests_at > _PATIENCE:
            await self.stop_hosting()
        self._show_guests()

    def _show_guests(self) -> None:
        from racko_tui.screens.home import HomeScreen

        if isinstance(self.app.screen, HomeScreen):
            self.app.screen.show_guests()

    async def stop_hosting(self) -> None:
        """Close the doors: everyone is told, and the tables are kept."""
        hosting, self.hosting = self.hosting, None
        if hosting is not None:
            if self._looking is not None:
                self._looking.stop()
            for host in hosting.ours:
                await host.close()
            await hosting.stop()

    def guests_in_words(self) -> str:
        """How many people would be sent home."""
        guests = self.hosting.guests if self.hosting else 0
        return ngettext(
            "{count} friend is here, and plays on this machine.",
            "{count} friends are here, and play on this machine.",
            guests,
        ).format(count=guests)


async def make_table(host: Host, plan: Plan) -> RemoteSession:
    """Sit down at a new table of a server, with its bots. Raises `RackoError`; then there is no
    such table.
    """
    session = await host.create(
        plan.rules,
        plan.options,
        name=plan.name,
        password=plan.password or None,
        seat=plan.seat,
    )
    try:
        for sit in plan.bots:
            await session.ask(sit)
    except BaseException:
        session.give_up()
        raise
    return session


def wants_password(trouble: RackoError | None) -> bool:
    """Whether a server has sent somebody away for want of its password."""
    from racko_net.clientside.line import ByeError

    return isinstance(trouble, ByeError) and trouble.code == "password"
