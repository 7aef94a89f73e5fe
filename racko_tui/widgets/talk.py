"""The line in which one says something to the others at the table."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from racko_core.errors import N_
from racko_net.text import MAX_CHAT
from racko_tui.i18n import _
from racko_tui.table.talk import PHRASES

_USUAL: Final = 24
"""Rows from which there is room for all phrases."""
_HEARD: Final = 50


class TalkLine(Vertical):
    """A line to type in; while it is empty, a digit says a phrase."""

    DEFAULT_CSS = """
    TalkLine { height: auto; padding: 0 1; }
    TalkLine #phrases { height: auto; color: $quiet; }
    TalkLine Input { background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "shut", N_("back"), show=False),
    ]

    @dataclass
    class Say(Message):
        """Something is to be said."""

        text: str

    class Shut(Message):
        """Nothing is to be said after all."""

    def __init__(self, keys: str) -> None:
        """`keys`: what opens the line, as Textual writes it, with commas between."""
        super().__init__(id="talk")
        self._opens = keys.split(",")
        self._kept: deque[str] = deque()  # words that could not be said

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(id="phrases")
        yield _Line()

    def on_resize(self, event: events.Resize) -> None:
        """As many phrases as there is room for."""
        lines = _phrases(event.size.width - 2)
        most = 1 if self.app.size.height < _USUAL else len(lines)
        self.query_one("#phrases", Static).update(Content("\n").join(lines[:most]))

    def open(self) -> None:
        """Begin to type, or have the words back that are kept: the oldest, one each time."""
        self.display = True
        self.screen.set_focus(self.query_one(_Line))
        self._bring_back()

    def catch(self, event: events.Key) -> bool:
        """Whether a key that the screen was given is for the line; then it is taken.

        The screen asks before it does anything else: whoever types fast, or over a slow line, has
        typed the first words before the line has the focus.
        """
        line = self.query_one(_Line)
        if not self.display:
            if event.key in self._opens:
                self.open()
            else:
                return False
        elif event in line.heard:
            return False
        else:
            again = events.Key(event.key, event.character).set_sender(self.app)
            line._forward_event(again)  # as the application does for the widget with the focus
        event.stop()
        event.prevent_default()
        return True

    def shut(self) -> None:
        """Be gone, with nothing left in the line."""
        line = self.query_one(_Line)
        line.value = ""
        if self.screen.focused is line:
            self.screen.set_focus(None)
        self.display = False

    def keep(self, text: str) -> None:
        """Have words again that could not be said: in the line where that is open and empty, or
        else when it is opened the next time; what is being typed there comes first.
        """
        self._kept.append(text)
        if self.display:
            self._bring_back()

    def _bring_back(self) -> None:
        line = self.query_one(_Line)
        if self._kept and not line.value:
            line.value = self._kept.popleft()
            line.cursor_position = len(line.value)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Say it."""
        submitted.stop()
        text = submitted.value.strip()
        self.post_message(self.Say(text) if text else self.Shut())

    def action_shut(self) -> None:
        """Escape says nothing."""
        self.post_message(self.Shut())


class _Line(Input):
    def __init__(self) -> None:
        super().__init__(
            compact=True,
            max_length=MAX_CHAT,
            placeholder=_("say something, or press 1 to 9"),
            id="line",
        )
        self.heard: deque[events.Key] = deque(maxlen=_HEARD)
        """The keys that came here; the screen gets what is left over."""

    def on_key(self, event: events.Key) -> None:
        """A digit in the empty line says a phrase."""
        self.heard.append(event)
        if not self.value and event.character in tuple("123456789"):
            event.stop()
            event.prevent_default()
            self.post_message(TalkLine.Say(PHRASES[int(event.character) - 1]))


def _phrases(width: int) -> list[Content]:
    """The phrases with their digits, in lines."""
    lines: list[Content] = []
    for number, phrase in enumerate(PHRASES, 1):
        part = Content.assemble((str(number), "$accent bold"), " ", _(phrase))
        if lines and lines[-1].cell_length + 2 + part.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], "  ", part)
        else:
            lines.append(part)
    return lines
