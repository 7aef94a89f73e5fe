"""Whatever a screen says goes through translation: with every translated letter veiled, no word
is left to read but names.
"""

from __future__ import annotations

import gettext
import re

import pytest
from textual.screen import Screen

from racko_core.rules import Rules
from racko_core.seating import Kind
from racko_tui import i18n
from racko_tui.app import RackoApp
from racko_tui.local.drafts import BOT_NAMES
from racko_tui.screens.game_over import GameOverScreen
from racko_tui.screens.round_end import RoundEndScreen
from racko_tui.tutor import Played
from tests.tui.steering import played, press, shown, still
from tests.tui.table.sitting import seated, sitting

VEIL = "¤"
NAMES = {"Ana", "Bo", "Cy", "Di", *BOT_NAMES, "RACK", *i18n.LANGUAGES.values()}
"""Words that are the same in every language."""
PARTNERS = Rules.preset("partners", target=150)


def veiled(text: str) -> str:
    """The text with every letter outside its places for values veiled."""
    parts = re.split(r"({[^}]*})", text)
    return "".join(
        part if part.startswith("{") else re.sub(r"[^\W\d_]", VEIL, part) for part in parts
    )


class Veiled(gettext.NullTranslations):
    """A language that nobody can read."""

    def gettext(self, message: str) -> str:
        return veiled(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return veiled(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return veiled(message)


@pytest.fixture(autouse=True)
def unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gettext, "translation", lambda *_, **__: Veiled())
    i18n.install("en")


def legible(app: RackoApp) -> set[str]:
    """The words on the screen that went through no translation."""
    text = shown(app)
    assert VEIL in text, "nothing is translated at all"
    return set(re.findall(r"[^\W\d_]{2,}", text.replace(VEIL, " "))) - NAMES


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("keys", ["", "p", "s", "?", "g", "s up enter"])
async def test_menus_and_forms(keys: str, size: tuple[int, int]) -> None:
    app = RackoApp(still(language="en"))
    async with app.run_test(size=size) as pilot:
        await press(pilot, *keys.split())
        assert legible(app) == set()


async def test_a_window_too_small() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert legible(app) == set()


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("rules", [Rules(), Rules(players=3, min_run=3), PARTNERS])
async def test_the_table_in_every_phase_of_a_turn(rules: Rules, size: tuple[int, int]) -> None:
    async with sitting(seated(rules=rules), size=size) as at:
        await at.turn()
        for keys in ("", "h", "x", "3", "d", "h", "enter", "l", "escape", "s", "escape", "?"):
            await at.press(*keys.split())
            assert legible(at.app) == set(), f"after {keys!r}"


async def test_leaving_a_table() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("q")
        assert legible(at.app) == set()


async def test_handing_over_the_keyboard() -> None:
    async with sitting(seated(people=2)) as at:
        await at.until(lambda: not at.at_table, "the hand-over")
        assert legible(at.app) == set()


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("rules", [Rules(target=150), PARTNERS])
@pytest.mark.parametrize("over", [False, True])
async def test_the_end_of_a_round_and_of_a_game(
    rules: Rules, over: bool, size: tuple[int, int]
) -> None:
    table = played(rules, rounds=None if over else 1)
    view = table.view(0)
    assert view is not None
    assert table.info.chairs[0].kind is Kind.BOT
    screen: Screen[object] = RoundEndScreen(view, table.info, (0,))
    if over:
        screen = GameOverScreen(view, table.info, Played.seen([view], ("Ana", "Bo"), 0))
    app = RackoApp(still())
    async with app.run_test(size=size) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        assert legible(app) == set()
        await press(pilot, "s")
        assert legible(app) == set()
