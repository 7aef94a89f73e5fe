"""Keys that are pressed wrongly, twice, too early or by the way: none of them costs a card."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

from textual import events

from racko_core.rules import Rules
from racko_core.seating import Do, Input, Pause
from racko_core.table import Table
from racko_net.local import LocalSession
from racko_net.session import Update
from racko_tui.app import RackoApp
from racko_tui.screens.table import TableScreen
from tests.tui.steering import shown, still
from tests.tui.table.sitting import Sitting, seated, sitting


def actions(at: Sitting) -> int:
    """How much has been done in this game."""
    assert at.table.game is not None
    return len(at.table.game.actions)


async def test_a_wrong_key_changes_nothing_and_says_why() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        before = actions(at)
        for key, words in (
            ("x", "no card in your hand"),
            ("p", "just begun"),
            ("g", "by itself"),
            ("enter", "First draw a card"),
            ("z", "does nothing here"),
        ):
            await at.press(key)
            assert words in shown(at.app), key
        assert actions(at) == before
        await at.press("d")
        for key, words in (
            ("d", "drawn already"),
            ("t", "discard has to stay"),
            ("enter", "Choose a slot"),
            ("escape", "cannot go back"),
        ):
            await at.press(key)
            assert words in shown(at.app), key
        assert actions(at) == before + 1


async def test_every_key_pressed_twice_does_what_once_does() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        start = actions(at)
        await at.press("d", "d")
        assert actions(at) == start + 1
        await at.press("x")
        await at.turn()
        before = actions(at)
        await at.press("x", "x", "enter", "escape", "p", "g", "5", "enter")
        assert actions(at) == before


async def test_escape_never_leaves_and_puts_a_taken_card_back() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        before = actions(at)
        await at.press("t", "3")
        assert at.screen.decision.taking
        await at.press("escape")
        assert not at.screen.decision.taking
        await at.press("escape", "escape")
        assert at.at_table
        assert actions(at) == before


async def test_leaving_asks_once() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("q")
        assert not at.at_table
        await at.press("escape")
        assert at.at_table
        await at.press("q", "y")
        await at.until(lambda: at.screen not in at.app.screen_stack, "leaving")


async def test_a_key_from_before_the_card_was_seen_does_not_throw_it_away() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        before = actions(at)
        early = events.Key("x", "x")  # typed ahead: pressed before the card was drawn
        await at.press("d")
        at.app.post_message(early)
        await at.pilot.pause()
        assert actions(at) == before + 1
        assert "look again" in shown(at.app)
        await at.press("x")
        assert actions(at) > before + 1


async def test_keys_while_a_bot_thinks_only_choose() -> None:
    async with sitting(seated(pause=3600.0)) as at:
        assert at.table.game is not None
        while at.table.game.turn == 0:
            await at.press("d", "x")
        before = actions(at)
        await at.press("d", "t", "x", "enter", "p", "g", "6")
        assert actions(at) == before
        assert at.screen.decision.slot == 6
        assert "Slot 30 holds" in shown(at.app)


async def test_a_digit_chooses_and_enter_places() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("d")
        view = at.session.view(0)
        assert view is not None
        before = actions(at)
        await at.press("7")
        assert actions(at) == before
        assert f"{view.hand} into slot 35: {view.rack[6]} is discarded." in shown(at.app)
        await at.press("enter")
        assert actions(at) > before
        now = at.session.view(0)
        assert now is not None
        assert now.rack[6] == view.hand


async def test_a_digit_places_at_once_only_if_the_player_says_so() -> None:
    async with sitting(seated(), still(digits_act=True)) as at:
        await at.turn()
        before = actions(at)
        await at.press("5")  # nothing is in hand: it only chooses
        assert actions(at) == before
        await at.press("d", "5", "5")
        assert actions(at) > before + 1
        await at.turn()
        before = actions(at)
        await at.press("t", "1")
        assert actions(at) > before


async def test_the_terminal_may_change_its_size_in_the_middle_of_a_turn() -> None:
    async with sitting(seated(1, Rules(players=4))) as at:
        await at.turn()
        await at.press("d", "4")
        for size in ((60, 20), (200, 60), (40, 10), (120, 30), (80, 24)):
            await at.pilot.resize_terminal(*size)
            await at.pilot.pause()
        await at.until(lambda: at.at_table, "the table at its old size")
        assert at.screen.decision.slot == 4
        hand = at.screen.decision.card
        assert f"{hand} into slot 20" in shown(at.app)
        await at.press("enter")
        assert hand in at.table.view(0).rack  # type: ignore[union-attr]


async def test_a_click_chooses_and_a_second_one_places() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        before = actions(at)
        await at.pilot.click("#rack-0", offset=(10, 4))
        assert at.screen.decision.slot == 7
        await at.pilot.click("#rack-0", offset=(10, 4))
        assert actions(at) == before  # nothing is in hand
        await at.pilot.click("#piles", offset=(4, 2))
        assert actions(at) == before + 1
        await at.pilot.click("#piles", offset=(18, 2))  # the discard pile: not by a click
        assert actions(at) == before + 1
        await at.pilot.click("#rack-0", offset=(10, 4))
        assert actions(at) == before + 1
        await at.pilot.click("#rack-0", offset=(14, 4))
        assert actions(at) > before + 1


async def test_a_double_click_does_not_place() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("d")
        before = actions(at)
        await at.pilot.click("#rack-0", offset=(10, 4), times=2)
        assert actions(at) == before
        assert at.screen.decision.slot == 7


async def test_the_keys_in_the_bar_can_be_clicked() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        before = actions(at)
        await at.pilot.click("#keys", offset=(2, 0))
        assert actions(at) == before + 1


async def test_the_key_map_of_the_settings_counts_and_is_shown() -> None:
    async with sitting(seated(), still(keys={"table.draw": "z"})) as at:
        await at.turn()
        before = actions(at)
        assert "z draw" in shown(at.app)
        await at.press("d")
        assert actions(at) == before
        await at.press("z")
        assert actions(at) == before + 1


async def test_a_refusal_of_the_table_is_said_and_the_turn_goes_on() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        at.table.paused = True
        await at.press("d")
        assert "paused" in shown(at.app)
        at.table.paused = False
        await at.press("d")
        assert at.screen.decision.card is not None
        assert "You drew" in shown(at.app)


async def test_a_fault_while_following_is_one_sentence() -> None:
    async with sitting(seated()) as at:
        await at.turn()

        async def broken(update: Update) -> None:
            raise RuntimeError("a bug")

        at.screen.show = broken  # type: ignore[method-assign]
        await at.press("d")
        assert "Something went wrong at this table" in shown(at.app)
        assert at.at_table


class Slow(LocalSession):
    """A table that takes its time to answer."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.asked: list[Input] = []
        self.answer = asyncio.Event()

    async def ask(self, given: Input) -> None:
        self.asked.append(given)
        await self.answer.wait()
        await super().ask(given)


