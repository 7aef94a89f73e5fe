"""Tables: seats, ownership, clocks, absence, rematch; and that the journal is the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racko_core import actions as act
from racko_core import seating as s
from racko_core.bots import LEVELS, bot, decide_safely
from racko_core.bots.thinking import TEMPO
from racko_core.deck import commitment
from racko_core.errors import RackoError
from racko_core.events import DealerDrawn
from racko_core.rules import Rules
from racko_core.seating import Kind, Options, Setup, Stage
from racko_core.table import Refused, Table
from racko_core.view import Phase
from tests.core.stacked import ALMOST, dealt_game, play

SEED = bytes(range(32))


def table(players: int = 2, rules: Rules | None = None, **options: object) -> Table:
    chosen = rules or Rules(players=players)
    return Table(Setup(chosen, SEED, Options(**options)))  # type: ignore[arg-type]


def started(people: int = 2, **options: object) -> Table:
    """A table of so many persons, its first round dealt."""
    made = table(people, None, **options)
    for seat in range(people):
        made.apply(s.Sit(seat, f"P{seat}"), 0.0)
    made.apply(s.Start(), 0.0)
    deal = made.due(0.0)
    assert isinstance(deal, s.Do)
    made.apply(deal, 0.0)
    return made


def move(made: Table, now: float = 0.0) -> None:
    """The player in turn does something sensible."""
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    view = made.view(seat)
    assert view is not None
    made.apply(s.Do(seat, decide_safely(bot("novice"), view)), now)


def between_rounds(people: int = 2, now: float = 0.0, **options: object) -> Table:
    """A table whose first round has ended at that time."""
    made = started(people, **options)
    assert made.game is not None
    while made.game.phase is not Phase.DEAL:
        move(made, now)
    return made


def finished() -> Table:
    made = started()
    while made.stage is Stage.PLAYING:
        assert made.game is not None
        if made.game.phase is Phase.DEAL:
            for seat in range(2):
                made.apply(s.Ready(seat), 0.0)
            deal = made.due(0.0)
            assert deal is not None
            made.apply(deal, 0.0)
        else:
            move(made)
    return made


def matters(notices: list[s.Notice]) -> list[str]:
    return [notice.news.matter for notice in notices if isinstance(notice.news, s.Remark)]


# Seats and ownership


def test_the_first_person_owns_the_table_and_the_next_follows() -> None:
    made = table(3)
    made.apply(s.Sit(0, "Robot", Kind.BOT, "novice"), 0.0)
    made.apply(s.Sit(2, "Ana"), 0.0)
    made.apply(s.Sit(1, "Bo"), 0.0)
    assert made.owner == 2
    assert matters(made.apply(s.Stand(2), 0.0)) == ["left", "owner"]
    assert made.owner == 1
    made.apply(s.Stand(1), 0.0)
    assert made.owner is None


def test_a_taken_chair_is_refused_and_an_open_one_can_be_moved_to() -> None:
    made = table(3)
    made.apply(s.Sit(0, "Ana"), 0.0)
    with pytest.raises(Refused):
        made.apply(s.Sit(0, "Bo"), 0.0)
    made.apply(s.Sit(1, "Bo"), 0.0)
    with pytest.raises(Refused):
        made.apply(s.Move(1, 0), 0.0)
    made.apply(s.Move(0, 2), 0.0)
    assert made.owner == 2
    assert made.chairs[0].kind is Kind.OPEN


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    made = table()
    made.apply(s.Sit(0, "Ana"), 0.0)
    for asked in (s.Sit(seat, "Bo"), s.Stand(seat), s.Move(0, seat), s.Ready(seat), s.Lose(seat)):
        with pytest.raises(Refused):
            made.apply(asked, 0.0)


def test_a_game_does_not_start_with_an_empty_chair() -> None:
    made = table()
    made.apply(s.Sit(0, "Ana"), 0.0)
    with pytest.raises(Refused):
        made.apply(s.Start(), 0.0)
    assert made.stage is Stage.GATHERING


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(RackoError):
        table().apply(s.Sit(0, "X", Kind.BOT, "no such level"), 0.0)


def test_who_leaves_in_a_game_is_followed_by_a_bot() -> None:
    made = started()
    made.apply(s.Stand(0), 5.0)
    assert made.chairs[0].kind is Kind.BOT
    assert made.chairs[0].name == "P0"
    assert made.owner == 1


def test_a_bot_is_removed_before_the_first_game_alone() -> None:
    made = table()
    made.apply(s.Sit(0, "Ana"), 0.0)
    made.apply(s.Sit(1, "Robot", Kind.BOT, "novice"), 0.0)
    made.apply(s.Stand(1), 0.0)
    assert made.chairs[1].kind is Kind.OPEN
    made.apply(s.Sit(1, "Robot", Kind.BOT, "novice"), 0.0)
    made.apply(s.Start(), 0.0)
    robot = made.chairs[1]
    assert made.apply(s.Stand(1), 0.0) == []
    assert made.chairs[1] == robot
    made.apply(s.Stand(0), 0.0)
    assert made.apply(s.Stand(0), 0.0) == []


def test_fewer_players_are_refused_while_somebody_sits_on_a_chair_that_would_go() -> None:
    made = table(4)
    made.apply(s.Sit(3, "Di"), 0.0)
    with pytest.raises(Refused):
        made.apply(s.Configure(Rules(players=2)), 0.0)
    made.apply(s.Move(3, 0), 0.0)
    made.apply(s.Configure(Rules(players=2)), 0.0)
    assert len(made.chairs) == 2


def test_the_rules_stay_as_they_are_while_a_game_is_played() -> None:
    made = started()
    with pytest.raises(Refused):
        made.apply(s.Configure(Rules(target=100)), 0.0)
    made.apply(s.Configure(options=Options(grace=5.0)), 0.0)
    assert made.options.grace == 5.0


# Playing


def test_only_the_player_in_turn_acts() -> None:
    made = started()
    assert made.game is not None
    assert made.game.turn is not None
    with pytest.raises(Refused):
        made.apply(s.Do(1 - made.game.turn, act.DRAW), 0.0)


def test_notices_are_numbered_without_a_gap() -> None:
    made = table()
    numbers = []
    for asked in (s.Sit(0, "A"), s.Sit(1, "B"), s.Start(), s.Say(0, "A", "hello")):
        numbers += [notice.seq for notice in made.apply(asked, 0.0)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert made.seq == numbers[-1]
    assert made.game_seq == numbers[-2]  # the chat came after the game's last event


def test_the_next_round_is_dealt_when_everyone_who_is_here_is_ready() -> None:
    made = between_rounds(3)
    assert made.due(1e9) is None
    made.apply(s.Ready(0), 0.0)
    made.apply(s.Ready(1), 0.0)
    assert made.due(0.0) is None
    made.apply(s.Lose(2), 0.0)
    assert isinstance(made.due(0.0), s.Do)


def test_the_next_round_is_dealt_after_a_while_where_the_table_says_so() -> None:
    made = between_rounds(2, now=100.0, deal_after=30.0)
    assert made.due(129.9) is None
    assert made.next_due() == 130.0
    assert isinstance(made.due(130.0), s.Do)


def test_a_rematch_follows_when_everyone_is_ready() -> None:
    made = finished()
    first_seed = made.seed
    assert made.due(1e9) is None
    made.apply(s.Ready(0), 1.0)
    made.apply(s.Ready(1), 1.0)
    again = made.due(1.0)
    assert again == s.Rematch()
    assert "rematch" in matters(made.apply(again, 1.0))
    assert made.game_number == 2
    assert made.seed != first_seed
    assert made.game is not None
    assert made.game.totals == [0, 0]


# Bots and clocks


def waits(level: str) -> list[float]:
    """How long a bot takes for its steps, one after the other, until the round ends."""
    made = table(2, bot_pause=2.0)
    made.apply(s.Sit(0, "Robot", Kind.BOT, level), 0.0)
    made.apply(s.Sit(1, "Robby", Kind.BOT, level), 0.0)
    made.apply(s.Start(), 0.0)
    now, waited = 0.0, []
    while made.game and not made.game.sheet:
        due = made.next_due()
        assert due is not None
        waited.append(due - now)
        now = due
        made.apply(made.due(now), now)  # type: ignore[arg-type]
    return waited[1:]


def test_bots_think_about_as_long_as_the_table_says_but_not_like_clocks() -> None:
    novice, sharp = waits("novice"), waits("sharp")
    for waited in (novice, sharp):
        assert all(0.8 < wait < 4.0 for wait in waited)
        assert max(waited) > 1.5 * min(waited)
    assert sum(novice) / len(novice) < 1.8 < 2.1 < sum(sharp) / len(sharp)


def test_every_level_has_a_tempo_of_its_own() -> None:
    assert list(TEMPO) == list(LEVELS)
    assert sorted(TEMPO.values()) == list(TEMPO.values())


def test_a_bot_takes_its_time_for_each_step() -> None:
    made = table(2, bot_pause=2.0)
    made.apply(s.Sit(0, "Ana"), 0.0)
    made.apply(s.Sit(1, "Robot", Kind.BOT, "novice"), 0.0)
    made.apply(s.Start(), 0.0)
    made.apply(made.due(0.0), 10.0)  # type: ignore[arg-type]
    while made.game and made.game.turn == 0:
        move(made, 10.0)
    due = made.next_due()
    assert due is not None
    assert 10.5 < due < 14.0
    assert made.due(due - 0.01) is None
    assert isinstance(made.due(due), s.Do)


def test_a_turn_that_takes_too_long_is_played_as_draw_and_discard() -> None:
    made = started(2, turn_limit=20.0)
    assert made.game is not None
    seat = made.game.turn
    assert made.info.turn_ends == 20.0
    assert made.due(19.9) is None
    expiry = made.due(20.0)
    assert expiry == s.Expire(seat)  # type: ignore[arg-type]
    notices = made.apply(expiry, 20.0)
    assert matters(notices) == ["expired"]
    assert made.game.turn != seat
    assert made.info.turn_ends == 40.0


def test_a_card_in_the_hand_is_discarded_when_the_clock_runs_out() -> None:
    made = started(2, turn_limit=20.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Do(seat, act.DRAW), 5.0)
    assert made.info.turn_ends == 20.0  # the whole turn has one clock
    view = made.view(seat)
    assert view is not None
    made.apply(s.Expire(seat), 20.0)
    after = made.view(seat)
    assert after is not None
    assert after.discard == view.hand


def test_twice_in_a_row_makes_the_seat_away_and_acting_forgives() -> None:
    made = started(2, turn_limit=20.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Expire(seat), 20.0)
    move(made, 21.0)
    while made.game.turn != seat:
        move(made, 21.0)
    assert "away" in matters(made.apply(s.Expire(seat), 41.0))
    assert made.chairs[seat].away
    made.apply(s.Return(seat), 42.0)
    assert made.chairs[seat].missed == 0


def test_the_clock_ends_the_turn_of_whoever_had_played_on_with_racko() -> None:
    made = started(2, turn_limit=20.0)
    made.game = dealt_game(Rules(call="manual"), {1: ALMOST}, draws=(38, 1))
    play(made.game, "d p10 + d x")
    assert (made.game.turn, made.game.phase) == (1, Phase.TURN)
    assert made.due(20.0) == s.Expire(1)
    notices = made.apply(s.Expire(1), 20.0)
    assert matters(notices) == ["expired"]
    (ended,) = made.game.sheet
    assert (ended.went_out, ended.how) == (1, "hand")
    assert made.due(20.0) is None
    assert (made.chairs[1].missed, made.chairs[1].away) == (1, False)
    info = made.info
    assert made.apply(s.Expire(1), 20.0) == []  # as journals of before may have it
    assert made.info == info


def test_a_journal_with_a_second_end_of_a_turn_brings_the_table_back() -> None:
    setup = Setup(Rules(), SEED, Options(turn_limit=20.0))
    made = Table(setup)
    journal: list[tuple[float, s.Input]] = [
        (0.0, s.Sit(0, "Ana")),
        (0.0, s.Sit(1, "Bo")),
        (0.0, s.Start()),
    ]
    for at, asked in journal:
        made.apply(asked, at)
    for at in (0.0, 20.0):
        due = made.due(at)
        assert due is not None
        made.apply(due, at)
        journal.append((at, due))
    assert isinstance(journal[-1][1], s.Expire)
    assert Table.restore(setup, [*journal, journal[-1]]).info == made.info


def test_a_limit_that_is_set_in_the_middle_of_a_turn_begins_then() -> None:
    made = started()
    made.apply(s.Configure(options=Options(turn_limit=20.0)), 500.0)
    assert made.info.turn_ends == 520.0
    assert made.due(519.9) is None
    made.apply(s.Configure(options=Options(turn_limit=5.0)), 515.0)
    assert made.info.turn_ends == 520.0
    made.apply(s.Configure(options=Options(turn_limit=5.0, spectators=False)), 518.0)
    assert made.info.turn_ends == 520.0, "the limit is the same"


def test_a_pause_stops_every_clock() -> None:
    made = started(3, turn_limit=20.0, grace=60.0)
    away, relieved = (seat for seat in range(3) if seat != made.game.turn)  # type: ignore[union-attr]
    made.apply(s.Lose(away), 10.0)
    made.apply(s.Lose(relieved), 10.0)
    made.apply(s.Relieve(relieved), 10.0)
    made.apply(s.Pause(True), 15.0)
    assert made.next_due() is None
    assert made.info.turn_ends is None
    assert made.game is not None
    with pytest.raises(Refused):
        made.apply(s.Do(made.game.turn or 0, act.DRAW), 16.0)
    made.apply(s.Pause(False), 100.0)
    assert made.info.turn_ends == 105.0
    assert made.chairs[away].away_since == 95.0
    assert made.chairs[relieved].away_since == 10.0
    assert made.due(104.9) is None
    made.apply(s.Configure(options=Options(turn_limit=None, grace=60.0)), 100.0)
    assert made.due(154.9) is None
    assert made.due(155.0) == s.Relieve(away)


def test_a_pause_again_and_again_wins_no_time() -> None:
    made = started(2, turn_limit=5.0)
    assert made.game is not None
    for begin in (3.0, 20.0, 40.0):
        made.apply(s.Pause(True), begin)
        made.apply(s.Pause(False), begin + 16.0)
    assert made.due(57.0) == s.Expire(made.game.turn)  # type: ignore[arg-type]


def test_who_goes_away_in_a_pause_has_the_time_of_grace_after_it() -> None:
    made = started(2, grace=60.0)
    made.apply(s.Pause(True), 10.0)
    made.apply(s.Lose(1), 50.0)
    made.apply(s.Pause(False), 100.0)
    assert made.due(159.9) is None
    assert made.due(160.0) == s.Relieve(1)


def test_a_pause_stops_the_clock_between_rounds() -> None:
    made = between_rounds(2, deal_after=30.0)
    made.apply(s.Pause(True), 29.0)
    made.apply(s.Pause(False), 100.0)
    assert made.next_due() == 101.0


# Absence


def test_a_bot_plays_for_who_is_away_after_the_time_of_grace() -> None:
    made = started(2, grace=60.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Lose(seat), 100.0)
    assert made.due(159.9) is None
    assert made.due(160.0) == s.Relieve(seat)
    made.apply(s.Relieve(seat), 160.0)
    bots_move = made.due(170.0)
    assert isinstance(bots_move, s.Do)
    made.apply(s.Return(seat), 171.0)
    assert not made.chairs[seat].plays_itself
    assert made.due(1e9) is None


def test_a_table_without_a_time_of_grace_waits() -> None:
    made = started(2, grace=None)
    assert made.game is not None
    made.apply(s.Lose(made.game.turn or 0), 0.0)
    assert made.next_due() is None


def test_a_table_that_everyone_left_rests_and_then_grants_the_time_of_grace_again() -> None:
    made = started(2, grace=60.0)
    made.apply(s.Lose(0), 10.0)
    made.apply(s.Lose(1), 11.0)
    assert made.next_due() is None
    made.apply(s.Return(0), 10_000.0)
    assert made.chairs[1].away_since == 10_000.0
    assert made.due(10_059.9) is None
    assert made.due(10_060.0) == s.Relieve(1)


def test_the_turn_has_all_its_time_again_at_a_table_that_everyone_had_left() -> None:
    made = started(2, turn_limit=30.0)
    assert made.game is not None
    made.apply(s.Lose(0), 10.0)
    made.apply(s.Lose(1), 11.0)
    assert made.info.turn_ends is None
    made.apply(s.Return(0), 10_000.0)
    assert made.info.turn_ends == 10_030.0
    assert made.due(10_029.9) is None
    assert made.due(10_030.0) == s.Expire(made.game.turn)  # type: ignore[arg-type]


def test_a_table_that_is_left_in_a_pause_rests_until_both_are_over() -> None:
    made = started(2, grace=60.0)
    made.apply(s.Pause(True), 10.0)
    made.apply(s.Lose(0), 20.0)
    made.apply(s.Lose(1), 20.0)
    made.apply(s.Return(0), 100.0)
    assert made.next_due() is None
    made.apply(s.Pause(False), 200.0)
    assert made.next_due() == 260.0


def test_whoever_comes_back_restarts_no_clock_but_their_own() -> None:
    made = started(2, grace=5.0, turn_limit=30.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Lose(1 - seat), 10.0)
    made.apply(s.Relieve(1 - seat), 15.0)
    made.apply(s.Return(1 - seat), 25.0)
    assert made.info.turn_ends == 30.0
    made.apply(s.Lose(seat), 26.0)
    made.apply(s.Return(seat), 27.0)
    assert made.info.turn_ends == 30.0, "nobody had played for them"


@pytest.mark.parametrize("pause", [0.0, 500.0])
def test_no_time_is_won_by_whoever_comes_back_before_the_bot_has_moved(pause: float) -> None:
    made = started(2, grace=5.0, turn_limit=30.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    at = 0.0
    for left in (24.0, 18.0, 12.0):
        made.apply(s.Lose(seat), at + 1.0)
        made.apply(s.Relieve(seat), at + 6.0)
        at += 6.5
        if pause:
            made.apply(s.Pause(True), at)
            at += pause
            made.apply(s.Return(seat), at)
            at += pause
            made.apply(s.Pause(False), at)
        else:
            made.apply(s.Return(seat), at)
        assert made.info.turn_ends == at + left


def test_the_turn_that_a_bot_went_on_with_has_all_its_time_again() -> None:
    made = started(2, grace=5.0, turn_limit=30.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Lose(seat), 20.0)
    made.apply(s.Relieve(seat), 25.0)
    made.apply(s.Do(seat, act.DRAW), 26.0)
    made.apply(s.Return(seat), 27.0)
    assert made.info.turn_ends == 57.0
    made.apply(s.Do(seat, act.DISCARD), 28.0)
    made.apply(s.Lose(seat), 28.0)
    made.apply(s.Relieve(seat), 33.0)
    move(made, 34.0)
    while made.game.turn != seat:
        move(made, 34.0)
    made.apply(s.Return(seat), 34.5)
    assert made.info.turn_ends == 64.5, "the turn began while they were away"


def test_a_limit_that_is_set_while_a_bot_is_called_in_is_no_longer_than_it_says() -> None:
    made = started(2, grace=5.0, turn_limit=30.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Lose(seat), 1.0)
    made.apply(s.Relieve(seat), 6.0)
    made.apply(s.Configure(options=replace(made.options, turn_limit=20.0)), 8.0)
    made.apply(s.Return(seat), 9.0)
    assert made.info.turn_ends == 29.0


def test_nobody_sits_down_whom_no_bot_could_stand_in_for() -> None:
    made = table()
    for level in ("bogus", "exec:rm", ""):
        with pytest.raises(RackoError):
            made.apply(s.Sit(0, "Ana", Kind.HUMAN, level), 0.0)


def test_who_is_relieved_or_comes_back_between_rounds_does_not_put_off_the_deal() -> None:
    made = between_rounds(2, deal_after=30.0)
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    made.apply(s.Lose(seat), 10.0)
    made.apply(s.Relieve(seat), 15.0)
    made.apply(s.Return(seat), 25.0)
    assert made.next_due() == 30.0


def test_coming_back_twice_says_nothing_the_second_time() -> None:
    made = started()
    made.apply(s.Lose(0), 1.0)
    assert matters(made.apply(s.Return(0), 2.0)) == ["back"]
    assert made.apply(s.Return(0), 3.0) == []


# The draw for the dealer


def opening_of(made: Table) -> DealerDrawn:
    assert made.game is not None
    return made.game.opening


def test_the_draw_for_the_dealer_is_promised_before_the_game() -> None:
    made = table()
    promised = made.info.commitment
    made.apply(s.Sit(0, "Ana"), 0.0)
    made.apply(s.Sit(1, "Bo"), 0.0)
    assert made.info.commitment == promised
    made.apply(s.Start(), 0.0)
    drawn = opening_of(made)
    assert drawn.commitment == promised
    assert commitment(drawn.deck, bytes.fromhex(drawn.salt)) == promised
    assert made.info.commitment == "", "nothing is promised while a game is played"


def test_other_rules_promise_another_draw() -> None:
    made = table(2)
    two = made.info.commitment
    made.apply(s.Configure(Rules(players=3)), 0.0)
    three = made.info.commitment
    assert three != two, "there are more cards"
    for seat in range(3):
        made.apply(s.Sit(seat, f"P{seat}"), 0.0)
    made.apply(s.Start(), 0.0)
    assert opening_of(made).commitment == three


@pytest.mark.parametrize("rules", [None, Rules(target=100, first_dealer="low")])
def test_the_draw_of_a_rematch_is_promised_when_the_game_has_ended(rules: Rules | None) -> None:
    made = finished()
    first = opening_of(made)
    made.apply(s.Configure(rules), 0.0)
    promised = made.info.commitment
    assert promised not in ("", first.commitment)
    made.apply(s.Rematch(), 0.0)
    assert opening_of(made).commitment == promised
    assert made.info.commitment == ""


def test_nothing_that_is_told_before_a_game_tells_the_draw_for_its_dealer() -> None:
    made = table()
    told = []
    for asked in (s.Sit(0, "Ana"), s.Sit(1, "Bo"), s.Start()):
        told.append(repr(made.info))
        told.append(repr(made.seen(made.apply(asked, 0.0), None)))
    opening = opening_of(made)
    before, began = "".join(told[:-1]), told[-1]
    assert opening.salt in began
    for secret in (opening.salt, repr(opening.deck), SEED.hex(), made.seed.hex()):
        assert secret not in before


def test_the_promise_is_made_once_for_a_game_and_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table()
    monkeypatch.setattr("racko_core.table.Deck", None)
    assert len({made.info.commitment for _ in range(3)}) == 1


# What others see


def test_open_racks_are_for_spectators_alone() -> None:
    made = started(open_racks=True)
    shown = made.view(None)
    assert shown is not None
    assert shown.hand is None
    for seat in range(2):
        view = made.view(seat)
        assert view is not None
        assert shown.racks[seat] == view.rack
        assert view.racks[1 - seat] is None


def test_racks_are_opened_with_a_deal_and_closed_at_once() -> None:
    """Else an owner who plays could open them for a moment, and watch by a second connection."""
    made = started()
    made.apply(s.Configure(options=Options(open_racks=True)), 0.0)
    assert made.view(None).racks == (None, None)  # type: ignore[union-attr]
    made = started(open_racks=True)
    made.apply(s.Configure(options=Options()), 0.0)
    assert made.view(None).racks == (None, None)  # type: ignore[union-attr]
    made.apply(s.Configure(options=Options(open_racks=True)), 0.0)
    assert None not in made.view(None).racks  # type: ignore[union-attr]


# Help


def test_a_hint_counts_once_a_decision_and_only_in_ones_turn() -> None:
    made = started()
    assert made.game is not None
    seat = made.game.turn
    assert seat is not None
    with pytest.raises(Refused, match="when it is your turn"):
        made.apply(s.Hint(1 - seat), 0.0)
    for _ in range(2):
        assert made.apply(s.Hint(seat), 0.0) == []
        assert made.info.chairs[seat].hints == 1
    made.apply(s.Do(seat, act.DRAW), 0.0)
    made.apply(s.Hint(seat), 0.0)
    assert [chair.hints for chair in made.info.chairs] == [2 * (one == seat) for one in (0, 1)]


def test_nobody_is_helped_between_rounds_and_bots_never_are() -> None:
    made = finished()
    for seat in (0, 1, 2):
        with pytest.raises(Refused):
            made.apply(s.Hint(seat), 0.0)
    made = table()
    made.apply(s.Sit(0, "Robot", Kind.BOT, "novice"), 0.0)
    made.apply(s.Sit(1, "Ana"), 0.0)
    for seat in (0, 1):
        with pytest.raises(Refused):
            made.apply(s.Hint(seat), 0.0)


def test_hints_are_counted_anew_in_every_game() -> None:
    made = started()
    assert made.game is not None
    assert made.game.turn is not None
    made.apply(s.Hint(made.game.turn), 0.0)
    while made.stage is Stage.PLAYING:
        if made.game.phase is Phase.DEAL:
            for seat in (0, 1):
                made.apply(s.Ready(seat), 0.0)
            made.apply(s.Do(made.game.turn, act.DEAL), 0.0)
        else:
            move(made)
    assert sum(chair.hints for chair in made.chairs) == 1  # the game that was helped with
    made.apply(s.Rematch(), 0.0)
    assert [chair.hints for chair in made.chairs] == [0, 0]


# The journal


@st.composite
def inputs(draw: st.DrawFn) -> list[tuple[float, s.Input]]:
    """Inputs of all kinds at rising times, sensible or not."""
    seat = st.integers(0, 2)
    kinds = st.one_of(
        st.builds(s.Sit, seat, st.just("N"), st.sampled_from([Kind.HUMAN, Kind.BOT])),
        st.builds(s.Stand, seat),
        st.builds(s.Move, seat, seat),
        st.builds(s.Ready, seat, st.booleans()),
        st.just(s.Start()),
        st.builds(s.Do, seat, st.sampled_from([act.DRAW, act.DISCARD, *act.TAKES[:3]])),
        st.builds(s.Lose, seat),
        st.builds(s.Return, seat),
        st.builds(s.Relieve, seat),
        st.builds(s.Expire, seat),
        st.builds(s.Hint, seat),
        st.builds(s.Say, seat, st.just("N"), st.just("hi")),
        st.builds(s.Pause, st.booleans()),
        st.builds(s.HandOver, seat),
        st.builds(s.Configure, st.none(), st.builds(Options, grace=st.just(9.0))),
        st.just(s.Rematch()),
    )
    given: list[tuple[float, s.Input]] = []
    now = 0.0
    for seat_number in range(3):
        if draw(st.booleans()):
            given.append((now, s.Sit(seat_number, "N")))
    for _ in range(draw(st.integers(0, 30))):
        now += draw(st.sampled_from([0.0, 0.5, 10.0, 100.0]))
        given.append((now, draw(kinds)))
    return given


@settings(max_examples=60, deadline=None)
@given(inputs())
def test_the_journal_brings_the_table_back_exactly(
    asked: list[tuple[float, s.Input]],
) -> None:
    setup = Setup(Rules(players=3, target=50), SEED, Options(turn_limit=30.0, grace=20.0))
    made, journal, told = Table(setup), [], []
    for now, one in asked:
        due = made.due(now)
        for each in (one, due) if due is not None else (one,):
            seq, info = made.seq, made.info
            try:
                told += made.apply(each, now)
            except RackoError:
                assert (made.seq, made.info) == (seq, info)  # a refusal changes nothing
                continue
            journal.append((now, each))
    back = Table.restore(setup, journal)
    assert back.info == made.info
    assert (back.seq, back.game_seq) == (made.seq, made.game_seq)
    assert back.next_due() == made.next_due()
    for seat in (0, 1, 2, None):
        assert back.view(seat) == made.view(seat)
    assert [notice.seq for notice in told] == list(range(1, len(told) + 1))
