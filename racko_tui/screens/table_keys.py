"""The keys of the table. Every binding has an id, by which the player can give it another key."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from racko_core.errors import N_
from racko_core.rules import SLOTS


def _acts(name: str, key: str, action: str, word: str, tooltip: str) -> Binding:
    return Binding(key, action, word, show=False, tooltip=tooltip, id=f"table.{name}")


TABLE_KEYS: Final[list[BindingType]] = [
    _acts("draw", "d", "do('draw')", N_("draw"), N_("Draw the top card of the draw pile.")),
    _acts("take", "t", "do('take')", N_("take"), N_("Take the top card of the discard pile.")),
    _acts("place", "enter", "do('place')", N_("place"), N_("Put the card into the slot.")),
    _acts("back", "escape", "do('put_back')", N_("put back"), N_("Put the discard back.")),
    _acts("discard", "x", "do('discard')", N_("discard"), N_("Discard the drawn card.")),
    _acts("out", "g", "do('go_out')", N_("go out"), N_("End the round with RACK-O.")),
    _acts("on", "p", "do('play_on')", N_("play on"), N_("Keep RACK-O and play on.")),
    _acts("up", "up,k", "move(1)", N_("further back"), N_("Choose the slot behind.")),
    _acts("down", "down,j", "move(-1)", N_("further front"), N_("Choose the slot in front.")),
    *(
        _acts(
            f"slot-{slot}",
            str(slot % SLOTS),
            f"slot({slot})",
            N_("slot"),
            N_("Choose the slot with this number, counted from the front."),
        )
        for slot in range(1, SLOTS + 1)
    ),
    _acts(
        "hint",
        "h",
        "hint",
        N_("hint"),
        N_("Ask what the best player would do; not in games against other people."),
    ),
    _acts("scores", "s", "scores", N_("scores"), N_("Look at the scorecard.")),
    _acts("log", "l", "log", N_("log"), N_("Read everything that happened.")),
    _acts("help", "question_mark", "help", N_("help"), N_("Keys and rules.")),
    _acts("chat", "c", "chat", N_("chat"), N_("Say something to the others at the table.")),
    _acts("people", "m", "people", N_("people"), N_("See who is here, and run the table.")),
    _acts("leave", "q", "leave", N_("leave"), N_("Leave the table; you are asked first.")),
]
"""What acts first, then slots, then what only shows something."""
