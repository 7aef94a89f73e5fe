"""Style sheets that are parsed once: shared, complete, and each theme with its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.screen import Screen
from textual.widgets import Static

from racko_tui.app import RackoApp
from racko_tui.config import Settings
from racko_tui.screens.help import HelpScreen
from racko_tui.stylesheet import SharedStylesheet

RED, BLUE = {"mark": "#ff0000"}, {"mark": "#0000ff"}


def sheet(*sources: str, variables: dict[str, str]) -> SharedStylesheet:
    made = SharedStylesheet(variables=variables)
    for source in sources:
        made.add_source(source)
    return made


class Marked(App[None]):
    """An app with a kind of style sheet."""

    CSS = "#mark { color: $mark; height: 3; } Static { color: white; width: 9; }"

    def __init__(self, kind: type[Stylesheet]) -> None:
        super().__init__()
        self.stylesheet = kind(variables=self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return RED

    def compose(self) -> ComposeResult:
        yield Static("", id="mark")


def test_what_one_has_parsed_the_next_does_not_parse_again() -> None:
    css = "#mark { color: $mark; }"
    one, other = sheet(css, variables=RED), sheet(css, variables=dict(RED))
    assert one.rules[0] is other.rules[0]
    assert one.rules_map is other.rules_map
    assert one.parse_style("bold red") is other.parse_style("bold red")


def test_every_theme_has_its_own_rules() -> None:
    one, other = (sheet("#mark { color: $mark; }", variables=theme) for theme in (RED, BLUE))
    assert [made.rules[0].styles.color.hex for made in (one, other)] == ["#FF0000", "#0000FF"]
    one.set_variables(BLUE)
    one.reparse()
    assert one.rules[0] is other.rules[0]


def test_the_order_of_sources_counts() -> None:
    above, below = "#mark { color: $mark; }", "#mark { color: white; }"
    one = sheet(above, below, variables=RED)
    other = sheet(below, above, variables=RED)
    assert one.rules == list(reversed(other.rules))


def test_a_source_that_comes_later_is_added_to_the_rest() -> None:
    made = sheet("#mark { color: $mark; }", variables=RED)
    before = made.rules
    made.add_source(".more { color: $mark; }")
    assert len(made.rules) == 2
    assert ".more" in made.rules_map
    assert len(before) == 1, "others share it"


def test_a_mistake_is_told_each_time_and_leaves_the_rules_as_they_were() -> None:
    for _ in range(2):
        made = sheet("#mark { color: $mark; }", variables=RED)
        made.parse()
        made.add_source("#mark { colour: red; }")
        with pytest.raises(StylesheetParseError):
            made.parse()
        assert len(made._rules) == 1


async def test_widgets_look_as_with_a_sheet_of_their_own() -> None:
    looks = []
    for kind in (Stylesheet, SharedStylesheet, SharedStylesheet):
        app = Marked(kind)
        async with app.run_test():
            looks.append(app.query_one("#mark").styles.css)
    assert looks[0] == looks[1] == looks[2]
    assert "color: #FF0000" in looks[0]


async def test_a_screen_that_is_opened_again_brings_nothing_new(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RACKO_HOME", str(tmp_path))
    app = RackoApp(Settings())
    async with app.run_test() as pilot:
        await app.push_screen(HelpScreen(app.screen))
        await pilot.pause()
        rules = app.stylesheet.rules
        await app.pop_screen()
        updates = 0

        def count(self: Stylesheet, root: object, animate: bool = False) -> None:
            nonlocal updates
            updates += isinstance(root, App | Screen)

        monkeypatch.setattr(Stylesheet, "update", count)
        await app.push_screen(HelpScreen(app.screen))
        await pilot.pause()
        assert app.stylesheet.rules is rules
        assert updates == 0
