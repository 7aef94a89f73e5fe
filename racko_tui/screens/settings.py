"""Settings: every change holds at once and is saved at once."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from racko_core.errors import N_
from racko_tui import i18n
from racko_tui.config import BOT_PAUSES, NAME_LENGTH, THEMES
from racko_tui.i18n import _, sentence
from racko_tui.local.seats import own_name
from racko_tui.screens.base import RackoScreen
from racko_tui.themes import shown_name
from racko_tui.widgets.form import Form, Row
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.rack import Rack, RackState

_SAMPLE: Final = (3, 9, 10, 11, 26, 33, 21, 40, 47, 55)
"""A rack that shows every colour a card can have."""
_WITH_SAMPLE: Final = 76
"""Columns from which there is room for the sample."""
_FLAGS: Final = ("memory_aid", "digits_act", "bell", "ascii")


class SettingsScreen(RackoScreen[None]):
    """A form with a rack that shows the colours chosen."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["settings.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", N_("back"), show=False)]

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("Settings"), classes="title", id="heading", markup=False)
        with Horizontal(id="body"):
            with VerticalScroll(id="fields", can_focus=False):
                yield Form(self._rows(), id="form")
            with Vertical(id="sample"):
                yield Static(_("So it looks:"), classes="quiet", markup=False)
                yield Rack()
        yield Static(id="explained", markup=False)
        yield Static(id="said", markup=False)
        yield Hints(self._hints())

    def _hints(self) -> list[Hint]:
        return [
            ("↑↓", _("line")),
            ("←→", _("change")),
            ("⏎", _("next, or open")),
            ("Esc", _("back") if self.racko.unsaved else _("back, all is saved")),
        ]

    def _rows(self) -> list[Row]:
        settings = self.racko.settings
        languages = (("", _("as the system")), *i18n.LANGUAGES.items())
        speeds = {
            "slow": _("slow"),
            "normal": _("normal"),
            "fast": _("fast"),
            "instant": _("at once"),
        }
        motion = (("auto", _("not over SSH")), ("on", _("always")), ("off", _("never")))
        yes_no = (("no", _("no")), ("yes", _("yes")))
        rows = [
            Row(
                "name",
                _("Your name"),
                text=settings.name,
                length=NAME_LENGTH,
                placeholder=own_name(settings),
            ),
            Row(
                "theme",
                _("Colours"),
                tuple((name, shown_name(name)) for name in THEMES),
                settings.theme,
            ),
            Row("language", _("Language"), languages, settings.language),
            Row("bot_speed", _("Bots think"), tuple(speeds.items()), settings.bot_speed),
            Row("motion", _("Cards move"), motion, settings.motion),
            Row("memory_aid", _("Remember seen cards"), yes_no),
            Row("digits_act", _("Digits place at once"), yes_no),
            Row("bell", _("Bell on your turn"), yes_no),
            Row("ascii", _("Only plain letters"), yes_no),
            Row("keys", _("Keys…"), button=True),
        ]
        if not self.racko.names_itself:
            del rows[0]
        for row in rows:
            if row.id in _FLAGS:
                row.value = "yes" if getattr(settings, row.id) else "no"
        assert set(speeds) == set(BOT_PAUSES)
        return rows

    def on_mount(self) -> None:
        """Show the sample, and explain the first line."""
        self.query_one(Form).focus()
        self.query_one(Rack).show(
            RackState(
                name=own_name(self.racko.settings),
                points="25",
                cards=_SAMPLE,
                highest=60,
                mine=True,
                turn=True,
                slot=8,
                coming=50,
                scoring=frozenset({1, 5, 6}),
                run=frozenset({2, 3, 4}),
                breaks=frozenset({7}),
            )
        )
        self._explain(self.query_one(Form).row)

    def on_resize(self, event: events.Resize) -> None:
        """The sample needs room."""
        self.query_one("#sample").display = event.size.width >= _WITH_SAMPLE

    def _explain(self, row: Row) -> None:
        words = {
            "name": _("Type it; empty takes the name that the system knows you by."),
            "theme": _("Every state is shown by signs and words as well as by colour."),
            "language": _("“As the system” follows LC_ALL, LC_MESSAGES and LANG."),
            "bot_speed": _("How long a bot takes for each step, from a new or continued game on."),
            "motion": _(
                "Over SSH the line may be slow, and every movement would be sent along it."
            ),
            "memory_aid": _("Show the cards that everybody saw go into the opponents' racks."),
            "digits_act": _("A digit puts the card into its slot at once; else it only chooses."),
            "bell": _("The terminal's bell, when it is your turn."),
            "ascii": _("For terminals that show boxes or question marks instead of signs."),
            "keys": _("Give the actions at the table other keys."),
        }
        self.query_one("#explained", Static).update(words[row.id])

    def on_form_marked(self, marked: Form.Marked) -> None:
        """Explain the line."""
        self._explain(marked.row)

    async def on_form_changed(self, changed: Form.Changed) -> None:
        """Take the change over, everywhere, and save it."""
        row, settings = changed.row, self.racko.settings
        if row.id in _FLAGS:
            setattr(settings, row.id, row.value == "yes")
        elif row.id == "name":
            settings.name = (row.text or "").strip()
        else:
            setattr(settings, row.id, row.value)
        self.racko.save_settings()
        if row.id == "theme":
            self.racko.show_theme(settings.theme)
        elif row.id == "ascii":
            self.racko.show_letters()
        elif row.id == "language":
            i18n.install(settings.language or i18n.preferred())
        if row.id in ("ascii", "language"):
            await self._again(row.id)
        self._tell_saved()

    def on_screen_resume(self) -> None:
        """Changed keys may not have been saved meanwhile."""
        self._tell_saved()

    def _tell_saved(self) -> None:
        """Say that all is saved, or why it is not."""
        trouble = self.racko.unsaved
        self.query_one("#said", Static).update(sentence(trouble) if trouble else "")
        self.query_one(Hints).show(self._hints())

    async def _again(self, id: str) -> None:
        """Everything is said anew in another language or with other letters."""
        await self.recompose()
        form = self.query_one(Form)
        form.marked = [row.id for row in form.rows].index(id)
        self.on_mount()

    def on_form_pressed(self, pressed: Form.Pressed) -> None:
        """Enter opens what can be opened; anywhere else it changes the line like the right key."""
        if pressed.row.id == "keys":
            from racko_tui.screens.key_map import KeyMapScreen

            self.racko.push_screen(KeyMapScreen())
        elif pressed.row.options:
            self.query_one(Form).action_change(1)
        else:
            self.query_one(Form).action_step(1)

    def action_back(self) -> None:
        """Back home."""
        self.dismiss()
