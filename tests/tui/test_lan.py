"""A whole game between four real terminals, with everything that goes wrong on a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.terminals import Room, Terminal, Wire, free_port

ENTER = "\r"
SETTINGS = """
name = "{name}"
motion = "off"
bot_speed = "instant"

[hosting]
reach = "here"
port = {port}

[last_game]
players = 4
places = [
    {{ kind = "you", name = "" }},
    {{ kind = "friend", name = "" }},
    {{ kind = "friend", name = "" }},
    {{ kind = "solid", name = "Robby" }},
]

[last_game.rules]
target = 80
"""


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.close()


class Player:
    """Plays by keys alone, as quickly as the screen allows: draws, discards, goes on."""

    MOVES = (
        ("Your turn: draw", "d"),
        ("x discard", "x"),
        ("⏎ scorecard", ENTER),
        ("⏎ the end of the game", ENTER),
        ("⏎ go on", ENTER),
    )

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._answered = ""

    @property
    def over(self) -> bool:
        return "Rematch" in self.terminal.text

    def play(self) -> None:
        """Press a key when the screen begins to ask for one."""
        text = self.terminal.text
        asked = next((move for move in self.MOVES if move[0] in text), ("", ""))
        if asked[0] != self._answered or "before its time" in text:
            self._answered = asked[0]
            self.terminal.press(asked[1])


def play_until(room: Room, players: list[Player], holds: object, what: str) -> None:
    def check() -> bool:
        if holds():  # type: ignore[operator]
            return True
        for player in players:
            player.play()
        return False

    room.until(check, what, 60.0)


def settle(home: Path, name: str, port: int) -> Path:
    folder = home / name
    folder.mkdir(parents=True)
    text = SETTINGS.format(name=name, port=port)
    (folder / "settings.toml").write_text(text, encoding="utf-8")
    return folder


def test_four_terminals_play_a_game_through_a_cut_line_and_a_killed_host(
    room: Room, home: Path
) -> None:
    port = free_port()
    wire = Wire(port)
    homes = {name: settle(home, name, port) for name in ("Ana", "Bo", "Cy", "Di")}

    # Ana hosts from the application; Bo and Cy join, Di watches.
    ana = room.open(homes["Ana"])
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "Host a game", "Seat 4")
    ana.press(ENTER)
    room.see(ana, "Others type", "Robby")
    found = re.search(r"--table (\w+)", ana.text)
    assert found is not None
    code = found[1]
    bo = room.open(homes["Bo"], "join", f"127.0.0.1:{wire.port}", "--table", code)
    cy = room.open(homes["Cy"], "join", f"127.0.0.1:{port}")
    di = room.open(homes["Di"], "join", f"127.0.0.1:{port}", "--table", code, "--watch")
    room.see(cy, code)
    room.see(bo, "not ready yet", "Robby")
    cy.press(ENTER)
    room.see(cy, "Others type")
    room.see(ana, "Bo", "Cy")
    room.see(di, "Bo", "Cy", "Ana starts the game")
    bo.press("r")
    cy.press("r")
    cy.press("c")
    room.see(cy, "Good luck!")
    cy.press("3")
    room.see(ana, "Cy: Good luck!")
    room.see(di, "Cy: Good luck!")
    ana.press("s")
    for each in (ana, bo, cy, di):
        room.see(each, "round 1")

    players = {name: Player(each) for name, each in (("Ana", ana), ("Bo", bo), ("Cy", cy))}
    watcher = Player(di)

    # Bo's line is cut with a card in hand; the others see it, and it comes back with the card.
    def others(name: str) -> list[Player]:
        return [player for each, player in players.items() if each != name]

    play_until(room, others("Bo"), lambda: "Your turn: draw" in bo.text, "Bo's turn")
    bo.press("d")
    room.see(bo, "x discard")
    card = re.search(r"You drew (\d+)\.", bo.text)
    assert card is not None
    wire.cut()
    room.see(ana, "Bo is away; a bot takes over in")
    room.see(di, "Bo is away")
    room.until(lambda: "cannot be reached" in bo.text or "was lost" in bo.text, "the trouble")
    assert card[0] in bo.text
    wire.mend()
    room.gone(ana, "Bo is away; a bot")
    room.until(lambda: "cannot be reached" not in bo.text and "was lost" not in bo.text, "back")
    assert card[0] in bo.text
    bo.press("x")
    room.gone(bo, "x discard")

    # The host is killed while Cy has a card in hand, and opens the table again.
    play_until(room, others("Cy"), lambda: "Your turn: draw" in cy.text, "Cy's turn")
    cy.press("d")
    room.see(cy, "x discard")
    card = re.search(r"You drew (\d+)\.", cy.text)
    assert card is not None
    ana.kill()
    room.until(lambda: "cannot be reached" in cy.text or "was lost" in cy.text, "the trouble")
    room.terminals.remove(ana)
    ana.close()
    ana = room.open(homes["Ana"])
    players["Ana"] = Player(ana)
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, code)
    ana.press("a")
    room.see(ana, "round 1")
    for each in (bo, cy, di):
        room.until(
            lambda each=each: "cannot be reached" not in each.text and "was lost" not in each.text,  # type: ignore[misc]
            "everyone back",
        )
    room.gone(ana, "is away")
    assert card[0] in cy.text
    cy.press("x")
    room.gone(cy, "x discard")

    # They play to the end, and everyone has the same scorecard.
    everyone = [*players.values(), watcher]
    play_until(room, everyone, lambda: all(each.over for each in everyone), "the end of the game")
    terminals = [ana, bo, cy, di]
    for each in terminals:
        each.press("s")
        room.see(each, "RACK-O  game to 80", "The game goes to")
    room.until(lambda: len({each.text for each in terminals}) == 1, "the same scorecard everywhere")
    assert re.search(r"Ana .*Bo .*Cy .*Robby", ana.text)
    assert re.search(r"^ *2 .*Robby, turn", ana.text, re.MULTILINE), ana.text
