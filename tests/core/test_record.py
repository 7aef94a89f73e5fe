from __future__ import annotations

import random
import time

import pytest

from racko_core.actions import DEAL
from racko_core.deck import Deck, seed_from
from racko_core.errors import RecordError
from racko_core.game import Game
from racko_core.record import HUMAN, CutOffError, SeatName, read, verify, write
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core.chance import chooser, seeded_decks
from tests.core.secrecy import as_bytes
from tests.core.stacked import RISING, dealt_game, play

SEED = seed_from("a game to remember")
SEATS = (SeatName("Ana"), SeatName("Bo", "novice"))


def game_to(rules: Rules, phase: Phase, after: int) -> Game:
    """A game of at least so many actions that has come to this phase."""
    game = Game.new(rules, SEED)
    choose = chooser(random.Random(7), 0.9)
    while game.result is None and (game.phase is not phase or len(game.actions) < after):
        game.apply(choose(game))
    assert game.phase is phase
    return game


FINISHED = game_to(Rules.preset("bonus", target=300, stalemate_turnovers=3), Phase.OVER, 0)


def test_a_record_tells_rules_seats_notes_and_actions() -> None:
    record = read(
        write(FINISHED, SEATS, seed=SEED, about={"date": "2026-03-01", "place": "Aarhus"})
    )
    assert record.rules == FINISHED.rules
    assert record.seats == SEATS
    assert record.about == {"date": "2026-03-01", "place": "Aarhus"}
    assert record.seed == SEED
    assert record.actions == FINISHED.actions
    assert [part.number for part in record.rounds] == [ended.round for ended in FINISHED.sheet]


def test_a_finished_game_replays_and_verifies_with_and_without_its_seed() -> None:
    for seed in (SEED, None):
        found = verify(write(FINISHED, SEATS, seed=seed))
        assert found.game.sheet == FINISHED.sheet
        assert found.game.result == FINISHED.result
        assert found.proofs == 1 + len(FINISHED.sheet)
        assert found.seeded == (seed is not None)


@pytest.mark.parametrize("phase", [Phase.TURN, Phase.DRAWN, Phase.CALL, Phase.DEAL])
def test_a_private_record_brings_an_unfinished_game_back_and_lets_it_go_on(phase: Phase) -> None:
    game = game_to(Rules(call="manual", stalemate_turnovers=3), phase, 60)
    again = verify(write(game, SEATS, seed=SEED)).game
    for seat in (0, 1, None):
        assert as_bytes(again.view(seat)) == as_bytes(game.view(seat))
    choose = chooser(random.Random(1), 1.0)
    for _ in range(100):
        action = choose(game)
        assert again.apply(action) == game.apply(action)


def test_a_game_that_has_not_begun_is_a_record_too() -> None:
    game = Game.new(Rules(), SEED)
    again = verify(write(game, SEATS, seed=SEED)).game
    assert (again.phase, again.round, again.opening) == (Phase.DEAL, 0, game.opening)


def test_a_record_without_seed_hides_the_round_in_play_and_all_later_ones() -> None:
    game = game_to(Rules(call="manual", stalemate_turnovers=3), Phase.DRAWN, 200)
    assert len(game.sheet) > 0
    text = write(game, SEATS)
    for number in (game.round, game.round + 1):
        deck = Deck.for_round(game.rules, SEED, number)
        assert " ".join(map(str, deck.order)) not in text
        assert deck.salt.hex() not in text
    assert SEED.hex() not in text
    assert text.endswith(f"commitment {game.view(None).commitment}\n\nend\n")
    found = verify(text)
    assert found.game.sheet == game.sheet
    assert found.game.phase is Phase.DEAL
    with pytest.raises(RecordError, match="does not tell the deck of round"):
        found.game.apply(DEAL)


def test_a_record_given_away_is_the_same_whatever_is_done_in_the_round_in_play() -> None:
    game = game_to(Rules(), Phase.DEAL, 60)
    game.apply(DEAL)
    before = write(game, SEATS)
    play(game, "d x t3 d p10")
    assert write(game, SEATS) == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "Zoë Ångström 李雷 🂡",
        'a "b" \\ c',
        "two\nlines\r\nand\ttabs",
        "# seat 1 human",
        "\x1b[31mred\x07\x00",
        "\u202eevil\u2028\u2029\u0085",
        "\ud800 half a pair",
        "end",
        "x" * 300,
        "\U0001f0a1" * 300,
        "\ud800" * 300,
    ],
    ids=ascii,
)
def test_any_name_and_note_survives(name: str) -> None:
    text = write(FINISHED, [SeatName(name), SEATS[1]], about={"note": name})
    record = verify(text).record
    assert record.seats[0].name == name
    assert record.about["note"] == name
    assert read(text.encode()).seats == record.seats
    assert text.isascii() or name.isprintable()


