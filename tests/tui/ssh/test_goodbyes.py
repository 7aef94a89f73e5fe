"""What a session says at its end, in the language of whoever reads it."""

from __future__ import annotations

from pathlib import Path

from tests.tui.ssh.conftest import limits, running
from tests.tui.ssh.terminals import Client
from tests.tui.ssh.test_play import serving

FRENCH = {"LANG": "fr_FR.UTF-8"}
DANISH = {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "da_DK.UTF-8"}


async def test_a_crash_and_the_stop_of_the_host(tmp_path: Path) -> None:
    async with running(tmp_path) as host:
        async with Client(host.port, env=FRENCH) as client:
            await client.until("size=")
            client.type("C")
            assert "Un problème est survenu dans votre session" in await client.until_end()
        clients = [Client(host.port, env=env) for env in (FRENCH, DANISH, {})]
        for client in clients:
            await client.__aenter__()
            await client.until("size=")
    for client, words in zip(
        clients,
        ("Le serveur s’arrête", "Serveren stopper", "The server is stopping"),
        strict=True,
    ):
        assert words in await client.until_end()
        await client.__aexit__(None, None, None)


async def test_too_long_without_a_key(tmp_path: Path) -> None:
    hasty = limits(idle=0.1, idle_warning=0.05)
    async with (
        running(tmp_path, limits=hasty) as host,
        Client(host.port, env=DANISH) as client,
    ):
        assert "Du har været væk længe" in await client.until_end()


async def test_a_refusal(tmp_path: Path) -> None:
    async with running(tmp_path) as host:
        async with Client(host.port, env=FRENCH, term="dumb") as client:
            assert "Rack-O a besoin" in await client.until_end()
        async with Client(host.port, env=FRENCH, command="ls /") as client:
            assert "ne lance que le jeu" in await client.until_end()


async def test_who_has_chosen_a_language_is_told_in_that_one(tmp_path: Path) -> None:
    """What the settings say comes before what the client's system says."""
    async with serving(tmp_path) as (_, host):
        client = Client(host.port, env=FRENCH)
        await client.__aenter__()
        await client.until("nouvelle table")
        client.type("\x1b")
        await client.until("Réglages")
        client.type("s")
        await client.until("Signes simples")
        client.type("\x1b[B")  # down to the language
        for language in ("English", "Français", "Dansk"):
            client.type("\x1b[C")
            await client.until(f"‹ {language} ›")
    assert "Serveren stopper" in await client.until_end()
    await client.__aexit__(None, None, None)
