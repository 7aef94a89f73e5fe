"""Racks, piles and other pictures: what is drawn, and how little is painted again."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.widget import Widget

from racko_tui.themes import PAPER, RACKO
from racko_tui.widgets.heading import Heading
from racko_tui.widgets.key_bar import Key, KeyBar, Rank
from racko_tui.widgets.picture import Picture, changed, fit
from racko_tui.widgets.piles import Piles, PilesState
from racko_tui.widgets.rack import Rack, RackState
from racko_tui.widgets.sheet import Sheet

ORDERED = (2, 5, 9, 13, 17, 21, 25, 30, 34, 39)


class Showing(App[None]):
    """One picture on a screen of its own."""

    def __init__(self, picture: Picture, width: int, height: int, *, ascii_only: bool) -> None:
        super().__init__()
        self.register_theme(RACKO)
        self.theme = "racko"
        self.picture = picture
        self.ascii_only = ascii_only
        self.picked: list[int] = []
        picture.styles.width, picture.styles.height = width, height

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return RACKO.variables

    def compose(self) -> ComposeResult:
        yield self.picture

    def on_rack_picked(self, picked: Rack.Picked) -> None:
        self.picked.append(picked.slot)


async def drawn(picture: Picture, width: int, height: int, *, ascii_only: bool = True) -> list[str]:
    """The lines of a picture as text."""
    app = Showing(picture, width, height, ascii_only=ascii_only)
    async with app.run_test(size=(width, height)):
        return [picture.render_line(y).text for y in range(height)]


def rack(width: int = 40, **state: object) -> Rack:
    picture = Rack()
    defaults: dict[str, object] = {"name": "Ana", "points": "30", "highest": 40, "mine": True}
    picture.state = RackState(**{**defaults, "cards": ORDERED, **state})  # type: ignore[arg-type]
    return picture


@pytest.mark.parametrize(("width", "height"), [(38, 12), (33, 12), (60, 22), (76, 32), (76, 42)])
async def test_a_rack_in_order_draws_one_rising_line(width: int, height: int) -> None:
    lines = await drawn(rack(), width, height)
    text = "\n".join(lines)
    places = [
        next(line.index(f"[{card:>2}]") for line in lines if f"[{card:>2}]" in line)
        if f"[{ORDERED[0]:>2}]" in text
        else next(line.index(f"[ {card:>2} ]") for line in lines if f"[ {card:>2} ]" in line)
        for card in ORDERED
    ]
    assert places == sorted(set(places))
    assert all(cell_len(line) == width for line in lines)


async def test_the_back_slot_is_on_top() -> None:
    lines = await drawn(rack(), 40, 12)
    assert " 50 " in lines[1]
    assert "39" in lines[1]
    assert "  5 " in lines[10]


async def test_what_breaks_the_order_and_what_scores_is_marked_without_colour() -> None:
    cards = (5, 9, 13, 8, *ORDERED[4:])
    picture = rack(
        cards=cards, scoring=frozenset((1, 2, 3)), breaks=frozenset((4,)), run=frozenset((2, 3))
    )
    lines = await drawn(picture, 40, 12)
    by_slot = {slot: lines[11 - slot].rstrip("|").rstrip() for slot in range(1, 11)}
    assert by_slot[4].endswith("x")
    assert [slot for slot in by_slot if lines[11 - slot][-3] == "|"] == [1, 2, 3]
    assert [slot for slot in by_slot if lines[11 - slot][-5] == "="] == [2, 3]


async def test_the_preview_shows_what_would_come_and_what_would_go() -> None:
    lines = await drawn(rack(slot=3, coming=30, keys=True), 40, 12)
    assert "( 9)" in lines[8]
    assert ">30<" in lines[8]
    assert lines[8].startswith(" >3")
    assert ">" not in "".join(lines[:8] + lines[9:])


@pytest.mark.parametrize("coming", [1, 4, 5, 8, 10, 11, 13, 40])
async def test_neither_card_of_the_preview_covers_the_other(coming: int) -> None:
    lines = await drawn(rack(slot=3, coming=coming), 34, 12)
    assert f">{coming:>2}<" in lines[8]
    assert "( 9)" in lines[8]


async def test_a_face_down_rack_shows_what_was_seen_and_the_last_change() -> None:
    known = (None, 8, *(None,) * 8)
    for width in (9, 13, 40):
        lines = await drawn(rack(mine=False, cards=known, last=7), width, 12)
        assert "[ 8]" in lines[9]
        assert "##" in lines[8]
        assert "<" in lines[4]
        assert sum("<" in line for line in lines) == 1


async def test_a_click_says_which_slot_it_was() -> None:
    app = Showing(rack(), 40, 22, ascii_only=True)
    async with app.run_test(size=(40, 22)) as pilot:
        for y in (0, 1, 2, 3, 20, 21):
            await pilot.click(Rack, offset=(5, y))
    assert app.picked == [10, 10, 9, 1]


def test_only_the_cells_that_changed_are_painted_again() -> None:
    old = [("ab", "text"), ("cdef", "quiet")]
    assert changed(old, [("abc", "text"), ("def", "quiet")]) == (2, 3)
    assert changed(old, [("ab", "text"), ("cdeX", "quiet")]) == (5, 6)
    assert changed(old, old) == (0, 0)


def test_letters_and_flags_that_join_spoil_no_repaint() -> None:
    for name in (
        "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER K}",
        "e\u0301",
    ):
        cells = cell_len(name)
        old = [(name, "text"), (" " * (6 - cells), "text")]
        assert changed(old, [("Ana", "text"), ("   ", "text")])[1] <= 6
        assert changed(old, [(name, "text"), (" " * (5 - cells) + "7", "text")]) == (5, 6)
        assert changed(old, [(name, "strong"), (" " * (6 - cells), "text")]) == (0, cells)


async def test_moving_the_cursor_repaints_two_rows_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = rack(slot=3, coming=30)
    app = Showing(picture, 40, 12, ascii_only=True)
    async with app.run_test(size=(40, 12)):
        painted: list[Region] = []

        def refresh(self: Widget, *regions: Region, **_options: bool) -> Widget:
            painted.extend(regions)
            return self

        monkeypatch.setattr(Widget, "refresh", refresh)
        picture.show(RackState("Ana", "30", None, ORDERED, 40, True, slot=4, coming=30))
        assert {region.y for region in painted} == {7, 8}
        assert all(region.height == 1 for region in painted)
        painted.clear()
        picture.redraw()
        assert painted == []


def test_lines_are_cut_and_filled_by_cells() -> None:
    assert fit([("漢字", "text")], 3) == [("漢 ", "text")]
    assert fit([("ab", "text")], 4) == [("ab", "text"), ("  ", "text")]


async def test_piles_show_the_count_the_discard_and_the_hand() -> None:
    picture = Piles()
    picture.state = PilesState(17, 23, 38, True, frozenset(("hand",)))
    for height in (4, 6):
        text = "\n".join(await drawn(picture, 48, height))
        assert "draw 17" in text
        assert "23" in text
        assert "38" in text


async def test_no_word_above_a_pile_touches_the_edge() -> None:
    picture = Piles()
    picture.state = PilesState(100, 23, 38, True)
    assert (await drawn(picture, 30, 4))[0].startswith(" draw 100 ")


async def test_a_card_that_one_may_not_see_is_a_back_in_the_hand() -> None:
    picture = Piles()
    picture.state = PilesState(0, 23, None, True)
    lines = await drawn(picture, 36, 4)
    assert lines[2].count("####") == 1  # the draw pile is empty


async def test_the_key_bar_leaves_out_what_does_not_fit_but_never_the_ways_out() -> None:
    picture = KeyBar()
    picture.keys = tuple(Key("", str(n), "something long") for n in range(9))
    leave, way_out = (
        Key("", *words, rank=Rank.ALWAYS) for words in (("q", "leave"), ("?", "help"))
    )
    picture.keys = (*picture.keys, leave, way_out)
    (line,) = await drawn(picture, 60, 1)
    assert line.rstrip().endswith("1 something long ... q leave  ? help")
    assert "0 something long" in line
    assert "2 something long" not in line


async def test_a_key_that_yields_makes_room_for_the_ones_behind_it() -> None:
    picture = KeyBar()
    log, leave, way_out = (
        Key("", "l", "log", rank=Rank.LAST),
        Key("", "q", "leave"),
        Key("", "?", "help"),
    )
    picture.keys = (log, leave, way_out)
    assert (await drawn(picture, 40, 1))[0].split() == ["l", "log", "q", "leave", "?", "help"]
    assert (await drawn(picture, 20, 1))[0].split() == ["q", "leave", "?", "help"]


async def test_an_empty_scorecard_says_so() -> None:
    assert (await drawn(Sheet(), 30, 4))[0].strip() == ""


async def test_another_theme_is_shown_at_once() -> None:
    picture = rack()
    app = Showing(picture, 40, 12, ascii_only=True)
    app.register_theme(PAPER)
    async with app.run_test(size=(40, 12)) as pilot:
        dark = {segment.style for segment in picture.render_line(3)}
        app.theme = "paper"
        await pilot.pause()
        assert not dark & {segment.style for segment in picture.render_line(3)}


async def test_a_heading_without_room_drops_its_last_words_rather_than_half_of_them() -> None:
    heading = Heading()
    heading.show("RACK-O", "round 1 · to 500 · Remy dealt · run of 3", "your turn")
    whole, short = await drawn(heading, 80, 1), await drawn(heading, 55, 1)
    assert "Remy dealt · run of 3" in whole[0]
    assert short[0].startswith(" RACK-O  round 1 · to 500 · Remy dealt ")
    assert short[0].rstrip().endswith(" your turn")
    assert "run" not in short[0]


async def test_a_name_loses_no_letter_while_there_is_space_before_the_points() -> None:
    picture = rack(name="Mabel", points="145", mine=False)
    (top, *_rest) = await drawn(picture, 13, 12)
    assert top.strip(" -") == "Mabel 145"


@pytest.mark.parametrize(
    ("name", "notes", "top", "bottom"),
    [
        ("Ida", "solid", "  Ida - 0", "  solid -"),
        ("Hugo", "expert", "  Hugo  0", "  expert "),
        ("Mabel", "amateur", "  Mabel 0", "  amateur"),
        ("Mabel", "begynder", "  Mabel 0", "  begynder"),
    ],
)
async def test_no_word_touches_the_line_of_a_narrow_rack(
    name: str, notes: str, top: str, bottom: str
) -> None:
    picture = rack(name=name, points="0", mine=False, notes=[(notes, "quiet")])
    lines = await drawn(picture, 9, 12)
    assert [lines[0].rstrip(), lines[-1].rstrip()] == [top.rstrip()[1:], bottom.rstrip()[1:]]


async def test_a_partner_is_called_so_in_a_narrow_rack_rather_than_by_the_level() -> None:
    notes = [("", "quiet"), ("partner", "strong"), (" · ", "quiet"), ("bot.pl", "quiet")]
    narrow = await drawn(rack(mine=False, notes=notes), 9, 12)
    assert narrow[-1].rstrip() == " partner"
    assert "partner · bot.pl" in (await drawn(rack(mine=False, notes=notes), 30, 12))[-1]
