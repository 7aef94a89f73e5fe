"""Help: the keys of the screen one came from, and the rules in force in plain words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from racko_core.errors import N_
from racko_core.rules import Rules
from racko_tui import keys
from racko_tui.glyphs import glyphs
from racko_tui.i18n import _
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints
from racko_tui.words import preset_name, preset_of, rules_in_words

if TYPE_CHECKING:
    from racko_tui.keys import Bound


class HelpScreen(RackoScreen[None]):
    """Keys first, for who is stuck; then the rules, for who has time."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,space", "close", N_("back"), show=False),
        Binding("up,k", "scroll(-1)", N_("up"), show=False),
        Binding("down,j", "scroll(1)", N_("down"), show=False),
        Binding("pageup", "scroll(-12)", N_("up"), show=False),
        Binding("pagedown", "scroll(12)", N_("down"), show=False),
        Binding("home", "scroll(-9999)", N_("first"), show=False),
        Binding("end", "scroll(9999)", N_("last"), show=False),
    ]

    def __init__(
        self, screen: Screen[Any], rules: Rules | None = None, figures: Sequence[str] = ()
    ) -> None:
        """`figures`: sentences on what the figures of the screen mean."""
        super().__init__()
        self._of = type(screen)
        self._idle = screen.IDLE if isinstance(screen, RackoScreen) else frozenset()
        self.rules = rules or Rules()
        self._figures = figures

    def compose(self) -> ComposeResult:  # noqa: D102
        every = keys.of_screen(self._of, self.racko.settings.keys)
        bound = [one for one in every if one.id and one.id not in self._idle]
        with VerticalScroll(id="text", can_focus=False):
            if bound:
                yield Static(_("Keys"), classes="title", markup=False)
                yield Pairs(self._keys(bound), id="keys")
                if self._figures:
                    yield Static(_("What the figures mean"), classes="title", markup=False)
                    yield Static("\n".join(self._figures), classes="paragraph", markup=False)
                yield Static(_("Marks beside a rack"), classes="title", markup=False)
                yield Pairs(self._marks(), id="marks")
            yield Static(self._rules_title(), classes="title", markup=False)
            for paragraph in rules_in_words(self.rules):
                yield Static(paragraph, classes="paragraph", markup=False)
            if not bound:
                yield Static(_("Keys"), classes="title", markup=False)
                yield Static(_everywhere(), classes="paragraph", markup=False)
        yield Hints([("↑↓", _("scroll")), ("Esc", _("back"))])

    @staticmethod
    def _keys(bound: list[Bound]) -> list[tuple[str, str]]:
        return [(_names(one.keys), _(one.tooltip)) for one in keys.together(bound)]

    def _marks(self) -> list[tuple[str, str]]:
        """What a rack shows besides its numbers."""
        show = glyphs(self.racko.ascii_only)
        marks = [
            (show.breaks, _("This card is out of place and has to go.")),
            (show.tick, _("Here the card would stand if all ten were spread evenly.")),
            (show.scores, _("This card scores if somebody else goes out.")),
            (show.run, _("This card belongs to the longest run.")),
            ("00".join(show.coming), _("This card would come into the slot.")),
            ("00".join(show.leaving), _("This card would leave the slot.")),
            (show.cursor, _("It is this player's turn, or this slot is chosen.")),
            (show.hint, _("The hint means this slot.")),
            (show.last, _("This slot was changed last.")),
        ]
        if not (self.rules.bonus or self.rules.min_run):
            del marks[3]
        return marks

    def _rules_title(self) -> str:
        preset = preset_of(self.rules)
        name = preset_name(preset) if preset else _("rules of your own")
        return _("The rules in force: {preset}").format(preset=name)

    def action_scroll(self, by: int) -> None:
        """Move the text."""
        self.query_one("#text").scroll_relative(y=by, animate=False)

    def action_close(self) -> None:
        """Back."""
        self.dismiss()


class Pairs(Widget):
    """Keys or marks in one column, what they do or mean in the next."""

    def __init__(self, rows: Sequence[tuple[str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        return len(self._lines(width))

    def render(self) -> Content:  # noqa: D102
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        """A meaning goes on below itself, not below the names."""
        column = 2 + min(20, max(cell_len(name) for name, _meaning in self.rows))
        lines = []
        for name, meaning in self.rows:
            pad = max(2, column - cell_len(name))
            first = " " * (cell_len(name) + pad)
            told = textwrap.wrap(
                first + meaning, max(width, column + 8), subsequent_indent=" " * column
            )
            lines.append(Content.assemble((name, "bold $accent"), told[0][cell_len(name) :]))
            lines += map(Content, told[1:])
        return lines


def _names(keys_of_one: str) -> str:
    """The keys by their names; of many the first and the last."""
    each = keys_of_one.split(",")
    if len(each) > 3:
        return f"{keys.shown(each[0])} … {keys.shown(each[-1])}"
    return keys.shown(keys_of_one)


def _everywhere() -> str:
    return _(
        "In menus and forms: up and down to choose a line, left and right to change it, Enter to"
        " do it, Esc to go back. The letter beside an entry chooses it. At the table the last"
        " line always shows what can be pressed; the question mark explains every key. Ctrl+C"
        " leaves the program, from a game only after asking."
    )
