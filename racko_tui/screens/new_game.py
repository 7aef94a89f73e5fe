"""A new game at this keyboard: who plays, and by which rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from racko_core.bots import is_outside
from racko_core.errors import N_, RackoError
from racko_core.rules import MIN_RUNS, PRESETS, Rules
from racko_core.seating import USUAL
from racko_tui.config import COMMAND_LENGTH, NAME_LENGTH
from racko_tui.i18n import _, sentence
from racko_tui.local.drafts import FRIEND, KINDS, PROGRAM, YOU, Draft
from racko_tui.local.games import Choice
from racko_tui.local.seats import own_name
from racko_tui.phrases import trying
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.form import Form, Row
from racko_tui.widgets.hints import Hints
from racko_tui.words import (
    level_in_words,
    level_name,
    preset_in_words,
    preset_name,
    rules_in_words,
)

if TYPE_CHECKING:
    from racko_net.outside_bot.permission import Programs

_OWN: Final = "own"  # the "preset" of rules that are none
_WIDE: Final = 116  # columns from which the rules stand beside the form
_NUMBERS: Final = ("target", "max_rounds", "stalemate_turnovers")
_WORDS: Final = ("call", "scoring", "exhausted", "first_dealer")
_FLAGS: Final = ("bonus", "teams")


class NewGameScreen(RackoScreen[None]):
    """Enter starts; everything else only changes what would be started."""

    CSS_PATH = "new_game.tcss"
    BINDINGS = [Binding("escape", "back", N_("back"), show=False)]  # noqa: RUF012

    draft: Draft

    def make_draft(self) -> Draft:
        """What the form begins with: the choice of the last time."""
        remembered = self.racko.settings.last_game
        draft = Draft.from_plain(remembered) if remembered else Draft.fresh()
        self.admit(draft)
        return draft

    def admit(self, draft: Draft) -> None:
        """Change who cannot sit here."""
        for place in draft.places:
            if place.kind not in self.kinds():
                place.kind = USUAL

    def kinds(self) -> tuple[str, ...]:
        """Who can sit on a seat."""
        return KINDS if self.racko.programs is None else (*KINDS, PROGRAM)

    def words(self) -> tuple[str, str]:
        """The title of the screen, and what Enter does."""
        return _("New game"), _("start the game")

    def compose(self) -> ComposeResult:  # noqa: D102
        self.draft = self.make_draft()
        title, enter = self.words()
        yield Static(title, classes="title", id="heading", markup=False)
        with Horizontal(id="body"):
            with VerticalScroll(id="fields", can_focus=False):
                yield Form(self._rows(), id="form")
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="rules", markup=False)
        yield Static(id="said", markup=False)
        yield Hints(
            [
                ("⏎", enter),
                ("↑↓", _("line")),
                ("←→", _("change")),
                (_("letters"), _("type")),
                ("Esc", _("back")),
            ]
        )

    def on_mount(self) -> None:
        """Show what the draft says."""
        self.query_one(Form).focus()
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """The rules in words stand beside the form where there is room."""
        self.query_one("#beside").display = event.size.width >= _WIDE

    # The lines

    def _rows(self) -> list[Row]:
        none = _("none")
        kinds = tuple((kind, self.kind_name(kind)) for kind in self.kinds())
        remembered = tuple((command, "") for command in self.racko.settings.programs)
        seats = []
        for seat in range(4):
            label = _("Seat {number}").format(number=seat + 1)
            seats.append(Row(f"seat{seat}", label, kinds, text="", length=NAME_LENGTH))
            seats.append(
                Row(
                    f"command{seat}",
                    _("  its command"),
                    remembered,
                    text="",
                    suggests=True,
                    length=COMMAND_LENGTH,
                    placeholder=_("such as: python3 bot.py"),
                )
            )
        presets = (*((name, preset_name(name)) for name in PRESETS), (_OWN, _("Your own")))
        return [
            Row("players", _("Players"), tuple((str(count), str(count)) for count in (2, 3, 4))),
            *seats,
            Row("preset", _("Rules"), presets, gap=True),
            Row(
                "target",
                _("Points to win"),
                (("500", ""), ("300", ""), ("150", "")),
                text="",
                suggests=True,
                digits=True,
                length=6,
            ),
            Row(
                "call",
                _("Going out"),
                (("auto", _("by itself")), ("manual", _("when you say so"))),
            ),
            Row(
                "min_run",
                _("Run needed for it"),
                tuple(
                    (str(n), _("{count} cards").format(count=n) if n else none) for n in MIN_RUNS
                ),
            ),
            Row("bonus", _("Runs score"), yes_no()),
            Row("teams", _("Teams of two"), yes_no()),
            Row(
                "scoring",
                _("The others score"),
                (("prefix", _("up to the first break")), ("ascents", _("each card that rises"))),
            ),
            Row(
                "exhausted",
                _("Empty draw pile"),
                (("flip", _("turn the discards over")), ("shuffle", _("shuffle the discards"))),
            ),
            Row(
                "first_dealer",
                _("First dealer"),
                (("high", _("highest card")), ("low", _("lowest card"))),
            ),
            Row(
                "max_rounds",
                _("Rounds at most"),
                (("", ""), ("1", ""), ("3", ""), ("5", ""), ("10", "")),
                text="",
                suggests=True,
                digits=True,
                length=4,
                placeholder=_("no limit"),
            ),
            Row(
                "stalemate_turnovers",
                _("Turn-overs at most"),
                (("", ""), ("2", ""), ("3", ""), ("5", "")),
                text="",
                suggests=True,
                digits=True,
                length=4,
                placeholder=_("no limit"),
                note=_("then nobody goes out"),
            ),
            *self.last_rows(),
        ]

    def last_rows(self) -> list[Row]:
        """The lines below the rules."""
        return [
            Row("seed", _("Seed"), text="", length=40, placeholder=_("by chance")),
            Row("start", _("Start the game"), button=True, gap=True),
        ]

    def kind_name(self, kind: str) -> str:
        """What a person reads for who sits on a seat."""
        if kind == YOU:
            return _("you")
        if kind == FRIEND:
            return _("a friend here")
        if kind == PROGRAM:
            return _("another program")
        return _("bot, {level}").format(level=level_name(kind))

    def placeholder(self, kind: str, spare: str) -> str:
        """What stands beside a seat while no name is typed."""
        if kind == YOU:
            return own_name(self.racko.settings)
        return _("type a name") if kind == FRIEND else spare

    def _fill(self) -> None:
        """Bring the lines into line with the draft, and say whether it makes sense."""
        form, draft = self.query_one(Form), self.draft
        form["players"].value = str(draft.players)
        for seat, place in enumerate(draft.places):
            row = form[f"seat{seat}"]
            row.value, row.text = place.kind, place.name
            row.hidden = seat >= draft.players
            row.placeholder = self.placeholder(place.kind, place.spare)
            command = form[f"command{seat}"]
            command.text = place.command
            command.hidden = row.hidden or place.kind != PROGRAM
        preset = draft.preset()
        form["preset"].value = preset or _OWN
        form["preset"].note = preset_in_words(preset) if preset else ""
        for name in _WORDS:
            form[name].value = draft.rules[name]
        for name in _FLAGS:
            form[name].value = "yes" if draft.rules[name] else "no"
        form["min_run"].value = str(draft.rules["min_run"])
        for name in _NUMBERS:
            value = draft.rules[name]
            form[name].text = "" if value is None else str(value)
        self.fill_last(form)
        form.show()
        self._check()

    def fill_last(self, form: Form) -> None:
        """Bring the lines below the rules into line with the draft."""
        form["seed"].text = self.draft.seed

    def _check(self) -> None:
        """Say what is wrong, or what the rules in force are."""
        said, rules = self.query_one("#said", Static), self.query_one("#rules", Static)
        wrong = ""
        try:
            self.check()
            rules.update("\n\n".join(rules_in_words(self.draft.make_rules())))
        except RackoError as reason:
            wrong = sentence(reason)
        said.update(wrong or self._about())
        said.set_class(not wrong, "about")

    def _about(self) -> str:
        """What there is to know about the marked line."""
        row = self.query_one(Form).row
        return level_in_words(row.value) if row.id.startswith("seat") else ""

    def check(self) -> None:
        """Raise `RackoError` where the draft makes no sense."""
        self.draft.choice(self.racko.settings)

    # What the player does

    def on_form_marked(self) -> None:
        """Say something about the line."""
        self._check()

    def on_form_changed(self, changed: Form.Changed) -> None:
        """Take over what was changed."""
        row, draft = changed.row, self.draft
        if row.id == "players":
            draft.players = int(row.value)
        elif row.id.startswith("seat"):
            place = draft.places[int(row.id[4:])]
            place.kind, place.name = row.value, row.text or ""
        elif row.id.startswith("command"):
            draft.places[int(row.id[7:])].command = row.text or ""
        elif row.id == "preset":
            if row.value == _OWN:  # there is nothing to take over
                row.step(1)
            draft.set_preset(row.value)
        elif row.id in _NUMBERS:
            empty = 0 if row.id == "target" else None
            draft.rules[row.id] = int(row.text) if row.text else empty
        elif row.id in _FLAGS:
            draft.rules[row.id] = row.value == "yes"
        elif row.id == "min_run":
            draft.rules["min_run"] = int(row.value)
        elif row.id in _WORDS:
            draft.rules[row.id] = row.value
        else:
            self.take_over(row)
        if row.id in _NUMBERS or (row.text is not None and not row.id.startswith("seat")):
            self._check()  # a line in which one types stays as it was typed
        else:
            self._fill()

    def take_over(self, row: Row) -> None:
        """A line below the rules was changed."""
        self.draft.seed = row.text or ""

    def on_form_pressed(self, pressed: Form.Pressed) -> None:
        """Start, if it makes sense."""
        try:
            self.start()
        except RackoError as wrong:
            self.say(sentence(wrong))
            self.app.bell()

    def say(self, text: str, *, wrong: bool = True) -> None:
        """Say something below the form."""
        said = self.query_one("#said", Static)
        said.update(text)
        said.set_class(not wrong, "about")

    def start(self) -> None:
        """Start the game. Raises `RackoError` if it makes no sense."""
        self._start(self.draft.choice(self.racko.settings))

    @work(exclusive=True, group="start")
    async def _start(self, choice: Choice) -> None:
        try:
            levels = [seat.kind for seat in choice.seats]
            await self.try_out(levels, choice.rules, self.racko.programs)
        except RackoError as trouble:
            self.say(sentence(trouble))
            self.app.bell()
            return
        self.racko.settings.last_game = self.draft.to_plain()
        self.draft.remember_programs(self.racko.settings)
        self.racko.save_settings()
        self.dismiss()
        self.racko.play(choice)

    async def try_out(self, levels: list[str], rules: Rules, programs: Programs | None) -> None:
        """Try the programs among these bots; nothing is changed meanwhile, but one may leave.

        Raises `RackoError` for one that does not answer.
        """
        if programs is None or not any(map(is_outside, levels)):
            return
        from racko_net.outside_bot import player, seats

        form = self.query_one(Form)
        self.say(trying(), wrong=False)
        form.disabled = True
        try:
            await seats.beside(lambda: player.try_out(levels, rules, programs))
        finally:
            form.disabled = False
            if self.is_current:
                form.focus()

    def action_back(self) -> None:
        """Back home, with nothing started."""
        self.dismiss()


def yes_no() -> tuple[tuple[str, str], ...]:
    """The options of a line that is on or off."""
    return (("no", _("no")), ("yes", _("yes")))
