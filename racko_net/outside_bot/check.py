"""Tries a program against the bot protocol, and says in plain sentences what is wrong.

It plays by many rules and numbers of players, is asked about rare positions, in the middle of
games, with words that it does not know and in long lines, and is told to end. Each trial is a
`Finding`, told as soon as it is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, Final

from racko_core import actions as act
from racko_core.bots import Bot, bot, harmless
from racko_core.deck import seed_from
from racko_core.errors import N_, RackoError
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.view import Phase, View
from racko_net.outside_bot import messages
from racko_net.outside_bot.permission import Limits, OutsideError
from racko_net.outside_bot.player import OutsideBot, not_legal
from racko_net.outside_bot.program import GRACE, Program, shown, unasked

OPPONENT: Final = "novice"
_GUARD: Final = 4
"""Renewals of the draw pile after which a round ends with nobody going out."""
_RULES: Final = (
    (N_("Classic"), Rules()),
    (N_("Classic"), Rules(players=3)),
    (N_("Classic"), Rules(players=4)),
    (N_("Duel"), Rules.preset("duel")),
    (N_("Bonus"), Rules.preset("bonus", 2)),
    (N_("Bonus"), Rules.preset("bonus", 3)),
    (N_("Partners"), Rules.preset("partners")),
    (N_("Vintage"), Rules.preset("vintage", 4)),
    (
        N_("mixed rules"),
        Rules(players=3, call="manual", exhausted="shuffle", scoring="ascents", min_run=2),
    ),
)
"""With what they are called."""
_POSED: Final = 12
"""Rare positions of one sort."""
_GAMES: Final = 400
"""Games that are looked through for them."""
_UNKNOWN: Final = "weather"
"""The type of a message that is none."""
_LONG: Final = 100
"""Rounds on the scorecard of a very long game."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one trial."""

    about: RackoError
    """What was tried, in words that are right however it went."""
    fault: OutsideError | None = None
    """What is wrong."""
    again: bool = False
    """Whether another trial has shown the same already."""


