"""Looking back: the walk through decisions, the curves, and what is said of each decision."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import pytest
from textual.geometry import Size

from racko_core.actions import Place, Take
from racko_core.coach import Analysis, Label, analyse
from racko_core.order import strays
from racko_core.rack import with_card
from racko_core.record import read
from racko_tui import i18n
from racko_tui.commands.assessment import SIGNS
from racko_tui.glyphs import ASCII, UNICODE, glyphs
from racko_tui.i18n import LANGUAGES
from racko_tui.review.chart import Chart, Mark, chart_of
from racko_tui.review.overview import overview
from racko_tui.review.walk import Walk
from racko_tui.review.words import heading, rack_shown, told
from racko_tui.widgets.chance_plot import ChancePlot
from racko_tui.widgets.speech import Words, fits
from tests.core.coach.guessing import Guess
from tests.tui.test_cli_analyse import NAMES, played, text_of


@lru_cache
def judged(players: int = 2, bonus: bool = False, teams: bool = False) -> Analysis:
    """Two rounds, of which the first player does not play well."""
    call = "manual" if bonus else "auto"
    game = played(players=players, bonus=bonus, teams=teams, call=call)  # type: ignore[arg-type]
    return analyse(read(text_of(game)), Guess())


KINDS = ((2, False, False), (3, True, False), (4, True, True))


def test_one_walks_through_every_decision_and_back_to_the_overview() -> None:
    walk = Walk(judged())
    every = [one for part in judged().rounds for one in part.decisions]
    assert walk.decision is walk.round is None
    seen = []
    while walk.step(1):
        seen.append(walk.decision)
    assert seen == every
    for _ in every[1:]:
        assert walk.step(-1)
    assert walk.decision is every[0]
    assert walk.step(-1)
    assert walk.decision is None
    assert not walk.step(-1)


def test_one_walks_from_slip_to_slip() -> None:
    walk = Walk(judged(), 0)
    found = []
    while walk.slip(1):
        assert walk.decision is not None
        found.append(walk.decision)
        assert walk.slip_number == (len(found), walk.slip_number[1])
    assert walk.slip_number == (len(found), len(found))
    assert all(one.seat == 0 and one.label is not Label.FINE for one in found)
    report = judged().reports[0]
    assert len(found) == sum(report.labels.values()) - report.labels[Label.FINE]
    walk.slip(-1)
    assert walk.decision is found[-2]


def test_rounds_are_turned_like_pages() -> None:
    walk = Walk(judged())
    pages = []
    while walk.turn_page(1):
        assert walk.round is not None
        pages.append(walk.round.number)
        assert walk.decision is walk.round.decisions[0]
    assert pages == [1, 2]
    walk.step(1)
    assert walk.turn_page(-1)
    assert walk.round is not None
    assert walk.round.number == 1
    assert walk.turn_page(-1)
    assert walk.round is None


def test_whoever_follows_another_player_stays_nearby() -> None:
    walk = Walk(judged(), 0)
    walk.turn_page(1)
    walk.turn_page(1)
    walk.follow(1)
    assert walk.decision is not None
    assert walk.decision.seat == 1
    walk.begin()
    walk.follow(None)
    assert walk.decision is None
    assert walk.seat is None


@pytest.mark.parametrize("kind", KINDS)
def test_curves_end_where_the_round_ended(kind: tuple[int, bool, bool]) -> None:
    analysis = judged(*kind)
    chart = chart_of(Walk(analysis), NAMES)
    assert chart.steps == sum(len(part.decisions) + 1 for part in analysis.rounds)
    assert [text for _step, text in chart.numbers] == ["1", "2"]
    starts = {1: 0, 2: len(analysis.rounds[0].decisions) + 1}
    for curve in chart.curves:
        for part, points in zip(analysis.rounds, curve.rounds, strict=True):
            assert part.ended is not None
            out = part.ended.went_out
            sides = analysis.rules.side_of
            assert points[-1][1] == (out is not None and sides(out) == sides(curve.seat))
            own = sum(one.seat == curve.seat for one in part.decisions)
            began = part.decisions[0].seat == curve.seat
            assert len(points) == 1 + own + (not began)
            assert points[0][0] == starts[part.number]  # no curve begins in mid-air
            assert [step for step, _ in points] == sorted({step for step, _ in points})


def test_the_curve_of_a_round_shows_what_is_looked_at() -> None:
    walk = Walk(judged(), 0)
    walk.slip(1)
    chart = chart_of(walk, NAMES)
    assert chart.at is not None
    assert chart.decisions[chart.at] is walk.decision
    assert [curve.seat for curve in chart.curves] == [0]
    assert chart.at in [mark.step for mark in chart.marks]
    assert chart.numbers[0][1] == "1"


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(58, 5), (78, 8), (198, 18)])
def test_the_picture_of_the_curves_fits_and_names_them(
    size: tuple[int, int], kind: tuple[int, bool, bool], ascii_only: bool
) -> None:
    i18n.install("en")
    width, height = size
    plot = ChancePlot(ascii_only=ascii_only)
    walk = Walk(judged(*kind))
    names = NAMES[: kind[0]]
    for _ in range(3):
        chart = chart_of(walk, names)
        lines = [line.plain for line in plot.lines(chart, width, height)]
        assert len(lines) == height
        assert max(map(len, lines)) <= width
        assert ("▲" in lines[-1]) == (chart.at is not None)
        if height > len(names) + 2:
            assert all(any(name in line for line in lines) for name in names)
        walk.slip(1)
    if ascii_only:
        drawn = "".join(line[8:-12] for line in lines[:-2])
        assert set("─╮╯╭╰") & set(drawn) == set()


def test_without_room_there_is_no_picture() -> None:
    assert ChancePlot().lines(chart_of(Walk(judged()), NAMES), 58, 4) == []
    assert ChancePlot().lines(chart_of(Walk(judged()), NAMES), 20, 9) == []


@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_slip_has_a_mark_of_one_cell_below_its_decision(ascii_only: bool) -> None:
    i18n.install("en")
    walk = Walk(judged(), 0)
    walk.turn_page(1)
    chart = chart_of(walk, NAMES)
    plot = ChancePlot(ascii_only=ascii_only)
    show = dict(zip(SIGNS, glyphs(ascii_only).slips, strict=True))
    *_, marks, numbers = plot.lines(chart, 198, 9)
    assert sorted(marks.plain.replace(" ", "")) == sorted(show[mark.label] for mark in chart.marks)
    assert numbers.plain.split()[-1] == "turns"
    # Where decisions stand side by side, every cell tells of the worst slip in it.
    degrees = list(Label)[1:]
    crowded = replace(
        chart, curves=(), marks=tuple(Mark(step, degrees[step % 3]) for step in range(9))
    )
    *_, marks, _numbers = plot.lines(replace(crowded, steps=30), 8 + 30 + 3 + 5, 9)
    assert marks.plain.split()[0] == 3 * "".join(show.values())
    *_, marks, _numbers = plot.lines(replace(crowded, steps=900), 60, 9)
    assert marks.plain.strip() == show[Label.BLUNDER]


def test_one_is_told_whether_there_are_slips_ahead_and_behind() -> None:
    walk = Walk(judged(), 0)
    assert walk.slips_around == (False, True)
    while walk.slip(1):
        pass
    assert walk.slips_around == (walk.slip_number[1] > 1, False)


def test_the_rack_shows_what_was_played_and_what_was_better() -> None:
    walk = Walk(judged(), 0)
    while walk.slip(1):
        decision = walk.decision
        assert decision is not None
        state = rack_shown(decision, "Ana", UNICODE)
        assert state.cards == decision.view.rack
        for slot, action in ((state.slot, decision.action), (state.hint, decision.best.action)):
            assert slot == (action.slot if isinstance(action, Take | Place) else None)
        assert state.coming == (decision.view.hand or decision.view.discard)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_decision_is_told_in_every_language(
    kind: tuple[int, bool, bool], language: str
) -> None:
    """What matters most fits beside the rack in the smallest window."""
    i18n.install(language)
    walk = Walk(judged(*kind))
    while walk.step(1):
        decision = walk.decision
        assert decision is not None
        words = told(decision, "Ana", UNICODE)
        assert all(text for text, _style in words)
        assert fits(words[:5], Size(28, 12)), words
        left, right = heading(walk, NAMES)
        assert len(left) + len(right) < 50


def test_a_slip_is_called_so_and_a_good_move_as_well() -> None:
    i18n.install("en")
    walk = Walk(judged(), 0)
    walk.slip(1)
    decision = walk.decision
    assert decision is not None
    text = "\n".join(text for text, _style in told(decision, "Ana", ASCII))
    assert str(decision.label) in text
    assert "Played: " in text
    assert "* Better: " in text
    best = next(
        one for part in judged().rounds for one in part.decisions if one.action == one.best.action
    )
    text = "\n".join(text for text, _style in told(best, "Bo", ASCII))
    assert "The best move: " in text
    assert "Better" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_moves_are_compared_by_the_round_and_none_that_only_lays_a_card_off_is_named(
    kind: tuple[int, bool, bool],
) -> None:
    i18n.install("en")
    for part in judged(*kind).rounds:
        for decision in part.decisions:
            words = [text for text, _style in told(decision, "Ana", UNICODE)]
            assert "% to win the round." in words[1]
            (points,) = [text for text in words if text.startswith("Points on the others: ")]
            for text in words[words.index(points) + 1 :]:
                for card, slot in re.findall(r"(\d+) into slot (\d+)", text):
                    after = with_card(decision.view.rack, int(slot) // 5, int(card))
                    assert int(slot) // 5 not in strays(after, decision.view.rules.cards), text


def test_the_graph_says_what_it_shows() -> None:
    i18n.install("en")
    plot = ChancePlot()
    for walk in (Walk(judged()), Walk(judged(), 0)):
        lines = [line.plain for line in plot.lines(chart_of(walk, NAMES), 76, 9)]
        assert "chance to win the round" in lines[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_overview_fits_into_the_smallest_window(
    kind: tuple[int, bool, bool], language: str
) -> None:
    i18n.install(language)
    names = ["Ana", "Bo the Very Long Named", "Cy", "Di"][: kind[0]]
    lines = overview(judged(*kind), names, 56)
    assert max(map(len, lines)) <= 56
    assert not any(line.endswith("…") for line in lines)
    text = "\n".join(lines)
    assert f"{judged(*kind).reports[0].accuracy:.0f} %" in text
    for outcome in judged(*kind).outcomes:
        by_luck = round(outcome.points - outcome.points_without_luck)
        assert f"{by_luck:+}".replace("-", "−") in text


@pytest.mark.parametrize("players", [2, 4])
def test_figures_and_what_they_mean_stand_above_the_edge_of_a_usual_window(players: int) -> None:
    """Of 80x24, where the curve, the heading and the keys leave 12 lines."""
    i18n.install("en")
    lines = overview(
        judged(players), ["A Very Long Name", "Bo", "Cy", "Di"][:players], 76, UNICODE.slips
    )
    for term in ("slips", "accuracy:", "luck:", "by luck:", "Not counted"):
        assert any(line.startswith(term) for line in lines[:12]), term


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_graph_marks_what_is_looked_at_and_where_enter_leads(ascii_only: bool) -> None:
    i18n.install("en")
    walk = Walk(judged(), 0)
    plot = ChancePlot(ascii_only=ascii_only)
    enter = ">" if ascii_only else "⏎"

    def looked_at() -> tuple[Chart, list[str]]:
        chart = chart_of(walk, NAMES)
        return chart, [line.plain for line in plot.lines(chart, 198, 18)]

    chart, lines = looked_at()
    assert chart.next == chart.marks[0].step
    assert "●" not in "".join(lines)
    assert enter in lines[-1]
    walk.slip(1)
    now = walk.decision
    chart, lines = looked_at()
    assert now is not None
    (row,) = [line for line in lines if "●" in line]
    assert row.index("●") == lines[-1].index("▲")
    assert lines.index(row) == round(15 * (1 - now.chosen.win))
    assert chart.next is not None
    below = re.search(rf"\d*{enter}", lines[-1])  # a number stays beside it
    assert below is not None
    assert lines[-2][below.start()] != " "
    assert walk.slip(1)
    assert chart.decisions[chart.next] is walk.decision
    while walk.slip(1):
        pass
    chart, lines = looked_at()
    assert chart.next is None
    assert enter not in lines[-1]


def test_what_does_not_fit_whole_is_left_out_but_never_the_first() -> None:
    words = Words()
    words.show([("one two three four", "text"), ("five six seven eight", "quiet"), ("nine", "")])
    assert [line[0][0] for line in words.draw(10, 3)] == ["one two", "three four"]
    assert [line[0][0] for line in words.draw(10, 1)] == ["one two", "three four"]
    assert len(words.draw(10, 5)) == 5
