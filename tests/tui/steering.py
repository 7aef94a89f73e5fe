"""Steering an app in tests: keys are posted and then worked off, which is quick and certain."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot

from racko_core.deck import seed_from
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Setup, Sit, Start
from racko_core.table import Table
from racko_tui.config import Settings
from racko_tui.screens.handover import HandOverScreen
from racko_tui.screens.scorecard import RoundCardScreen

HandOverScreen.QUIET = RoundCardScreen.QUIET = 0.0  # keys follow each other at once here
SIZES = ((80, 24), (200, 60), (60, 20))


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other: names as Textual writes them, or single characters."""
    for key in keys:
        name = key if len(key) > 1 else _character_to_key(key)
        character = key if len(key) == 1 else {"space": " ", "enter": "\r"}.get(key)
        pilot.app.post_message(events.Key(name, character))
        await pilot.pause()
        await _drawn(pilot)


async def _drawn(pilot: Pilot[int]) -> None:
    """Wait for a screen that has just come: on a busy machine a pause may end before its first
    picture. An app that ends has none.
    """
    app = pilot.app
    for _ in range(100):
        if not app.is_running or not app.screen_stack or shown(app).strip():
            return
        await pilot.pause(0.01)


async def write(pilot: Pilot[int], text: str) -> None:
    """Type a text."""
    await press(pilot, *text)


async def finished(pilot: Pilot[int], group: str) -> None:
    """Wait for the workers of a group, and for what comes of them."""
    await pilot.pause()
    working = [worker for worker in pilot.app.workers if worker.group == group]
    if working:  # Textual takes none for all
        await pilot.app.workers.wait_for_complete(working)
    await pilot.pause()


def still(**settings: object) -> Settings:
    """Settings under which nothing moves and no bot thinks."""
    return Settings(name="Ana", motion="off", bot_speed="instant", **settings)  # type: ignore[arg-type]


def shown(app: App[int]) -> str:
    """What stands on the screen, as text."""
    return "\n".join(
        "".join(segment.text for segment in line) for line in app.screen._compositor.render_strips()
    )


def played(
    rules: Rules | None = None,
    *,
    rounds: int | None = None,
    levels: Iterable[str] = ("solid", "novice", "novice", "novice"),
    seed: str = "1",
) -> Table:
    """A table at which bots have played so many rounds, or a whole game."""
    rules = rules or Rules(target=150)
    table = Table(Setup(rules, seed_from(seed), Options(bot_pause=0.0)))
    names = ("Ana", "Bo", "Cy", "Di")
    for seat, level in zip(range(rules.players), levels, strict=False):
        table.apply(Sit(seat, names[seat], Kind.BOT, level), 0.0)
    table.apply(Start(), 0.0)
    assert table.game is not None
    while table.game.result is None and (rounds is None or len(table.game.sheet) < rounds):
        given = table.due(1.0)
        assert given is not None
        table.apply(given, 1.0)
    return table
