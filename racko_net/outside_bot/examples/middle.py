"""A bot for racko that gives every card the slot where its number belongs.

Only the standard library is used. Play against it:  racko play --bots "exec:python3 middle.py"
"""

import json
import sys
from typing import Any

Question = dict[str, Any]
cards = 40  # the hello tells how many there are


def belongs(card: int) -> int:
    """The slot for a card, 1 to 10, if the ten cards were spread evenly."""
    return 1 + (card - 1) * 10 // cards


def place(question: Question, card: int) -> int | None:
    """The slot that wants the card, or None."""
    slot = belongs(card)
    stands_there: int = question["rack"][slot - 1]
    return None if belongs(stands_there) == slot else slot


def decide(question: Question) -> str:
    """One of the question's legal actions."""
    legal: list[str] = question["legal"]
    if "!" in legal:  # the rack is RACK-O: end the round
        return "!"
    if question["phase"] == "drawn":
        slot = place(question, question["hand"])
        return f"p{slot}" if slot else "x"
    slot = place(question, question["discards"][-1])
    if slot:
        return f"t{slot}"
    return "d" if "d" in legal else legal[0]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        cards = message["cards"]
        answer: dict[str, Any] = {"type": "ready", "version": 1, "name": "Middle"}
    elif message["type"] == "decide":
        answer = {"type": "action", "id": message["id"], "action": decide(message)}
    else:
        continue  # a later version may say more
    print(json.dumps(answer), flush=True)
