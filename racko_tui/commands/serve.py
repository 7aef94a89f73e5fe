"""`racko serve`: a server for games on a network, without a screen."""

from __future__ import annotations

import asyncio
import logging
import shlex
import sys
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from racko_core.errors import N_, RackoError
from racko_tui import config
from racko_tui.commands.bot import bot_time_option, say_trying
from racko_tui.commands.options import OneOf, Option, number, path
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.terminal import console

if TYPE_CHECKING:
    from racko_net.outside_bot.permission import Programs
    from racko_net.server import Server
    from racko_tui.ssh.options import Auth

LEVELS: Final = ("debug", "info", "warning", "error")


def command() -> click.Command:
    """The command, in the language spoken."""
    from racko_net.protocol import PORT
    from racko_net.serverside.limits import MOST_TABLES, Limits

    limits = Limits()
    return click.Command(
        "serve",
        callback=serve,
        params=[
            Option(
                ["--host"],
                metavar=_("ADDRESS"),
                help=_("The address to listen at; every one of this machine unless told."),
            ),
            Option(
                ["--port"],
                type=number(0, 65535),
                default=PORT,
                metavar="N",
                help=_("The port to listen at; {port} unless told, 0 for any.").format(port=PORT),
            ),
            Option(
                ["--name"],
                default="",
                metavar=_("NAME"),
                help=_("What others see in their list; the machine's name unless told."),
            ),
            password_option(_("A file whose first line everyone who joins must know.")),
            Option(
                ["--data"],
                type=path(),
                metavar=_("FOLDER"),
                help=_("Where the tables are kept."),
            ),
            Option(
                ["--export"],
                type=path(),
                metavar=_("FOLDER"),
                help=_(
                    "Only write the record of every game that was finished here into this folder."
                ),
            ),
            Option(
                ["--max-tables"],
                type=number(1, MOST_TABLES),
                default=limits.tables,
                metavar="N",
                help=_("Tables at the same time; {count} unless told.").format(count=limits.tables),
            ),
            Option(
                ["--max-connections"],
                type=number(1),
                default=limits.connections,
                metavar="N",
                help=_("Connections at the same time; {count} unless told.").format(
                    count=limits.connections
                ),
            ),
            Option(
                ["--no-discovery"],
                is_flag=True,
                help=_("Tell nobody on the network; friends need the address."),
            ),
            Option(
                ["--grace"],
                type=number(),
                metavar=_("SECONDS"),
                help=_("Time until a bot plays for someone who is away; 60 unless told."),
            ),
            Option(
                ["--turn-limit"],
                type=number(),
                metavar=_("SECONDS"),
                help=_("Time for a turn; as long as it takes unless told."),
            ),
            Option(
                ["--tls-cert"],
                type=path(),
                metavar=_("FILE"),
                help=_("A certificate (PEM): connections are encrypted."),
            ),
            Option(
                ["--tls-key"],
                type=path(),
                metavar=_("FILE"),
                help=_("The key of the certificate, where it is in a file of its own."),
            ),
            Option(
                ["--bot"],
                multiple=True,
                metavar=_("NAME=COMMAND"),
                help=_(
                    "A program of yours that whoever runs a table may seat as a bot, by this name;"
                    " nobody else can bring one. May be given several times."
                ),
            ),
            bot_time_option(),
            *ssh_options(),
            Option(
                ["--log-level"],
                type=OneOf(LEVELS),
                default="info",
                help=_("How much is told on the error output; “info” unless told."),
            ),
        ],
        help=_(
            "Host games for others on the network. Many tables can be played at once; whatever"
            " happens to this program, they stand as they were when it is started again."
        ),
        short_help=_("Host games for others on the network."),
    )


def password_option(text: str) -> Option:
    """A password is never given on the command line, which others can see."""
    return Option(["--password-file"], type=path(), metavar=_("FILE"), help=text)


