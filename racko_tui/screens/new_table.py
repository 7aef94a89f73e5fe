"""A new table at a server: the new-game screen with open chairs, and how the table is run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from racko_core.errors import N_, RackoError
from racko_core.seating import Configure, Options, TableInfo
from racko_net.protocol import PORT
from racko_net.text import MAX_NAME
from racko_tui.i18n import _, sentence
from racko_tui.lan.hosting import Hosting, chosen, offered
from racko_tui.lan.table_drafts import Plan, TableDraft
from racko_tui.local.drafts import FRIEND, KINDS, YOU
from racko_tui.local.games import GamesError
from racko_tui.screens.new_game import NewGameScreen
from racko_tui.widgets.form import Form, Row

_TIMES: Final = ("turn_limit", "grace")
"""Lines with a time in seconds; an empty one is None."""


class NewTableScreen(NewGameScreen):
    """Plans a table; `make` makes it, and may raise `RackoError`."""

    draft: TableDraft

    def __init__(
        self,
        make: Callable[[Plan], Awaitable[None]],
        player: str,
        usual: Options | None = None,
        offered: Sequence[str] = (),
    ) -> None:
        """`player`: what the player is called at this server; `usual`: how it runs its tables;
        `offered`: levels of the bots that its host offers.
        """
        super().__init__()
        self._usual = usual
        self._offered = tuple(offered)
        self._make = make
        self._player = player

    def make_draft(self) -> TableDraft:  # noqa: D102
        settings = self.racko.settings
        draft = TableDraft.beginning(settings.last_game, self.racko.bot_pause, self._usual)
        self.admit(draft)
        return draft

    def kinds(self) -> tuple[str, ...]:
        """No program but those that the server's host offers."""
        return (*KINDS, *self._offered)

    def words(self) -> tuple[str, str]:  # noqa: D102
        return _("New table"), _("open the table")

    def kind_name(self, kind: str) -> str:  # noqa: D102
        return _("open, for a friend") if kind == FRIEND else super().kind_name(kind)

    def placeholder(self, kind: str, spare: str) -> str:  # noqa: D102
        return {YOU: self._player, FRIEND: ""}.get(kind, spare)

    def last_rows(self) -> list[Row]:  # noqa: D102
        return [
            Row(
                "table_name",
                _("Name of the table"),
                text="",
                length=MAX_NAME,
                placeholder=_("{name}'s table").format(name=self._player),
            ),
            Row("password", _("Password"), text="", length=60, placeholder=_("none")),
            Row(
                "spectators",
                _("Spectators"),
                (
                    ("yes", _("may watch")),
                    ("open", _("see every rack")),
                    ("no", _("none")),
                ),
            ),
            Row(
                "turn_limit",
                _("Seconds for a turn"),
                (("", ""), ("30", ""), ("60", ""), ("120", "")),
                text="",
                suggests=True,
                digits=True,
                length=4,
                placeholder=_("no limit"),
            ),
            Row(
                "grace",
                _("Bot steps in after"),
                (("60", ""), ("20", ""), ("300", ""), ("", "")),
                text="",
                suggests=True,
                digits=True,
                length=5,
                placeholder=_("never: the table waits"),
                note=_("seconds away"),
            ),
            Row("start", self.words()[1].capitalize(), button=True, gap=True),
        ]

    def fill_last(self, form: Form) -> None:  # noqa: D102
        draft, options = self.draft, self.draft.options
        form["table_name"].text = draft.name
        form["password"].text = draft.password
        watching = "open" if options.open_racks else "yes"
        form["spectators"].value = watching if options.spectators else "no"
        for name in _TIMES:
            value = getattr(options, name)
            form[name].text = "" if value is None else str(int(value))

    def take_over(self, row: Row) -> None:  # noqa: D102
        draft = self.draft
        match row.id:
            case "table_name":
                draft.name = row.text or ""
            case "password":
                draft.password = row.text or ""
            case "spectators":
                draft.options = replace(
                    draft.options,
                    spectators=row.value != "no",
                    open_racks=row.value == "open",
                )
            case "turn_limit":
                limit = float(row.text) if row.text else None
                draft.options = replace(draft.options, turn_limit=limit)
            case "grace":
                grace = float(row.text) if row.text else None
                draft.options = replace(draft.options, grace=grace)

    def check(self) -> None:  # noqa: D102
        from racko_net.serverside.authority import check, within

        self.plan()
        within(self.draft.make_rules())
        check(self.draft.options)

    def start(self) -> None:  # noqa: D102
        self.check()
        self.once(partial(self._open, self.plan()))

    def tell_to_wait(self, text: str) -> None:  # noqa: D102
        self.say(text, wrong=False)

    def plan(self) -> Plan:
        """The table as it is planned. Raises `RackoError` where it makes no sense."""
        return self.draft.plan()

    async def _open(self, plan: Plan) -> None:
        try:
            await self._make(plan)
        except RackoError as trouble:
            self.say(sentence(trouble))
            return
        self.dismiss()


