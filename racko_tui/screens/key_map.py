"""The keys of the table, and how to change them."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from racko_core.errors import N_, RackoError
from racko_core.rules import label
from racko_tui import keys
from racko_tui.i18n import _, sentence
from racko_tui.keys import Bound
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hint, Hints

_ALWAYS_FREE = ("escape",)  # keys that end the asking


class KeyMapScreen(RackoScreen[None]):
    """Enter, then the new key."""

    CSS_PATH = "key_map.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", N_("back"), show=False),
        Binding("backspace,delete", "reset", N_("its own key again"), show=False),
        Binding("ctrl+r", "reset_all", N_("all as they were"), show=False),
    ]

    _asking: Bound | None = None

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("Keys at the table"), classes="title", id="heading", markup=False)
        yield OptionList(id="keys")
        yield Static(id="said", markup=False)
        yield Hints(self._hints())

    def _hints(self) -> list[Hint]:
        if self._asking is not None:
            return [(_("a key"), _("take it")), ("Esc", _("leave it as it is"))]
        return [
            ("⏎", _("another key")),
            (keys.shown("backspace"), _("its own key again")),
            (keys.shown("ctrl+r"), _("all as they were")),
            ("Esc", _("back")),
        ]

    def on_mount(self) -> None:
        """Show the keys."""
        self._fill(0)

    @property
    def bound(self) -> list[Bound]:
        """What can be changed, with the keys it has now."""
        screen = keys.changeable()
        return [one for one in keys.of_screen(screen, self.racko.settings.keys) if one.id]

    def _fill(self, marked: int) -> None:
        bound = self.bound
        wide = max(cell_len(keys.shown(one.keys)) for one in bound) + 2
        options = self.query_one(OptionList)
        options.clear_options()
        for one in bound:
            name = keys.shown(one.keys)
            own = "" if one.id not in self.racko.settings.keys else _("changed")
            options.add_option(
                Option(
                    Content.assemble(
                        (name, "bold"), " " * (wide - cell_len(name)), _what(one), "  ", own
                    )
                )
            )
        options.highlighted = marked
        options.focus()
        self.query_one(Hints).show(self._hints())

    # Asking for a key

    def on_option_list_option_selected(self, selected: OptionList.OptionSelected) -> None:
        """Ask for the new key."""
        self._asking = self.bound[selected.option_index]
        self.set_focus(None)
        self._say(_("Press the new key for “{word}”.").format(word=_(self._asking.word)))
        self.query_one(Hints).show(self._hints())

    def on_key(self, event: events.Key) -> None:
        """Take the key that was asked for."""
        asking = self._asking
        if asking is None:
            return
        event.stop()
        event.prevent_default()
        if event.key in _ALWAYS_FREE:
            self._asked("")
            return
        try:
            keys.check_free(event.key, asking.id, self.bound)
        except RackoError as taken:
            self._say(sentence(taken), wrong=True)
            return
        self.racko.settings.keys[asking.id] = event.key
        self._asked(
            _("“{word}” is {key} now.").format(word=_(asking.word), key=keys.shown(event.key))
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a key is asked for, keys do nothing of their own."""
        return self._asking is None

    def _asked(self, text: str) -> None:
        assert self._asking is not None
        place = [one.id for one in self.bound].index(self._asking.id)
        self._asking = None
        self._apply(text, place)

    def _apply(self, text: str, marked: int) -> None:
        self.racko.set_keymap(self.racko.settings.keys)
        trouble = self.racko.save_settings()
        self._say(sentence(trouble) if trouble else text, wrong=trouble is not None)
        self._fill(marked)

    def action_reset(self) -> None:
        """Give the marked action its own key again."""
        marked = self.query_one(OptionList).highlighted or 0
        one = self.bound[marked]
        changed = self.racko.settings.keys
        before = changed.pop(one.id, None)
        if before is None:
            return
        own = self.bound[marked]
        try:
            for key in own.keys.split(","):
                keys.check_free(key, own.id, self.bound)
        except RackoError as taken:
            changed[one.id] = before
            self._say(sentence(taken), wrong=True)
            return
        self._apply(
            _("“{word}” is {key} again.").format(word=_(own.word), key=keys.shown(own.keys)), marked
        )

    def action_reset_all(self) -> None:
        """Give every action its own key again."""
        self.racko.settings.keys.clear()
        self._apply(_("All keys are as they were."), self.query_one(OptionList).highlighted or 0)

    def action_back(self) -> None:
        """Back to the settings."""
        self.dismiss()

    def _say(self, text: str, wrong: bool = False) -> None:
        said = self.query_one("#said", Static)
        said.set_class(wrong, "-wrong")
        said.update(text)


def _what(one: Bound) -> str:
    """What a key does; of the ten for slots, each names its own."""
    _table, _dash, number = one.id.partition("table.slot-")
    if number:
        return _("Choose slot {slot}.").format(slot=label(int(number)))
    return _(one.tooltip)
