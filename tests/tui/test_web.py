"""The application in a browser: the page, the limit on tabs, and who may open one."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

aiohttp = pytest.importorskip("aiohttp")
pytest.importorskip("textual_serve")

from aiohttp.test_utils import TestServer  # noqa: E402

from racko_core.errors import RackoError  # noqa: E402
from racko_tui.web import TabApp, TabServer, serve  # noqa: E402
from tests.tui.steering import still  # noqa: E402

PATIENCE = 30


@pytest.fixture
async def server() -> AsyncIterator[TestServer]:
    """A server for two tabs."""
    tabs = TabServer("127.0.0.1", 8225, join="", tabs=2)
    server = TestServer(await tabs._make_app(), host="127.0.0.1")
    await server.start_server()
    yield server
    async with asyncio.timeout(PATIENCE):
        while tabs._open:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await server.close()
    gc.collect()  # textual-serve leaves pipes to the collector, which needs the loop to close them
    await asyncio.sleep(0)


@pytest.fixture
async def browser() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


def origin(server: TestServer) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{server.port}"}


async def shown(tab: aiohttp.ClientWebSocketResponse, text: str) -> bytes:
    """Wait until the tab shows it."""
    seen = b""
    async with asyncio.timeout(PATIENCE):
        while text.encode() not in seen:
            message = await tab.receive()
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), seen
            if message.type == aiohttp.WSMsgType.BINARY:
                seen += message.data
    return seen


async def press(tab: aiohttp.ClientWebSocketResponse, keys: str) -> None:
    await tab.send_str(json.dumps(["stdin", keys]))


def test_an_analysis_in_a_tab_has_the_process_for_itself() -> None:
    assert not TabApp(still()).shares_process
    assert TabApp(still()).programs is None, "whoever looks at the page need not own the machine"


async def test_the_page_asks_nobody_else_for_anything(
    server: TestServer, browser: aiohttp.ClientSession
) -> None:
    async with browser.get(server.make_url("/")) as page:
        text = await page.text()
    found = {url for url in re.findall(r"(?:https?|wss?)://[^\"'/]+", text) if "w3.org" not in url}
    assert found == {f"http://127.0.0.1:{server.port}", f"ws://127.0.0.1:{server.port}"}
    font = re.search(r'url\("([^"]+ttf)"\)', text)
    assert font
    async with browser.get(font[1]) as answer:
        assert answer.status == 200


async def test_a_tab_plays_by_keys_without_a_click(
    server: TestServer, browser: aiohttp.ClientSession
) -> None:
    async with browser.ws_connect(server.make_url("/ws"), headers=origin(server)) as tab:
        await shown(tab, "Settings")
        await press(tab, "p")
        await shown(tab, "Points to win")
        await press(tab, "\x1b[F\r")
        await shown(tab, "Cards drawn")
        await tab.send_str(json.dumps(["resize", {"width": 100, "height": 30}]))
        await shown(tab, "Cards drawn")


async def test_leaving_ends_the_tab(server: TestServer, browser: aiohttp.ClientSession) -> None:
    async with browser.ws_connect(server.make_url("/ws"), headers=origin(server)) as tab:
        await shown(tab, "Settings")
        await press(tab, "q")
        async with asyncio.timeout(PATIENCE):
            while (await tab.receive()).type not in (
                aiohttp.WSMsgType.CLOSE,
                aiohttp.WSMsgType.CLOSED,
            ):
                pass


async def test_there_are_only_so_many_tabs(
    server: TestServer, browser: aiohttp.ClientSession
) -> None:
    url = server.make_url("/ws")
    async with browser.ws_connect(url, headers=origin(server)) as first:
        async with browser.ws_connect(url, headers=origin(server)) as second:
            await shown(first, "Settings")
            await shown(second, "Settings")
            async with browser.get(server.make_url("/")) as page:
                assert page.status == 503
                assert "All 2 tabs are in use" in await page.text()
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await browser.ws_connect(url, headers=origin(server))
            assert refused.value.status == 503
        async with asyncio.timeout(PATIENCE):
            while (await browser.get(server.make_url("/"))).status != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("where", ["http://evil.example", "null", ""])
async def test_scripts_of_other_pages_open_no_tab(
    server: TestServer, browser: aiohttp.ClientSession, where: str
) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await browser.ws_connect(server.make_url("/ws"), headers={"Origin": where})
    assert refused.value.status == 403


async def test_a_name_made_to_point_here_is_no_way_in(
    server: TestServer, browser: aiohttp.ClientSession
) -> None:
    headers = {"Host": f"evil.example:{server.port}"}
    async with browser.get(server.make_url("/"), headers=headers) as page:
        assert page.status == 403


def test_a_port_in_use_is_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(RackoError, match="choose another with --port"):
            serve("127.0.0.1", taken.getsockname()[1], join="", tabs=1)


@pytest.mark.parametrize("host", ["x" * 70, "\udcff"])
def test_a_name_that_no_machine_has_is_a_sentence(host: str) -> None:
    with pytest.raises(RackoError, match="is no name of a machine"):
        serve(host, 0, join="", tabs=1)


@pytest.mark.skipif(not Path("/proc").exists(), reason="no /proc")
async def test_no_tab_outlives_its_server(browser: aiohttp.ClientSession) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(  # noqa: ASYNC220
        [
            sys.executable,
            "-c",
            f"from racko_tui.cli import main; main(['web', '--port', '{port}'])",
        ],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        assert str(port).encode() in process.stdout.readline()
        url = f"http://127.0.0.1:{port}"
        tab = await browser.ws_connect(f"{url}/ws", headers={"Origin": url})
        await shown(tab, "Settings")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        [child] = children.read_text().split()  # noqa: ASYNC240
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    async with asyncio.timeout(PATIENCE):
        while Path(f"/proc/{child}").exists():  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.05)
    await tab.close()
