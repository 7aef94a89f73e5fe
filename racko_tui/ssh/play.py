"""The application as players see it over SSH: the tables of the server that they logged in to."""

from __future__ import annotations

import importlib
import pkgutil
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NoReturn

from textual.screen import Screen

from racko_core.errors import N_, RackoError
from racko_core.seating import TableInfo
from racko_core.view import View
from racko_net.client import Host, RemoteSession, connect
from racko_net.clientside.line import Address
from racko_net.clientside.tokens import Tokens
from racko_net.session import Update
from racko_tui import i18n, screens
from racko_tui.app import RackoApp
from racko_tui.career import Career
from racko_tui.i18n import _, sentence
from racko_tui.lan.joining import Join
from racko_tui.lan.online import Online
from racko_tui.scores import Scorecard
from racko_tui.ssh.hosted import HostedApp
from racko_tui.ssh.options import Server
from racko_tui.ssh.players import Player, as_code, player
from racko_tui.ssh.reception import ReceptionScreen
from racko_tui.ssh.visit import Visit, port_in_words
from racko_tui.table.company import Company

# At home a screen is imported when it is opened; here nobody is to wait for what many will open.
for _module in pkgutil.iter_modules(screens.__path__):
    importlib.import_module(f"{screens.__name__}.{_module.name}")


_CODE_GIVEN: Final = N_(
    "You came without an SSH key. If the line drops, this gives you your seat back:\n{command}"
)
_WAY_BACK: Final = N_("This gives you your seat back:\n{command}")
_NO_SEAT: Final = N_("No seat is kept for the code {code}.")
_TOO_MANY_GUESSES: Final = N_("Too many wrong codes; log in again to try another.")
_MOST_GUESSES: Final = 5
"""Wrong codes in one visit."""


def build(visit: Visit) -> HostedApp:
    """The application for a visit."""
    return SshApp(visit, player(visit.data_dir, visit.identity))


class SshApp(HostedApp, RackoApp):
    """Rack-O on somebody else's machine: without its disk, and with one server to play at."""

    owns_process = False
    owns_machine = False
    names_itself = False

    def __init__(self, visit: Visit, player: Player) -> None:
        i18n.speak_apart(visit.terminal.language)
        settings = player.settings()
        if settings.language:
            i18n.install(settings.language)
        self._visit = visit
        self._player = player
        self._slow = False
        self._guesses = 0
        self._table = visit.table
        self._disappointment: RackoError | None = None
        if as_code(visit.table):
            self._table = ""
            try:
                self.recall(visit.table)
            except RackoError as trouble:
                self._disappointment = trouble
            else:
                self._table = player.seats.saved()[0].table
        super().__init__(settings, ascii_only=visit.terminal.encoding != "utf-8")
        self.unsaved = player.forgotten
        self.greeting = self.way_back(_CODE_GIVEN)

    def way_back(self, template: str = _WAY_BACK) -> RackoError | None:
        """How somebody without a key comes back to a seat, in the words of `template`."""
        code = self._player.code
        return RackoError(template, command=f"ssh -t {self.door} {code}") if code else None

    @property
    def door(self) -> str:
        """What one types after `ssh -t` to get here."""
        visit = self._visit
        public = visit.server.public
        host = Address.parse(public).host if public else visit.server.host
        return f"{port_in_words(visit.port)}{host}"

    def parting(self) -> RackoError | None:  # noqa: D102
        return self.way_back() if self._player.seats.saved() else None

    def recall(self, text: str) -> bool:
        """Take over the seats of a code to come back with; whether `text` is one at all.

        Raises `RackoError` if it gives no seat.
        """
        code = as_code(text)
        if code is None:
            return False
        if self._guesses >= _MOST_GUESSES:
            raise RackoError(_TOO_MANY_GUESSES)
        if not self._player.recall(self._visit.data_dir, code):
            self._guesses += 1
            self._visit.guessed()
            raise RackoError(_NO_SEAT, code=code)
        return True

    @property
    def games(self) -> NoReturn:
        """There are none: the games of this machine are its owner's."""
        raise LookupError("the host's own games are asked for")

    @cached_property
    def online(self) -> _OnlineHere:
        """The one server that there is, over the loopback, and the seats of this player."""
        return _OnlineHere(self, self._player.seats, self._visit.server)

    def count(self, view: View, info: TableInfo) -> None:
        """A game has been played to its end: it adds to the figures of who has a key."""
        assert view.seat is not None
        self._player.count(Scorecard.of_view(view, info), view.seat, view.opening.commitment)

    def career(self) -> Career | None:
        """The figures of all games here; None for who is not remembered."""
        return None if self._player.code else self._player.career()

    @property
    def motion_allowed(self) -> bool:
        """Whether cards may travel: as the settings say, and by themselves on a fast line."""
        if self.settings.motion == "auto":
            return not self._slow
        return self.settings.motion == "on"

    def get_default_screen(self) -> Screen[Any]:  # noqa: D102
        visit = self._visit
        wish = _JoinHere(
            str(Address(visit.server.host, visit.server.port)),
            visit.identity.name,
            self._table,
            visit.server.password or None,
            tls=visit.server.tls,
        )
        return ReceptionScreen(wish, self._disappointment or self.way_back(_CODE_GIVEN))

    def show_terminal(self) -> None:  # noqa: D102
        self.show_theme(self.settings.theme)
        self.show_letters()

    def show_line(self, slow: bool) -> None:  # noqa: D102
        self._slow = slow
        super().show_line(slow)

    async def on_unmount(self) -> None:
        """Hang up; at home the end of the process would."""
        if "online" in self.__dict__:
            await self.online.hang_up()

    def keep_settings(self) -> None:
        """Keep them for the next visit. Raises `RackoError`."""
        self._player.save(self.settings)

    def save_settings(self) -> RackoError | None:
        """Keep them; who is forgotten afterwards is not told that all is saved."""
        trouble = super().save_settings()
        self.unsaved = trouble or self._player.forgotten
        return trouble