async def test_while_an_answer_is_on_its_way_nothing_else_is_asked() -> None:
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        slow = Slow(seated())
        at = Sitting(pilot, TableScreen(slow), slow)
        await app.push_screen(at.screen)
        await at.turn()
        await at.press("d", "d")
        assert at.screen.word is None  # a key held down too long is no other wish
        for key in ("t", "3", "enter", "h", "up"):
            at.screen.word = None
            await at.press(key)
            assert "before its time" in shown(at.app), key
        assert at.screen.decision.slot is None  # it would not be kept
        assert [type(asked) for asked in slow.asked] == [Do]
        slow.answer.set()
        await at.until(lambda: at.screen.decision.step == "drawn", "the drawn card")
        assert "before its time" in shown(at.app)  # not wiped away by the answer
        await at.press("3", "enter")
        assert len(slow.asked) == 2
        await slow.close()


async def test_an_answer_to_whoever_waits_stands_while_it_is_read_but_not_into_their_turn() -> None:
    async with sitting(seated(1, Rules(players=4), pause=3600.0)) as at:
        assert isinstance(at.session, LocalSession)
        at.screen.READ = 3600.0  # type: ignore[misc]
        await at.press("h")
        while at.table.game is not None and at.table.game.turn != 0:
            assert "A hint comes when it is your turn." in shown(at.app)
            given = at.table.due(float("inf"))
            assert given is not None
            at.session._put(given)
            await at.pilot.pause()
        await at.turn()
        assert "A hint comes" not in shown(at.app)


async def test_an_answer_that_was_read_gives_way_to_what_happens_in_the_smallest_window() -> None:
    table = seated(1, Rules(players=4), pause=3600.0)
    async with sitting(table, size=(60, 20)) as at:
        assert isinstance(at.session, LocalSession)
        at.screen.READ = 0.0  # type: ignore[misc]
        await at.press("x")
        assert "is not your turn" in shown(at.app)
        before = len(at.screen.chronicle.lines)
        given = at.table.due(float("inf"))
        assert given is not None
        at.session._put(given)
        await at.until(lambda: len(at.screen.chronicle.lines) > before, "a move")
        await at.pilot.pause()
        assert "is not your turn" not in shown(at.app)
        assert at.screen.chronicle.lines[-1][:30] in shown(at.app)


async def test_an_answer_goes_when_the_table_is_paused() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("d", "enter")
        assert "Choose a slot first" in " ".join(shown(at.app).split())
        assert isinstance(at.session, LocalSession)
        at.session._put(Pause(True))
        await at.until(lambda: at.screen.decision.step == "held", "the pause")
        assert "Choose a slot first" not in " ".join(shown(at.app).split())


async def test_that_a_program_failed_is_read_in_the_smallest_window_until_one_goes_on() -> None:
    table = seated(1, Rules(players=4))
    table.chairs[1] = replace(table.chairs[1], level="exec:mine.py")
    async with sitting(table, size=(60, 20)) as at:
        await at.turn()
        assert at.table.game is not None
        assert len(at.table.game.actions) > 3  # others have played since
        assert "Bo could not be started; a novice plays" in shown(at.app)
        assert "novice" in shown(at.app).splitlines()[12]
        await at.press("d")
        assert "could not be started" not in shown(at.app)


async def test_all_programs_that_failed_since_ones_turn_are_told_of() -> None:
    table = seated(1, Rules(players=4))
    for seat in (1, 2):
        table.chairs[seat] = replace(table.chairs[seat], level="exec:mine.py")
    async with sitting(table, size=(80, 24)) as at:
        await at.turn()
        told = " ".join(shown(at.app).split())
        for seat in (1, 2):
            assert f"{table.chairs[seat].name} could not be started; a novice plays" in told


async def test_that_a_program_failed_stands_once_where_it_happened() -> None:
    table = seated(1, Rules(players=4))
    table.chairs[3] = replace(table.chairs[3], level="exec:mine.py")
    async with sitting(table, size=(80, 24)) as at:
        await at.turn()
        text = shown(at.app)
        assert text.count("Di could not be started") == 1
        played = re.search(r" Di (took|drew)", text)
        assert played is not None
        assert text.index("Di could not be started") < played.start(), "it played after that"
        await at.press("d")
        assert shown(at.app).count("Di could not be started") == 1, "still in the log"
