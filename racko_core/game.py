"""The state machine of one game: everything that changes the state of a game is here.

It knows seats, not people; it does not know who watches, what time it is, or that there are bots.

Phases of a game, what may be done in each, and what follows:

    DEAL   deal       TURN of the player left of the dealer; or the round ends at once, if calls
                      are automatic and a rack was dealt in order
    TURN   d          DRAWN
           t1..t10    the turn ends
           !          (manual calls, and the rack is RACK-O) the round ends
    DRAWN  p1..p10    the turn ends
           x          the turn ends
    CALL   !          the round ends
           +          the turn is over
    OVER   nothing

When a turn ends and the rack is RACK-O, the round ends (automatic calls) or CALL follows
(manual). Otherwise the turn is over: an empty draw pile is renewed, and the player to the left
is in TURN. When a round ends, points are added and DEAL follows for the player left of the
dealer, or OVER.

What conflicts, and why it does not: a turn that ends with RACK-O and an empty draw pile ends the
round, or lets the player decide, before the pile is renewed; a renewal that reaches the stalemate
guard ends the round before the next turn starts; a tie at the top plays on unless the limit of
rounds is reached.

After every action each card 1..N is in exactly one place: a rack, a hand, or a pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from racko_core import actions as act
from racko_core.actions import Action, Discard, Draw, GoOut, Place, PlayOn, Take
from racko_core.deck import Deck, dealt, fresh_seed, reshuffled
from racko_core.errors import N_, IllegalAction
from racko_core.events import (
    DealerDrawn,
    Dealt,
    Discarded,
    Drew,
    Event,
    GameEnded,
    How,
    Placed,
    RackScore,
    Renewed,
    RoundEnded,
    RoundStarted,
    TurnStarted,
    seen_by,
)
from racko_core.rack import (
    Rack,
    cards_that_score,
    is_racko,
    longest_run,
    points_for_going_out,
    points_without_going_out,
    run_bonus,
)
from racko_core.rules import SLOTS, Card, Rules, Seat, Slot
from racko_core.view import UNKNOWN, Known, Phase, View

Decks = Callable[[int], Deck]
"""Gives the deck of a round; round 0 is the draw for the dealer."""

_DEAL: Final[tuple[Action, ...]] = (act.DEAL,)
_TURN: Final[tuple[Action, ...]] = (act.DRAW, *act.TAKES)
_TURN_OR_OUT: Final[tuple[Action, ...]] = (*_TURN, act.GO_OUT)
_DRAWN: Final[tuple[Action, ...]] = (act.DISCARD, *act.PLACES)
_CALL: Final[tuple[Action, ...]] = (act.GO_OUT, act.PLAY_ON)
_STARTS: Final = tuple(TurnStarted(seat) for seat in range(4))  # shared by all games


class Game:
    """One game. `apply` changes it; `view` is the only way to show any of it."""

    def __init__(self, rules: Rules, decks: Decks) -> None:
        self.rules = rules
        self.actions: list[Action] = []
        """Every action so far; with the rules and the decks they are the whole game."""
        self.phase = Phase.DEAL
        self.round = 0
        self.totals: list[int] = [0] * len(rules.sides)
        self.sheet: list[RoundEnded] = []
        self.result: GameEnded | None = None

        self._decks = decks
        self._players = rules.players
        self._deck = decks(0)
        cards = self._deck.order[: self._players]
        best = max(cards) if rules.first_dealer == "high" else min(cards)
        self.dealer: Seat = cards.index(best)
        self.opening = DealerDrawn(
            cards, self.dealer, self._deck.order, self._deck.salt.hex(), self._deck.commitment
        )
        self.turn: Seat | None = self.dealer

        self._racks: list[list[Card]] = []
        self._draw: list[Card] = []  # top last
        self._discards: list[Card] = []  # top last
        self._hand: Card | None = None
        self._turnovers = 0
        self._turns: list[int] = [0] * self._players
        self._known: list[Known] = [UNKNOWN] * self._players
        self._last_slot: list[Slot | None] = [None] * self._players
        self._events: list[Event] = []  # of this round
        self._seen: dict[
            Seat | None, list[Event]
        ] = {}  # the same as each seat saw them, as far as asked

    @classmethod
    def new(cls, rules: Rules, seed: bytes | None = None) -> Game:
        """A game whose decks follow from `seed`, or from one that nobody can guess."""
        chosen = fresh_seed() if seed is None else seed
        return cls(rules, lambda number: Deck.for_round(rules, chosen, number))

    @classmethod
    def replay(cls, rules: Rules, decks: Decks, actions: Iterable[Action]) -> Game:
        """The game in which these actions were done."""
        game = cls(rules, decks)
        for action in actions:
            game.apply(action)
        return game

    @classmethod
    def after(cls, rules: Rules, decks: Decks, sheet: Iterable[RoundEnded]) -> Game:
        """The game between two rounds, by its scorecard alone: what was done in the rounds before
        is not known, and `actions` starts empty.
        """
        game = cls(rules, decks)
        game.sheet = list(sheet)
        if game.sheet:
            last = game.sheet[-1]
            game.round, game.dealer, game.totals = last.round, last.dealer, list(last.totals)
            game.turn = (game.dealer + 1) % game._players
        return game

    # What can be asked

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat in `turn` can do now, always in the same order."""
        match self.phase:
            case Phase.TURN:
                turn: tuple[Action, ...] = _TURN
                if self._may_go_out():
                    turn = _TURN_OR_OUT
                return turn if self._draw else turn[1:]
            case Phase.DRAWN:
                return _DRAWN
            case Phase.CALL:
                return _CALL
            case Phase.DEAL:
                return _DEAL
        return ()

    def view(self, seat: Seat | None) -> View:
        """What `seat`, or a spectator (None), may know now."""
        mine = seat is not None and seat == self.turn
        phase = self.phase
        racks: tuple[Rack | None, ...]
        if phase is Phase.DEAL or phase is Phase.OVER:
            racks = self.sheet[-1].racks if self.sheet else ()
        else:
            racks = tuple(
                [tuple(rack) if owner == seat else None for owner, rack in enumerate(self._racks)]
            )
            if phase is Phase.CALL and not mine:
                phase = Phase.TURN
        return View(
            rules=self.rules,
            seat=seat,
            round=self.round,
            dealer=self.dealer,
            turn=self.turn,
            phase=phase,
            hand=self._hand if mine else None,
            racks=racks,
            discards=tuple(self._discards),
            draw_count=len(self._draw),
            turnovers=self._turnovers,
            known=tuple(self._known),
            last_slot=tuple(self._last_slot),
            turns=tuple(self._turns),
            totals=tuple(self.totals),
            legal=self.legal_actions() if mine else (),
            commitment=self._deck.commitment if self.round else "",
            history=self._history(seat),
            sheet=tuple(self.sheet),
            opening=self.opening,
            result=self.result,
        )

    def places(self) -> list[Card]:
        """Every card of the deck where it lies now, piles, hand and racks one after the other: the
        invariant is that this is 1..N in some order. For tests and checks.
        """
        cards = [*self._draw, *self._discards]
        if self._hand is not None:
            cards.append(self._hand)
        for rack in self._racks:
            cards.extend(rack)
        return cards

    def _history(self, seat: Seat | None) -> tuple[Event, ...]:
        seen = self._seen.setdefault(seat, [])
        if len(seen) < len(self._events):
            seen.extend([seen_by(event, seat) for event in self._events[len(seen) :]])
        return tuple(seen)

    # What can be done

    def apply(self, action: Action) -> list[Event]:
        """Do `action` for the seat in `turn` and return what happened.

        Raises `IllegalAction`, with the game unchanged, when the rules do not allow it now.
        """
        start = len(self._events)
        if self.phase is Phase.TURN and isinstance(action, Draw | Take):
            if isinstance(action, Draw):
                self._draw_card()
            else:
                self._take(action.slot)
        elif self.phase is Phase.DRAWN and isinstance(action, Place | Discard):
            if isinstance(action, Place):
                self._place(action.slot)
            else:
                self._discard()
        elif isinstance(action, GoOut) and (self.phase is Phase.CALL or self._may_go_out()):
            self._end_round(self.turn, "hand")
        elif self.phase is Phase.CALL and isinstance(action, PlayOn):
            self._next_turn()
        elif self.phase is Phase.DEAL and action == act.DEAL:
            start = 0
            self._deal()
        else:
            raise self._refusal(action)
        self.actions.append(action)
        return self._events[start:]

    def _draw_card(self) -> None:
        if not self._draw:
            raise IllegalAction(N_("The draw pile is empty; take the discard."))
        assert self.turn is not None
        self._hand = self._draw.pop()
        self.phase = Phase.DRAWN
        self._events.append(Drew(self.turn, self._hand))

    def _take(self, slot: Slot) -> None:
        seat = self.turn
        assert seat is not None
        if slot not in range(1, SLOTS + 1):
            raise act.no_such_slot()
        rack, discards = self._racks[seat], self._discards
        card, out = discards[-1], rack[slot - 1]
        rack[slot - 1], discards[-1] = card, out
        self._changed(seat, slot, card)
        self._events.append(Placed(seat, slot, card, "discard", out))
        self._end_turn()

    def _place(self, slot: Slot) -> None:
        seat, card = self.turn, self._hand
        assert seat is not None
        assert card is not None
        if slot not in range(1, SLOTS + 1):
            raise act.no_such_slot()
        rack = self._racks[seat]
        out = rack[slot - 1]
        rack[slot - 1] = card
        self._hand = None
        self._discards.append(out)
        self._changed(seat, slot, None)
        self._events.append(Placed(seat, slot, card, "draw", out))
        self._end_turn()

    def _discard(self) -> None:
        assert self.turn is not None
        assert self._hand is not None
        self._discards.append(self._hand)
        self._events.append(Discarded(self.turn, self._hand))
        self._hand = None
        self._end_turn()

    def _changed(self, seat: Seat, slot: Slot, seen: Card | None) -> None:
        self._last_slot[seat] = slot
        known = self._known[seat]
        if known[slot - 1] != seen:
            self._known[seat] = (*known[: slot - 1], seen, *known[slot:])

    # What follows

    def _deal(self) -> None:
        deck = self._deck = self._decks(self.round + 1)
        if self.round:
            self.dealer = (self.dealer + 1) % self._players
        self.round += 1
        self._racks, first, self._draw = dealt(deck.order, self._players, self.dealer)
        self._discards = [first]
        self._turnovers = 0
        self._turns = [0] * self._players
        self._known = [UNKNOWN] * self._players
        self._last_slot = [None] * self._players
        self._seen = {}
        self._events = [
            RoundStarted(self.round, self.dealer, deck.commitment),
            Dealt(tuple(tuple(rack) for rack in self._racks), first, len(self._draw)),
        ]
        if self.rules.call == "auto":
            for place in range(1, self._players + 1):
                seat = (self.dealer + place) % self._players
                if is_racko(self._racks[seat], self.rules):
                    self._end_round(seat, "dealt")
                    return
        self._start_turn((self.dealer + 1) % self._players)

    def _start_turn(self, seat: Seat) -> None:
        self.turn = seat
        self.phase = Phase.TURN
        self._events.append(_STARTS[seat])

    def _end_turn(self) -> None:
        seat = self.turn
        assert seat is not None
        self._turns[seat] += 1
        if is_racko(self._racks[seat], self.rules):
            if self.rules.call == "auto":
                self._end_round(seat, "auto")
            else:
                self.phase = Phase.CALL
            return
        self._next_turn()

    def _next_turn(self) -> None:
        seat = self.turn
        assert seat is not None
        if not self._draw:
            self._renew()
            if self._turnovers == self.rules.stalemate_turnovers:
                self._end_round(None, "stalemate")
                return
        self._start_turn((seat + 1) % self._players)

    def _renew(self) -> None:
        """Make the discard pile the draw pile. A single discard stays where it is."""
        pile = self._discards
        self._turnovers += 1
        if self.rules.exhausted == "flip":
            self._discards, self._draw = pile[:1], pile[:0:-1]
        else:
            order, salt = self._deck.order, self._deck.salt
            self._discards = pile[-1:]
            self._draw = reshuffled(pile[:-1], order, salt, self._turnovers)[::-1]
        self._events.append(
            Renewed(self.rules.exhausted, self._turnovers, self._discards[0], len(self._draw))
        )

    def _end_round(self, went_out: Seat | None, how: How) -> None:
        scores = tuple(self._score(seat, went_out) for seat in range(self._players))
        for seat, score in enumerate(scores):
            self.totals[self.rules.side_of(seat)] += score.points
        ended = RoundEnded(
            round=self.round,
            dealer=self.dealer,
            went_out=went_out,
            how=how,
            racks=tuple(tuple(rack) for rack in self._racks),
            scores=scores,
            totals=tuple(self.totals),
            deck=self._deck.order,
            salt=self._deck.salt.hex(),
            turns=tuple(self._turns),
            turnovers=self._turnovers,
        )
        self.sheet.append(ended)
        self._events.append(ended)
        self.phase = Phase.DEAL
        self.turn = (self.dealer + 1) % self._players
        self._end_game_if_won()

    def _score(self, seat: Seat, went_out: Seat | None) -> RackScore:
        rack, rules = self._racks[seat], self.rules
        run = bonus = 0
        if rules.bonus and went_out is not None and rules.side_of(seat) == rules.side_of(went_out):
            length = longest_run(rack)[1]
            bonus = run_bonus(length)
            run = length if bonus else 0
        if seat == went_out:
            return RackScore(SLOTS, True, run, bonus, points_for_going_out() + bonus)
        cards = cards_that_score(rack, rules)
        points = points_without_going_out(rack, rules) + bonus
        return RackScore(cards, False, run, bonus, points)

    def _end_game_if_won(self) -> None:
        best = max(self.totals)
        winners = tuple(side for side, total in enumerate(self.totals) if total == best)
        out_of_rounds = self.round == self.rules.max_rounds
        if out_of_rounds or (best >= self.rules.target and len(winners) == 1):
            self.result = GameEnded(winners, tuple(self.totals), self.round)
            self._events.append(self.result)
            self.phase = Phase.OVER
            self.turn = None

    def _may_go_out(self) -> bool:
        """Whether the player in `turn` may go out before taking a card."""
        return (
            self.phase is Phase.TURN
            and self.rules.call == "manual"
            and self.turn is not None
            and is_racko(self._racks[self.turn], self.rules)
        )

    def _refusal(self, action: Action) -> IllegalAction:
        if self.phase is Phase.OVER:
            return IllegalAction(N_("The game is over; start another one."))
        if self.phase is Phase.DEAL:
            return IllegalAction(N_("The round has not been dealt yet; deal first."))
        if isinstance(action, GoOut) and self.phase is Phase.DRAWN:
            return IllegalAction(N_("First place or discard the card that you drew."))
        if isinstance(action, GoOut):
            if self.rules.call == "auto":
                return IllegalAction(N_("Going out happens by itself in this game."))
            if self.rules.min_run:
                return IllegalAction(
                    N_("Going out needs all ten cards in order and a run of {min_run}."),
                    min_run=self.rules.min_run,
                )
            return IllegalAction(N_("Going out needs all ten cards in order."))
        if self.phase is Phase.TURN:
            return IllegalAction(N_("Draw a card or take the discard."))
        if self.phase is Phase.DRAWN:
            return IllegalAction(N_("Place the card that you drew in a slot, or discard it."))
        return IllegalAction(N_("Your rack is RACK-O: go out or play on."))
