"""Friends at one keyboard, and who only watches: nobody sees a card that is not theirs."""

from __future__ import annotations

import asyncio
import re

import pytest

from racko_core.errors import RackoError
from racko_core.rules import Rules, Seat
from racko_core.seating import Input
from racko_core.table import Table
from racko_core.view import View
from racko_net.session import Link, Seen, Session, Update
from racko_tui.widgets.rack import Rack
from tests.tui.steering import shown
from tests.tui.table.sitting import Sitting, seated, sitting

LOGO = {7, 15, 24, 38, 47, 60}
"""The cards that spell the name of the game on the hand-over screen."""


def numbers(text: str) -> set[int]:
    """Every number on a screen."""
    return {int(found) for found in re.findall(r"\d+", text)}


def cards_shown(at: Sitting) -> set[int]:
    """Every number on the faces of cards in racks, and in the hand."""
    texts = []
    for rack in at.screen.query(Rack):
        skip = 1 + rack._columns[0]
        texts += [rack.render_line(y).text[skip:] for y in range(1, rack.size.height - 1)]
    return numbers("\n".join(texts))


def hidden(at: Sitting, viewer: Seat | None) -> set[int]:
    """The cards that `viewer` may not know: in other racks and hands, and not seen go in."""
    game = at.table.game
    assert game is not None
    secret: set[int] = set()
    for seat, rack in enumerate(game._racks):
        if seat != viewer:
            known = game._known[seat]
            secret |= {card for card, seen in zip(rack, known, strict=True) if card != seen}
    if game._hand is not None and game.turn != viewer:
        secret.add(game._hand)
    return secret


async def test_friends_see_only_their_own_cards_turn_after_turn() -> None:
    async with sitting(seated(3, Rules(players=3)), size=(100, 30)) as at:
        turns = 0
        while turns < 9:
            game = at.table.game
            assert game is not None
            assert game.turn is not None
            await at.until(lambda: not at.at_table, "the hand-over")
            name = at.table.chairs[game.turn].name
            covered = shown(at.app)
            assert name in covered
            assert not (numbers(covered) - LOGO) & set(range(1, 51))
            # Nothing of anybody lies behind it.
            assert at.screen.me is None
            assert at.screen.decision.view is not None
            assert not any(at.screen.decision.view.racks)
            assert at.screen.decision.view.hand is None
            await at.press("enter")
            await at.until(lambda: at.at_table, "the table")
            assert at.screen.me == game.turn
            for keys in (("d",), ("4",) if turns % 2 else ("x",)):
                await at.press(*keys)
                if not at.at_table:
                    break
                assert not hidden(at, at.screen.me) & cards_shown(at)
            if turns % 2:
                await at.press("enter")
            turns += 1


async def test_the_log_that_friends_share_tells_no_drawn_card() -> None:
    async with sitting(seated(2)) as at:
        for _ in range(4):
            await at.until(lambda: not at.at_table, "the hand-over")
            await at.press("enter", "d", "4", "enter")
        for line in at.screen.chronicle.lines:
            assert "You" not in line
            if "drew a card, put" in line:
                assert len(re.findall(r"\d+", line)) == 2


async def test_friends_can_leave_and_ask_for_help_while_the_keyboard_is_passed() -> None:
    async with sitting(seated(2)) as at:
        await at.until(lambda: not at.at_table, "the hand-over")
        assert "q leave" in shown(at.app)
        await at.press("?")
        assert "Keys" in shown(at.app)
        await at.press("escape", "q")
        assert "Leave this game?" in shown(at.app)
        await at.press("escape")
        assert "Pass the keyboard" in shown(at.app)
        await at.press("q", "y")
        await at.until(lambda: at.screen not in at.app.screen_stack, "the end of the table")


async def test_one_person_among_bots_never_meets_the_hand_over() -> None:
    async with sitting(seated(1)) as at:
        await at.turn()
        assert at.at_table
        assert at.screen.me == 0


class Watching(Session):
    """A table as a spectator sees it; the test moves it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.link = Link()
        self.seats = ()
        self.asked: list[Input] = []
        self._updates: asyncio.Queue[Update] = asyncio.Queue()
        self.tell()

    def view(self, seat: Seat | None) -> View | None:
        assert seat is None
        return self.table.view(None)

    def clock(self) -> float:
        return 0.0

    def record(self) -> str | None:
        return None

    async def ask(self, given: Input) -> None:
        self.asked.append(given)

    async def update(self) -> Update:
        return await self._updates.get()

    async def close(self) -> None:
        pass

    def tell(self, *notices: object, caught_up: bool = False, link: Link | None = None) -> None:
        """Tell the screen how things stand."""
        self.link = link or self.link
        self.info = self.table.info
        seen = Seen(self.table.seen(notices, None), self.table.view(None))  # type: ignore[arg-type]
        self._updates.put_nowait(Update(self.info, self.link, {None: seen}, caught_up))

    def step(self) -> None:
        """Let the table do what is due."""
        given = self.table.due(1e9)
        assert given is not None
        self.tell(*self.table.apply(given, 1.0))


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_spectator_sees_every_turn_and_no_hidden_card(size: tuple[int, int]) -> None:
    watching = Watching(seated(0, Rules(players=4)))
    async with sitting(watching, size=size) as at:
        for _ in range(30):
            watching.step()
            await at.pilot.pause()
            if not at.at_table:
                break
            game = watching.table.game
            assert game is not None
            assert cards_shown(at) == {card for rack in game._known for card in rack if card}
        assert any("drew" in line for line in at.screen.chronicle.lines)


async def test_a_spectator_can_look_but_not_play() -> None:
    watching = Watching(seated(0))
    watching.step()
    async with sitting(watching) as at:
        for key in ("d", "t", "x", "enter", "g", "5", "h"):
            await at.press(key)
        assert watching.asked == []
        assert "turn" in shown(at.app)
        await at.press("l")
        assert "What happened" in shown(at.app)


async def test_a_lost_connection_is_said_and_the_table_stays() -> None:
    watching = Watching(seated(0))
    watching.step()
    async with sitting(watching) as at:
        rows = shown(at.app).splitlines()[1:12]
        watching.tell(link=Link(up=False, trouble=RackoError("The connection is lost.")))
        await at.pilot.pause()
        assert "The connection is lost." in shown(at.app)
        assert shown(at.app).splitlines()[1:12] == rows
        for _ in range(3):
            watching.table.apply(watching.table.due(1e9), 1.0)  # type: ignore[arg-type]
        watching.tell(caught_up=True, link=Link())
        await at.pilot.pause()
        assert "The connection is lost." not in shown(at.app)
        view = watching.view(None)
        assert view is not None
        assert at.screen.decision.view is not None
        assert at.screen.decision.view.history == view.history
        told = [line for line in at.screen.chronicle.lines if line.startswith("Round")]
        assert len(told) == 1


async def test_before_the_game_the_table_waits() -> None:
    table = Table(seated(0).setup)
    watching = Watching(table)
    async with sitting(watching) as at:
        await at.press("d", "5", "h", "s")
        assert at.at_table
        assert "not started" in shown(at.app) or "turn" in shown(at.app)


async def test_alone_there_is_nobody_to_talk_to() -> None:
    async with sitting(seated()) as at:
        await at.turn()
        await at.press("c")
        assert "Nobody else reads a screen" in shown(at.app)
        assert at.screen.focused is None
