"""What reaches the terminal under `--ascii` and NO_COLOR."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from racko_tui.terminal.filters import AsciiOnly, NoColours

BLACK = Color(0, 0, 0)


def test_everything_is_spelt_in_ascii_and_keeps_its_width() -> None:
    text = "╭─ Åse · 7 ▸ “fin” … é ⣀⣀ ▒ 日本 ▶ e\N{COMBINING ACUTE ACCENT}"
    (segment,) = AsciiOnly().apply([Segment(text, Style(bold=True))], BLACK)
    assert segment.text.isascii()
    assert len(segment.text) == cell_len(text)
    assert segment.style == Style(bold=True)


def test_plain_text_is_passed_on_as_it_is() -> None:
    segment = Segment("plain", None)
    assert AsciiOnly().apply([segment], BLACK) == [segment]


def test_no_colour_is_left_and_light_grounds_are_reversed() -> None:
    card = Segment("7", Style.parse("bold #000000 on #ffffff"))
    text = Segment("7", Style.parse("underline #ffffff on #000000"))
    bare = Segment("7", None)
    one, two, three = NoColours().apply([card, text, bare], BLACK)
    assert one.style is not None
    assert two.style is not None
    assert (one.style.color, one.style.bgcolor, one.style.reverse, one.style.bold) == (
        None,
        None,
        True,
        True,
    )
    assert (two.style.color, two.style.bgcolor, two.style.reverse, two.style.underline) == (
        None,
        None,
        False,
        True,
    )
    assert three == bare