def ssh_options() -> list[Option]:
    """How the server answers `ssh`, if it does."""
    from racko_tui.ssh.options import AUTHS, PORT

    return [
        Option(
            ["--ssh"],
            type=number(0, 65535),
            is_flag=False,
            flag_value=PORT,
            metavar="[N]",
            help=_(
                "Answer “ssh” too, so that friends need nothing else; at port {port} unless told."
            ).format(port=PORT),
        ),
        Option(
            ["--ssh-auth"],
            type=OneOf(AUTHS),
            default="open",
            help=_(
                "Who gets in over SSH: anybody, or who has a password or a key; “open” unless told."
            ),
        ),
        Option(
            ["--ssh-password-file"],
            type=path(),
            metavar=_("FILE"),
            help=_("Names and passwords; “python -m racko_tui.ssh.passwords NAME” prints a line."),
        ),
        Option(
            ["--ssh-authorized-keys"],
            type=path(),
            metavar=_("FILE"),
            help=_("Public keys, one a line, as OpenSSH keeps them."),
        ),
    ]


def serve(
    host: str | None,
    port: int,
    name: str,
    password_file: Path | None,
    data: Path | None,
    export: Path | None,
    max_tables: int,
    max_connections: int,
    no_discovery: bool,
    grace: int | None,
    turn_limit: int | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    bot: tuple[str, ...],
    bot_time: float | None,
    ssh: int | None,
    ssh_auth: Auth,
    ssh_password_file: Path | None,
    ssh_authorized_keys: Path | None,
    log_level: str,
) -> None:
    """Run the server until it is told to stop; or, with `export`, take its records out."""
    folder = data or config.data_dir() / "server"
    if export is not None:
        from racko_tui.commands.records import export_all

        print(export_all(folder, export))
        return
    if ssh is None and (ssh_auth != "open" or ssh_password_file or ssh_authorized_keys):
        raise click.UsageError(
            _("“--ssh-auth” and the files for it need “--ssh”."), click.get_current_context()
        )
    from racko_core.seating import Options
    from racko_net import server
    from racko_net.serverside import authority, doors
    from racko_net.serverside.limits import Limits
    from racko_net.text import clean_name

    _log_to_stderr(log_level)  # programs that are tried may have something to say
    usual = server.ServerConfig(data=Path()).options
    options = Options(
        bot_pause=usual.bot_pause,
        turn_limit=turn_limit,
        grace=usual.grace if grace is None else grace,
        deal_after=usual.deal_after,
    )
    programs, broken = _programs(bot, bot_time, folder)
    chosen = server.ServerConfig(
        data=folder,
        host=host,
        port=port,
        name=clean_name(name) if name else "",
        password=doors.read_password(password_file) if password_file else None,
        tls_cert=tls_cert,
        tls_key=tls_key,
        discovery=not no_discovery,
        options=authority.check(options),
        limits=Limits(tables=max_tables, connections=max_connections),
        programs=programs,
    )
    more: list[str] = []

    def tell(opened: Server) -> None:
        _tell(opened, more, broken)

    if ssh is None:
        asyncio.run(server.serve(chosen, started=tell))
        return
    from racko_tui.ssh import options as ssh_host
    from racko_tui.ssh.serving import beside, in_words

    answering = ssh_host.Options(
        data_dir=chosen.data,
        port=ssh,
        auth=ssh_auth,
        password_file=ssh_password_file,
        authorized_keys=ssh_authorized_keys,
    )

    @asynccontextmanager
    async def open_ssh(server: Server) -> AsyncIterator[None]:
        async with beside(server, answering) as host:
            more.extend(in_words(host, server.addresses))
            yield

    asyncio.run(server.serve(chosen, started=tell, beside=open_ssh))


