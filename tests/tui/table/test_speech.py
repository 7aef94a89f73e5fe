"""What is told below the table: as much of it as there is room for."""

from __future__ import annotations

from racko_tui.widgets.speech import Told

SHORT = "Bo draws a card."
LONG = "Ana: " + "so many words " * 21


def lines(told: Told, width: int = 58, height: int = 2) -> list[str]:
    """What stands there, line by line."""
    return ["".join(text for text, *_ in line) for line in told.draw(width, height)]


def told(*happened: str, word: str = "", pinned: tuple[str, ...] = ()) -> Told:
    """A place for what is told, with something to tell."""
    widget = Told()
    widget.happened, widget.pinned = happened, frozenset(pinned)
    widget.words = ((word, "warning"),) if word else ()
    return widget


def test_of_what_is_too_long_the_beginning_is_told() -> None:
    first, second = lines(told(SHORT, LONG))
    assert first.startswith("Ana: so many words")
    assert second.endswith("…")
    assert len(second) <= 58


def test_what_is_pinned_is_told_in_part_rather_than_not_at_all() -> None:
    for happened in ((LONG, SHORT), (SHORT, LONG)):
        first, second = lines(told(*happened, pinned=(LONG,)))
        assert first.startswith("Ana: so many words")
        assert second.endswith("…")


def test_a_word_to_the_player_that_is_too_long_says_so() -> None:
    assert lines(told(SHORT, word=LONG))[-1].endswith("…")
    assert lines(told(SHORT, LONG, word="Wait."))[-1] == "Wait."


def test_what_is_older_and_too_long_does_not_stand_there_in_part() -> None:
    assert lines(told(LONG, SHORT)) == [SHORT, ""]


def test_without_any_room_nothing_is_told() -> None:
    assert lines(told(LONG, word=LONG), height=0) == []
