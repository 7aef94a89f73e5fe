"""Going to a server: which one, as whom, and the seats one has there already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from racko_net.text import clean_name
from racko_tui import config

if TYPE_CHECKING:
    from racko_net.client import Host
    from racko_net.clientside.tokens import SavedSeat, Tokens


@dataclass(frozen=True, slots=True)
class Join:
    """Start at somebody's tables. Make it with `of`."""

    address: str = ""
    """Of the server; empty to look for servers on the network."""
    name: str = ""
    """What the player is called."""
    table: str = ""
    """Code of the table to go to; empty for the lobby."""
    password: str | None = None
    """The server's, where it has one."""
    watch: bool = False
    """Watch rather than play."""
    tls: bool = False
    tls_ca: Path | None = None
    """The certificate to trust; None for those of the system."""

    @classmethod
    def of(
        cls,
        address: str,
        *,
        name: str,
        table: str = "",
        password_file: Path | None = None,
        watch: bool = False,
        tls: bool = False,
        tls_ca: Path | None = None,
    ) -> Join:
        """What the command line asks for. Raises `RackoError` for what cannot be."""
        from racko_net.clientside.line import Address, tls_context
        from racko_net.serverside.doors import read_password

        if address:
            Address.parse(address)
        if tls_ca is not None:
            tls_context(tls_ca)
        password = None if password_file is None else read_password(password_file)
        return cls(
            address,
            clean_name(name),
            table.strip().upper(),
            password,
            watch,
            tls or tls_ca is not None,
            tls_ca,
        )

    def at(self, address: str, *, tls: bool | None = None) -> Join:
        """The same at an address."""
        return replace(self, address=address, tls=self.tls if tls is None else tls)

    async def connect(self, tokens: Tokens | None = None) -> Host:
        """Connect to the server. Raises `RackoError`."""
        from racko_net.client import connect
        from racko_net.clientside.line import tls_context

        return await connect(
            self.address,
            name=self.name,
            password=self.password,
            tls=tls_context(self.tls_ca) if self.tls else None,
            tokens=tokens,
        )


def kept_seats() -> Tokens:
    """The player's seats on servers, as they are kept on disk."""
    from racko_net.clientside.tokens import Tokens

    return Tokens(config.data_dir() / "seats")


def seats_elsewhere(tokens: Tokens, most: int) -> list[SavedSeat]:
    """The player's seats on servers of others, one at each address, the one kept last first."""
    from racko_tui.lan.hosting import folder

    # Who hosts has a seat at this machine behind their own doors.
    hosts = config.is_there(folder())
    found: dict[str, SavedSeat] = {}
    for seat in tokens.saved():
        if not (hosts and seat.address.startswith("127.0.0.1")):
            found.setdefault(seat.address, seat)
    return list(found.values())[:most]