@dataclass(slots=True)
class Figures:
    """What was measured."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    rounds: int = 0
    won: int = 0

    def took(self, seconds: float) -> None:
        """A decision took so long."""
        self.decisions += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)


@dataclass(slots=True)
class Check:
    """One check of one program."""

    command: str
    limits: Limits
    told: Callable[[Finding], None]
    rounds: int = 2
    """Rounds to play by each set of rules."""
    figures: Figures = field(default_factory=Figures)
    faults: set[str] = field(default_factory=set)
    """The sorts of faults that were told."""

    def run(self) -> bool:
        """Try everything; whether nothing is wrong."""
        if not self._try(N_("Starting, and answering the hello."), self._starts):
            return False  # nothing else could go better
        for name, rules in _RULES:
            about = RackoError(
                N_("Playing with {players} players ({rules})."),
                rules=RackoError(name),
                players=rules.players,
            )
            self._try_about(about, lambda rules=rules: self._plays(rules))  # type: ignore[misc]
        for about_text, trial in (
            (N_("Deciding whether to go out or to play on."), self._calls),
            (N_("Going on after the discard pile was turned over."), self._turned_over),
            (N_("Starting in the middle of a game."), self._in_the_middle),
            (N_("Passing over messages and fields that it does not know."), self._unknown),
            (N_("Reading very long lines."), self._long),
            (N_("Writing answers and nothing else, and ending when nobody asks."), self._ends),
        ):
            self._try(about_text, trial)
        return not self.faults

    def _try(self, about: str, trial: Callable[[], None]) -> bool:
        return self._try_about(RackoError(about), trial)

    def _try_about(self, about: RackoError, trial: Callable[[], None]) -> bool:
        try:
            trial()
        except OutsideError as fault:
            sort = _sort(fault)
            self.told(Finding(about, fault, again=sort in self.faults))
            self.faults.add(sort)
            return False
        self.told(Finding(about))
        return True

    # The trials

    def _bot(self) -> OutsideBot:
        return OutsideBot(self.command, self.limits)

    def _starts(self) -> None:
        with self._bot() as outside:
            outside.start(Rules())

    def _plays(self, rules: Rules) -> None:
        """So many rounds, from a seat that changes with each, against bots of ours.

        A game that is over before is followed by another one.
        """
        rules = rules.with_changes(stalemate_turnovers=_GUARD, max_rounds=self.rounds)
        others, left = bot(OPPONENT), self.rounds
        with self._bot() as outside:
            outside.start(rules)
            while left:
                left -= self._plays_game(outside, others, rules, seed_from(f"check {left}"), left)

    def _plays_game(
        self, outside: OutsideBot, others: Bot, rules: Rules, seed: bytes, most: int
    ) -> int:
        """At most so many rounds of a game; the number of those that were played."""
        game = Game.new(rules, seed)
        while game.phase is not Phase.OVER and len(game.sheet) < most:
            if game.phase is Phase.DEAL:
                game.apply(act.DEAL)
                continue
            seat = game.turn
            assert seat is not None
            view = game.view(seat)
            mine = seat == game.round % rules.players
            game.apply(self._ask(outside, view) if mine else others.decide(view))
        for ended in game.sheet:
            self.figures.rounds += 1
            self.figures.won += ended.went_out == ended.round % rules.players
        return len(game.sheet)

    def _ask(self, outside: OutsideBot, view: View) -> act.Action:
        start = perf_counter()
        action = outside.decide(view)
        if len(view.legal) > 1:
            self.figures.took(perf_counter() - start)
        return action

    def _poses(
        self, rules: Rules, wanted: Callable[[View], bool], players: Sequence[Bot] = ()
    ) -> None:
        """Positions of one sort from games of others, one after the other."""
        with self._bot() as outside:
            for view in islice(positions(rules, wanted, players), _POSED):
                outside.start(view.rules)
                self._ask(outside, view)

    def _calls(self) -> None:
        for rules in (Rules.preset("bonus", 2), Rules.preset("partners")):
            self._poses(rules, lambda view: act.GO_OUT in view.legal)

    def _turned_over(self) -> None:
        for rules in (Rules(), Rules(players=2, exhausted="shuffle")):
            self._poses(rules, lambda view: view.turnovers > 0, [bot("casual"), _Idle()])

    def _in_the_middle(self) -> None:
        """Each question to a process of its own, as after a restart."""
        for view in islice(positions(Rules(players=3), _late), 3):
            with self._bot() as outside:
                outside.start(view.rules)
                self._ask(outside, view)

    def _unknown(self) -> None:
        with self._bot() as outside:
            view = next(positions(Rules(), _late))
            outside.start(view.rules)
            assert outside.program is not None
            outside.program.tell(b'{"type":"%b","sky":"blue"}\n' % _UNKNOWN.encode())
            plain = json.loads(messages.encode(messages.question(view, 1000)))
            plain = {"sky": ["blue", None], **plain, "wind": {"from": "west"}}
            self._ask_plain(outside.program, plain)

    def _long(self) -> None:
        with self._bot() as outside:
            quick = [bot(OPPONENT)]
            rules = Rules(target=100_000)
            view = next(positions(rules, lambda view: view.round > _LONG, quick, _LONG + 1))
            outside.start(view.rules)
            self._ask(outside, view)

    def _ask_plain(self, program: Program, plain: dict[str, Any]) -> None:
        """Ask with fields that nobody knows, after a message that nobody knows."""
        line = json.dumps(plain).encode() + b"\n"
        try:
            answer = program.ask(line, self.limits.decision, plain["type"])
        except OutsideError as failed:
            if "text" not in failed.values:
                raise
            raise self._minded(failed.values["text"]) from None  # it was quicker than the question
        try:
            choice = messages.from_program(answer, messages.Choice)
        except ValueError:
            choice = None
        if choice is None or choice.id != plain["id"]:
            raise self._minded(shown(answer))
        if choice.action not in plain["legal"]:
            raise not_legal(self.command, choice.action, plain["legal"])

    def _minded(self, answer: object) -> OutsideError:
        return OutsideError(
            "bot-wrong",
            N_(
                "“{program}” answered “{answer}” to a message of the type “{type}”, which it should"
                " pass over."
            ),
            program=shown(self.command),
            answer=answer,
            type=_UNKNOWN,
        )

    def _ends(self) -> None:
        with self._bot() as outside:
            for view in islice(positions(Rules(), _late), 3):
                outside.start(view.rules)
                self._ask(outside, view)
            program = outside.program
            assert program is not None
            rest = program.rest(GRACE)
            if rest is None:
                told = N_("“{program}” did not end within {seconds} s of the end of its input.")
                if program.ended:
                    told = N_(
                        "“{program}” ended, but what it had started still holds its output open"
                        " {seconds} s after the end of its input."
                    )
                raise OutsideError("bot-wrong", told, program=shown(self.command), seconds=GRACE)
            if rest.strip():
                raise unasked(self.command, rest)


def _late(view: View) -> bool:
    seat: Seat | None = view.seat
    return seat is not None and view.turns[seat] >= 3


class _Idle:
    """Draws and discards, so that the draw pile is soon empty."""

    def decide(self, view: View) -> act.Action:
        return harmless(view)


def positions(
    rules: Rules,
    wanted: Callable[[View], bool],
    players: Sequence[Bot] = (),
    rounds: int = 2,
) -> Iterator[View]:
    """Decisions of a sort from the first rounds of games between bots of ours, the same ones each
    time.
    """
    players = players or [bot(level) for level in ("novice", "casual")]
    for number in range(_GAMES):
        game = Game.new(rules.with_changes(stalemate_turnovers=_GUARD), seed_from(f"{number}"))
        while game.phase is not Phase.OVER and len(game.sheet) < rounds:
            if game.phase is Phase.DEAL:
                game.apply(act.DEAL)
                continue
            assert game.turn is not None
            view = game.view(game.turn)
            if len(view.legal) > 1 and wanted(view):
                yield view
            action = players[(game.turn + number) % len(players)].decide(view)
            game.apply(act.PLAY_ON if act.PLAY_ON in view.legal else action)


def _sort(fault: OutsideError) -> str:
    """The same for faults that differ in an answer or a number only."""
    reason = fault.values.get("reason")
    return fault.template + (reason.template if isinstance(reason, RackoError) else "")
