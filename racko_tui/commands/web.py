"""`racko web`: the application in a browser."""

from __future__ import annotations

import click

from racko_core.errors import N_, RackoError
from racko_tui.commands.options import Option, number
from racko_tui.i18n import _

_PORT = 8225
_TABS = 8  # at the same time; each is a process of some 70 MB


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "web",
        callback=web,
        params=[
            Option(
                ["--port"],
                type=number(1, 65535),
                default=_PORT,
                metavar="N",
                help=_("The port to listen at; {port} unless told.").format(port=_PORT),
            ),
            Option(
                ["--host"],
                default="127.0.0.1",
                metavar=_("ADDRESS"),
                help=_("The address to listen at; only this machine's own unless told."),
            ),
            Option(
                ["--join"],
                default="",
                metavar=_("HOST[:PORT]"),
                help=_("The server whose tables are shown; one's own games unless told."),
            ),
            Option(
                ["--tabs"],
                type=number(1, 1000),
                default=_TABS,
                metavar="N",
                help=_("Tabs at the same time; {count} unless told.").format(count=_TABS),
            ),
        ],
        help=_(
            "Show the game in a browser, for a tablet or a machine without a terminal. Everybody"
            " who reaches the address plays as if at this machine."
        ),
        short_help=_("Show the game in a browser."),
    )


def web(port: int, host: str, join: str, tabs: int) -> None:
    """Serve browsers until told to stop."""
    from racko_net.clientside.line import Address

    if join:
        Address.parse(join)
    try:
        from racko_tui import web as browser
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("racko"):
            raise
        raise RackoError(
            N_("“racko web” needs one thing more; install it with “pip install 'racko[web]'”.")
        ) from missing
    browser.serve(host, port, join=join, tabs=tabs)
