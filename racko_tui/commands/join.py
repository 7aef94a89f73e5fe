"""`racko join`: to the tables of somebody else."""

from __future__ import annotations

from pathlib import Path

import click

from racko_tui.commands.options import Argument, Option, path
from racko_tui.commands.screen import open_screen, settings_on_disk
from racko_tui.i18n import _


def command() -> click.Command:
    """The command, in the language spoken."""
    from racko_tui.commands.serve import password_option

    return click.Command(
        "join",
        callback=join,
        params=[
            Argument(["address"], metavar=_("[HOST[:PORT]]"), required=False),
            Option(
                ["--name"],
                metavar=_("NAME"),
                help=_("What you are called at the table; as in the settings unless told."),
            ),
            Option(
                ["--table"], metavar=_("CODE"), help=_("The table to sit down at, by its code.")
            ),
            password_option(_("A file whose first line is the server's password.")),
            Option(["--watch"], is_flag=True, help=_("Watch the table, without playing.")),
            *tls_options(),
        ],
        help=_(
            "Join a game on the network. Without an address, the hosts on your network are found"
            " and listed."
        ),
        short_help=_("Join a game on the network."),
    )


def tls_options() -> list[Option]:
    """How the connection is to be encrypted."""
    return [
        Option(["--tls"], is_flag=True, help=_("Encrypt the connection.")),
        Option(
            ["--tls-ca"],
            type=path(),
            metavar=_("FILE"),
            help=_("The certificate to trust (PEM); those of the system unless told."),
        ),
    ]


def join(
    address: str | None,
    name: str | None,
    table: str | None,
    password_file: Path | None,
    watch: bool,
    tls: bool,
    tls_ca: Path | None,
) -> None:
    """Open the screen where the hosts are listed, or at the tables of one."""
    from racko_tui.lan.joining import Join
    from racko_tui.local.seats import own_name

    settings = settings_on_disk()
    wish = Join.of(
        address or "",
        name=name or own_name(settings),
        table=table or "",
        password_file=password_file,
        watch=watch,
        tls=tls,
        tls_ca=tls_ca,
    )
    open_screen(settings, wish)
