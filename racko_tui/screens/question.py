"""A question with a few answers, or one line to type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from racko_core.errors import N_, RackoError
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.widgets.hints import Hints
from racko_tui.widgets.menu import Item, Menu


class QuestionScreen(ModalScreen[str | None]):
    """Asks; the result is the id of the answer, None for Escape."""

    CSS_PATH = "question.tcss"
    BINDINGS = [  # noqa: RUF012
        Binding("escape", "nothing", N_("back"), show=False),
        Binding("pageup", "scroll(-1)", N_("up"), show=False),
        Binding("pagedown", "scroll(1)", N_("down"), show=False),
    ]

    def __init__(self, title: str, text: str, answers: Sequence[Item]) -> None:
        super().__init__(classes="question")
        self.heading = title
        self.text = text
        self.answers = list(answers)

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(self.heading, classes="title", markup=False)
            if self.text:
                with VerticalScroll(id="text", can_focus=False):
                    yield Static(self.text, markup=False)
            yield Menu(self.answers, id="answers")

    def on_menu_chosen(self, chosen: Menu.Chosen) -> None:
        """Answer."""
        self.dismiss(chosen.item.id)

    def action_nothing(self) -> None:
        """Escape changes nothing."""
        self.dismiss(None)

    def action_scroll(self, pages: int) -> None:
        """Read on in a text that is longer than the terminal is high."""
        for text in self.query("#text"):
            text.scroll_relative(y=pages * text.size.height, animate=False)


class ReplaceScreen(QuestionScreen):
    """Asks whether a game goes on without programs that do not answer: "replace" if it does."""

    def __init__(self, failed: Mapping[str, RackoError]) -> None:
        note = ngettext(
            "a novice plays in its place, for good",
            "novices play in their places, for good",
            len(failed),
        )
        super().__init__(
            ngettext("A program does not answer", "Programs do not answer", len(failed)),
            "\n".join(map(sentence, failed.values())),
            [
                Item.no("wait", _("Wait"), _("the game stays as it was left")),
                Item.yes("replace", _("Go on"), note),
            ],
        )


class NoticeScreen(ModalScreen[None]):
    """Says something that has to be read before one goes on."""

    CSS_PATH = "question.tcss"
    BINDINGS = [Binding("enter,escape,space", "close", N_("go on"), show=False)]  # noqa: RUF012

    def __init__(self, title: str, text: str) -> None:
        super().__init__(classes="question")
        self.heading = title
        self.text = text

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(self.heading, classes="title", markup=False)
            yield Static(self.text, markup=False)
            yield Hints([("⏎", _("go on"))])

    def action_close(self) -> None:
        """It was read."""
        self.dismiss(None)


class LineScreen(ModalScreen[str | None]):
    """Asks for one line; the result is None for Escape."""

    CSS_PATH = "question.tcss"
    BINDINGS = [Binding("escape", "nothing", N_("back"), show=False)]  # noqa: RUF012

    def __init__(self, title: str, text: str = "", *, secret: bool = False) -> None:
        super().__init__(classes="question")
        self.heading = title
        self.text = text
        self.secret = secret

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="box"):
            yield Static(self.heading, classes="title", markup=False)
            if self.text:
                yield Static(self.text, markup=False)
            yield Input(password=self.secret, compact=True, id="line", max_length=200)
            yield Hints([("⏎", _("go on")), ("Esc", _("back"))])

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """That is the line."""
        self.dismiss(submitted.value)

    def action_nothing(self) -> None:
        """Escape changes nothing."""
        self.dismiss(None)
