"""Playing in one process: what is counted, decisions for many at once, and bots that fail."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from racko_core.actions import DEAL, Action
from racko_core.arena import WIDTH, Contest, Hall, Outcome
from racko_core.arena.hall import seat_name
from racko_core.bots import Bot, bot
from racko_core.bots.novice import Novice
from racko_core.errors import RackoError
from racko_core.game import Game
from racko_core.record import SeatName, read, verify
from racko_core.rules import Rules
from racko_core.view import Phase, View
from tests.core.arena.entrants import Crowd, entrant, here, left


def contest(*names: str, rules: Rules | None = None, count: int = 12, games: bool = False,
            recorded: bool = False) -> Contest:  # fmt: skip
    unit = "games" if games else "rounds"
    return Contest.of(
        names, rules or Rules(), unit=unit, count=count, seed="hall", recorded=recorded
    )


def played(given: Contest, width: int = WIDTH) -> list[Outcome]:
    hall = Hall(given, entrant, width)
    outcomes = list(hall.play(range(given.decks)))
    hall.close()
    return sorted(outcomes, key=lambda outcome: outcome.deck)


def by_hand(given: Contest, deck: int, levels: tuple[str, ...]) -> Game:
    """A game of a contest between levels, played the plain way."""
    game = Game.new(given.rules, given.seed_of(deck))
    players = [bot(level) for level in levels]
    while game.result is None and not (given.unit == "rounds" and game.sheet):
        assert game.turn is not None
        view = game.view(game.turn)
        game.apply(players[game.turn].decide(view) if view.legal != (DEAL,) else DEAL)
    return game


def test_rounds_are_counted_as_they_are_played() -> None:
    given = contest("novice", "solid")
    outcomes = played(given)
    for deck, outcome in enumerate(outcomes):
        there = by_hand(given, deck, ("novice", "solid")).sheet[0]
        back = by_hand(given, deck, ("solid", "novice")).sheet[0]
        novice, solid = outcome.scores
        assert outcome.deck == deck
        assert (outcome.tables, outcome.rounds) == (2, 2)
        assert novice.rounds == solid.rounds == 2
        assert novice.games == solid.games == 0
        assert novice.wins == (there.went_out == 0) + (back.went_out == 1)
        assert solid.wins == (there.went_out == 1) + (back.went_out == 0)
        assert novice.points == there.scores[0].points + back.scores[1].points
        assert solid.points == there.scores[1].points + back.scores[0].points
        assert novice.margin == -solid.margin == novice.points - solid.points
        turns = [ended.turns[seat] for ended, seat in ((there, 1), (back, 0))
                 if ended.went_out == seat]  # fmt: skip
        assert solid.turns == sum(turns)
        assert outcome.met == [[0, 2], [2, 0]]
        assert outcome.beat[0][1] + outcome.beat[1][0] == 2
    assert sum(outcome.scores[1].wins for outcome in outcomes) > 6


def test_games_are_played_to_the_end() -> None:
    given = contest("novice", "solid", games=True, count=4)
    for deck, outcome in enumerate(played(given)):
        games = [
            by_hand(given, deck, levels) for levels in (("novice", "solid"), ("solid", "novice"))
        ]
        novice, solid = outcome.scores
        assert novice.games == solid.games == 2
        assert outcome.rounds == novice.rounds == sum(game.round for game in games)
        results = [game.result for game in games]
        assert novice.games_won == sum(result.winners == (seat,) for seat, result
                                       in enumerate(results) if result)  # fmt: skip
        assert novice.games_won + solid.games_won == 2
        assert outcome.beat[0][1] == novice.games_won


def test_a_shared_win_counts_for_its_part() -> None:
    rules = Rules(max_rounds=1, stalemate_turnovers=1)
    outcomes = played(contest("taker", "novice", rules=rules, games=True, count=60))
    won = [score.games_won for outcome in outcomes for score in outcome.scores]
    assert 0.5 in won
    assert sum(won) == sum(outcome.tables for outcome in outcomes)
    for outcome in outcomes:
        assert outcome.beat[0][1] == outcome.scores[0].games_won


def test_one_against_two_alike_counts_each_seat() -> None:
    for outcome in played(contest("solid", "novice", rules=Rules(players=3), count=6)):
        solid, novice = outcome.scores
        assert (solid.rounds, novice.rounds) == (3, 6)
        assert solid.wins + novice.wins + outcome.stalemates == outcome.rounds == 3
        assert outcome.met == [[0, 6], [6, 0]]
        assert solid.margin + novice.margin == pytest.approx(0)


def test_a_team_is_one_side() -> None:
    rules = Rules.preset("partners", target=150)
    for outcome in played(contest("solid", "novice", rules=rules, games=True, count=4)):
        solid, novice = outcome.scores
        assert outcome.tables == solid.games == novice.games == 2
        assert solid.rounds == novice.rounds == outcome.rounds
        assert solid.games_won + novice.games_won == 2
        assert solid.margin == solid.points - novice.points == -novice.margin
        assert outcome.met == [[0, 2], [2, 0]]


def test_rounds_without_an_end_are_ended() -> None:
    (outcome,) = played(contest("taker", "taker", rules=Rules(stalemate_turnovers=1), count=1))
    assert outcome.stalemates == outcome.scores[0].stalemates / 2 == 1
    assert outcome.scores[0].wins == outcome.scores[0].turns == 0


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("names", [("crowd", "novice"), ("crowd", "crowd:2"), ("casual", "crowd")])
def test_many_tables_at_once_change_no_decision(names: tuple[str, str], games: bool) -> None:
    given = contest(*names, games=games, count=20)
    wide = played(given)
    assert wide == played(given, 1) == played(given, 3)
    plain = contest(*("novice" if "crowd" in name else name for name in names),
                    games=games, count=20)  # fmt: skip
    if len(plain.bots) == 2:
        assert wide == played(plain)


def test_a_bot_for_many_is_asked_for_as_many_as_wait() -> None:
    made: list[Crowd] = []

    def noted(name: str) -> Bot:
        crowd = Crowd()
        made.append(crowd)
        return crowd

    hall = Hall(contest("crowd", "crowd:2", count=40), noted, 16)
    assert len(list(hall.play(range(20)))) == 20
    asked = [sum(sizes) for sizes in zip(*(crowd.sizes for crowd in made), strict=False)]
    assert max(asked) == 16
    assert asked[:20] == [16] * 20
    decisions = [effort.decisions for effort in hall.efforts()]
    assert decisions == [sum(crowd.sizes) for crowd in made]
    assert [effort.decisions for effort in hall.efforts()] == [0, 0]


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("wrong:action", "Draw a card or take the discard."),
        ("wrong:nonsense", "Draw a card or take the discard."),
        ("failing", "ZeroDivisionError: by itself"),
        ("terse", "decisions for"),
    ],
)
def test_a_bot_that_fails_does_something_harmless(name: str, trouble: str) -> None:
    given = contest(name, "solid", rules=Rules(players=3), count=9)
    hall = Hall(given, entrant)
    outcomes = list(hall.play(range(given.decks)))
    failing, solid = hall.efforts()
    assert failing.failures == failing.decisions > 0
    assert trouble in str(failing.trouble)
    assert (solid.failures, solid.trouble) == (0, None)
    assert sum(outcome.scores[1].wins for outcome in outcomes) == 9


def test_time_is_taken_for_each_bot() -> None:
    given = contest("solid", "novice")
    hall = Hall(given, entrant)
    list(hall.play(range(given.decks)))
    solid, novice = hall.efforts()
    assert solid.milliseconds is not None
    assert novice.milliseconds is not None
    assert solid.milliseconds > novice.milliseconds > 0


class Clock:
    """Time that passes only when a bot lets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("racko_core.arena.hall.perf_counter", lambda: self.now)


