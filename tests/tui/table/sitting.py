"""Sitting at a table in tests: an app that shows it, and hands that play by keys alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic

from textual.pilot import Pilot

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots import bot, decide_safely
from racko_core.bots.appraisal import Appraiser
from racko_core.deck import seed_from
from racko_core.rules import SLOTS, Rules
from racko_core.seating import Kind, Options, Setup, Sit, Start
from racko_core.table import Table
from racko_core.view import Phase
from racko_net.local import LocalSession
from racko_net.session import Session
from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.screens.table import TableScreen
from racko_tui.tutor import Tutor
from tests.core.coach.guessing import Guess
from tests.tui.steering import finished, press, still

NAMES = ("Ana", "Bo", "Cy", "Di")
PATIENCE = 30.0
"""Seconds after which what has not come is a failure; no test waits that long when all is well."""


def seated(
    people: int = 1, rules: Rules | None = None, *, seed: str = "7", pause: float = 0.0
) -> Table:
    """A table whose first seats are people, the others bots, with a game begun."""
    rules = rules or Rules()
    table = Table(Setup(rules, seed_from(seed), Options(bot_pause=pause)))
    for seat in range(rules.players):
        kind = Kind.HUMAN if seat < people else Kind.BOT
        table.apply(Sit(seat, NAMES[seat], kind, "novice"), 0.0)
    table.apply(Start(), 0.0)
    return table


class Sitting:
    """An app with a table on its screen."""

    def __init__(self, pilot: Pilot[int], screen: TableScreen, session: Session) -> None:
        self.pilot = pilot
        self.screen = screen
        self.session = session

    @property
    def app(self) -> RackoApp:
        """The app."""
        return self.screen.racko

    @property
    def table(self) -> Table:
        """The table, for a look behind the curtain."""
        assert isinstance(self.session, LocalSession)
        return self.session.table

    async def press(self, *keys: str) -> None:
        """Press keys, and let everything that follows happen."""
        for key in keys:
            await press(self.pilot, key)
            await self.pilot.pause()

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Let things happen until something holds."""
        end = monotonic() + PATIENCE
        while not holds():
            assert monotonic() < end, f"never: {what}"
            await self.pilot.pause()

    async def hint(self) -> None:
        """Ask for a hint, and wait for what comes of it."""
        await self.press("h")
        await finished(self.pilot, "hint")

    @property
    def at_table(self) -> bool:
        """Whether nothing covers the table."""
        return self.app.screen is self.screen

    @property
    def my_turn(self) -> bool:
        """Whether the person who sits here is to play, and sees it."""
        view = self.screen.decision.view
        return self.at_table and view is not None and view.my_turn and view.phase is not Phase.DEAL

    async def turn(self) -> None:
        """Wait for the turn of the person here."""
        await self.until(lambda: self.my_turn, "the player's turn")

    async def do(self, action: Action) -> None:
        """Do an action with keys, as a player would."""
        await self.press(*keys_for(action))

    async def play_round(self) -> int:
        """Play until a round ends, by what a bot would do; how many actions that took."""
        rounds = len(self.table.game.sheet) if self.table.game else 0
        player = bot("solid")
        for count in range(400):
            await self.until(lambda: self.my_turn or not self.at_table, "a turn or a notice")
            game = self.table.game
            assert game is not None
            if len(game.sheet) > rounds:
                return count
            if not self.at_table:
                await self.press("enter")
                continue
            view = self.screen.decision.view
            assert view is not None
            before = len(game.actions)
            await self.do(decide_safely(player, view))
            await self.until(partial(_longer, game.actions, before), "the action")
        raise AssertionError("the round never ended")


def keys_for(action: Action) -> tuple[str, ...]:
    """The keys that do an action."""
    match action:
        case Take(slot):
            return ("t", str(slot % SLOTS), "enter")
        case Place(slot):
            return (str(slot % SLOTS), "enter")
    return ({act.DRAW: "d", act.DISCARD: "x", act.GO_OUT: "g", act.PLAY_ON: "p"}[action],)


def _longer(items: Sequence[object], than: int) -> bool:
    return len(items) > than


@asynccontextmanager
async def sitting(
    table: Table | Session,
    settings: Settings | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
    coach: Callable[[], Appraiser] = Guess,
) -> AsyncIterator[Sitting]:
    """Sit down at a table, or at what stands for one. The coach is a quick guess."""
    app = RackoApp(settings or still(), ascii_only=ascii_only)
    app.tutor = Tutor(coach)
    async with app.run_test(size=size) as pilot:
        session = LocalSession(table) if isinstance(table, Table) else table
        screen = TableScreen(session)
        await app.push_screen(screen)
        await pilot.pause()
        try:
            yield Sitting(pilot, screen, session)
        finally:
            await session.close()
