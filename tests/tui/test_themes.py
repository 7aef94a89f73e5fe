"""Every theme has every colour, and what is written can be read."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.color import Color
from textual.theme import Theme

from racko_tui import config
from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.themes import OKABE, PLAIN, RACKO, TERMINAL, THEME_LIST, shown_name

TRUE = [theme for theme in THEME_LIST if not theme.ansi]


def colour(theme: Theme, name: str) -> Color:
    variables = {**theme.to_color_system().generate(), **theme.variables}
    return Color.parse(variables[name])


def contrast(one: Color, other: Color) -> float:
    def light(color: Color) -> float:
        parts = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
            for part in (color.r / 255, color.g / 255, color.b / 255)
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    lights = sorted((light(one), light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_the_settings_know_the_themes() -> None:
    assert tuple(theme.name for theme in THEME_LIST) == config.THEMES
    assert len({shown_name(name) for name in config.THEMES}) == len(config.THEMES)


@pytest.mark.parametrize("theme", [*THEME_LIST, PLAIN], ids=lambda theme: theme.name)
def test_a_theme_leaves_no_colour_out(theme: Theme) -> None:
    assert RACKO.variables.keys() <= theme.variables.keys()


@pytest.mark.parametrize("theme", TRUE, ids=lambda theme: theme.name)
def test_text_stands_out_from_its_ground(theme: Theme) -> None:
    pairs = [
        ("foreground", "background"),
        ("quiet", "background"),
        ("accent", "background"),
        ("warning", "background"),
        ("success", "background"),
        ("on-accent", "accent"),
        ("ink", "paper"),
        ("ink-quiet", "paper"),
        ("ink-red", "paper"),
        *((f"side-{side}", "background") for side in range(1, 5)),
        *((f"ink-{side}", "paper") for side in range(1, 5)),
        *((f"card{kind}-text", f"card{kind}") for kind in ("", "-good", "-bad", "-run", "-hand")),
    ]
    for front, ground in pairs:
        found = contrast(colour(theme, front), colour(theme, ground))
        wanted = 3.5 if front == "card-bad-text" else 4.0
        assert found >= wanted, f"{front} on {ground}: {found:.1f}"


@pytest.mark.parametrize("theme", TRUE, ids=lambda theme: theme.name)
def test_colours_are_those_that_256_colour_terminals_have(theme: Theme) -> None:
    cube = {0, 95, 135, 175, 215, 255}
    greys = {8 + 10 * step for step in range(24)}
    for name, value in theme.variables.items():
        if value.startswith("#"):
            r, g, b = Color.parse(value).rgb
            assert {r, g, b} <= cube or (r == g == b and r in greys), f"{name}: {value}"


def test_colour_blind_eyes_tell_the_cards_by_lightness() -> None:
    kinds = [colour(OKABE, name) for name in ("card-good", "card-bad", "card-run")]
    lightness = sorted(color.brightness for color in kinds)
    assert all(b - a > 0.1 for a, b in pairwise(lightness))


def test_sixteen_colours_are_left_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert RackoApp(Settings()).theme == TERMINAL.name
    assert RackoApp(Settings(theme="okabe")).theme == "okabe"


def test_no_color_counts_only_when_it_is_not_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert RackoApp(Settings()).theme == RACKO.name
    monkeypatch.setenv("NO_COLOR", "1")
    assert RackoApp(Settings(theme="okabe")).theme == PLAIN.name


def test_a_terminal_without_colours_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "vt220")
    assert RackoApp(Settings()).theme == PLAIN.name
