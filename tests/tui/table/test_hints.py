"""Hints at the table: what is said and shown, for how long, and that help is counted."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from textual.geometry import Size

from racko_core import actions as act
from racko_core.actions import Take
from racko_core.bots import bot, decide_safely
from racko_core.bots.appraisal import Appraisal, Appraiser
from racko_core.coach import advise
from racko_core.errors import RackoError
from racko_core.rack import Rack
from racko_core.rules import Rules, label
from racko_core.seating import Do
from racko_core.view import Phase, View
from racko_tui import i18n
from racko_tui.i18n import LANGUAGES
from racko_tui.table.hint import Hinted, hinted, hints_allowed
from racko_tui.widgets.board import Board
from racko_tui.widgets.key_bar import KeyBar
from racko_tui.widgets.rack import Rack as RackWidget
from racko_tui.widgets.speech import Told, Words, fits
from tests.core.coach.guessing import Empty, Guess, first_of
from tests.core.stacked import dealt_game
from tests.tui.steering import SIZES, finished, shown, still
from tests.tui.table.sitting import Sitting, seated, sitting

EIGHT_FIT: Rack = (4, 8, 12, 16, 33, 19, 28, 32, 36, 40)


def said(at: Sitting) -> str:
    """What stands on the screen, in one line."""
    return " ".join(shown(at.app).split())


async def test_a_hint_tells_the_best_move_why_and_what_comes_next() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.hint()
        view = at.screen.decision.view
        assert view is not None
        best, *_others = Guess().appraise(view)
        text = said(at)
        assert "Hint: " in text
        assert f"{round(100 * best.win)} % to win the round." in text
        assert "Next best: " in text
        advice = advise(view, Guess())
        assert str(advice.why)[10:40] in text
        assert advice.runners_up
        if isinstance(best.action, Take):
            assert f"take {view.discard} into slot {label(best.action.slot)}." in text


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_the_better_slot_and_the_card_in_it_are_shown_on_the_rack(ascii_only: bool) -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5]), ascii_only=ascii_only) as at:
        await at.turn()
        await at.hint()
        rack = at.screen.query_one("#rack-0", RackWidget)
        assert rack.state.hint == 6
        mark = "*" if ascii_only else "◆"
        (line,) = [line for line in shown(at.app).splitlines() if f"{mark}30" in line]
        assert f"{mark}{rack.state.coming:>2}{mark}" in line


async def test_a_hint_stays_while_a_slot_is_chosen_and_goes_with_the_move() -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5])) as at:
        await at.turn()
        await at.hint()
        await at.press("up", "t", "6")
        assert "Hint: take" in said(at)
        await at.press("enter")
        await at.turn()
        assert "Hint" not in said(at)
        assert at.screen.query_one("#rack-0", RackWidget).state.hint is None


@pytest.mark.parametrize("size", SIZES)
async def test_a_hint_stays_below_a_warning_as_its_marks_do(size: tuple[int, int]) -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5]), size=size) as at:
        await at.turn()
        await at.hint()
        await at.press("x")
        assert "draw one first." in said(at)
        assert "Hint: take" in said(at)
        assert "◆30" in said(at)
        await at.hint()
        assert "draw one first." not in said(at)
        assert "Hint: take" in said(at)


async def test_enter_puts_the_card_where_the_hint_says() -> None:
    async with sitting(seated(), coach=_Ranks(act.PLACES[5])) as at:
        await at.turn()
        await at.press("d")
        assert "place" not in shown(at.app).splitlines()[-1]
        await at.hint()
        assert at.screen.decision.slot == 6
        assert "⏎ place" in shown(at.app).splitlines()[-1]
        drawn = at.screen.decision.card
        await at.press("enter")
        assert at.table.game is not None
        assert at.table.game.view(0).rack[5] == drawn


async def test_the_slot_of_a_hint_is_chosen_when_the_discard_is_taken() -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5])) as at:
        await at.turn()
        await at.hint()
        assert at.screen.decision.slot is None
        await at.press("t")
        assert at.screen.decision.slot == 6
        assert "⏎ place" in shown(at.app).splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_key_that_acts_has_room_beside_the_one_that_follows_a_hint(
    language: str,
) -> None:
    i18n.install(language)
    async with sitting(seated(), coach=_Ranks(act.TAKES[5]), size=(60, 20)) as at:
        await at.turn()
        await at.hint()
        bar = at.screen.query_one(KeyBar)
        line = shown(at.app).splitlines()[-1]
        acts = [f"{key.key} {key.word}" for key in bar.keys if key.acts]
        assert len(acts) == 3
        assert all(each in line for each in acts)


@pytest.mark.parametrize("size", SIZES)
async def test_enter_takes_the_discard_where_the_hint_says(size: tuple[int, int]) -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5]), size=size) as at:
        await at.turn()
        discard = at.screen.decision.card
        await at.hint()
        assert f"⏎ {discard} into slot 30" in shown(at.app).splitlines()[-1]
        await at.press("enter")
        assert at.table.game is not None
        assert at.table.game.view(0).rack[5] == discard


@pytest.mark.parametrize("key", ["up", "3", "x", "t escape", "z", "h h s escape"])
async def test_another_key_makes_enter_what_it_was_before_the_hint(key: str) -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5])) as at:
        await at.turn()
        await at.hint()
        await at.press(*key.split())
        assert "⏎" not in shown(at.app).splitlines()[-1]
        await at.press("enter")
        assert "First draw a card, or take the discard." in said(at)
        await at.hint()  # unless a slot is chosen, it is offered anew
        assert ("⏎" in shown(at.app).splitlines()[-1]) == (at.screen.decision.slot is None)


async def test_enter_pressed_before_the_hint_stands_there_takes_nothing() -> None:
    async with sitting(seated(), coach=_Ranks(act.TAKES[5])) as at:
        await at.turn()
        await at.hint()
        at.screen._pressed = at.screen._since - 0.001
        at.screen.action_do("place")
        await at.pilot.pause()
        assert "That key came before its time" in said(at)
        assert at.screen.decision.view is not None
        assert at.screen.decision.view.my_turn


async def test_a_hint_leaves_the_slot_that_the_player_has_chosen() -> None:
    async with sitting(seated(), coach=_Ranks(act.PLACES[5])) as at:
        await at.turn()
        await at.press("d", "3")
        await at.hint()
        assert at.screen.decision.slot == 3
        assert at.screen.query_one("#rack-0", RackWidget).state.hint == 6


async def test_help_is_counted_once_a_decision() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.hint()
        await at.hint()
        assert at.table.chairs[0].hints == 1
        await at.press("d")
        await at.hint()
        assert at.table.chairs[0].hints == 2
        await at.press("x")
        await at.turn()
        assert at.table.chairs[0].hints == 2


async def test_out_of_turn_there_is_no_hint() -> None:
    async with sitting(seated(pause=3600.0)) as at:
        if at.my_turn:
            await at.press("d", "x")
        await at.hint()
        assert "A hint comes when it is your turn." in said(at)
        assert at.table.chairs[0].hints == 0


class _Held(Guess):
    """Answers when it is let go."""

    let_go = threading.Event()

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        self.let_go.wait()
        return super().appraise(view)


@pytest.fixture
def held() -> Iterator[threading.Event]:
    _Held.let_go.clear()
    yield _Held.let_go
    _Held.let_go.set()


async def test_an_answer_that_comes_after_the_move_is_neither_shown_nor_counted(
    held: threading.Event,
) -> None:
    async with sitting(seated(), coach=_Held) as at:
        await at.turn()
        await at.press("h", "d")  # keys work while the coach thinks
        assert at.screen.decision.view is not None
        assert at.screen.decision.view.phase is Phase.DRAWN
        held.set()
        await finished(at.pilot, "hint")
        assert "Hint" not in said(at)
        assert at.table.chairs[0].hints == 0


async def test_whoever_has_to_wait_is_told_that_the_coach_looks(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("racko_tui.screens.table_hints._PATIENCE", 0.001)
    async with sitting(seated(), coach=_Held) as at:
        await at.turn()
        await at.press("h")
        await at.until(lambda: "The coach looks at it…" in said(at), "a word")
        held.set()
        await finished(at.pilot, "hint")
        assert "The coach looks" not in said(at)
        assert "Hint: " in said(at)


def _missing() -> Appraiser:
    raise RackoError("The coach has gone to lunch.")


def _broken() -> Appraiser:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("coach", "sentence"),
    [(_missing, "The coach has gone to lunch."), (_broken, "The coach has no answer here;")],
)
async def test_without_a_coach_the_game_goes_on(coach: Any, sentence: str) -> None:
    async with sitting(seated(), coach=coach) as at:
        await at.turn()
        await at.hint()
        assert sentence in said(at)
        assert at.table.chairs[0].hints == 0
        await at.press("d")
        assert "You drew" in said(at)


def test_people_who_play_on_screens_of_their_own_have_no_hints() -> None:
    table = seated(2)
    assert hints_allowed(table.info, (0, 1))  # friends at one keyboard see who asks
    assert not hints_allowed(table.info, (0,))
    assert hints_allowed(seated(1).info, (0,))


def _Ranks(best: act.Action) -> Any:
    """A coach that ranks `best` first."""

    class Ranks:
        def appraise(self, view: View) -> tuple[Appraisal, ...]:
            return first_of(view, best)

    return Ranks


# What is said fits


def moments() -> list[View]:
    """What people have to decide, of every kind."""
    found = []
    for rules in (Rules(), Rules(players=4), Rules.preset("bonus"), Rules.preset("duel")):
        table = seated(1, rules, seed="moments")
        player = bot("solid")
        for _ in range(120):
            view = table.view(0)
            assert view is not None
            if view.my_turn and view.phase not in (Phase.DEAL, Phase.OVER):
                found.append(view)
                table.apply(Do(0, decide_safely(player, view)), 1.0)
            elif (given := table.due(1e9)) is not None:
                table.apply(given, 1.0)
            else:
                break
    return found


class _Ordered(Guess):
    """Ranks by these chances, in per cent, and points."""

    def __init__(self, *worths: tuple[int, int]) -> None:
        super().__init__()
        self.worths = worths

    def appraise(self, view: View) -> tuple[Appraisal, ...]:
        return tuple(
            replace(one, win=win / 100, points=float(points))
            for one, (win, points) in zip(super().appraise(view), self.worths, strict=False)
        )


@pytest.mark.parametrize(
    ("worths", "best", "others"),
    [
        (((40, 3), (38, 5), (37, 9)), "40 % to win the round. ", ("(38 %)", "(37 %)")),
        (
            ((40, 3), (41, -2), (41, -3)),
            "40 % to win the round, +3 points on the others. ",
            ("(−2)", "(−3)"),
        ),
        (
            ((40, -1), (41, -2), (41, -3)),
            "40 % to win the round, −1 point on the others. ",
            ("(−2)", "(−3)"),
        ),
        (
            ((40, 3), (41, -2), (38, 0)),
            "40 % to win the round, +3 points on the others. ",
            ("(41 %, −2)", "(38 %, 0)"),
        ),
    ],
)
def test_the_numbers_of_a_hint_fall_as_its_moves_do(
    worths: tuple[tuple[int, int], ...], best: str, others: tuple[str, str]
) -> None:
    i18n.install("en")
    view = dealt_game(Rules(), {}, (7,), 26).view(1)
    hint = hinted(view, advise(view, _Ordered(*worths)))
    assert hint.worth[0].startswith(best)
    assert tuple(re.findall(r"\(.*?\)", hint.worth[0])) == others


def test_where_runs_score_the_points_put_moves_in_order_if_they_can() -> None:
    i18n.install("en")
    view = dealt_game(Rules(bonus=True), {}, (7,), 26).view(1)
    told = hinted(view, advise(view, _Ordered((40, 3), (45, 2), (20, 1)))).worth[0]
    assert re.findall(r"\(.*?\)", told) == ["(+2)", "(+1)"]
    told = hinted(view, advise(view, _Ordered((40, 3), (30, 5)))).worth[0]
    assert told.startswith("40 % to win the round, +3 points on the others. ")
    assert re.findall(r"\(.*?\)", told) == ["(30 %)"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_can_be_read_whole_in_the_smallest_window(language: str) -> None:
    """There, the move stands in 28 columns of the place of the decision, and why in two lines."""
    i18n.install(language)
    for view in moments():
        for coach in (Guess(), Empty(), _Ordered((40, -300), (41, -320), (38, -310))):
            hint = hinted(view, advise(view, coach))
            assert fits([(hint.move, "")], Size(28, 2)), hint.move
            assert fits([(hint.why, "")], Size(58, 2)), hint.why
            assert fits([(hint.move, ""), (hint.worth[-1], "")], Size(28, 4)), hint.worth


@pytest.mark.parametrize("size", [*SIZES, (100, 30), (120, 24), (160, 40)])
@pytest.mark.parametrize("rules", [Rules(), Rules(players=4)], ids=["two", "four"])
async def test_move_and_reason_stand_on_the_screen_at_every_size(
    size: tuple[int, int], rules: Rules
) -> None:
    async with sitting(seated(1, rules), size=size) as at:
        await at.turn()
        view = dealt_game(Rules(), {1: EIGHT_FIT}, (), 26).view(1)
        hint = hinted(view, advise(view, _Ranks(act.TAKES[5])()))
        assert hint.why.startswith("26 in slot 30 leaves eight cards that fit between 16 and 26")
        at.screen.hint = hint
        at.screen.paint()
        await at.pilot.pause()
        board = at.screen.query_one(Board)
        told, decision = board.query_one("#told", Told), board.query_one("#decision", Words)
        assert fits(told.words, told.size)
        below = " ".join(text for text, _ in told.words)
        aside = " ".join(text for text, _ in decision.paragraphs)
        assert hint.why in aside + below
        assert hint.move in aside + below
        assert any(worth in aside + below for worth in hint.worth)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_smallest_window_shows_the_next_best_as_well(language: str) -> None:
    async with sitting(seated(), still(language=language), size=(60, 20)) as at:
        await at.turn()
        board = at.screen.query_one(Board)
        told, decision = board.query_one("#told", Told), board.query_one("#decision", Words)
        for view in moments():
            hint = hinted(view, advise(view, Guess()))
            at.screen.hint = hint
            at.screen.paint()
            lines = [text for text, _ in (*decision.paragraphs, *told.words)]
            assert fits(told.words, told.size)
            assert fits(decision.paragraphs[:2], decision.size)
            assert any(hint.why in line for line in lines)
            assert any(move in line for line in lines for move in (hint.move, hint.brief))
            assert len(hint.worth) == 1 or any(line in hint.worth[:-1] for line in lines), lines


@pytest.mark.parametrize(("key", "shown"), [("", True), ("3", False)])
async def test_what_else_can_be_done_gives_way_to_a_slot_that_the_hint_does_not_mean(
    key: str, shown: bool
) -> None:
    async with sitting(seated(), coach=_Ranks(act.PLACES[5]), size=(60, 20)) as at:
        await at.turn()
        await at.press("d")
        await at.hint()
        await at.press(*key)
        board = at.screen.query_one(Board)
        told, decision = board.query_one("#told", Told), board.query_one("#decision", Words)
        text = " ".join(text for text, _ in (*decision.paragraphs, *told.words))
        assert ("Next best: " in text) == shown
        assert ("into slot 15: " in text) != shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["classic", "duel"])
async def test_the_mark_of_cards_out_of_place_is_explained_in_the_smallest_window(
    language: str, preset: str
) -> None:
    table = seated(1, Rules.preset(preset, 2))
    async with sitting(table, still(language=language), size=(60, 20)) as at:
        await at.turn()
        foot = shown(at.app).splitlines()[12]
        count = len(at.screen.query_one("#rack-0", RackWidget).state.breaks)
        assert re.search(rf"✗ {count} \w+( \w+)* ─", foot), foot


async def test_a_hint_is_as_long_as_there_is_room() -> None:
    async with sitting(seated(), size=(60, 20)) as at:
        await at.turn()
        worths = tuple(f"A number of {'many ' * most}words." for most in (30, 10, 1))

        def parts(why: str) -> tuple[list[str], list[str]]:
            at.screen.hint = Hinted(None, "Hint: draw.", why, worths)
            at.screen.paint()
            aside, below = at.screen.query_one("#decision", Words), at.screen.query_one(Told)
            return [text for text, _ in aside.paragraphs], [text for text, _ in below.words]

        # From the place of the decision down, one reads what to do, how good that is, then why.
        for why in ("Because of this.", "Because " * 12):
            assert parts(why) == (["Hint: draw.", worths[1]], [why])


@pytest.mark.parametrize("size", [*SIZES, (100, 30), (160, 40)])
async def test_the_parts_of_a_hint_keep_their_order(size: tuple[int, int]) -> None:
    async with sitting(seated(), size=size) as at:
        await at.turn()
        board = at.screen.query_one(Board)
        for why in ("Because of this.", "Because " * 12):
            at.screen.hint = Hinted(
                None, "Hint: draw.", why, ("50 % to win. Next best: x.", "50 %")
            )
            at.screen.paint()
            told, decision = board.query_one("#told", Told), board.query_one("#decision", Words)
            text = " ".join(text for text, _ in (*decision.paragraphs, *told.words))
            assert text.index("Hint") < text.index("50 %") < text.index("Because"), text


def test_every_kind_of_move_is_said() -> None:
    i18n.install("en")
    turn = dealt_game(Rules(), {}, (7,), 26)
    view = turn.view(1)
    assert _move(hinted(view, advise(view, _Ranks(act.DRAW)()))) == (None, "Hint: draw.")
    assert _move(hinted(view, advise(view, _Ranks(act.TAKES[9])()))) == (
        10,
        "Hint: take 26 into slot 50.",
    )
    turn.apply(act.DRAW)
    view = turn.view(1)
    assert _move(hinted(view, advise(view, _Ranks(act.DISCARD)()))) == (None, "Hint: discard 7.")
    assert _move(hinted(view, advise(view, _Ranks(act.PLACES[0])()))) == (
        1,
        "Hint: put 7 into slot 5.",
    )


def _move(hint: Hinted) -> tuple[int | None, str]:
    return hint.slot, hint.move
