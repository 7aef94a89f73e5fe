"""Hosting from the application: the same server as `racko serve`, in this process."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from racko_core.rules import Rules
from racko_core.seating import Kind
from racko_net.protocol import PORT
from racko_tui import config
from racko_tui.config import Settings

if TYPE_CHECKING:
    from racko_net.client import Host
    from racko_net.clientside.tokens import SavedSeat, Tokens
    from racko_net.outside_bot.permission import Programs
    from racko_net.server import Server
    from racko_tui.local.games import Failures

_log = logging.getLogger(__name__)


def folder() -> Path:
    """Where a server of this machine keeps its tables unless told otherwise."""
    return config.data_dir() / "server"


REACHES: Final = ("network", "quiet", "here")
"""Who can join: everyone on the network, who are told of it; everyone who knows the address; only
people on this machine.
"""


def chosen(settings: Settings) -> tuple[str, int]:
    """The reach and the port of the last time."""
    reach, port = settings.hosting.get("reach"), settings.hosting.get("port")
    return (
        reach if reach in REACHES else REACHES[0],
        port if isinstance(port, int) and 0 < port < 65536 else PORT,
    )


def offered(settings: Settings, allowed: Programs | None) -> dict[str, str]:
    """The programs that were seated at hosted tables, level to command: the last few, and not one
    where `allowed` is None.
    """
    from racko_net.outside_bot.permission import is_offered

    programs = settings.hosting.get("programs")
    if allowed is None or not isinstance(programs, dict):
        return {}
    sound = {
        level: command
        for level, command in programs.items()
        if is_offered(level) and isinstance(command, str)
    }
    return dict(list(sound.items())[-config.MOST_PROGRAMS :])


class Hosting:
    """A server that runs for as long as this program does."""

    def __init__(self, reach: str, port: int, programs: Mapping[str, str] | None = None) -> None:
        """`reach`: one of `REACHES`; `programs`: those that may be seated, level to command."""
        from racko_net.outside_bot.permission import Programs
        from racko_net.server import Server, ServerConfig

        self.server: Server = Server(
            ServerConfig(
                data=folder(),
                host="127.0.0.1" if reach == "here" else None,
                port=port,
                discovery=reach == "network",
                programs=Programs(offered=programs or {}),
            )
        )
        self.ours: set[Host] = set()
        """Connections to it from this program itself."""

    async def start(self) -> None:
        """Open the doors. Raises `RackoError`."""
        await self.server.start()

    async def stop(self) -> None:
        """Tell everyone and close; the tables are kept."""
        await self.server.stop()

    def replace(self, code: str, failed: Failures) -> None:
        """Have a novice play on at a table in the place of each program that has failed."""
        for failure in failed.values():
            _log.warning("%s", failure)
        self.server.lobby.replace(code, failed, self.server.now())
        self.server.soon()

    @property
    def address(self) -> str:
        """Where this program itself reaches it."""
        return f"127.0.0.1:{self.server.port}"

    @property
    def public_address(self) -> str:
        """Where friends reach it."""
        from racko_net.clientside.line import Address

        return str(Address(self.server.addresses[0], self.server.port))

    @property
    def guests(self) -> int:
        """How many people from elsewhere are connected."""
        known = sum(connection.known for connection in self.server.connections)
        return max(0, known - sum(host.connected for host in self.ours))


def seated(code: str) -> tuple[list[str], Rules]:
    """The levels of the bots at a table that was hosted from here before, and its rules.

    Raises `RackoError`.
    """
    from racko_core.table import Table
    from racko_net.store import Store

    store = Store(folder() / "server.sqlite3", durable=False)
    try:
        for saved in store.open_tables():
            if saved.code == code:
                table = Table.restore(saved.setup, store.journal(saved.id))
                return [
                    chair.level for chair in table.chairs if chair.kind is Kind.BOT
                ], table.rules
    finally:
        store.close()
    return [], Rules()


def left_tables(tokens: Tokens) -> list[SavedSeat]:
    """One's own seats at tables that were hosted from here before; the one left last first.

    Raises `StoreError`.
    """
    from racko_net.store import Store

    path = folder() / "server.sqlite3"
    if not config.is_there(path):
        return []
    store = Store(path, durable=False)
    try:
        server = store.fact("server", secrets.token_hex(8))
        codes = {table.code for table in store.open_tables()}
    finally:
        store.close()
    return [seat for seat in tokens.saved(server) if seat.table in codes]
