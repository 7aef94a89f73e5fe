"""Players at sessions, for tests of the client."""

from __future__ import annotations

import asyncio
from typing import Any

from racko_core import seating as s
from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Options, Stage
from racko_core.view import Phase
from racko_net.client import RemoteSession, connect
from racko_net.server import Server
from racko_net.session import Update

QUICK = Options(bot_pause=0.0, deal_after=None)


class Sleeper:
    """Sleeps for no time, and remembers for how long it should have."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


class Player:
    """Plays a bot's level at a session and keeps everything that it was told."""

    def __init__(self, session: RemoteSession, level: str = "casual") -> None:
        self.session = session
        self.updates: list[Update] = []
        self._bot = bot(level)

    @property
    def seqs(self) -> list[int]:
        return [notice.seq for update in self.updates for notice in self.notices(update)]

    def notices(self, update: Update) -> tuple[s.Notice, ...]:
        (seen,) = update.seen.values()
        return seen.notices

    async def step(self) -> None:
        """Hear one update and do what follows from it."""
        update = await self.session.update()
        self.updates.append(update)
        view = self.session._memory.view()
        if not self.session.link.up or view is None or self.session.seat is None:
            return
        if not self.session._updates.empty():
            return
        if view.phase is Phase.DEAL:
            await self.session.ready()
        elif view.my_turn:
            await self.session.act(decide_safely(self._bot, view))

    async def play(self) -> None:
        while self.session.info.stage is not Stage.FINISHED or self.session._updates.qsize():
            await self.step()


async def pair(port: int, rules: Rules | None = None, **more: Any) -> tuple[Player, Player]:
    """Two players at a new table, before the start."""
    ana = await connect(f"127.0.0.1:{port}", name="Ana", **more)
    bo = await connect(f"127.0.0.1:{port}", name="Bo", **more)
    table = await ana.create(rules or Rules(target=150), QUICK)
    return Player(table), Player(await bo.join(table.code))


def room_of(server: Server, session: RemoteSession) -> Any:
    return server.lobby.rooms[session.code]
