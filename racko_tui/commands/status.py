"""`racko status`: how a server is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from racko_net.text import filled, width
from racko_tui.commands.join import tls_options
from racko_tui.commands.options import Argument, Option
from racko_tui.commands.serve import password_option
from racko_tui.i18n import _, decimal, ngettext, sentence

if TYPE_CHECKING:
    from racko_net.protocol import Status


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "status",
        callback=show_status,
        params=[
            Argument(["address"], metavar=_("[HOST[:PORT]]"), default="localhost"),
            Option(["--json", "as_json"], is_flag=True, help=_("Print one JSON object.")),
            password_option(_("A file whose first line is the server's password.")),
            *tls_options(),
        ],
        help=_("Say how a server is: its tables, its players, and what it has done."),
        short_help=_("Say how a server is."),
    )


def show_status(
    address: str, as_json: bool, password_file: Path | None, tls: bool, tls_ca: Path | None
) -> None:
    """Ask the server and print what it says."""
    from racko_tui.lan.joining import Join

    wish = Join.of(address, name="status", password_file=password_file, tls=tls, tls_ca=tls_ca)
    status = asyncio.run(_ask(wish))
    if as_json:
        print(json.dumps(plain(status)))
    else:
        print("\n".join(_told(status)))


async def _ask(wish: Any) -> Status:
    async with await wish.connect() as host:
        found: Status = await host.status()
        return found


def plain(status: Status) -> dict[str, Any]:
    """What `--json` prints; `uptime` in seconds, `memory` in bytes."""
    import msgspec

    values = msgspec.to_builtins(status)
    values = {name: values.get(name) for name in status.__struct_fields__ if name != "id"}
    values["trouble"] = str(status.trouble.error()) if status.trouble else None
    return values


def _told(status: Status) -> list[str]:
    def line(word: str, value: object) -> tuple[str, str]:
        return word, str(value)

    playing = ngettext(
        "{count}, {playing} of them in play", "{count}, {playing} of them in play", status.tables
    ).format(count=status.tables, playing=status.playing)
    lines = [
        line(_("name"), status.name),
        line(_("version"), status.server),
        line(_("running for"), _duration(status.uptime)),
        line(_("tables"), playing),
        line(
            _("players"),
            _("{here} here, {away} away").format(here=status.players, away=status.away),
        ),
        line(_("spectators"), status.watchers),
        line(_("connections"), status.connections),
        line(
            _("messages"),
            _("{received} received, {sent} sent").format(
                received=status.received, sent=status.sent
            ),
        ),
        line(_("memory"), decimal(f"{status.memory / 2**20:.1f} MiB")),
    ]
    column = max(width(word) for word, _value in lines)
    told = [f"{filled(word, column)}  {value}" for word, value in lines]
    if status.trouble is not None:
        told.append(sentence(status.trouble.error()))
    return told


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    clock = f"{hours}:{minutes:02}:{rest:02}"
    if not days:
        return clock
    return ngettext("{count} day {clock}", "{count} days {clock}", days).format(
        count=days, clock=clock
    )
