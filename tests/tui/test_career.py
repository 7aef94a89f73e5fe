"""What a player has done in all games."""

from __future__ import annotations

import json

import pytest

from racko_core.rules import Rules
from racko_tui.app import RackoApp
from racko_tui.career import Career
from racko_tui.scores import Scorecard
from racko_tui.screens.career import CareerScreen, in_short, rows_of
from tests.tui.steering import SIZES, played, press, shown, still


def card_of(rules: Rules, seed: str = "1") -> Scorecard:
    table = played(rules, seed=seed)
    assert table.game is not None
    return Scorecard.of_game(table.game, tuple(chair.name for chair in table.chairs))


def test_every_game_adds_to_it_once() -> None:
    two, four = card_of(Rules(target=150)), card_of(Rules.preset("partners", target=150), "2")
    career = Career()
    assert career.add(two, 0, "one")
    assert not career.add(two, 0, "one")
    assert career.add(four, 3, "two")
    assert career.games == {"2": 1, "4": 1}
    assert two.result is not None
    assert four.result is not None
    assert career.won == {"2": int(0 in two.result.winners), "4": int(1 in four.result.winners)}
    assert career.rounds == len(two.sheet) + len(four.sheet)
    mine = [ended.scores[0].points for ended in two.sheet]
    mine += [ended.scores[3].points for ended in four.sheet]
    assert career.points == sum(mine)
    assert career.best == max(mine)
    out = [ended for ended in two.sheet if ended.went_out == 0]
    out += [ended for ended in four.sheet if ended.went_out == 3]
    assert career.rackos == len(out)
    assert (career.played, career.victories) == (2, sum(career.won.values()))


def test_the_quickest_racko_is_the_least_and_none_is_none() -> None:
    career = Career()
    turns = []
    for seed in "1234":
        card = card_of(Rules(target=150), seed)
        career.add(card, 0, seed)
        turns += [ended.turns[0] for ended in card.sheet if ended.went_out == 0]
    assert career.fastest == min(turns)
    assert Career().fastest == 0


def test_a_game_that_goes_on_does_not_count() -> None:
    table = played(Rules(), rounds=1)
    assert table.game is not None
    card = Scorecard.of_game(table.game, ("Ana", "Bo"))
    assert not Career().add(card, 0, "open")


def test_it_comes_back_from_plain_values() -> None:
    career = Career()
    for seed in "123":
        career.add(card_of(Rules(target=150), seed), 0, seed)
    assert Career.from_dict(json.loads(json.dumps(career.to_dict()))) == career


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {"games": {"2": 3}},
        {"games": {"2": -1}, "won": {"2": 1}},
        {"games": {"9": 1}, "won": {"9": 1}},
        {"games": [1], "won": "x", "rounds": "7", "best": None, "run": True, "points": 1.5},
        {"counted": [1, None]},
    ],
)
def test_damaged_values_count_as_nothing(damaged: dict[str, object]) -> None:
    assert Career.from_dict(damaged) == Career()


@pytest.mark.parametrize("size", SIZES)
async def test_the_screen_shows_every_figure(size: tuple[int, int]) -> None:
    career = Career()
    assert "first game" in rows_of(career)[0][0]
    assert "none" in in_short(career)
    for seed in "12":
        career.add(card_of(Rules(target=150), seed), 0, seed)
    career.add(card_of(Rules(players=3, target=150), "3"), 0, "three")
    app = RackoApp(still())
    async with app.run_test(size=size) as pilot:
        await app.push_screen(CareerScreen("Ana", career))
        await pilot.pause()
        text = shown(app)
        assert "The games of Ana" in text
        for label, value in rows_of(career):
            assert label in text
            assert value in text
        await press(pilot, "escape")
        assert "The games of Ana" not in shown(app)
