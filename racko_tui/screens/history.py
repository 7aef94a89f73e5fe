"""The games that have been played: results, scorecards, and records to take away."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from racko_core.errors import N_, RackoError
from racko_core.record import read
from racko_net.archive import hints_in
from racko_net.store import SavedGame
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.local.games import export
from racko_tui.phrases import side_names
from racko_tui.scores import Scorecard
from racko_tui.screens.base import RackoScreen
from racko_tui.screens.scorecard import CardScreen
from racko_tui.widgets.hints import Hint, Hints

if TYPE_CHECKING:
    from racko_tui.app import RackoApp
    from racko_tui.tutor import Played


class HistoryScreen(RackoScreen[None]):
    """Finished games, the newest first."""

    CSS_PATH = "history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", N_("back"), show=False),
        Binding("a", "analyse", N_("analysis"), show=False),
        Binding("e", "export", N_("save the record"), show=False),
        Binding("j", "app.simulate_key('down')", N_("down"), show=False),
        Binding("k", "app.simulate_key('up')", N_("up"), show=False),
    ]

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(_("Games"), classes="title", id="heading", markup=False)
        yield OptionList(id="games")
        yield Static(id="said", markup=False)
        export = [("e", _("save the record"))] if self.racko.owns_machine else []
        yield Hints(
            [
                ("⏎", _("scorecard")),
                ("a", _("analysis")),
                *export,
                ("↑↓", _("choose")),
                ("Esc", _("back")),
            ]
        )

    def on_mount(self) -> None:
        """Read what there is."""
        self.games: list[SavedGame] = []
        try:
            self.games = self.racko.games.finished()
        except RackoError as trouble:
            self._say(sentence(trouble), wrong=True)
        games = self.query_one(OptionList)
        games.add_options([Option(_line(game)) for game in self.games])
        if self.games:
            games.highlighted = 0
        elif not self.query_one("#said", Static).content:
            self._say(_("No game has been finished yet; when one is, its scorecard is kept here."))
        games.focus()

    def on_option_list_option_selected(self, selected: OptionList.OptionSelected) -> None:
        """Show the scorecard."""
        from racko_tui.tutor import Played

        game = self.games[selected.option_index]
        try:
            record = read(game.record)
            names = tuple(seat.name for seat in record.seats)
            card = Scorecard.of_game(record.replay(), names, hints_in(record))
        except RackoError as damaged:
            self._say(sentence(damaged), wrong=True)
            return
        self._say("")
        self.racko.push_screen(PastCardScreen(card, Played.in_record(record), game.record))

    def action_export(self) -> None:
        """Write the record of the marked game to a file."""
        marked = self.query_one(OptionList).highlighted
        if marked is not None:
            self._say(*written(self.racko, self.games[marked].record))

    def action_analyse(self) -> None:
        """Look back on the marked game with the coach."""
        marked = self.query_one(OptionList).highlighted
        if marked is not None:
            from racko_tui.tutor import Played

            self._say("")
            try:
                played = Played.in_record(read(self.games[marked].record))
            except RackoError as damaged:
                self._say(sentence(damaged), wrong=True)
                return
            from racko_tui.screens.analysis import AnalysisScreen

            self.racko.push_screen(AnalysisScreen(played))

    def action_back(self) -> None:
        """Back home."""
        self.dismiss()

    def _say(self, text: str, wrong: bool = False) -> None:
        said = self.query_one("#said", Static)
        said.set_class(wrong, "-wrong")
        said.update(text)


class PastCardScreen(CardScreen):
    """The scorecard of a game that is over."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "export", N_("save the record"), show=False),
    ]

    def __init__(self, card: Scorecard, played: Played, record: str) -> None:
        super().__init__(card, played)
        self.record = record

    def hints(self) -> list[Hint]:  # noqa: D102
        export = [("e", _("save the record"))] if self.racko.owns_machine else []
        return [("⏎", _("back")), *super().hints()[1:], *export]

    def action_export(self) -> None:
        """Write the record to a file."""
        self.query_one("#standing", Static).update(written(self.racko, self.record)[0])


def written(app: RackoApp, record: str) -> tuple[str, bool]:
    """Write a record into the folder one is in: what to say, and whether it went wrong."""
    if not app.owns_machine:
        return f"{_('Record')}: {_('the host keeps it')}.", True
    try:
        path = export(record, Path.cwd())
    except RackoError as trouble:
        return sentence(trouble), True
    except OSError as gone:  # the folder one is in was removed
        return str(gone), True
    return _("The record is in {path}.").format(path=path), False


def _line(game: SavedGame) -> Content:
    """One game in a line."""
    day = datetime.fromtimestamp(game.ended).strftime("%Y-%m-%d %H:%M")
    try:
        record = read(game.record)
        totals = _numbers(game.record, "totals")
        won = _numbers(game.record, "won")
    except RackoError:
        return Content.assemble(day, "  ", (_("a damaged record"), "italic"))
    names = side_names([seat.name for seat in record.seats], record.rules)
    parts: list[str | tuple[str, str]] = [day, "  "]
    for side, (name, total) in enumerate(zip(names, totals, strict=False)):
        parts += [
            ", " if side else "",
            (f"{name} {total}", "bold" if side in won else ""),
            " ★" if side in won else "",
        ]
    rounds = len(record.rounds)
    count = ngettext("{count} round", "{count} rounds", rounds).format(count=rounds)
    parts.append(f"  {count}")
    return Content.assemble(*parts)


def _numbers(record: str, word: str) -> list[int]:
    """The numbers of the last line of a record that begins with `word`."""
    for line in reversed(record.splitlines()):
        if line.startswith(f"{word} "):
            return [int(number) for number in line.split()[1:]]
    return []
