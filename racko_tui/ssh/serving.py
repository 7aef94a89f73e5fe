"""The SSH host beside a game server: stopped before it is, and what to say of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from racko_net.clientside.line import Address
from racko_tui.i18n import _
from racko_tui.ssh.host import SshHost
from racko_tui.ssh.options import Options, Server
from racko_tui.ssh.visit import port_in_words

if TYPE_CHECKING:
    from racko_net.server import Server as GameServer

_EVERYWHERE: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a server that listens everywhere is found from its own machine."""


@asynccontextmanager
async def beside(server: GameServer, options: Options) -> AsyncIterator[SshHost]:
    """An SSH host for the tables of `server`. Raises `RackoError` if it cannot start."""
    config = server.config
    host = config.host or ""
    ssh = SshHost(
        replace(
            options,
            hosts=(host,) if host else options.hosts,
            server=Server(
                _EVERYWHERE.get(host, host),
                server.port,
                config.password or "",
                tls=config.tls_cert is not None,
                public=str(Address(server.addresses[0], server.port)),
            ),
        )
    )
    await ssh.start()
    try:
        yield ssh
    finally:
        await ssh.close()


def in_words(ssh: SshHost, addresses: list[str]) -> list[str]:
    """How friends get in, line by line."""
    port = port_in_words(ssh.port)
    lines = [_("With nothing installed, they type:")]
    lines += [f"  ssh {port}{address}" for address in addresses]
    lines.append(_("The key of this host is {fingerprint}.").format(fingerprint=ssh.fingerprint))
    match ssh.options.auth:
        case "open":
            lines.append(
                _("Anybody who reaches that port is let in; “--ssh-auth” keeps strangers out.")
            )
        case "password":
            lines.append(
                _("They need a password of “{path}”.").format(path=ssh.options.password_file)
            )
        case "keys":
            lines.append(_("They need a key of “{path}”.").format(path=ssh.options.authorized_keys))
    return lines
