"""What the parts of the table show, worked out from views."""

from __future__ import annotations

from dataclasses import replace

import pytest

from racko_core import actions as act
from racko_core.rules import Rules
from racko_core.seating import TableInfo
from racko_core.table import Table
from racko_core.view import View
from racko_tui.glyphs import ASCII, UNICODE
from racko_tui.table import staging
from racko_tui.table.decision import Decision
from racko_tui.words import rules_in_words
from tests.tui.steering import still
from tests.tui.table.sitting import seated, sitting

EXAMPLE = (5, 9, 13, 24, 25, 32, 4, 35, 42, 55)


def begun(rules: Rules) -> tuple[Table, View, TableInfo]:
    """A table in its first turn, and how seat 0 sees it."""
    table = seated(1, rules)
    assert table.game is not None
    table.game.apply(act.DEAL)
    view = table.view(0)
    assert view is not None
    return table, view, table.info


def test_runs_are_marked_only_where_they_matter() -> None:
    assert staging.run_slots(EXAMPLE, Rules(players=4)) == frozenset()
    assert staging.run_slots(EXAMPLE, Rules(players=4, bonus=True)) == {4, 5}


@pytest.mark.parametrize("rules", [Rules(players=4), Rules(players=4, scoring="ascents")])
def test_the_notes_below_a_rack_say_what_it_scores_now(rules: Rules) -> None:
    text = "".join(part for part, _ in staging.rack_notes(EXAMPLE, rules, ASCII))
    assert ("30 points" if rules.scoring == "prefix" else "45 points") in text


def test_the_goal_tells_of_the_run_that_going_out_needs() -> None:
    for rules, goal in ((Rules(), "up to slot 50."), (Rules.preset("duel"), "with a run of 3.")):
        _table, view, info = begun(rules)
        decision = Decision()
        decision.show(replace(view, legal=(act.DRAW,), turn=0))
        words = staging.decision_words(decision.view or view, info, decision, "", {"out": "g"})
        assert words[-1][0].endswith(goal)
        assert ("a run of numbers" in rules_in_words(rules)[0]) == bool(rules.min_run)


def test_the_memory_aid_can_be_off() -> None:
    table, _view, info = begun(Rules())
    game = table.game
    assert game is not None
    while game.turn != 1:
        game.apply(act.DRAW)
        game.apply(act.DISCARD)
    game.apply(act.TAKES[4])
    view = table.view(0)
    assert view is not None
    on = staging.rack_state(view, info, 1, Decision(), UNICODE)
    off = staging.rack_state(view, info, 1, Decision(), UNICODE, memory_aid=False)
    assert on.cards[4] is not None
    assert on.last == 5
    assert not any(off.cards)
    assert off.last is None


def test_the_partner_is_told_from_the_opponents() -> None:
    _table, view, info = begun(Rules.preset("partners"))
    states = [staging.rack_state(view, info, seat, Decision(), UNICODE) for seat in range(4)]
    assert [state.partner for state in states] == [False, False, True, False]
    assert [state.mine for state in states] == [True, False, False, False]
    assert ["".join(text for text, _ in state.notes or []) for state in states[1:]] == [
        "novice",
        "partner · novice",
        "novice",
    ]
    table = seated(4, Rules.preset("partners"))
    view = table.view(0)
    assert view is not None
    friend = staging.rack_state(view, table.info, 2, Decision(), UNICODE)
    assert friend.notes == [("", "quiet"), ("partner", "strong")]


def test_a_bot_that_deals_is_called_by_its_level_and_the_dealer_by_the_heading() -> None:
    _table, view, info = begun(Rules(players=4, bonus=True, min_run=3))
    for dealer in (1, 2, 3):
        dealt = replace(view, dealer=dealer)
        state = staging.rack_state(dealt, info, dealer, Decision(), UNICODE)
        assert state.notes == [("", "quiet"), ("novice", "quiet")]
        left, _right = staging.heading(dealt, info, "", None)
        words = left.split(" · ")
        assert words.index(f"{info.chairs[dealer].name} dealt") < words.index("bonus")


def test_the_veil_leaves_nothing_that_belongs_to_one_seat() -> None:
    table, _view, _info = begun(Rules())
    game = table.game
    assert game is not None
    game.apply(act.DRAW)
    view = table.view(game.turn)
    assert view is not None
    bare = staging.veiled(view)
    assert (bare.seat, bare.hand, bare.racks, bare.legal) == (None, None, (None, None), ())


def test_every_size_from_the_smallest_has_room_for_everything() -> None:
    for log_beside in (True, False):
        for height in range(20, 120):
            lines, roomy = staging.rack_lines(height, log_beside=log_beside)
            racks = 10 * lines + 2
            around = 2 + 7 + 1 if roomy else 1 + 4 + 1
            assert height - racks - around >= 1, (height, log_beside)
    assert staging.rack_lines(24, log_beside=False) == (1, False)
    assert staging.rack_lines(60, log_beside=True) == (4, True)


def test_a_taken_discard_lies_in_the_hand_and_shows_what_is_below_it() -> None:
    _table, view, _info = begun(Rules())
    view = replace(view, seat=view.turn, discards=(11, 22), legal=(act.DRAW, *act.TAKES))
    decision = Decision()
    decision.show(view)
    decision.do("take")
    state = staging.piles_state(view, decision)
    assert (state.hand, state.discard) == (22, 11)
    assert state.lit == {"hand"}


def test_the_heading_says_round_target_options_and_dealer() -> None:
    _table, view, info = begun(Rules(bonus=True, min_run=3, target=150))
    left, right = staging.heading(view, info, "your turn", 65.2)
    for words in ("round 1", "to 150", "bonus", "run of 3", "dealt"):
        assert words in left
    assert right == "your turn  1:05"


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_rings_on_the_players_turn_if_asked_to(
    bell: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rings: list[int] = []
    monkeypatch.setattr("textual.app.App.bell", lambda _app: rings.append(1))
    async with sitting(seated(), still(bell=bell)) as at:
        await at.turn()
        await at.press("d")
        assert len(rings) == bell
        await at.press("x")
        await at.turn()
        assert len(rings) == 2 * bell


def test_somebody_new_is_told_the_goal_in_the_first_round_and_only_then() -> None:
    table, _view, info = begun(Rules())
    assert table.game is not None
    view = table.view(table.game.turn)
    assert view is not None

    def words(view: View, slot: int | None = None) -> str:
        decision = Decision()
        decision.show(view)
        if slot is not None:
            decision.choose(slot)
        return " ".join(
            text for text, _ in staging.decision_words(view, info, decision, "", {"out": "g"})
        )

    assert "rise from slot 5" in words(view)
    assert "rise from slot 5" not in words(view, 3)
    assert "rise from slot 5" not in words(replace(view, round=2))
    assert "rise from slot 5" not in words(replace(view, legal=(act.GO_OUT, act.DRAW)))
