"""Coming back to one's seat without a key: by a code that nobody else has."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from racko_core.errors import RackoError
from racko_net.client import RemoteSession
from racko_tui.ssh.options import Server
from racko_tui.ssh.play import SshApp, build
from racko_tui.ssh.visit import Identity, Terminal, Visit, port_in_words
from tests.tui.ssh.terminals import Client
from tests.tui.ssh.test_play import opponent, serving


def code_of(client: Client) -> str:
    """The code, as it stands above the screen."""
    above = client.raw.partition(b"\x1b[?1049h")[0].decode()
    [code] = re.findall(r"your seat back:\r\nssh -t -p \d+ 127\.0\.0\.1 (\S+)\r\n", above)
    return str(code)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.01)


def away(session: RemoteSession) -> bool:
    return session.info.chairs[1].away


async def test_the_code_gives_the_seat_back_and_the_name_does_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, host), opponent(server) as session:
        async with Client(host.port, "Ana", command=session.code) as ana:
            await ana.until("not ready yet")
            code = code_of(ana)
            for words in (
                f"ssh -t -p {host.port} 127.0.0.1 {code}",  # on the screen too, when one sits down
                f"Others type to watch: ssh -t -p {host.port} 127.0.0.1 {session.code}",
            ):
                await ana.until(
                    lambda text, words=words: words in map(str.strip, text.splitlines())
                )
        await until(lambda: away(session))
        async with Client(host.port, "Ana") as eve:
            await eve.until("new table")
            assert f"{session.code}  your seat" not in eve.text
            assert code_of(eve) != code
        async with Client(host.port, "Anna", command=code.lower().replace("-", "")) as ana:
            await ana.until("not ready yet")
            await until(lambda: not away(session))
            assert session.info.chairs[1].name == "Ana"
            assert code_of(ana) == code, "it is still the same"
        await until(lambda: away(session))
        async with Client(host.port, "Ana") as ana:
            await ana.until("new table")
            ana.type("c")
            await ana.until("Or your own")
            ana.type(f"{code}\r")
            await ana.until("not ready yet")
            await until(lambda: not away(session))


async def test_the_way_back_names_the_port_and_hides_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, host), opponent(server) as session:
        async with Client(host.port, "Ana", command=session.code) as ana:
            await ana.until("not ready yet")
        async with Client(host.port, "Eve", command=session.code, size=(60, 20)) as eve:
            taken = "Every chair at this table is taken; watch, or choose another table."
            await eve.until(lambda text: taken in " ".join(text.split()))
            await eve.until(lambda text: "2 players, to 500" in text and "leave the server" in text)
            words = " ".join(eve.text.split())
            lines = [line.strip() for line in eve.text.splitlines()]
            assert f"ssh -t -p {host.port} 127.0.0.1 {code_of(eve)}" in lines, "on its own line"
            assert taken in words
    assert port_in_words(22) == ""


def goodbye(client: Client) -> str:
    """What is said below the last screen."""
    return client.raw.decode().rpartition("\x1b[?25h")[2]


async def test_the_goodbye_says_it_again_if_a_seat_is_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, host), opponent(server) as session:
        async with Client(host.port, "Ana") as ana:
            await ana.until("new table")
            ana.type("\x03")
            await ana.until_end()
            assert goodbye(ana) == ""
        async with Client(host.port, "Ana", command=session.code) as ana:
            await ana.until("not ready yet")
            ana.type("\x03")
            await ana.until("Your chair is free")
            ana.type("y")
            await ana.until_end()
            assert goodbye(ana) == ""
        assert kept(tmp_path) == []
        ana = Client(host.port, "Ana", command=session.code, env={"LANG": "fr_FR.UTF-8"})
        await ana.__aenter__()
        await ana.until("pas encore prêt")
        [code] = re.findall(
            r"ssh -t -p \d+ 127\.0\.0\.1 (\S+)", ana.raw.decode().partition("\x1b[?1049h")[0]
        )
        assert len(kept(tmp_path)) == 1
    await ana.until_end()
    assert "Le serveur s’arrête" in goodbye(ana)
    assert f"127.0.0.1 {code}\r\n" in goodbye(ana)
    await ana.__aexit__(None, None, None)
    async with (  # the server comes back, and so does Ana
        serving(tmp_path) as (_, host),
        Client(host.port, "Ana", command=code) as ana,
    ):
        await ana.until("not ready yet")


def kept(data: Path) -> list[Path]:
    """What is kept of players without keys."""
    return [*(data / "guests").iterdir()]


async def test_who_has_a_key_by_now_brings_the_seat_along(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with serving(tmp_path) as (server, host), opponent(server) as session:
        async with Client(host.port, "Ana", command=session.code) as ana:
            await ana.until("not ready yet")
            code = code_of(ana)
        await until(lambda: away(session))
        for command in (code, session.code):  # from then on the key is enough
            async with Client(host.port, "Ana", key=key, command=command) as ana:
                await ana.until("not ready yet")
                assert b"gives you your seat back" not in ana.raw
                await until(lambda: not away(session))
            await until(lambda: away(session))
        assert kept(tmp_path) == []


async def test_a_wrong_code_is_a_sentence(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (_, host),
        Client(host.port, "Ana", command="BCD-FGH-JKM") as ana,
    ):
        await ana.until("No seat is kept for the code BCD-FGH-JKM")
        await ana.until("new table")


def test_codes_cannot_be_tried_without_end(tmp_path: Path) -> None:
    guesses: list[int] = []
    terminal = Terminal("xterm", (80, 24))
    first = build(Visit(Identity("Eve"), terminal, "192.0.2.1", "BCD-FGH-JKM", Server(), tmp_path))
    assert isinstance(first, SshApp)
    first._visit = replace(first._visit, guessed=lambda: guesses.append(1))
    for number in range(20):
        with pytest.raises(RackoError, match="No seat" if number < 4 else "Too many"):
            first.recall("BCD-FGH-JKN")
    assert len(guesses) == 4, "each counts as a login"
    assert not first.recall("KAFU")