class Late:
    """Takes five seconds, and then has no answer: as a program does that is not waited for."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def decide(self, view: View) -> Action:
        self.clock.now += 5.0
        raise RackoError("too late")


class LateCrowd(Late):
    """The same for many."""

    def decide_many(self, views: Sequence[View]) -> Sequence[Action]:
        self.clock.now += 5.0 * len(views)
        raise RackoError("too late")


class LateProgram(Late):
    """A novice takes over for the rest of the round; after two rounds nobody waits any more."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.errors: list[RackoError] = []

    def decide(self, view: View) -> Action:
        assert view.seat is not None
        if view.turns[view.seat] or view.phase is not Phase.TURN:
            return Novice().decide(view)
        if len(self.errors) < 2:
            self.clock.now += 5.0
            self.errors.append(RackoError("too late"))
        raise self.errors[-1]


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize(
    ("name", "kind"), [("late", Late), ("late", LateCrowd), ("exec:late", LateProgram)]
)
def test_what_was_waited_in_vain_counts(
    name: str, kind: type[Late], games: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    given = contest(name, "novice", games=games, rules=Rules(target=75))
    hall = Hall(given, lambda level: kind(clock) if level == name else bot(level))
    rounds = sum(outcome.rounds for outcome in hall.play(range(given.decks)))
    late, novice = hall.efforts()
    assert late.milliseconds == 5000
    assert (novice.failures, novice.milliseconds) == (0, 0)
    if kind is LateProgram:
        assert (late.decisions, late.failures) == (2, rounds)


@pytest.mark.parametrize("games", [False, True])
def test_records_are_true_and_name_who_sat_where(games: bool) -> None:
    given = contest("novice", "crowd", games=games, count=4, recorded=True)
    for outcome in played(given):
        tables = list(given.tables(outcome.deck))
        assert len(outcome.records) == len(tables) == 2
        for text, (_match, seating) in zip(outcome.records, tables, strict=True):
            found = verify(text.encode())
            names = tuple(given.bots[bot] for bot in seating)
            assert tuple(seat.name for seat in found.record.seats) == names
            assert (found.game.result is not None) == games
            assert read(text.encode()).seed == given.seed_of(outcome.deck)
    assert played(contest("novice", "crowd"))[0].records == []


def test_any_bot_can_stand_in_a_record() -> None:
    assert seat_name("solid") == SeatName("solid", "solid")
    assert seat_name("exec:python bot.py") == SeatName("exec:python bot.py", "exec")
    assert seat_name("My own!") == SeatName("My own!", "bot")
    assert len(seat_name("exec:" + 400 * "x").name) == 300


def test_bots_are_closed(tmp_path: Path) -> None:
    hall = Hall(contest(f"leaver:{tmp_path}", "novice"), entrant)
    assert here(tmp_path)
    hall.close()
    assert left(tmp_path)


def test_bots_are_closed_when_another_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(RackoError, match="missing"):
        Hall(contest(f"leaver:{tmp_path}", "missing"), entrant)
    assert left(tmp_path)