class _OnlineHere(Online):
    app: SshApp

    def __init__(self, app: SshApp, seats: Tokens, server: Server) -> None:
        super().__init__(app)
        self._tokens = seats
        self._public = server.public
        self._hosts: list[Host] = []

    async def reach(self, wish: Join) -> Host:
        host = await super().reach(wish)
        self._hosts.append(host)
        return host

    @property
    def note_on_codes(self) -> str:  # type: ignore[override]
        return _("Or your own, to come back to your seat.")

    def recall(self, text: str) -> bool:
        return self.app.recall(text)

    def accompany(self, session: RemoteSession, host: Host) -> Company:
        company = _CountingCompany(session, self.address_of(host), host.welcome.bots)
        company.ssh = self.app.door
        way_back = self.app.way_back(_CODE_GIVEN)
        if way_back and session.seat is not None:
            company.note = sentence(way_back)
        company.finished = self.app.count
        return company

    async def hang_up(self) -> None:
        for host in self._hosts:
            await host.close()

    def address_of(self, host: Host) -> str:
        return self._public or super().address_of(host)


class _CountingCompany(Company):
    """A table that tells of the games that end at it."""

    finished: Callable[[View, TableInfo], None]
    """Called once for each game whose end the player sees, there and then or on coming back."""
    _told = ""

    async def update(self) -> Update:
        update = await super().update()
        view = None if self.me is None else self.view(self.me)
        if view and view.result and view.opening.commitment != self._told:
            self._told = view.opening.commitment
            self.finished(view, self.info)
        return update


@dataclass(frozen=True, slots=True)
class _JoinHere(Join):
    """Joining the server whose process started ours."""

    async def connect(self, tokens: Tokens | None = None) -> Host:
        return await connect(
            self.address,
            name=self.name,
            password=self.password,
            tls=_own_server() if self.tls else None,
            tokens=tokens,
        )


def _own_server() -> ssl.SSLContext:
    """Encrypts, and checks nothing: nobody is between two processes of one machine."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
