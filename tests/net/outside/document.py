"""The examples in BOT_PROTOCOL.md: `python -m tests.net.outside.document` writes them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import racko_net
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.outside_bot import messages
from racko_net.outside_bot.permission import Limits
from tests.core.stacked import order_for, play, stacked_game
from tests.net.outside.positions import SEED

DOCUMENT = Path(racko_net.__file__).with_name("BOT_PROTOCOL.md")
BLOCK = re.compile(r"(<!-- (example|fragment): (\w+) -->\n```json\n)(.*?)(```)", re.DOTALL)
FRAGMENT = ("discards", "draw_count", "next_cards", "turnovers")
"""What is shown of a question that would be long."""
RULES = Rules()
BONUS = Rules.preset("bonus", 2)


FIRST = (3, 9, 14, 15, 16, 24, 28, 33, 36, 2)
SECOND = (5, 8, 13, 17, 20, 21, 22, 30, 35, 1)
"""Racks that lack one card at the back."""


def played(game: Game, codes: str) -> View:
    """What the player in turn may know after these actions."""
    play(game, codes)
    assert game.turn is not None
    return game.view(game.turn)


def examples() -> dict[str, Any]:
    """Every example by its name, as plain values. No bot had a part in them: bots change."""
    limits = Limits()
    rounds = [
        order_for(BONUS, {1: FIRST}, draws=(40, 7)),
        order_for(BONUS, {1: SECOND}, draws=(12, 40), discard=38, dealer=1),
    ]
    idle = Game.new(RULES, SEED)
    named = {
        "hello": messages.hello(RULES, limits.hello, limits.decision),
        "ready": messages.Ready(messages.VERSION, "Middle"),
        "turn": messages.question(played(Game.new(RULES, SEED), "deal"), 1),
        "drawn": messages.question(played(Game.new(RULES, SEED), "deal t4 t8 d x d p2 d"), 5),
        "place": messages.Choice(5, "p10"),
        "call": messages.question(
            played(stacked_game(BONUS, *rounds), "deal d p10 ! deal t3 d x t2 d p10"), 31
        ),
        "renewed": messages.question(played(idle, "deal" + " d x" * 19), 40),
    }
    plain = {name: json.loads(messages.encode(message)) for name, message in named.items()}
    plain["hello"]["racko"] = "0.1.0"
    return plain


def shown(name: str, kind: str) -> Any:
    """An example, or what is shown of it."""
    example = examples()[name]
    return {key: example[key] for key in FRAGMENT} if kind == "fragment" else example


def laid_out(plain: dict[str, Any]) -> str:
    """JSON for reading: a field in a line, an event in a line."""
    lines = []
    for name, value in plain.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = ",\n".join(f"    {json.dumps(each)}" for each in value)
            lines.append(f'  "{name}": [\n{inner}\n  ]')
        else:
            lines.append(f'  "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    def written(block: re.Match[str]) -> str:
        plain = shown(block[3], block[2])
        text = laid_out(plain) if len(json.dumps(plain)) > 90 else json.dumps(plain) + "\n"
        return block[1] + text + block[5]

    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text(BLOCK.sub(written, text), "utf-8")


if __name__ == "__main__":
    main()
