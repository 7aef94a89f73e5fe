"""A list in columns: one line is marked, and Enter, a click or a screen's keys act on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from racko_core.errors import N_
from racko_net.text import cut

_GAP: Final = 2
_LEAST: Final = 4
"""Columns that a cell keeps when others need room."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list."""

    id: str
    cells: tuple[str, ...]
    """By column; every entry of a list has as many."""
    style: str = ""
    """A style for the whole line while it is not marked."""


class Listing(Widget, can_focus=True):
    """Entries below one another, their columns aligned; the one that is marked stays marked when
    the list changes.
    """

    DEFAULT_CSS = """
    Listing { height: auto; width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", N_("up"), show=False),
        Binding("down,j", "step(1)", N_("down"), show=False),
        Binding("home,pageup", "jump(0)", N_("first"), show=False),
        Binding("end,pagedown", "jump(-1)", N_("last"), show=False),
        Binding("enter", "choose", N_("choose"), show=False),
    ]

    @dataclass
    class Chosen(Message):
        """Enter on an entry, or a click on the marked one."""

        entry: Entry

    @dataclass
    class Marked(Message):
        """Another entry is marked, or the marked one has changed."""

        entry: Entry | None

    def __init__(self, *, id: str | None = None, gives: Sequence[int] = (1,)) -> None:
        """`gives`: the columns that give way where there is little room, the first one first."""
        super().__init__(id=id)
        self.entries: list[Entry] = []
        self._gives = gives
        self._marked = 0

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these from now on."""
        entries = list(entries)
        if entries == self.entries:
            return
        before = self.entry
        height = len(self.entries)
        self.entries = entries
        ids = [entry.id for entry in entries]
        if before is not None and before.id in ids:
            self._marked = ids.index(before.id)
        self._marked = max(0, min(self._marked, len(entries) - 1))
        self.refresh(layout=height != len(entries))
        self.post_message(self.Marked(self.entry))

    @property
    def entry(self) -> Entry | None:
        """The marked entry; None for an empty list."""
        return self.entries[self._marked] if self.entries else None

    def mark(self, id: str) -> None:
        """Mark an entry."""
        self._mark([entry.id for entry in self.entries].index(id))

    def _mark(self, index: int) -> None:
        if not self.entries:
            return
        self._marked = index % len(self.entries)
        self.refresh()
        parent = self.parent
        if isinstance(parent, Widget):
            y = self._marked + self.virtual_region.y
            parent.scroll_to_region(Region(0, y, 1, 1), animate=False, force=True)
        self.post_message(self.Marked(self.entry))

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        return max(1, len(self.entries))

    def render(self) -> Content:  # noqa: D102
        if not self.entries:
            return Content("")
        width = self.content_size.width
        columns = self._columns(width - 2)
        return Content("\n").join(
            self._line(entry, index == self._marked, columns, width)
            for index, entry in enumerate(self.entries)
        )

    def _columns(self, width: int) -> list[int]:
        """The width of every column."""
        columns = [
            max(cell_len(cell) for cell in column)
            for column in zip(*(entry.cells for entry in self.entries), strict=True)
        ]
        over = sum(columns) + _GAP * (len(columns) - 1) - width
        for at in self._gives:
            less = max(0, min(over, columns[at] - _LEAST))
            columns[at] -= less
            over -= less
        return columns

    def _line(self, entry: Entry, marked: bool, columns: list[int], width: int) -> Content:
        text = (" " * _GAP).join(
            _fitted(cell, column) for cell, column in zip(entry.cells, columns, strict=True)
        )
        line = Content.assemble("▸ " if marked else "  ", text).truncate(width)
        if not marked:
            return line.stylize(entry.style) if entry.style else line
        line = line.pad_right(max(0, width - line.cell_length))
        return line.stylize("$on-accent on $accent" if self.has_focus else "reverse")

    # Keys and mouse

    def action_step(self, by: int) -> None:
        """Mark the next entry, round the ends."""
        self._mark(self._marked + by)

    def action_jump(self, to: int) -> None:
        """Mark the first or the last entry."""
        self._mark(to)

    def action_choose(self) -> None:
        """Choose the marked entry."""
        if self.entry is not None:
            self.post_message(self.Chosen(self.entry))

    def on_click(self, event: events.Click) -> None:
        """A click marks an entry; one on the marked entry chooses it."""
        place = event.get_content_offset(self)
        if place is None or place.y >= len(self.entries):
            return
        if place.y == self._marked:
            self.action_choose()
        else:
            self._mark(place.y)


def _fitted(text: str, width: int) -> str:
    text = cut(text, width)
    return text + " " * (width - cell_len(text))
