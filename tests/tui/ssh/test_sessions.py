"""One player's session, from login to goodbye, as an SSH client sees it."""

from __future__ import annotations

import pytest
from asyncssh.packet import SSHPacket, String

from racko_tui.ssh.connection import Channel
from racko_tui.ssh.host import SshHost
from tests.tui.ssh.terminals import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_shows_the_app_and_says_goodbye(host: SshHost) -> None:
    async with Client(host.port, "Zoë") as client:
        await client.until("name=Zoë proof=none")
        assert "table=lobby term=xterm-256color" in client.text
        client.type("q")
        await client.until_end()
        assert client.status == 0
        assert client.raw.endswith(b"\x1b[?1049l\x1b[?25h"), "the terminal is as it was"


async def test_a_command_is_the_code_of_a_table(host: SshHost) -> None:
    async with Client(host.port, command=" k7-ab ") as client:
        await client.until("table=K7-AB")


async def test_every_change_of_size_arrives(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=80x24")
        for columns, rows in ((100, 30), (60, 20), (132, 43)):
            client.resize(columns, rows)
            await client.until(f"size={columns}x{rows}")


async def test_a_claimed_size_costs_no_memory(host: SshHost) -> None:
    async with Client(host.port, size=(80, 24)) as client:
        await client.until("size=80x24")
        client.channel.change_terminal_size(1_000_000, 1_000_000)
        await client.until("size=500x150")
        client.resize(80, 24)
        await client.until("size=80x24")


async def test_no_size_at_all_is_80_by_24(host: SshHost) -> None:
    async with Client(host.port, size=(0, 0)) as client:
        client.terminal.resize(24, 80)
        await client.until("size=80x24")


async def test_escape_alone_is_a_key(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("\x1b")
        await client.until("seen=escape")
        client.type("x")
        await client.until("seen=escape x")


async def test_ctrl_c_is_a_key(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("\x03")
        await client.until("ctrl+c")


async def test_sequences_may_come_in_pieces(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        for piece in (b"\x1b[", b"A", b"\xc3", b"\xb8", b"\x1bO", b"B"):
            client.type(piece)
        await client.until("seen=up ø down")


async def test_the_mouse_clicks_and_does_not_report_every_motion(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        assert b"\x1b[?1000h" in client.raw
        assert b"\x1b[?1003h" not in client.raw
        client.type("\x1b[<0;11;6M\x1b[<0;11;6m")
        await client.until("click:10,5")


async def test_what_is_pasted_comes_as_one(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("\x1b[200~K7 q\x1b[201~")
        await client.until("paste:K7 q")


async def test_the_locale_and_the_colours_are_the_clients(host: SshHost) -> None:
    env = {"LANG": "da_DK.ISO-8859-1", "COLORTERM": "truecolor", "NO_COLOR": "1"}
    async with Client(host.port, env=env, term="xterm") as client:
        await client.until("colours=truecolor mono=True letters=latin-1 language=da")
        client.type("æ".encode("latin-1"))
        await client.until("seen=")
        assert b"\xe6" in client.raw
        assert b"\xc3" not in client.raw


async def test_other_variables_are_not_taken() -> None:
    channel = Channel.__new__(Channel)
    channel._env = {}

    def ask(name: bytes, value: bytes) -> bool:
        return channel._process_env_request(SSHPacket(String(name) + String(value)))

    assert ask(b"LC_MESSAGES", b"da_DK.UTF-8")
    for name in (b"PATH", b"LD_PRELOAD", b"TEXTUAL", b"XLANG", b"LANGUAGE", b"LC_", b"TERM"):
        assert not ask(name, b"x")
    assert not ask(b"LANG", b"x" * 1000), "nobody's locale is that long"
    for number in range(26 * 26):
        ask(f"LC_{chr(65 + number // 26)}{chr(65 + number % 26)}".encode(), b"x")
    assert len(channel._env) <= 20


async def test_what_is_typed_too_early_is_not_lost(host: SshHost) -> None:
    async with Client(host.port) as client:
        client.type("ab")
        await client.until("seen=a b")


async def test_nothing_of_an_app_reaches_the_hosts_disk_or_browser(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("S")
        await client.until("seen=harmless")


@pytest.mark.parametrize(("term", "command"), [(None, None), ("dumb", None), (None, "K7")])
async def test_without_a_terminal_there_is_a_sentence(
    host: SshHost, term: str | None, command: str | None
) -> None:
    async with Client(host.port, term=term, command=command) as client:
        assert "Rack-O needs a terminal" in await client.until_end()
        assert client.status == 2


async def test_a_crash_is_a_sentence(host: SshHost) -> None:
    async with Client(host.port) as client:
        await client.until("size=")
        client.type("C")
        raw = await client.until_end()
        assert "Something went wrong in your session" in raw
        assert "Traceback" not in raw
        assert "small_app" not in raw
        assert client.status == 1
