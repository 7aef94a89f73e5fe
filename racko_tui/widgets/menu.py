"""A list of things to do: arrows and Enter, a letter, or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from racko_core.errors import N_
from racko_tui.i18n import pgettext


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a menu."""

    id: str
    key: str
    """The character that chooses it, as it is shown."""
    label: str
    note: str = ""
    """What there is to know about it."""
    why_not: str = ""
    """Why it cannot be chosen now; empty when it can."""
    also: str = ""
    """Another character that chooses it; empty if none does."""

    @classmethod
    def yes(cls, id: str, label: str, note: str = "") -> Item:
        """The answer that goes by the first letter of “yes”; the one of English does it as well."""
        return cls(id, pgettext("key for yes", "y"), label, note, also="y")

    @classmethod
    def no(cls, id: str, label: str, note: str = "") -> Item:
        """The same for “no”."""
        return cls(id, pgettext("key for no", "n"), label, note, also="n")


class Menu(Widget, can_focus=True):
    """Items below one another; one is marked."""

    DEFAULT_CSS = """
    Menu { height: auto; width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", N_("up"), show=False),
        Binding("down,j", "step(1)", N_("down"), show=False),
        Binding("home", "jump(0)", N_("first"), show=False),
        Binding("end", "jump(-1)", N_("last"), show=False),
        Binding("enter,space", "choose", N_("choose"), show=False),
    ]

    marked: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """An item was chosen."""

        item: Item

    @dataclass
    class Refused(Message):
        """An item was chosen that cannot be."""

        item: Item

    def __init__(self, items: Sequence[Item], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.items = list(items)

    def change(self, id: str, **changes: str) -> None:
        """Change what an item says."""
        self.items = [replace(item, **changes) if item.id == id else item for item in self.items]
        self.refresh(layout=True)

    def mark(self, id: str) -> None:
        """Mark an item."""
        self.marked = [item.id for item in self.items].index(id)

    def render(self) -> Content:  # noqa: D102
        label_width = max(cell_len(item.label) for item in self.items)
        return Content("\n").join(
            self._line(item, index == self.marked, label_width)
            for index, item in enumerate(self.items)
        )

    def _line(self, item: Item, marked: bool, label_width: int) -> Content:
        pad = " " * (label_width - cell_len(item.label))
        note = item.why_not or item.note
        line = Content.assemble(
            "▸ " if marked else "  ",
            (item.key, "" if marked else "$accent bold"),
            "  ",
            (item.label, "bold" if not item.why_not else ""),
            pad,
            "  ",
            (note, "" if marked else "$quiet"),
        )
        width = self.content_size.width
        if width:
            line = line.truncate(width, ellipsis=True)
        if not marked:
            return line
        line = line.pad_right(max(0, width - line.cell_length))
        return line.stylize("$on-accent on $accent" if self.has_focus else "reverse")

    def action_step(self, by: int) -> None:
        """Mark the next item, round the ends."""
        self.marked = (self.marked + by) % len(self.items)

    def action_jump(self, to: int) -> None:
        """Mark the first or the last item."""
        self.marked = to % len(self.items)

    def action_choose(self) -> None:
        """Choose the marked item."""
        item = self.items[self.marked]
        self.post_message(self.Refused(item) if item.why_not else self.Chosen(item))

    def on_key(self, event: events.Key) -> None:
        """A letter marks its item and chooses it."""
        for index, item in enumerate(self.items):
            if event.character and event.character.lower() in (item.key.lower(), item.also):
                event.stop()
                self.marked = index
                self.action_choose()
                return

    def on_click(self, event: events.Click) -> None:
        """A click does the same."""
        row = event.get_content_offset(self)
        if row is not None and row.y < len(self.items):
            self.marked = row.y
            self.action_choose()
