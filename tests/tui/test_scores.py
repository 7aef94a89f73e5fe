"""The scorecard as values and as a sheet of paper."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from racko_core.events import RackScore
from racko_core.rules import Rules
from racko_tui.scores import (
    Scorecard,
    counted,
    how_it_ended,
    points_of,
    round_headline,
    score_in_words,
    standing,
    tally,
)
from racko_tui.widgets.plot import Plot, top_of
from racko_tui.widgets.scoresheet import Columns
from tests.tui.steering import played

EXAMPLE = (5, 9, 13, 24, 25, 32, 4, 35, 42, 55)


def card_of(rules: Rules | None = None, rounds: int | None = None) -> Scorecard:
    table = played(rules, rounds=rounds)
    assert table.game is not None
    names = tuple(chair.name for chair in table.chairs)
    return Scorecard.of_game(table.game, names)


def test_points_and_bonuses_of_a_side_add_up_to_its_total() -> None:
    card = card_of(Rules.preset("partners", target=300))
    for side, seats in enumerate(card.rules.sides):
        assert sum(sum(points_of(ended, seats)) for ended in card.sheet) == card.totals[side]
    assert card.sides == ("Ana & Cy", "Bo & Di")


def test_the_counted_slots_make_the_points() -> None:
    for rules in (Rules(target=150), Rules(target=150, scoring="ascents")):
        card = card_of(rules)
        for ended in card.sheet:
            for seat, rack in enumerate(ended.racks):
                score = ended.scores[seat]
                going_out = 25 if score.went_out else 0
                slots = counted(score, rack, rules)
                assert sum(slots) + going_out + score.bonus == score.points
                assert slots[0] == 5


def test_why_a_rack_scored_is_said_with_its_break() -> None:
    ended = card_of(rounds=1).sheet[0]
    score = RackScore(cards=6, went_out=False, run=0, bonus=0, points=30)
    seat = 1 - (ended.went_out or 0)
    racks = tuple(EXAMPLE if place == seat else rack for place, rack in enumerate(ended.racks))
    scores = tuple(score if place == seat else one for place, one in enumerate(ended.scores))
    example = replace(ended, racks=racks, scores=scores)
    assert score_in_words(example, seat, Rules()) == "30: 6 cards in order; 4 in slot 35 breaks it"
    out = score_in_words(example, ended.went_out or 0, Rules())
    assert out.startswith("75: ten cards in order")


def test_what_counts_in_a_rack_that_falls_is_its_front_card() -> None:
    ended = card_of(rounds=1).sheet[0]
    falls = (40, 33, 30, 28, 24, 20, 15, 11, 8, 2)
    for rack, count, words in (
        (falls, 1, "5: only the front card; each other is lower than the one in front of it"),
        (EXAMPLE, 9, "45: 9 cards, the front one and each that rises"),
    ):
        score = RackScore(cards=count, went_out=False, run=0, bonus=0, points=5 * count)
        one = replace(ended, racks=(rack, rack), scores=(score, score))
        assert score_in_words(one, 0, Rules(scoring="ascents")) == words


def test_a_bonus_is_explained_with_its_run() -> None:
    ended = card_of(rounds=1).sheet[0]
    seat = ended.went_out or 0
    racks = tuple(
        (1, 7, 8, 9, 20, 21, 30, 33, 37, 39) if place == seat else rack
        for place, rack in enumerate(ended.racks)
    )
    score = RackScore(cards=10, went_out=True, run=3, bonus=50, points=125)
    scores = tuple(score if place == seat else one for place, one in enumerate(ended.scores))
    words = score_in_words(replace(ended, racks=racks, scores=scores), seat, Rules(bonus=True))
    assert words.endswith("+ 50 for the run 7 8 9")


def test_the_standing_names_the_leader_and_the_distance() -> None:
    card = card_of(Rules(target=500), rounds=2)
    best = max(card.totals)
    name = card.sides[card.totals.index(best)]
    assert standing(card) == f"In the lead: {name} with {best}, and {500 - best} to go."
    level = replace(card.sheet[-1], totals=(100, 100))
    tied = replace(card, sheet=(*card.sheet[:-1], level))
    assert standing(tied) == "Level at 100: Ana and Bo, with 400 to go."
    decider = replace(tied, rules=Rules(target=100))
    assert "Another round decides" in standing(decider)
    assert standing(replace(card, sheet=())) == "No round has ended yet; 500 points win."


def test_the_winner_is_named_at_the_end() -> None:
    card = card_of()
    assert card.result is not None
    winner = card.sides[card.result.winners[0]]
    assert standing(card) == f"The game goes to {winner}, with {max(card.totals)} points."


@pytest.mark.parametrize(
    ("how", "column", "headline"),
    [
        ("auto", "Ana, turn 9", "Ana has RACK-O after 9 turns!"),
        ("hand", "Ana called, turn 9", "Ana has RACK-O after 9 turns!"),
        ("dealt", "Ana, dealt in order", "Ana was dealt RACK-O!"),
    ],
)
def test_how_a_round_ended_is_said(how: str, column: str, headline: str) -> None:
    ended = replace(card_of(rounds=1).sheet[0], went_out=0, how=how, turns=(9, 8))  # type: ignore[arg-type]
    assert how_it_ended(ended, ("Ana", "Bo")) == column
    assert round_headline(ended, ("Ana", "Bo")) == headline
    nobody = replace(ended, went_out=None, how="stalemate")
    assert how_it_ended(nobody, ("Ana", "Bo")) == "nobody went out"
    assert "Nobody" in round_headline(nobody, ("Ana", "Bo"))


def test_a_tally_tells_how_much_help_there_was() -> None:
    card = card_of(rounds=1)
    assert tally(card, 0).hints == 0
    assert [tally(replace(card, hints=(3, 1)), seat).hints for seat in (0, 1)] == [3, 1]


def test_a_tally_counts_the_game_of_one_player() -> None:
    card = card_of(Rules(target=300))
    figures = [tally(card, seat) for seat in (0, 1)]
    assert sum(one.rackos for one in figures) == len(card.sheet)
    assert [round(one.average * len(card.sheet)) for one in figures] == list(card.totals)
    for seat, one in enumerate(figures):
        mine = [ended.turns[seat] for ended in card.sheet if ended.went_out == seat]
        assert one.fastest == (min(mine) if mine else None)
        assert one.best == max(ended.scores[seat].points for ended in card.sheet)


@pytest.mark.parametrize("width", [55, 60, 76, 106])
@pytest.mark.parametrize("sides", [2, 3, 4])
def test_a_sheet_is_never_wider_than_its_paper(width: int, sides: int) -> None:
    columns = Columns(width, sides)
    assert 3 + columns.cell * sides + (2 + columns.how if columns.how else 0) <= width


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(("width", "height"), [(50, 6), (76, 8), (100, 14)])
def test_a_plot_fills_its_place_exactly(width: int, height: int, ascii_only: bool) -> None:
    card = card_of(Rules(players=3, target=300))
    plot = Plot(card.history, card.sides, 300, ascii_only=ascii_only)
    lines = plot.lines(width, height)
    assert len(lines) == height
    assert all(line.cell_length == width for line in lines[:-1])
    for name in card.sides:
        assert sum(name in line.plain for line in lines) == 1
    assert "300" in lines[0].plain or max(card.totals) > 300


def test_a_plot_without_letters_beyond_ascii_marks_every_line() -> None:
    plot = Plot([(0, 0), (75, 20), (100, 95)], ("Ana", "Bo"), 150, ascii_only=True)
    text = "\n".join(line.plain for line in plot.lines(70, 10))
    assert "A Ana" in text
    assert "B Bo" in text
    assert text.count("A") > 10


def test_names_beside_a_plot_stand_in_the_order_of_their_totals() -> None:
    names = ("Ana", "Bo", "Cy", "Di")
    for totals in ((25, 20, 10, 75), (480, 490, 500, 495), (0, 0, 0, 0)):
        lines = [line.plain for line in Plot([(0,) * 4, totals], names, 500).lines(76, 8)]
        rows = [next(y for y, line in enumerate(lines) if name in line) for name in names]
        by_row = sorted(range(4), key=lambda side: rows[side])
        assert [totals[side] for side in by_row] == sorted(totals, reverse=True)


@pytest.mark.parametrize(
    ("highest", "target", "top"),
    [
        (20, 500, 25),
        (75, 500, 100),
        (120, 500, 200),
        (220, 500, 500),
        (510, 500, 510),
        (75, 150, 150),
        (40, 75, 75),
    ],
)
def test_a_plot_reaches_as_far_as_the_totals_need(highest: int, target: int, top: int) -> None:
    assert top_of(highest, target) == top


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_few_points_are_no_flat_line_and_the_target_is_named(ascii_only: bool) -> None:
    plot = Plot([(0, 0), (20, 5)], ("Ana", "Bo"), 500, ascii_only=ascii_only)
    lines = [line.plain for line in plot.lines(76, 8)]
    rows = [next(y for y, line in enumerate(lines) if name in line) for name in ("Ana", "Bo")]
    assert rows[0] < rows[1] - 1
    assert "to 500" in lines[0]
    assert lines[0].split()[0] == "25"


def test_a_plot_without_room_is_no_plot() -> None:
    plot = Plot([(0, 0), (5, 75)], ("A" * 30, "Bo"), 150)
    assert plot.lines(20, 8) == []
    assert plot.lines(80, 2) == []
    assert cell_len(plot.lines(60, 6)[0].plain) == 60


def test_before_the_first_round_has_ended_there_is_nothing_to_plot() -> None:
    assert Plot([(0, 0)], ("Ana", "Bo"), 150).lines(60, 8) == []


def test_the_axis_of_a_plot_ends_with_the_last_round() -> None:
    lines = [line.plain for line in Plot([(0, 0), (75, 20)], ("Ana", "Bo"), 150).lines(60, 8)]
    axis = lines[-1].split()
    assert axis == ["1", "rounds"]
    (line,) = [line for line in lines if "╶ Ana" in line]
    assert line.index("╶ Ana") > 40