def _programs(
    bots: Sequence[str], seconds: float | None, data: Path
) -> tuple[Programs, Collection[str]]:
    """The programs that are offered, by their levels, and those of them that do not answer; each
    is tried before anybody waits.

    Raises `RackoError` if one does not answer, unless there are tables in `data`.
    """
    from racko_core.rules import Rules
    from racko_net.outside_bot import permission, player
    from racko_net.serverside import doors
    from racko_tui.words import level_name

    offered: dict[str, str] = {}
    for given in bots:
        name, equals, command = given.partition("=")
        try:
            level = permission.level_of(name.strip().lower()) if equals else None
        except permission.OutsideError as refused:
            raise click.UsageError(sentence(refused), click.get_current_context()) from None
        if level is None or level in offered:
            raise click.UsageError(
                _("“--bot” wants NAME=COMMAND, and each name once."), click.get_current_context()
            )
        offered[level] = command
    programs = permission.Programs(offered=offered, limits=permission.Limits.of(seconds))
    if offered and config.is_there(data):
        doors.lock(data)()  # where another server is, nobody need wait for programs
    if offered:
        say_trying(offered.values())
    failed = player.failures(offered, Rules(), programs)
    for level, failure in failed:
        console.complain(
            _("The bot “{name}” does not work. {why}").format(
                name=level_name(level), why=sentence(failure)
            )
        )
    if failed and not _keeps_tables(data):
        raise RackoError(N_("The server does not open."))
    if failed:
        console.complain(
            _(
                "The server opens all the same, for tables are kept in “{path}”; where a program"
                " still does not answer when it is needed, a novice plays on in its place."
            ).format(path=data)
        )
    return programs, {level for level, _failure in failed}


def _keeps_tables(data: Path) -> bool:
    """Whether somebody may want to play on: perhaps nobody is here to mend a program."""
    from racko_net.store import Store

    path = data / "server.sqlite3"
    if not config.is_there(path):
        return False
    store = Store(path, durable=False)
    try:
        return bool(store.open_tables())
    finally:
        store.close()


def _log_to_stderr(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    root = logging.getLogger()
    root.addHandler(handler)
    click.get_current_context().call_on_close(lambda: root.removeHandler(handler))
    root.setLevel(logging.getLevelName(level.upper()))
    logging.getLogger("asyncio").setLevel(logging.WARNING)


def _tell(server: Server, more: Sequence[str], broken: Collection[str]) -> None:
    """Say where to join, as soon as one can, and `more` of it; `broken`: levels of programs that
    did not answer.
    """
    from racko_net.clientside.line import Address
    from racko_tui.words import level_name

    config, tables = server.config, len(server.lobby.rooms)
    extra = " --password-file …" if config.password else ""
    given = config.tls_cert if config.tls_cert and _is_its_own(config.tls_cert) else None
    trust = "" if given is None else f" --tls-ca {shlex.quote(given.name)}"
    extra += trust or (" --tls" if config.tls_cert else "")
    lines = [_("“{name}” is open on port {port}.").format(name=server.name, port=server.port)]
    if tables:
        lines.append(
            ngettext("{count} table is back.", "{count} tables are back.", tables).format(
                count=tables
            )
        )
    lines += [
        _(
            "Table {code} needs the program “{program}”, which is not offered: at its next move a"
            " novice takes its place, for good. To keep it, start with “--bot {program}=COMMAND”"
            " before that."
        ).format(code=code, program=level_name(level))
        for code, level in _lacking(server)
    ]
    lines.append(_("Your friends type:"))
    for address in server.addresses:
        lines.append(f"  racko join {Address(address, server.port)}{extra}")
    if given is not None:
        lines.append(
            _("They need a copy of “{path}”, which nobody else vouches for.").format(path=given)
        )
    if config.discovery and config.host is None:
        lines.append(_("or, on the same network, only:"))
        lines.append(f"  racko join{trust}")
    lines += more
    names = [level_name(level) for level in config.programs.offered if level not in broken]
    if names:
        lines.append(_("Programs of yours that play here: {names}.").format(names=", ".join(names)))
    lines.append(_("Every table is kept in “{path}”.").format(path=config.data))
    lines.append(_("Ctrl+C stops the server; no game is lost."))
    print("\n".join(lines), flush=True)


def _is_its_own(certificate: Path) -> bool:
    """Whether nobody but itself vouches for a certificate."""
    from racko_net.certificates import vouches_for_itself

    with suppress(OSError, ValueError, IndexError, StopIteration):
        return vouches_for_itself(certificate)
    return False


def _lacking(server: Server) -> list[tuple[str, str]]:
    """The tables that need programs which are not offered: their codes, and the levels."""
    from racko_core.bots import is_outside

    offered = server.config.programs.offered
    return [
        (code, level)
        for code, room in server.lobby.rooms.items()
        for level in dict.fromkeys(chair.level for chair in room.table.chairs)
        if is_outside(level) and level not in offered
    ]
