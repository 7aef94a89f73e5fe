"""What happened, in sentences: everything that a colour or a movement shows is said here too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from racko_core.errors import RackoError
from racko_core.events import (
    DealerDrawn,
    Dealt,
    Discarded,
    Drew,
    GameEnded,
    Placed,
    Renewed,
    RoundEnded,
    RoundStarted,
    TurnStarted,
)
from racko_core.order import strays
from racko_core.rack import Rack, is_in_order, prefix
from racko_core.rules import Card, Rules, Seat, label
from racko_core.seating import Failing, News, Remark, Said
from racko_tui.i18n import _, ngettext, sentence
from racko_tui.phrases import side_names
from racko_tui.table import talk


class Narrator:
    """Tells what happens at one table, to one person or to nobody in particular."""

    def __init__(
        self,
        names: Sequence[str],
        rules: Rules,
        me: Seat | None = None,
        failure: RackoError | None = None,
        *,
        relieved: bool = False,
    ) -> None:
        self.names = names
        self.rules = rules
        self.me = me
        """The seat that is called “you”; None to call everyone by name."""
        self.failure = failure
        """Why the program failed of which is told; None where that is not for this reader."""
        self.relieved = relieved
        """Whether a bot plays for “you”; the remarks that are told say when that changes."""

    def tell(self, news: News) -> str | None:
        """One sentence or two; None for what needs no words of its own."""
        match news:
            case Drew():
                return self._drew(news)
            case Placed():
                return self._placed(news)
            case Discarded(seat, card):
                if self._is_mine(seat):
                    return _("You drew {card} and discarded it.").format(card=card)
                return _("{name} drew {card} and discarded it.").format(
                    name=self._player(seat), card=card
                )
            case Renewed():
                return self._renewed(news)
            case DealerDrawn():
                drawn = ", ".join(
                    f"{name} {card}" for name, card in zip(self.names, news.cards, strict=True)
                )
                return _("Cards drawn for the first deal: {drawn}.").format(drawn=drawn)
            case RoundStarted(number, dealer):
                if dealer == self.me:
                    return _("Round {number}: you deal.").format(number=number)
                return _("Round {number}: {name} deals.").format(
                    number=number, name=self._name(dealer)
                )
            case Dealt():
                return None
            case TurnStarted():
                return None
            case RoundEnded():
                return self._ended(news)
            case GameEnded():
                return self._over(news)
            case Remark():
                return self._remark(news)
            case Said():
                return talk.line(news)

    def turn_of(self, seat: Seat) -> str:
        """Whose turn it is."""
        if seat == self.me:
            return _("your turn")
        return _("{name}'s turn").format(name=self._name(seat))

    def _name(self, seat: Seat) -> str:
        return self.names[seat]

    def _is_mine(self, seat: Seat) -> bool:
        """Whether what is done at a seat is done by “you”."""
        return seat == self.me and not self.relieved

    def _player(self, seat: Seat) -> str:
        """Who does something at a seat that “you” do not do."""
        return _("The bot in your seat") if seat == self.me else self._name(seat)

    def _drew(self, news: Drew) -> str:
        if not self._is_mine(news.seat):
            return _("{name} drew a card.").format(name=self._player(news.seat))
        return _("You drew {card}.").format(card=news.card)

    def _placed(self, news: Placed) -> str:
        mine = self._is_mine(news.seat)
        if news.source == "discard":
            text = (
                _("You took {card} into slot {slot} and discarded {out}.")
                if mine
                else _("{name} took {card} into slot {slot} and discarded {out}.")
            )
        elif news.card is not None and mine:
            text = _("You drew {card}, put it into slot {slot} and discarded {out}.")
        else:
            text = _("{name} drew a card, put it into slot {slot} and discarded {out}.")
        return text.format(
            name=self._player(news.seat),
            card=news.card,
            slot=label(news.slot),
            out=news.discarded,
        )

    def _renewed(self, news: Renewed) -> str:
        if news.how == "flip":
            text = ngettext(
                "The draw pile was empty: the discard pile was turned over and has {count} card;"
                " {card} starts the discards.",
                "The draw pile was empty: the discard pile was turned over and has {count} cards;"
                " {card} starts the discards.",
                news.draw_count,
            )
        else:
            text = ngettext(
                "The draw pile was empty: {count} discard was shuffled; {card} stays on top.",
                "The draw pile was empty: {count} discards were shuffled; {card} stays on top.",
                news.draw_count,
            )
        return text.format(count=news.draw_count, card=news.discard)

    def _ended(self, news: RoundEnded) -> str:
        who = news.went_out
        if who is None:
            outcome = _("Nobody could go out; the round ends.")
        elif news.how == "dealt":
            outcome = (
                _("RACK-O! You were dealt all ten cards in order.")
                if who == self.me
                else _("RACK-O! {name} was dealt all ten cards in order.").format(
                    name=self._name(who)
                )
            )
        elif self._is_mine(who):
            outcome = _("RACK-O! You go out.")
        else:
            outcome = _("RACK-O! {name} goes out.").format(name=self._player(who))
        points = ", ".join(
            _("{name} +{points}").format(name=name, points=score.points)
            for name, score in zip(self.names, news.scores, strict=True)
        )
        return f"{outcome} {points}."

    def _over(self, news: GameEnded) -> str:
        sides = side_names(self.names, self.rules)
        if len(news.winners) == 1:
            (winner,) = news.winners
            if self.me is not None and self.rules.sides[winner] == (self.me,):
                return _("You win the game with {points} points.").format(
                    points=news.totals[winner]
                )
            text = (
                _("{name} win the game with {points} points.")
                if len(self.rules.sides[winner]) > 1
                else _("{name} wins the game with {points} points.")
            )
            return text.format(name=sides[winner], points=news.totals[winner])
        return _("A draw: {names} share the win with {points} points.").format(
            names=", ".join(sides[side] for side in news.winners),
            points=news.totals[news.winners[0]],
        )

    def _remark(self, news: Remark) -> str | None:
        if self.me is not None and news.seat == self.me and news.matter in ("relieved", "back"):
            self.relieved = news.matter == "relieved"
        text = {
            "joined": _("{name} sits down."),
            "left": _("{name} has left the table; a bot plays on."),
            "moved": _("{name} took another chair."),
            "away": _("{name} is away."),
            "back": _("{name} is back."),
            "relieved": _("A bot plays for {name} until they come back."),
            "expired": _("{name} ran out of time."),
            "bot-late": _("{name} took too long to decide; a novice plays on in its place."),
            "bot-wrong": _("{name} did what is not allowed; a novice plays on in its place."),
            "bot-ended": _("{name} stopped working; a novice plays on in its place."),
            "bot-missing": _("{name} could not be started; a novice plays in its place."),
            "owner": _("{name} runs the table now."),
            "paused": _("The table is paused."),
            "resumed": _("The table goes on."),
            "rules": _("The rules were changed."),
            "options": _("The table is run differently now; the rules say how."),
            "started": _("The game begins."),
            "rematch": _("A new game begins."),
        }[news.matter]
        if self.me is not None and news.seat == self.me:
            text = {
                "away": _("You count as away."),
                "back": _("You are back."),
                "relieved": _("A bot plays for you until you come back."),
                "expired": _("You ran out of time."),
                "owner": _("You run the table now."),
            }.get(news.matter, text)
        told = text.format(name=news.name)
        if self.failure is not None and news.matter in get_args(Failing):
            told += " " + sentence(self.failure)
        return told


def outcome_of(before: Rack, after: Rack, highest: Card) -> str:
    """What a change does to a rack, in a few words; `highest` is the deck's highest card."""
    if is_in_order(after) and not is_in_order(before):
        return _("All ten are in order then.")
    words = []
    were, are = len(strays(before, highest)), len(strays(after, highest))
    if were != are:
        words.append(_("{was}, then {now} out of place.").format(was=were, now=are))
    was, now = prefix(before), prefix(after)
    if now != was:
        words.append(_("{was}, then {now} in order from the front.").format(was=was, now=now))
    return " ".join(words) or _("As many are out of place as before.")
