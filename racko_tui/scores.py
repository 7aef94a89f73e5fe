"""The scorecard of a game as values: who stands where, and what the game was like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from racko_core.events import GameEnded, RackScore, RoundEnded
from racko_core.game import Game
from racko_core.rack import Rack, longest_run, prefix, scoring_slots
from racko_core.rules import POINTS_PER_CARD, SLOTS, Rules, Seat, label
from racko_core.seating import TableInfo
from racko_core.view import View
from racko_tui.i18n import _, ngettext
from racko_tui.phrases import side_names
from racko_tui.words import players_in_words


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The rounds of one game, with the names of those who played it."""

    names: tuple[str, ...]
    """By seat."""
    rules: Rules
    sheet: tuple[RoundEnded, ...]
    result: GameEnded | None
    hints: tuple[int, ...] = ()
    """By seat, the decisions that the player had help with; empty where nobody had."""

    @classmethod
    def of_view(cls, view: View, info: TableInfo) -> Self:
        """The card of a game at a table."""
        names = tuple(chair.name for chair in info.chairs)
        hints = tuple(chair.hints for chair in info.chairs)
        return cls(names, view.rules, view.sheet, view.result, hints)

    @classmethod
    def of_game(cls, game: Game, names: tuple[str, ...], hints: tuple[int, ...] = ()) -> Self:
        """The card of a game that was replayed."""
        return cls(names, game.rules, tuple(game.sheet), game.result, hints)

    @property
    def sides(self) -> tuple[str, ...]:
        """The players, or the teams, as one calls them."""
        return tuple(side_names(self.names, self.rules))

    @property
    def totals(self) -> tuple[int, ...]:
        """By side."""
        return self.sheet[-1].totals if self.sheet else (0,) * len(self.rules.sides)

    @property
    def history(self) -> list[tuple[int, ...]]:
        """The totals by side at the start and after every round."""
        return [(0,) * len(self.rules.sides), *(ended.totals for ended in self.sheet)]


def points_of(ended: RoundEnded, seats: tuple[Seat, ...]) -> tuple[int, int]:
    """What a side scored in a round: for cards and going out, and as a bonus."""
    bonus = sum(ended.scores[seat].bonus for seat in seats)
    return sum(ended.scores[seat].points for seat in seats) - bonus, bonus


def standing(card: Scorecard) -> str:
    """Who leads, and how far the target is."""
    best = max(card.totals)
    leaders = [name for name, total in zip(card.sides, card.totals, strict=True) if total == best]
    names = players_in_words(leaders)
    if card.result is not None:
        if len(leaders) > 1:
            return _("The win is shared by {names}, with {total} points each.").format(
                names=names, total=best
            )
        return _("The game goes to {name}, with {total} points.").format(name=names, total=best)
    if not card.sheet:
        return _("No round has ended yet; {target} points win.").format(target=card.rules.target)
    left = card.rules.target - best
    if left <= 0:
        return _("Level at {total}: {names}. Another round decides.").format(
            names=names, total=best
        )
    if len(leaders) > 1:
        return _("Level at {total}: {names}, with {left} to go.").format(
            names=names, total=best, left=left
        )
    return _("In the lead: {name} with {total}, and {left} to go.").format(
        name=names, total=best, left=left
    )


def how_it_ended(ended: RoundEnded, names: tuple[str, ...]) -> str:
    """Who ended a round and how, short enough for a column."""
    if ended.went_out is None:
        return _("nobody went out")
    name, turns = names[ended.went_out], ended.turns[ended.went_out]
    if ended.how == "dealt":
        return _("{name}, dealt in order").format(name=name)
    if ended.how == "hand":
        return _("{name} called, turn {turns}").format(name=name, turns=turns)
    return _("{name}, turn {turns}").format(name=name, turns=turns)


def round_headline(ended: RoundEnded, names: tuple[str, ...]) -> str:
    """Who ended a round and how, in a sentence."""
    if ended.went_out is None:
        return _("Nobody goes out: the draw pile was renewed too often.")
    name, turns = names[ended.went_out], ended.turns[ended.went_out]
    if ended.how == "dealt":
        return _("{name} was dealt RACK-O!").format(name=name)
    return ngettext(
        "{name} has RACK-O after {count} turn!", "{name} has RACK-O after {count} turns!", turns
    ).format(name=name, count=turns)


def score_in_words(ended: RoundEnded, seat: Seat, rules: Rules) -> str:
    """Why a rack scored what it scored."""
    score, rack = ended.scores[seat], ended.racks[seat]
    text = _base_in_words(score, rack, rules)
    if score.bonus:
        first, length = longest_run(rack)
        run = " ".join(str(card) for card in rack[first - 1 : first - 1 + length])
        text += _(" + {bonus} for the run {run}").format(bonus=score.bonus, run=run)
    return text


def _base_in_words(score: RackScore, rack: Rack, rules: Rules) -> str:
    base = score.points - score.bonus
    if score.went_out:
        return _("{points}: ten cards in order, and 25 for going out").format(points=base)
    if score.cards == SLOTS:
        return _("{points}: all ten in order, but not gone out").format(points=base)
    if rules.scoring == "ascents":
        return ngettext(
            "{points}: only the front card; each other is lower than the one in front of it",
            "{points}: {count} cards, the front one and each that rises",
            score.cards,
        ).format(points=base, count=score.cards)
    broken = prefix(rack)
    return ngettext(
        "{points}: {count} card in order; {card} in slot {slot} breaks it",
        "{points}: {count} cards in order; {card} in slot {slot} breaks it",
        score.cards,
    ).format(points=base, count=score.cards, card=rack[broken], slot=label(broken + 1))


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player did in a whole game."""

    rackos: int
    """Rounds ended by going out."""
    average: float
    """Points in a round, bonuses included."""
    best: int
    """Points of the best round."""
    fastest: int | None
    """Turns of the quickest RACK-O; None for none."""
    run: int
    """Length of the longest run in a rack at the end of a round; 1 is no run."""
    hints: int
    """Decisions that the player had help with."""


def tally(card: Scorecard, seat: Seat) -> Tally:
    """The game of one player; there must be a round."""
    points = [ended.scores[seat].points for ended in card.sheet]
    mine = [ended.turns[seat] for ended in card.sheet if ended.went_out == seat]
    return Tally(
        rackos=len(mine),
        average=sum(points) / len(points),
        best=max(points),
        fastest=min(mine, default=None),
        run=max(longest_run(ended.racks[seat])[1] for ended in card.sheet),
        hints=card.hints[seat] if card.hints else 0,
    )


def counted(score: RackScore, rack: Rack, rules: Rules) -> list[int]:
    """The points that each slot adds, slot 1 first; without going out and bonus."""
    slots = range(1, SLOTS + 1)
    counts = slots if score.went_out else scoring_slots(rack, rules)
    return [POINTS_PER_CARD * (slot in counts) for slot in slots]
