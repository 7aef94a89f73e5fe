"""Lines to fill in: up and down go from line to line, left and right change, letters are typed.

No line needs the focus of its own, so the whole form is one widget and Enter always means the
same.
"""

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
from textual.reactive import reactive
from textual.widget import Widget

from racko_core.errors import N_
from racko_net.text import beginning, ending

_MARK: Final = 2  # columns for the mark in front of a line


@dataclass(slots=True)
class Row:
    """One line of a form."""

    id: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    """What left and right go through: value, and what a person reads."""
    value: str = ""
    """One of the options; where the line is typed, the value of `options` chosen last."""
    text: str | None = None
    """What is typed; None for a line that is only chosen."""
    suggests: bool = False
    """The options are suggestions for the text, not a choice beside it."""
    placeholder: str = ""
    """Shown for an empty text."""
    length: int = 24
    """Characters that can be typed, and columns that they may take."""
    digits: bool = False
    """Whether only digits can be typed."""
    note: str = ""
    """What there is to know about it, or about what is typed; shown where there is room."""
    button: bool = False
    """A line that does something; the form says so with `Pressed`."""
    hidden: bool = False
    gap: bool = False
    """Whether an empty line stands above it, where there is room."""

    def shown(self) -> str:
        """What a person reads for the value."""
        return dict(self.options).get(self.value, self.value)

    def step(self, by: int) -> bool:
        """Go to the next option, round the ends; whether anything changed."""
        if not self.options:
            return False
        values = [value for value, _ in self.options]
        now = self.text if self.suggests else self.value
        place = values.index(now) + by if now in values else (0 if by > 0 else -1)
        value = values[place % len(values)]
        if self.suggests:
            self.text = value
        self.value = value
        return value != now


