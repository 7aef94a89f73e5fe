"""What a player has done in all games, in figures."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from racko_core.errors import N_
from racko_net.text import filled, width
from racko_tui.career import Career
from racko_tui.i18n import _, decimal, ngettext
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.hints import Hints


class CareerScreen(RackoScreen[None]):
    """A few lines on paper."""

    CSS_PATH = "career.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space", "close", N_("back"), show=False),
    ]

    def __init__(self, name: str, career: Career) -> None:
        super().__init__()
        self._player = name
        self.career = career

    def compose(self) -> ComposeResult:  # noqa: D102
        with Vertical(id="paper"):
            title = _("The games of {name}").format(name=self._player)
            yield Static(title, id="heading", markup=False)
            yield Static(self._figures(), id="figures")
        yield Hints([("Esc", _("back"))])

    def _figures(self) -> Content:
        rows = rows_of(self.career)
        wide = max(width(label) for label, _value in rows) + 2
        return Content("\n").join(
            Content.assemble(filled(label, wide), (value, "bold")) for label, value in rows
        )

    def action_close(self) -> None:
        """Back."""
        self.dismiss()


def rows_of(career: Career) -> list[tuple[str, str]]:
    """The figures and what they are; one sentence before the first game."""
    if not career.played:
        return [(_("The first game that you play to its end is counted here."), "")]
    rows = [
        (_("With {players} players").format(players=players), _games(count, career.won[players]))
        for players, count in sorted(career.games.items())
    ]
    rows += [
        (_("Rounds"), str(career.rounds)),
        (_("Rounds ended with RACK-O"), _share(career.rackos, career.rounds)),
        (_("Points a round"), decimal(f"{career.points / max(1, career.rounds):.1f}")),
        (_("Best round"), str(career.best)),
        (_("Fastest RACK-O, in turns"), str(career.fastest or "–")),
        (_("Longest run"), str(career.run) if career.run > 1 else "–"),
    ]
    if career.hints:
        rows.append((_("Hints"), str(career.hints)))
    return rows


def in_short(career: Career) -> str:
    """All games in a few words."""
    if not career.played:
        return _("none has been played to its end yet")
    return _games(career.played, career.victories)


def _games(played: int, won: int) -> str:
    games = ngettext("{count} game", "{count} games", played).format(count=played)
    return _("{games}, won {won}").format(games=games, won=_share(won, played))


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / max(1, whole):.0%})"
