"""What is told of a game: everything that can be seen, and nothing that cannot."""

from __future__ import annotations

import re

import pytest

from racko_core.bots import bot, decide_safely
from racko_core.events import Discarded, Drew, Placed, seen_by
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.seating import (
    Configure,
    Do,
    Lose,
    Notice,
    Options,
    Ready,
    Relieve,
    Remark,
    Return,
    Said,
)
from racko_core.table import Table
from racko_core.view import Phase
from racko_net.session import Link, Seen, Update
from racko_tui.table.chronicle import Chronicle
from racko_tui.table.narration import Narrator, outcome_of
from tests.tui.table.sitting import seated

NAMES = ("Ana", "Bo", "Cy")


def lines_of_a_round(me: Seat | None) -> list[str]:
    game = Game.new(Rules(players=3, target=75), b"narration")
    chronicle = Chronicle()
    narrator = Narrator(NAMES, game.rules, me)
    chronicle.add(game.opening, narrator)
    player = bot("novice")
    while game.phase is not Phase.OVER and not game.sheet:
        for event in game.apply(decide_safely(player, game.view(game.turn))):
            chronicle.add(seen_by(event, me), narrator)
    return chronicle.lines


@pytest.mark.parametrize("me", [0, None])
def test_a_round_is_told_from_the_deal_to_the_points(me: Seat | None) -> None:
    lines = lines_of_a_round(me)
    assert lines[0].startswith("Cards drawn for the first deal: Ana ")
    assert lines[1].startswith("Round 1: ")
    assert any("RACK-O!" in line and "+75" in line for line in lines[-2:])
    assert all("{" not in line and "None" not in line for line in lines)


def test_only_the_player_is_called_you() -> None:
    assert any(line.startswith("You ") for line in lines_of_a_round(0))
    assert not any("You " in line for line in lines_of_a_round(None))


def test_a_card_that_others_drew_is_never_told() -> None:
    for line in lines_of_a_round(None):
        if "drew a card, put" in line:
            assert len(re.findall(r"\d+", line)) == 2  # the slot, and the card discarded


def test_a_turn_is_one_line_of_the_log() -> None:
    narrator, chronicle = Narrator(NAMES, Rules(players=3), 0), Chronicle()
    chronicle.add(Drew(1, None), narrator)
    assert chronicle.lines == ["Bo drew a card."]
    chronicle.add(Placed(1, 4, None, "draw", 17), narrator)
    assert chronicle.lines == ["Bo drew a card, put it into slot 20 and discarded 17."]
    chronicle.add(Drew(2, None), narrator)
    assert len(chronicle.lines) == 2


def test_what_is_told_anew_has_nothing_to_do_with_what_was_told_before() -> None:
    narrator, chronicle = Narrator(NAMES, Rules(players=3), 0), Chronicle()
    chronicle.add(Drew(1, None), narrator)
    chronicle.begin_again()
    chronicle.add(Placed(1, 4, None, "draw", 17), narrator)  # the end of a turn not told of
    assert chronicle.lines == ["Bo drew a card, put it into slot 20 and discarded 17."]


def test_what_a_bot_did_for_the_player_is_not_called_theirs() -> None:
    narrator, chronicle = Narrator(NAMES, Rules(players=3), 0), Chronicle()
    placed = Placed(0, 4, 33, "discard", 17)
    for news in (
        Remark("relieved", 0, "Ana"),
        placed,
        Discarded(0, 40),
        Remark("back", 0, "Ana"),
        placed,
    ):
        chronicle.add(news, narrator)
    assert chronicle.lines == [
        "A bot plays for you until you come back.",
        "The bot in your seat took 33 into slot 20 and discarded 17.",
        "The bot in your seat drew 40 and discarded it.",
        "You are back.",
        "You took 33 into slot 20 and discarded 17.",
    ]


def update_of(table: Table, *notices: Notice, caught_up: bool) -> tuple[Update, Seen]:
    seen = Seen(table.seen(notices, 0), table.view(0))
    return Update(table.info, Link(), {0: seen}, caught_up=caught_up), seen


def missed() -> tuple[Chronicle, Table, list[Notice]]:
    """A table at which Ana is away for three turns of hers, and what is told of it."""
    table = seated(2, Rules(players=2))
    table.apply(Configure(options=Options(bot_pause=0.0, grace=10.0)), 0.0)
    for seat in (0, 1):
        table.apply(Ready(seat), 0.0)
    while (given := table.due(0.0)) is not None:
        table.apply(given, 0.0)
    chronicle = Chronicle()
    start = [Notice(table.seq, Remark("options"))]
    chronicle.follow(*update_of(table, *start, caught_up=False), 0, shared=False)
    notices = [*table.apply(Lose(0), 1.0), *table.apply(Relieve(0), 20.0)]
    assert table.game is not None
    while table.game.view(0).turns[0] < 3:
        given = table.due(20.0) or Do(1, table.game.legal_actions()[0])
        notices += table.apply(given, 20.0)
    notices += table.apply(Return(0), 30.0)
    return chronicle, table, notices


def test_who_comes_back_reads_what_was_missed_and_who_did_it() -> None:
    chronicle, table, notices = missed()
    chronicle.follow(*update_of(table, *notices, caught_up=True), 0, shared=False)
    after = chronicle.lines[chronicle.lines.index("A bot plays for you until you come back.") :]
    assert after[-1] == "You are back."
    assert sum(line.startswith("The bot in your seat ") for line in after) == 3
    assert not any(line.startswith(("You took", "You drew")) for line in after)


def test_who_comes_back_to_a_game_that_is_told_anew_is_credited_with_nothing() -> None:
    chronicle, table, _notices = missed()
    chronicle.follow(*update_of(table, caught_up=True), 0, shared=False)
    assert sum(line.startswith(("Ana took", "Ana drew")) for line in chronicle.lines) == 3
    assert not any(line.startswith(("You took", "You drew")) for line in chronicle.lines)


def test_words_of_people_are_told_as_they_are() -> None:
    narrator = Narrator(NAMES, Rules(players=3))
    assert narrator.tell(Said(1, "Bo", "[b]{name}[/b]")) == "Bo: [b]{name}[/b]"
    assert narrator.tell(Remark("away", 1, "Bo")) == "Bo is away."


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (33, "2, then 3 in order from the front."),
        (12, "2, then 1 out of place. 2, then 9 in order from the front."),
        (1, "As many are out of place as before."),
        (40, "2, then 3 in order from the front."),
    ],
)
def test_the_outcome_says_what_changes(card: int, words: str) -> None:
    before = (4, 8, 3, 16, 20, 24, 28, 32, 36, 7)
    after = (4, 8, card, 16, 20, 24, 28, 32, 36, 7)
    assert outcome_of(before, after, 40) == words


def test_the_outcome_says_when_all_are_in_order() -> None:
    before = (4, 8, 3, 16, 20, 24, 28, 32, 36, 39)
    after = (4, 8, 12, 16, 20, 24, 28, 32, 36, 39)
    assert outcome_of(before, after, 40).startswith("All ten")
