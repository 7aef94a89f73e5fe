from __future__ import annotations

import pytest

from racko_core.actions import (
    DEAL,
    DISCARD,
    DRAW,
    GO_OUT,
    PLACES,
    PLAY_ON,
    TAKES,
    Action,
    Place,
    Take,
    decode,
    encode,
)
from racko_core.errors import IllegalAction

ALL: tuple[Action, ...] = (DEAL, DRAW, DISCARD, GO_OUT, PLAY_ON, *TAKES, *PLACES)


def test_every_action_has_a_code_of_its_own_that_reads_back() -> None:
    codes = [encode(action) for action in ALL]
    assert len(set(codes)) == len(ALL) == 25
    assert [decode(code) for code in codes] == list(ALL)


def test_the_codes_are_those_of_the_notation() -> None:
    assert [encode(action) for action in (DEAL, DRAW, DISCARD, GO_OUT, PLAY_ON)] == [
        "deal",
        "d",
        "x",
        "!",
        "+",
    ]
    assert (encode(Take(3)), encode(Place(10))) == ("t3", "p10")


@pytest.mark.parametrize(
    "code", ["", "t", "t0", "t11", "p01", "D", "d ", "t3\n", "😀" * 99, None, 3, []]
)
def test_other_codes_are_refused_with_a_short_sentence(code: object) -> None:
    with pytest.raises(IllegalAction, match="There is no action") as refusal:
        decode(code)  # type: ignore[arg-type]
    assert len(str(refusal.value)) < 60


@pytest.mark.parametrize("action", [Take(0), Take(11), Place(-1)])
def test_a_slot_that_no_rack_has_cannot_be_encoded(action: Take | Place) -> None:
    with pytest.raises(IllegalAction, match="slots 1 to 10"):
        encode(action)