class HostScreen(NewTableScreen):
    """Plans a table together with the server that it is at."""

    def __init__(self, host: Callable[[Plan, Hosting], Awaitable[None]], player: str) -> None:
        super().__init__(self._host, player)
        self._open_doors = host

    def kinds(self) -> tuple[str, ...]:
        """Any program: the server is on the player's own machine."""
        return NewGameScreen.kinds(self)

    def make_draft(self) -> TableDraft:  # noqa: D102
        self._reach, port = chosen(self.racko.settings)
        self._port = str(port)
        return super().make_draft()

    def words(self) -> tuple[str, str]:  # noqa: D102
        return _("Host a game"), _("open the doors")

    def last_rows(self) -> list[Row]:  # noqa: D102
        *rows, start = super().last_rows()
        return [
            *rows,
            Row(
                "reach",
                _("Who can join"),
                (
                    ("network", _("everyone on your network")),
                    ("quiet", _("whoever knows the address")),
                    ("here", _("people on this machine")),
                ),
            ),
            Row("port", _("Port"), text="", digits=True, length=5, placeholder=str(PORT)),
            start,
        ]

    def fill_last(self, form: Form) -> None:  # noqa: D102
        super().fill_last(form)
        form["reach"].value = self._reach
        form["port"].text = "" if self._port == str(PORT) else self._port

    def take_over(self, row: Row) -> None:  # noqa: D102
        if row.id == "reach":
            self._reach = row.value
        elif row.id == "port":
            self._port = row.text or str(PORT)
        else:
            super().take_over(row)

    def check(self) -> None:  # noqa: D102
        super().check()
        if not 0 < int(self._port) < 65536:
            raise GamesError(N_("A port is a number from 1 to 65535."))

    async def _host(self, plan: Plan) -> None:
        from racko_net.outside_bot.permission import Programs

        levels = [sit.level for sit in plan.bots]
        await self.try_out(levels, plan.rules, Programs(offered=plan.programs))
        hosting = Hosting(self._reach, int(self._port), plan.programs)
        await self._open_doors(plan, hosting)
        settings = self.racko.settings
        settings.hosting = {"reach": self._reach, "port": int(self._port)}
        if plan.programs:
            settings.hosting["programs"] = dict(plan.programs)
        self.draft.remember_programs(settings)
        self.racko.save_settings()

    def plan(self) -> Plan:  # noqa: D102
        return self.draft.plan(offered(self.racko.settings, self.racko.programs))


class ChangeTableScreen(NewTableScreen):
    """Changes the rules of a table and how it is run."""

    def __init__(self, info: TableInfo, change: Callable[[Configure], Awaitable[None]]) -> None:
        super().__init__(self._changed, "")
        self._info = info
        self._change = change

    def make_draft(self) -> TableDraft:  # noqa: D102
        draft = TableDraft.of(self._info)
        draft.places[0].kind = YOU
        return draft

    def words(self) -> tuple[str, str]:  # noqa: D102
        return _("Rules of this table"), _("change the rules")

    def fill_last(self, form: Form) -> None:
        """Who sits where is settled at the table itself."""
        super().fill_last(form)
        for seat in range(4):
            form[f"seat{seat}"].hidden = form[f"command{seat}"].hidden = True
        for name in ("table_name", "password"):
            form[name].hidden = True

    async def _changed(self, plan: Plan) -> None:
        await self._change(Configure(plan.rules, plan.options))
