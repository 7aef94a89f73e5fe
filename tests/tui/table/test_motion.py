"""Cards on their way: short, out of the way of keys, and never a way to see too much."""

from __future__ import annotations

import asyncio

from textual.geometry import Region

from racko_core.events import Discarded, Drew, Placed
from racko_core.rules import Rules
from racko_tui.config import Settings
from racko_tui.table.motion import Flight, Motion, Traveller
from racko_tui.widgets.key_bar import KeyBar
from racko_tui.widgets.piles import Piles
from racko_tui.widgets.speech import Words
from tests.tui.table.sitting import Sitting, seated, sitting


def moving() -> Settings:
    """Settings under which cards travel."""
    return Settings(name="Ana", motion="on", bot_speed="instant")


async def flying(at: Sitting) -> None:
    """Wait until a card is on its way."""
    for _ in range(500):
        if at.screen._motion.running:
            return
        await asyncio.sleep(0)
    raise AssertionError("no card moved")


def hold(at: Sitting) -> None:
    """Let cards stay in the air until somebody is in a hurry."""
    motion = at.screen._motion

    async def wait(seconds: float) -> bool:
        await motion._hurry.wait()
        return True

    motion._wait = wait  # type: ignore[method-assign]


async def test_a_drawn_card_is_not_in_the_hand_before_it_has_arrived() -> None:
    async with sitting(seated(), moving()) as at:
        await at.until(lambda: at.my_turn and not at.screen._motion.running, "the turn")
        hold(at)
        await at.press("d")
        await flying(at)
        assert at.screen.query_one("#piles").state.hand is None  # type: ignore[attr-defined]
        await at.press("down")  # any key ends the motion, and does what it does
        assert not at.screen._motion.running
        card = at.screen.decision.card
        assert at.screen.query_one("#piles").state.hand == card  # type: ignore[attr-defined]
        assert at.screen.decision.slot == at.screen.decision.natural


async def test_a_card_still_in_the_air_cannot_be_thrown_away() -> None:
    async with sitting(seated(), moving()) as at:
        await at.until(lambda: at.my_turn and not at.screen._motion.running, "the turn")
        hold(at)
        assert at.table.game is not None
        before = len(at.table.game.actions)
        await at.press("d", "x")
        assert len(at.table.game.actions) == before + 1
        assert at.screen.word is not None
        assert "before its time" in at.screen.word[0]  # no key is swallowed without a word
        await at.press("x")
        assert len(at.table.game.actions) > before + 1


async def test_a_hint_to_a_card_still_in_the_air_comes_too_early_as_well() -> None:
    async with sitting(seated(), moving()) as at:
        await at.until(lambda: at.my_turn and not at.screen._motion.running, "the turn")
        hold(at)
        await at.press("d", "h")
        assert at.screen.word is not None
        assert "before its time" in at.screen.word[0]
        assert at.table.chairs[0].hints == 0


async def test_nothing_is_asked_before_the_cards_have_arrived() -> None:
    async with sitting(seated(), moving()) as at:
        await at.until(lambda: at.my_turn and not at.screen._motion.running, "the turn")
        asked = at.screen.query_one("#decision", Words)
        bar = at.screen.query_one(KeyBar)
        before = asked.paragraphs, bar.keys
        hold(at)
        await at.press("d")
        await flying(at)
        assert (asked.paragraphs, bar.keys) == before
        at.screen._motion.finish()
        await at.until(lambda: not at.screen._motion.running, "the landing")
        assert asked.paragraphs != before[0]
        assert bar.keys != before[1]


async def test_whole_turns_are_played_in_a_hurry() -> None:
    async with sitting(seated(1, Rules(players=4)), moving()) as at:
        hold(at)
        assert at.table.game is not None
        for _ in range(300):
            if len(at.table.game.actions) > 20:
                break
            await at.press("d", "down", "x")
        assert len(at.table.game.actions) > 20


async def test_nothing_moves_below_another_screen() -> None:
    async with sitting(seated(), moving()) as at:
        await at.until(lambda: at.my_turn and not at.screen._motion.running, "the turn")
        await at.press("question_mark")
        assert not at.at_table
        assert not at.screen._moves


async def test_between_friends_no_card_flies_open() -> None:
    async with sitting(seated(2), moving()) as at:
        hold(at)
        await at.until(lambda: not at.at_table, "the hand-over")
        await at.press("enter")
        await at.press("d")
        await flying(at)
        await at.press("down", "enter")
        await flying(at)  # the card goes into the rack of who played, still before their eyes
        me = at.screen.me
        assert me is not None
        other = at.screen._board.rack_of(1 - me).state
        assert all(card is None for card in other.cards)
        await at.press("down")
        await at.until(lambda: not at.at_table, "the hand-over")


async def test_a_motion_ends_by_itself_in_time() -> None:
    frames: list[float] = []
    travellers = (Traveller(), Traveller())
    motion = Motion(travellers)

    async def wait(seconds: float) -> bool:
        frames.append(seconds)
        return False

    motion._wait = wait  # type: ignore[method-assign]
    way = Flight(Region(0, 0, 4, 1), Region(30, 9, 4, 1), 17)
    await motion.play([way])
    assert 0 < sum(frames) <= 0.25
    assert travellers[0].styles.offset.x.value == 30
    assert not travellers[0].display
    assert not motion.running


async def test_a_card_travels_from_where_it_lay_to_where_it_goes() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        board = at.screen._board
        piles, mine = board.query_one(Piles), board.rack_of(0)
        took = Placed(1, 4, 23, "discard", 8)
        (there, to_slot), (back, to_pile) = board.flights(took, 0)
        assert there.start == piles.where("discard")
        assert there.end == board.rack_of(1).where(4, 23)
        assert back.end == piles.where("discard")
        assert (to_slot, to_pile) == ((1, 4), ("discard", None))
        # One's own taken card lies in the hand already; a card that others drew shows its back.
        (there, _), _back = board.flights(Placed(0, 4, 23, "discard", 8), 0)
        assert there.start == piles.where("hand")
        assert there.end == mine.where(4, 23)
        (there, _), _back = board.flights(Placed(1, 4, None, "draw", 8), 0)
        assert (there.start, there.card) == (piles.where("hand"), None)
        ((drawn, _),) = board.flights(Drew(1, None), 0)
        assert (drawn.start, drawn.end) == (piles.where("draw"), piles.where("hand"))
        ((away, _),) = board.flights(Discarded(1, 9), 0)
        assert (away.start, away.end) == (piles.where("hand"), piles.where("discard"))
        for flight in (there, drawn, away):
            assert at.screen.region.contains_region(flight.start)
            assert at.screen.region.contains_region(flight.end)
