"""Colours by number: the same ones, in fewer bytes."""

from __future__ import annotations

import pytest
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Ground

from racko_tui.terminal.palette import ByNumber


def through(style: Style) -> Style:
    (segment,) = ByNumber().apply([Segment("x", style)], Ground(0, 0, 0))
    assert segment.style is not None
    return segment.style


@pytest.mark.parametrize(
    ("rgb", "number"),
    [
        ("#000000", 16), ("#ffffff", 231), ("#ffaf00", 214), ("#feaf00", 214), ("#121212", 233),
        ("#87d7ff", 117), ("#9e9e9e", 247), ("#eeeeee", 255),
    ],
)  # fmt: skip
def test_a_colour_of_the_palette_gets_its_number(rgb: str, number: int) -> None:
    style = through(Style(color=rgb, bgcolor=rgb, bold=True))
    assert style.color is not None
    assert style.bgcolor is not None
    assert (style.color.number, style.bgcolor.number) == (number, number)
    assert style.bold


@pytest.mark.parametrize("number", range(16, 256))
def test_the_number_means_the_same_colour(number: int) -> None:
    triplet = Color.from_ansi(number).get_truecolor()
    style = through(Style(color=Color.from_triplet(triplet)))
    assert style.color is not None
    assert style.color.get_truecolor() == triplet


@pytest.mark.parametrize("color", ["#123456", "default", "red"])
def test_other_colours_stay_as_they_are(color: str) -> None:
    style = Style(color=color)
    assert through(style).color == style.color


def test_what_has_no_style_has_none_afterwards() -> None:
    assert ByNumber().apply([Segment("x")], Ground(0, 0, 0)) == [Segment("x")]