class Form(Widget, can_focus=True):
    """Lines below one another; one is marked, and keys change that one."""

    DEFAULT_CSS = """
    Form { height: auto; width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+tab", "step(-1)", N_("up"), show=False),
        Binding("down,tab", "step(1)", N_("down"), show=False),
        Binding("pageup,ctrl+home", "jump(0)", N_("first"), show=False),
        Binding("pagedown,ctrl+end", "jump(-1)", N_("last"), show=False),
        Binding("left", "change(-1)", N_("before"), show=False),
        Binding("right", "change(1)", N_("next"), show=False),
        Binding("enter", "press", N_("done"), show=False),
    ]

    marked: reactive[int] = reactive(0)

    @dataclass
    class Changed(Message):
        """A line was changed."""

        row: Row

    @dataclass
    class Marked(Message):
        """Another line is marked."""

        row: Row

    @dataclass
    class Pressed(Message):
        """Enter was pressed, or a line that does something was clicked."""

        row: Row

    def __init__(self, rows: Sequence[Row], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = list(rows)
        self._gaps = False  # whether there is room for them

    def __getitem__(self, id: str) -> Row:
        return next(row for row in self.rows if row.id == id)

    @property
    def visible_rows(self) -> list[Row]:
        """The lines that can be seen, in order."""
        return [row for row in self.rows if not row.hidden]

    @property
    def row(self) -> Row:
        """The marked line."""
        rows = self.visible_rows
        return rows[min(self.marked, len(rows) - 1)]

    def show(self) -> None:
        """Draw again after rows were changed from outside."""
        self.marked = min(self.marked, len(self.visible_rows) - 1)
        self.refresh(layout=True)

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: D102
        rows = self.visible_rows
        with_gaps = len(rows) + sum(row.gap for row in rows)
        self._gaps = with_gaps <= container.height
        return with_gaps if self._gaps else len(rows)

    @property
    def _places(self) -> list[int | None]:
        """What stands in each line: a row by its number, or nothing."""
        places: list[int | None] = []
        for number, row in enumerate(self.visible_rows):
            if row.gap and self._gaps:
                places.append(None)
            places.append(number)
        return places

    def render(self) -> Content:  # noqa: D102
        rows = self.visible_rows
        label = max((cell_len(row.label) for row in rows if not row.button), default=0)
        chosen = self._chosen(self._width - _MARK - label - 2)
        typing = self.screen.is_active  # else keys go to what lies above
        return Content("\n").join(
            Content("")
            if number is None
            else self._line(rows[number], number == self.marked, label, chosen, typing=typing)
            for number in self._places
        )

    @property
    def _width(self) -> int:
        return self.content_size.width or 80

    def _chosen(self, room: int) -> int:
        """Columns of the choices beside which something is typed, so that all of that begins in
        one column: of every choice; where that leaves too little of the `room`, of those shown;
        else 0, and it begins where its choice ends.
        """
        both = [row for row in self.visible_rows if row.text is not None and not row.suggests]
        both = [row for row in both if row.options]
        typed = max((cell_len(row.text or row.placeholder) for row in both), default=0) + 1
        every = max((cell_len(text) for row in both for _, text in row.options), default=0)
        shown = max((cell_len(row.shown()) for row in both), default=0)
        return next((each + 4 for each in (every, shown) if each + 4 + 1 + typed <= room), 0)

    def _line(self, row: Row, marked: bool, label: int, chosen: int, *, typing: bool) -> Content:
        width = self._width
        mark = ("▸ ", "$accent bold") if marked else "  "
        if row.button:
            style = "bold $on-accent on $accent" if marked else "bold $accent"
            return Content.assemble(mark, (f" {row.label} ", style)).truncate(width)
        parts: list[Content | str | tuple[str, str]] = [
            mark,
            (row.label, "bold" if marked else ""),
            " " * (label - cell_len(row.label) + 2),
        ]
        room = width - _MARK - label - 2
        if row.options and not row.suggests:
            picked = _picked(row.shown(), marked)
            parts.append(picked)
            room -= picked.cell_length
            if row.text is not None:
                gap = max(0, chosen - picked.cell_length) + 1
                parts.append(" " * gap)
                room -= gap
        if row.text is not None:
            typed = _typed(row, marked and typing, room)
            parts.append(typed)
            room -= typed.cell_length
        if row.note and room > 8 and row.text != "":
            parts += ["  ", (row.note, "$quiet")]
        line = Content.assemble(*parts).truncate(width, ellipsis=True)
        if not marked:
            return line
        return line.pad_right(max(0, width - line.cell_length)).stylize_before("on $panel")

    def watch_marked(self) -> None:
        """Keep the marked line in sight and tell who explains it."""
        if not self.is_attached:
            return
        parent = self.parent
        if isinstance(parent, Widget):
            y = self._places.index(self.marked) + self.virtual_region.y
            parent.scroll_to_region(Region(0, y, 1, 1), animate=False, force=True)
        self.post_message(self.Marked(self.row))

    # Keys and mouse

    def action_step(self, by: int) -> None:
        """Mark the next line, round the ends."""
        self.marked = (self.marked + by) % len(self.visible_rows)

    def action_jump(self, to: int) -> None:
        """Mark the first or the last line."""
        self.marked = to % len(self.visible_rows)

    def action_change(self, by: int) -> None:
        """Choose the next option of the marked line."""
        if self.row.step(by):
            self._changed()

    def action_press(self) -> None:
        """Enter."""
        self.post_message(self.Pressed(self.row))

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Changed(self.row))

    def on_key(self, event: events.Key) -> None:
        """Type into the marked line; the space bar changes a line that cannot be typed."""
        row = self.row
        if row.text is None:
            if event.key == "space":
                event.stop()
                self.action_change(1)
            return
        if event.key in ("backspace", "delete"):
            row.text = row.text[:-1]
        elif event.key == "ctrl+u":
            row.text = ""
        elif event.is_printable and event.character:
            self._type(row, event.character)
        else:
            return
        event.stop()
        self._changed()

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is typed."""
        if self.row.text is not None:
            self._type(self.row, event.text)
            event.stop()
            self._changed()

    def _type(self, row: Row, text: str) -> None:
        fits = (
            char
            for char in text
            if (char.isascii() and char.isdigit() if row.digits else char.isprintable())
        )
        row.text = beginning(((row.text or "") + "".join(fits))[: row.length], row.length)

    def on_click(self, event: events.Click) -> None:
        """A click marks a line; on the marked one, or on a button, it does what Enter would."""
        at = event.get_content_offset(self)
        number = self._places[at.y] if at is not None and at.y < len(self._places) else None
        if number is None:
            return
        before, self.marked = self.marked, number
        if self.row.button:
            self.action_press()
        elif before == number and self.row.options:
            self.action_change(1)


def _picked(text: str, marked: bool) -> Content:
    arrow = "$accent bold" if marked else "$line"
    return Content.assemble(("‹ ", arrow), (text, "bold" if marked else ""), (" ›", arrow))


def _typed(row: Row, marked: bool, room: int) -> Content:
    text = row.text or ""
    shown = (text, "bold") if text else (row.placeholder, "$quiet")
    if not marked:
        return Content.assemble(shown)
    if text:
        if cell_len(text) >= room:  # where one types has to be seen
            text = "…" + ending(text, room - 2)
        return Content.assemble((text, "bold underline"), (" ", "reverse"))
    first, rest = row.placeholder[:1], row.placeholder[1:]
    return Content.assemble((first or " ", "$quiet reverse"), (rest, "$quiet"))
