"""A server in the same loop as an app under test, and friends who play there without a screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from racko_core.rules import Rules
from racko_core.seating import Options
from racko_net.client import Host, connect
from racko_net.outside_bot.permission import Programs
from racko_net.server import Server, ServerConfig
from racko_net.serverside.limits import Keep
from racko_tui.app import RackoApp
from racko_tui.lan.joining import Join
from racko_tui.screens import lobby
from tests.tui.steering import press, shown, still


class Party:
    """An app that has joined a server."""

    def __init__(self, app: RackoApp, pilot: Pilot[int], server: Server, address: str) -> None:
        self.app = app
        self.pilot = pilot
        self.server = server
        self.address = address
        self.friends: list[Host] = []

    async def friend(self, name: str = "Bo") -> Host:
        """Somebody else who is connected."""
        host = await connect(self.address, name=name)
        self.friends.append(host)
        return host

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await press(self.pilot, *keys)

    async def open_form(self) -> None:
        """Open the form of a new table, in the lobby."""
        await self.see("New table")
        await self.press("n")
        await self.see("Seat 2")

    async def open_table(self) -> None:
        """Make a table as the form has it, and wait in its room."""
        await self.open_form()
        await self.press("enter")
        await self.see("Others type")

    async def see(self, *texts: str) -> None:
        """Wait until these are on the screen: the network takes a few turns of the loop."""
        await self.until(lambda: all(text in shown(self.app) for text in texts), repr(texts))

    async def gone(self, text: str) -> None:
        """Wait until this is not on the screen any more."""
        await self.until(lambda: text not in shown(self.app), f"{text!r} gone")

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        try:
            async with asyncio.timeout(10):
                while not holds():  # noqa: ASYNC110  (a screen has no event to wait for)
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"never: {what}\n{shown(self.app)}") from None


@asynccontextmanager
async def _quickly() -> AsyncIterator[None]:
    """Lobbies look for news all the time."""
    with patch.object(lobby, "EVERY", 0.1):
        yield


@asynccontextmanager
async def party(
    folder: Path,
    *,
    password: str | None = None,
    options: Options | None = None,
    wish: Callable[[str], Join] = lambda address: Join(address, "Ana"),
    size: tuple[int, int] = (80, 24),
    programs: Programs | None = None,
) -> AsyncIterator[Party]:
    """An app that goes to a server."""
    config = ServerConfig(
        data=folder,
        host="127.0.0.1",
        port=0,
        name="Living room",
        password=password,
        discovery=False,
        options=options or Options(bot_pause=0.0, deal_after=60.0),
        keep=Keep(),
        programs=programs or Programs(),
    )
    server = Server(config)
    await server.start()
    address = f"127.0.0.1:{server.port}"
    app = RackoApp(still(), wish(address))
    try:
        async with _quickly(), app.run_test(size=size) as pilot:
            found = Party(app, pilot, server, address)
            yield found
            for friend in found.friends:
                await friend.close()
    finally:
        await server.stop()


RULES = Rules(players=2)