def test_what_could_not_be_read_again_is_not_written() -> None:
    for seats in ((SEATS[0],), (SEATS[0], SeatName("x" * 301)), (SEATS[0], SeatName("x", "A b"))):
        with pytest.raises(ValueError):
            write(FINISHED, seats)
    with pytest.raises(ValueError, match="seed"):
        write(FINISHED, SEATS, seed=b"short")
    with pytest.raises(ValueError, match="key"):
        write(FINISHED, SEATS, about={"two words": ""})


def test_a_call_stands_with_its_turn_or_alone_as_it_was_made() -> None:
    game = dealt_game(Rules(call="manual", target=5), {1: RISING})
    play(game, "d x + t1 !")
    assert "\n1. d x + | t1\n2. !\nout 1 hand\n" in write(game, SEATS)
    game = dealt_game(Rules(call="manual", target=5), {1: RISING})
    play(game, "d x + t1 d x !")
    assert "\n1. d x + | t1\n2. d x !\nout 1 hand\n" in write(game, SEATS)
    assert verify(write(game, SEATS)).game.result == game.result


def test_lines_may_end_as_they_do_on_windows_and_the_last_one_not_at_all() -> None:
    text = write(FINISHED, SEATS, seed=SEED)
    assert verify(text.replace("\n", "\r\n")).game.sheet == FINISHED.sheet
    assert verify(text.removesuffix("\n").encode()).game.sheet == FINISHED.sheet


def test_a_cut_off_record_says_so_and_gives_back_what_is_left() -> None:
    game = game_to(Rules(stalemate_turnovers=3), Phase.DRAWN, 150)
    text = write(game, SEATS, seed=SEED)
    head = text.index("\n\n", text.index("opening"))
    for cut in range(head + 1, len(text) - 1):
        left = text[:cut]
        with pytest.raises(CutOffError) as error:
            read(left)
        assert error.value.line == left.count("\n")
        actions = read(left, partial=True).replay().actions
        assert actions == game.actions[: len(actions)]
        # Nothing is lost but the line that was being written.
        whole = left.split("\n")[:-1]
        codes = [code for line in whole if ". " in line for code in line.split()[1:]]
        deals = sum(line.startswith("salt") for line in whole) - 1
        assert len(actions) == deals + len(codes) - codes.count("|")
    assert read(text[:-5], partial=True).replay().actions == game.actions


def test_a_record_damaged_in_the_middle_gives_back_what_comes_before() -> None:
    text = write(FINISHED, SEATS, seed=SEED)
    start = text.index("\n3. ") + 1
    spoilt = text[:start] + "\x00" * 40 + text[start:]
    with pytest.raises(RecordError):
        read(spoilt)
    left = read(spoilt, partial=True).replay()
    assert left.actions == FINISHED.actions[: len(left.actions)]
    assert left.round == 1


def test_a_head_that_is_cut_off_cannot_be_rescued() -> None:
    text = write(FINISHED, SEATS, seed=SEED)
    for cut in range(text.index("deck ")):
        with pytest.raises(RecordError):
            read(text[:cut], partial=True)


def test_rules_with_every_setting_changed_come_back() -> None:
    rules = Rules(
        players=4,
        target=1_000_000_000,
        first_dealer="low",
        exhausted="shuffle",
        call="auto",
        min_run=6,
        scoring="ascents",
        bonus=True,
        teams=True,
        max_rounds=1_000_000_000,
        stalemate_turnovers=1_000_000_000,
    )
    game = Game(rules, seeded_decks(rules, 1))
    assert read(write(game, [SeatName("x", HUMAN)] * 4)).rules == rules


def test_a_huge_text_is_refused_at_once() -> None:
    text = write(FINISHED, SEATS, seed=SEED)
    began = time.process_time()
    for huge in (
        "9" * 5_000_000,
        text.replace("target=300", "target=" + "9" * 5_000_000),
        text.replace('"Ana"', '"' + "\\u0041" * 1_000_000 + '"'),
        text.replace("deck ", "deck " + "1 " * 2_000_000),
        text.replace("\n1. ", "\n1. " + "d x | " * 1_000_000),
        text + "\n" * 5_000_000,
    ):
        with pytest.raises(RecordError):
            read(huge)
    assert time.process_time() - began < 20  # it takes a fraction of a second; quadratic, hours
