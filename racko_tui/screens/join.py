"""Where to play: hosts found on the network, as they come and go, and a line for an address."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from racko_core.errors import N_, RackoError
from racko_net.text import MAX_NAME, clean_name
from racko_tui.i18n import _, sentence
from racko_tui.lan.joining import Join, seats_elsewhere
from racko_tui.screens.base import RackoScreen
from racko_tui.screens.new_game import yes_no
from racko_tui.widgets.form import Form, Row
from racko_tui.widgets.hints import Hints

if TYPE_CHECKING:
    from racko_net.discovery import FoundHost

_log = logging.getLogger(__name__)

_MOST: Final = 12
"""Hosts that are listed; nobody has more at home."""
_OWN: Final = 3
"""Seats of the player's own that are offered."""


class JoinScreen(RackoScreen[None]):
    """Enter goes to the marked host, or to the address that was typed."""

    CSS_PATH = "join.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", N_("back"), show=False)]

    def __init__(self, wish: Join) -> None:
        super().__init__()
        self.wish = wish
        self._found: dict[str, tuple[str, bool]] = {}  # row to address and encryption

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("Join a game"), classes="title", id="heading")
        yield Static(id="looking", classes="quiet", markup=False)
        with VerticalScroll(id="fields", can_focus=False):
            yield Form(self._rows(), id="form")
        yield Static(id="said", markup=False)
        yield Hints(
            [
                ("⏎", _("go there")),
                ("↑↓", _("line")),
                (_("letters"), _("type")),
                ("Esc", _("back")),
            ]
        )

    def _rows(self) -> list[Row]:
        wish = self.wish
        own = seats_elsewhere(self.racko.online.tokens, _OWN)
        self._own = {f"own{number}": seat for number, seat in enumerate(own)}
        seats = [
            Row(
                row,
                _("Your seat at table {code}, {address}").format(
                    code=seat.table, address=seat.address
                ),
                button=True,
            )
            for row, seat in self._own.items()
        ]
        hosts = [Row(f"host{number}", "", hidden=True, button=True) for number in range(_MOST)]
        return [
            *seats,
            *hosts,
            Row(
                "address",
                _("Address"),
                text=wish.address,
                length=100,
                placeholder=_("such as 192.168.1.5, or a name"),
                gap=True,
            ),
            Row("name", _("Your name"), text=wish.name, length=MAX_NAME),
            Row("tls", _("Encrypted"), yes_no(), value="yes" if wish.tls else "no"),
            Row("go", _("Go there"), button=True, gap=True),
        ]

    def on_mount(self) -> None:
        """Look around, or go where the player wishes."""
        form = self.query_one(Form)
        form.focus()
        form.marked = 0
        self._look_around()
        if self.wish.address:
            self._go(self.wish)

    # Hosts on the network

    @work(exit_on_error=False, exclusive=True, group="look")
    async def _look_around(self) -> None:
        from racko_net.discovery import browse

        looking = self.query_one("#looking", Static)
        looking.update(_("Looking for hosts on your network …"))
        try:
            async for hosts in browse():
                self._list(
                    [
                        (
                            f"{host.address}/{host.server_id}",
                            _host_line(host),
                            str(host.address),
                            host.tls,
                        )
                        for host in hosts[:_MOST]
                    ]
                )
        except RackoError as trouble:
            looking.update(sentence(trouble))

    def _list(self, hosts: list[tuple[str, str, str, bool]]) -> None:
        """Show these hosts; the marked line stays marked."""
        form = self.query_one(Form)
        marked = form.row.id
        first = not self._found and hosts and not form["address"].text and marked == "address"
        chosen = self._found.get(marked)
        self._found = {}
        for number in range(_MOST):
            row = form[f"host{number}"]
            row.hidden = number >= len(hosts)
            if not row.hidden:
                _key, row.label, address, tls = hosts[number]
                self._found[row.id] = (address, tls)
                if chosen == (address, tls):
                    marked = row.id
        rows = [row.id for row in form.visible_rows]
        if first or marked not in rows:
            marked = rows[0]
        form.marked = rows.index(marked)
        form.show()
        self.query_one("#looking", Static).update(
            _("Hosts on your network:") if hosts else _("Looking for hosts on your network …")
        )

    # Going there

    def on_form_changed(self, changed: Form.Changed) -> None:
        """What is typed is used when it is wanted."""
        self._say("")

    def on_form_pressed(self, pressed: Form.Pressed) -> None:
        """Go to the host of the line, or to the address."""
        form = self.query_one(Form)
        try:
            wish = replace(self.wish, name=clean_name(form["name"].text or ""))
        except RackoError as wrong:
            self._say(sentence(wrong))
            return
        seat = self._own.get(pressed.row.id)
        if seat is not None:
            self._go(replace(wish.at(seat.address), table=seat.table))
            return
        found = self._found.get(pressed.row.id)
        if found is not None:
            self._go(wish.at(found[0], tls=found[1] or wish.tls))
            return
        address = (form["address"].text or "").strip()
        if not address:
            self._say(_("Type the address of a host, or wait until one is found."))
            return
        self._go(wish.at(address, tls=form["tls"].value == "yes"))

    @work(exit_on_error=False, exclusive=True, group="go")
    async def _go(self, wish: Join) -> None:
        from racko_tui.screens.lobby import LobbyScreen

        self._say(_("Going to {address} …").format(address=wish.address), trouble=False)
        try:
            host = await self.racko.online.reach(wish)
        except RackoError as trouble:
            self._say(sentence(trouble))
            return
        self._say("")
        self.wish = replace(wish, table="")
        self.racko.push_screen(LobbyScreen(host, wish))

    def _say(self, text: str, *, trouble: bool = True) -> None:
        said = self.query_one("#said", Static)
        said.update(text)
        said.set_class(trouble, "warning")

    def action_back(self) -> None:
        """Back home."""
        self.dismiss()


def _host_line(host: FoundHost) -> str:
    """Who it is, and what one has to know before one goes there."""
    words = [host.name, str(host.address)]
    if host.locked:
        words.append(_("password"))
    if host.tls:
        words.append(_("encrypted"))
    return "  ".join(words)
