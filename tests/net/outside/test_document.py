"""BOT_PROTOCOL.md: its examples are what racko says, its tables are whole, its bots play."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import msgspec
import pytest

from racko_core.arena.hall import MOST_TURNS
from racko_core.events import RackScore
from racko_core.rules import Exhausted, Rules
from racko_net import codec
from racko_net.outside_bot import messages
from racko_net.outside_bot.check import Check, Finding
from racko_net.outside_bot.murmurs import _MURMURS
from racko_net.outside_bot.permission import Limits
from racko_net.outside_bot.program import _LAST_GRACE, GRACE, MOST_BYTES
from tests.net.outside.document import BLOCK, DOCUMENT, examples, shown
from tests.net.outside.positions import PATIENT, views

TEXT = DOCUMENT.read_text("utf-8")
EXAMPLES = DOCUMENT.parent / "outside_bot" / "examples"
BOTS = [
    pytest.param(EXAMPLES / "middle.py", sys.executable, id="python"),
    pytest.param(
        EXAMPLES / "chain.js",
        "node",
        id="javascript",
        marks=pytest.mark.skipif(shutil.which("node") is None, reason="needs Node"),
    ),
]


def section(number: int) -> str:
    return TEXT[TEXT.index(f"\n## {number}. ") : TEXT.find(f"\n## {number + 1}. ")]


def fields_told(text: str) -> list[str]:
    """The first column of the tables."""
    return re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)


def fault(command: str) -> str:
    told: list[Finding] = []
    Check(command, PATIENT, told.append, rounds=1).run()
    return "\n".join(str(finding.fault) for finding in told if finding.fault)


def test_every_example_is_what_racko_says() -> None:
    blocks = {found[3]: (found[2], found[4]) for found in BLOCK.finditer(TEXT)}
    assert set(blocks) == set(examples())
    for name, (kind, text) in blocks.items():
        assert json.loads(text) == shown(name, kind), "run `python -m tests.net.outside.document`"


def test_every_example_can_be_read_again() -> None:
    for name, plain in examples().items():
        line = json.dumps(plain).encode()
        if name in ("ready", "place"):
            kind = messages.Ready if name == "ready" else messages.Choice
            messages.from_program(line, kind)
            continue
        message = messages.from_racko(line)
        if isinstance(message, messages.Question):
            rules = Rules.preset("bonus", 2) if name == "call" else Rules()
            view = messages.view_of(message, rules)
            assert json.loads(messages.encode(messages.question(view, message.id))) == plain
    assert examples()["place"]["action"] in examples()["drawn"]["legal"]


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        (4, (messages.Hello, messages.Ready)),
        (5, (messages.Choice,)),
        (6, (messages.Question,)),
    ],
)
def test_every_field_stands_in_a_table(
    number: int, kinds: tuple[type[msgspec.Struct], ...]
) -> None:
    wanted = [name for kind in kinds for name in kind.__struct_fields__]
    assert fields_told(section(number)) == wanted


def test_every_action_event_and_rule_stands_in_a_table() -> None:
    for code in ("d", "x", "!", "+"):
        assert f"| `{code}` |" in section(7)
    for name, event in codec._EVENTS.items():
        if name in ("dealer", "over"):  # never in a question
            continue
        (row,) = re.findall(rf"^\| `{name}` \| (.*?) \|", section(8), re.MULTILINE)
        assert re.findall(r"`([a-z_]+)`", row) == list(event.__dataclass_fields__)
    for field in RackScore.__dataclass_fields__:
        assert f"`{field}`" in section(8)
    assert fields_told(section(9)) == list(Rules.__dataclass_fields__)


def test_the_limits_are_the_ones_that_are_told() -> None:
    limits = Limits()
    assert f"({limits.hello:.0f} unless told)" in section(10)
    assert f"({limits.decision:.0f} unless told)" in section(10)
    assert f"{MOST_BYTES} bytes" in section(3)
    assert f"the first {_MURMURS} lines" in section(3)
    assert f"first {MOST_TURNS} turns of a round" in section(9)
    assert (GRACE, _LAST_GRACE) == (1.0, 0.5)
    assert f"version {messages.VERSION}\n" in TEXT


@pytest.mark.parametrize("how", ["flip", "shuffle"])
def test_of_a_renewed_pile_one_card_is_left_as_it_is_told(how: Exhausted) -> None:
    before: tuple[int, ...] = ()
    rules = Rules(exhausted=how, stalemate_turnovers=3)
    renewals = 0
    for view in views(rules, "idle"):
        asked = messages.question(view, 1)
        if view.turnovers > renewals:
            renewals = view.turnovers
            last = before[0] if how == "flip" else asked.history[-3]["card"]
            (renewed,) = [each for each in asked.history[-2:] if each["event"] == "renewed"]
            assert asked.discards == (renewed["discard"],) == (last,)
            assert asked.draw_count == renewed["draw_count"]
        before = asked.discards
    assert renewals == 2, "after the third there is no turn any more"


def test_the_bot_in_the_text_plays(tmp_path: Path) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    bot = tmp_path / "first.py"
    bot.write_text(source)
    assert fault(shlex.join([sys.executable, str(bot)])) == ""


@pytest.mark.parametrize(("file", "interpreter"), BOTS)
def test_the_bots_beside_the_text_play(file: Path, interpreter: str) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 60
    assert file.parent.name in TEXT
    assert fault(shlex.join([interpreter, str(file)])) == ""
