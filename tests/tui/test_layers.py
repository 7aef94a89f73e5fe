"""Screens above one another: what cannot be seen is not drawn, and does not have others drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.screens.help import HelpScreen
from racko_tui.screens.leave import LeaveScreen


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RackoApp:
    monkeypatch.setenv("RACKO_HOME", str(tmp_path))
    return RackoApp(Settings())


async def drawn_while(
    app: RackoApp, pilot: Pilot[Any], monkeypatch: pytest.MonkeyPatch, happen: Callable[[], object]
) -> list[object]:
    """What is sent to the terminal while something happens, and long after."""
    await pilot.pause()
    sent: list[object] = []
    display = RackoApp._display

    def note(self: RackoApp, screen: Screen[Any], what: Any) -> None:
        if what is not None:
            sent.append(what)
        display(self, screen, what)

    monkeypatch.setattr(RackoApp, "_display", note)
    happen()
    for _ in range(5):
        await pilot.pause()
        app.home.call_later(lambda: None)  # whatever wakes the screen below
    await pilot.pause()
    return sent


async def test_nothing_is_drawn_for_a_screen_that_is_covered(
    app: RackoApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test() as pilot:
        await app.push_screen(HelpScreen(app.home))
        assert not await drawn_while(app, pilot, monkeypatch, lambda: app.home.say("Nobody sees."))
        app.pop_screen()
        await pilot.pause()
        assert app.home.query_one("#said", Static).region.height
        shown = "\n".join(
            "".join(strip.text) for strip in app.screen._compositor.render_strips(app.size)
        )
        assert "Nobody sees." in shown, "it does once the other is gone"


async def test_a_screen_below_a_question_goes_on(
    app: RackoApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test() as pilot:
        await app.push_screen(LeaveScreen("all"))
        assert app._background_screens == [app.home]
        assert await drawn_while(app, pilot, monkeypatch, lambda: app.home.say("It can be seen."))
