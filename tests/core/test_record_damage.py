"""Whatever is done to a record, reading it ends in a sentence with a line number."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from racko_core.actions import DEAL
from racko_core.deck import Deck, seed_from
from racko_core.errors import RecordError
from racko_core.game import Game
from racko_core.record import SeatName, read, verify, write
from racko_core.rules import Rules
from tests.core.chance import chooser

SEED = seed_from("damage")
SEATS = (SeatName("Zoë"), SeatName("Bo", "solid"))


def _game() -> Game:
    rules = Rules.preset("bonus", max_rounds=2, stalemate_turnovers=1, exhausted="shuffle")
    game = Game.new(rules, SEED)
    choose = chooser(random.Random(3), 0.9)
    while game.result is None:
        game.apply(choose(game))
    return game


GAME = _game()
SEEDED = write(GAME, SEATS, seed=SEED, about={"date": "2026-03-01"})
TEXT = write(GAME, SEATS, about={"date": "2026-03-01"})
LINES = TEXT.split("\n")


def refused(data: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as error:
        verify(data)
    return error.value


def line_of(word: str) -> int:
    """The number of the first line that starts like this."""
    return next(i for i, line in enumerate(LINES, 1) if line.startswith(word))


def never_fails(data: str | bytes) -> None:
    """Only a RecordError may come out, with the number of a line and a whole sentence."""
    lines = (data.encode(errors="replace") if isinstance(data, str) else data).count(b"\n") + 1
    for look in (verify, read, lambda text: read(text, partial=True).replay()):
        error = _error(look, data)
        if error is not None:
            assert 0 <= error.line <= lines
            assert re.search(rf"\b{error.line}\b", str(error)), str(error)
            assert str(error)[-1] == "."
            copy = pickle.loads(pickle.dumps(error))
            assert (type(copy), copy.line, str(copy)) == (type(error), error.line, str(error))


def _error(look: Callable[[str | bytes], object], data: str | bytes) -> RecordError | None:
    try:
        look(data)
    except RecordError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("start", "old", "new", "sentence"),
    [
        ("racko", "record 1", "record 2", "has version 2, this program reads 1"),
        ("racko", "racko", "chess", "This is not a Rack-O record"),
        ("about", '"2026', "2026", "is damaged"),
        ("rules", "players=2", "players=5", "Rack-O is for 2, 3 or 4 players, not 5"),
        ("rules", "players=2 ", "", "is damaged"),
        ("rules", "target=500", "target=7", "multiple of 5"),
        ("rules", "bonus=yes", "bonus=maybe", "“bonus” is yes / no"),
        ("rules", "bonus=yes", "bonus=1", "“bonus” is yes / no"),
        ("rules", "teams=no", "teams=yes", "Teams need four"),
        ("seat 1", "seat 1", "seat 2", "it should read “seat 1"),
        ("seat 1", '"Bo"', '"Bo\\q"', "is damaged"),
        ("opening", "opening", "closing", "it should read “opening"),
        ("commitment", "commitment ", "commitment 0", "is damaged"),
        ("deck", " 7 ", " 8 ", "holds each card up to 40 once"),
        ("deck", " 7 ", " 41 ", "holds each card up to 40 once"),
        ("deck", " 7 ", " ", "holds each card up to 40 once"),
        ("salt", "salt ", "pepper ", "it should read “salt"),
        ("round 2", "round 2", "round 3", "it should read “round 2"),
        ("1. ", "1. ", "2. ", "is damaged"),
        ("out", "out", "in", "is damaged"),
        ("totals", "totals", "sum", "it should read “totals"),
        ("won", "won", "lost", "is damaged"),
    ],
)
def test_damage_is_told_with_its_line(start: str, old: str, new: str, sentence: str) -> None:
    number = line_of(start)
    assert old in LINES[number - 1]
    changed = LINES[number - 1].replace(old, new, 1)
    error = refused("\n".join([*LINES[: number - 1], changed, *LINES[number:]]))
    assert sentence in str(error)
    assert error.line == number


def test_a_line_that_should_be_empty_is_said_so() -> None:
    number = LINES.index("") + 1
    error = refused("\n".join([*LINES[: number - 1], "words", *LINES[number:]]))
    assert str(error) == f"Line {number} of the record is damaged; it should be empty."


@pytest.mark.parametrize(
    ("start", "pattern"),
    [
        ("opening", r"dealer \d"),
        ("round 1", r"dealer \d"),
        ("rack 0", r"\d+$"),
        ("points", r"\d+$"),
        ("totals", r"\d+$"),
        ("won", r"\d"),
        ("out", r"(?<=out )\S+"),
        ("out", r"\S+$"),
    ],
)
def test_a_false_statement_is_told_with_what_is_true(start: str, pattern: str) -> None:
    number = line_of(start)
    line = LINES[number - 1]
    others = ("dealer 0", "dealer 1", "0", "1", "nobody", "auto", "dealt")
    spellings = (re.sub(pattern, other, line) for other in others)
    lies = [lie for lie in spellings if lie != line]
    told = 0
    for lie in lies:
        error = refused("\n".join([*LINES[: number - 1], lie, *LINES[number:]]))
        if "by the rules it is" in str(error):
            assert error.line == number
            assert line in str(error)
            told += 1
    assert told


def test_a_deck_that_was_not_committed_to_is_found() -> None:
    number = line_of("deck")
    words = LINES[number - 1].split()
    words[-1], words[-2] = words[-2], words[-1]
    error = refused("\n".join([*LINES[: number - 1], " ".join(words), *LINES[number:]]))
    assert (error.line, "not the one that was committed to" in str(error)) == (number, True)


def test_a_deck_that_does_not_follow_from_the_seed_is_found() -> None:
    seed = seed_from("another")
    error = refused(SEEDED.replace(SEED.hex(), seed.hex()))
    assert "does not follow from the seed" in str(error)
    other = Deck.for_round(GAME.rules, seed, 0)
    assert other != Deck.for_round(GAME.rules, SEED, 0)


def test_a_move_that_the_rules_forbid_is_told_with_the_reason() -> None:
    number = line_of("1. ")
    for turn, reason in (
        ("d d", "Place the card that you drew"),
        ("x", "Draw a card or take"),
        ("!", "Going out needs all ten cards in order."),
        ("+", "Draw a card or take"),
    ):
        error = refused("\n".join([*LINES[: number - 1], f"1. {turn}", *LINES[number:]]))
        assert (error.line, reason in str(error)) == (number, True)


def test_moves_after_the_end_of_a_round_and_lines_after_the_end_are_found() -> None:
    number = line_of("out")
    count = int(LINES[number - 2].split(".")[0])
    more = [*LINES[: number - 1], f"{count + 1}. d x", *LINES[number - 1 :]]
    assert "not been dealt yet" in str(refused("\n".join(more)))
    assert "goes on after its end" in str(refused(TEXT + "\n"))
    assert "goes on after its end" in str(refused(TEXT + "racko record 1\n"))


def test_what_follows_the_end_without_a_line_of_its_own_is_found_by_every_reader() -> None:
    """As a power cut leaves it: zeros up to the end of a block."""
    for more in ("\0" * 100, "end", " ", "\n\0"):
        for look in (verify, read):
            with pytest.raises(RecordError, match="goes on after its end") as caught:
                look(TEXT + more)
            assert caught.value.line == len(LINES)
        assert read(TEXT + more, partial=True) == read(TEXT)
    assert read(TEXT.removesuffix("\n")) == read(TEXT)


def test_a_note_under_the_same_key_twice_is_damage() -> None:
    line = LINES[line_of("about") - 1]
    assert refused(TEXT.replace(line, f"{line}\n{line}")).line == line_of("about") + 1


def test_a_name_longer_than_any_that_is_written_is_damage() -> None:
    assert refused(TEXT.replace('"Zoë"', f'"{"x" * 301}"')).line == line_of("seat 0")


def test_turns_that_are_lined_up_otherwise_are_not_the_one_spelling() -> None:
    number = line_of("1. ")
    error = refused(
        "\n".join([*LINES[: number - 1], LINES[number - 1].replace(" | ", " "), *LINES[number:]])
    )
    assert "by the rules it is" in str(error)
    assert error.line == number


def test_a_result_that_is_left_out_is_missed() -> None:
    won = line_of("won")
    error = refused("\n".join([*LINES[: won - 1], *LINES[won:]]))
    assert (error.line, "won" in str(error)) == (won, True)


def test_a_round_in_play_whose_deck_is_told_without_the_seed_is_no_record() -> None:
    game = Game.new(Rules(), SEED)
    game.apply(DEAL)
    text = write(game, SEATS, seed=SEED)
    verify(text)
    refused(re.sub("seed .*\n", "", text))


@pytest.mark.parametrize(
    "data",
    ["", "\n", "end", b"\x89PNG\r\n\x1a\n", b"\xff\xfe", "{}", "\x00" * 5000, "racko record 1"],
)
def test_what_is_no_record_is_refused(data: str | bytes) -> None:
    refused(data)
    never_fails(data)


numbers = st.sampled_from(
    ["0", "-1", "1e9", "007", "9" * 30, "9" * 3000, "٣", "½", "0x10", "1_0", ""]
)
texts = st.sampled_from([TEXT, SEEDED])


@settings(max_examples=300, deadline=None)
@given(texts, st.data())
def test_bits_that_flipped_never_break_the_reader(text: str, data: st.DataObject) -> None:
    raw = bytearray(text.encode())
    for place in data.draw(st.lists(st.integers(0, len(raw) * 8 - 1), min_size=1, max_size=4)):
        raw[place // 8] ^= 1 << place % 8
    never_fails(bytes(raw))


@settings(max_examples=200, deadline=None)
@given(texts, st.data())
def test_lines_moved_doubled_dropped_or_foreign_never_break_the_reader(
    text: str, data: st.DataObject
) -> None:
    lines = text.split("\n")
    place, other = data.draw(st.tuples(*[st.integers(0, len(lines) - 1)] * 2))
    match data.draw(st.sampled_from(("swap", "double", "drop", "insert", "merge"))):
        case "swap":
            lines[place], lines[other] = lines[other], lines[place]
        case "double":
            lines.insert(other, lines[place])
        case "drop":
            del lines[min(place, other) : max(place, other)]
        case "insert":
            lines.insert(place, data.draw(st.text(max_size=50)))
        case _:
            lines[place] += " " + lines[other]
    never_fails("\n".join(lines))


@settings(max_examples=200, deadline=None)
@given(texts, st.data())
def test_numbers_and_words_of_other_kinds_never_break_the_reader(
    text: str, data: st.DataObject
) -> None:
    words = list(re.finditer(r"\w+", text))
    word = words[data.draw(st.integers(0, len(words) - 1))]
    new = data.draw(st.one_of(numbers, st.text(max_size=20)))
    never_fails(text[: word.start()] + new + text[word.end() :])


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)), st.integers(0, len(TEXT)))
@example("\ud800", 0)
@example(b"\xff", len(TEXT))
def test_random_bytes_never_break_the_reader(data: str | bytes, after: int) -> None:
    never_fails(data)
    if isinstance(data, str):
        never_fails(TEXT[:after] + data)
    else:
        never_fails(TEXT.encode()[:after] + data)
