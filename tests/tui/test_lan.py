"""A whole game between four real terminals, with everything that goes wrong on a network."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.outside.positions import STRANGE
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
        ("That was too soon", ""),  # what follows is asked for again
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
    assert f"x discard {card[1]}" in cy.text, "still in hand"
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

    # The same people play again; nobody has to wait for who only watches.
    for each in terminals:
        each.press(ENTER)
        room.see(each, "Rematch")
    for each in (ana, bo, cy):
        each.press("r")
    for each in terminals:
        room.see(each, "round 1", "to 80")


def test_a_table_whose_program_does_not_answer_is_not_opened_be_it_new_or_left(
    room: Room, home: Path, tmp_path: Path
) -> None:
    program = tmp_path / "bot.py"
    shutil.copy(STRANGE, program)
    settle(home, "Ana", free_port())
    settings = home / "Ana" / "settings.toml"
    seat = f'kind = "exec", name = "Otto", command = "{sys.executable} {program} fine"'
    robby = 'kind = "solid", name = "Robby"'
    assert robby in settings.read_text()
    settings.write_text(settings.read_text().replace(robby, seat))
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "Host a game", "another program")
    program.rename(tmp_path / "away.py")
    ana.press(ENTER)
    room.see(ana, "before it had answered “hello”")
    (tmp_path / "away.py").rename(program)
    ana.press(ENTER)
    room.see(ana, "Others type", "Otto")
    ana.kill()
    room.terminals.remove(ana)
    ana.close()

    program.rename(tmp_path / "away.py")
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "as you left it")
    ana.press("a")
    room.see(ana, "ended with the", "before it had answered “hello”", "Wait")
    (tmp_path / "away.py").rename(program)
    ana.press(ENTER)
    room.gone(ana, "ended with")
    ana.press("h")
    room.see(ana, "as you left it")
    ana.press("a")
    room.see(ana, "Others type", "bot, bot")


def test_a_left_table_whose_program_is_gone_is_opened_with_a_novice_where_its_host_wants_it(
    room: Room, home: Path, tmp_path: Path
) -> None:
    program = tmp_path / "bot.py"
    shutil.copy(STRANGE, program)
    settle(home, "Ana", free_port())
    settings = home / "Ana" / "settings.toml"
    text = settings.read_text().replace("players = 4", "players = 3")
    friend = '{ kind = "friend", name = "" }'
    seat = f'{{ kind = "exec", name = "Otto", command = "{sys.executable} {program} fine" }}'
    assert friend in text
    settings.write_text(text.replace(friend, seat, 1))
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "Host a game", "another program")
    ana.press(ENTER)
    room.see(ana, "Others type", "Otto")
    ana.press("\x1b[B\x1b[B")
    ana.press("b")
    room.see(ana, "bot, casual")
    ana.press("s")
    room.see(ana, "round 1")
    ana.kill()
    room.terminals.remove(ana)
    ana.close()

    program.write_text("import time\ntime.sleep(600)\n")
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "as you left it")
    ana.press("a")
    room.see(ana, "Trying whether the program answers")
    ana.press("\x1b")  # whoever will not wait leaves the table as it is
    room.gone(ana, "Trying")

    program.unlink()
    ana.press("h")
    room.see(ana, "as you left it")
    ana.press("a")
    room.see(ana, "A program does not answer", "a novice plays in its place, for good")
    ana.press("y")
    said = "Otto could not be started; a novice plays in its place."
    room.see(ana, "round 1", said)
    ana.kill()
    room.terminals.remove(ana)
    ana.close()

    shutil.copy(STRANGE, program)
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "as you left it")
    ana.press("a")
    room.see(ana, "round 1", "novice")


@pytest.fixture
def server(room: Room, home: Path) -> tuple[Terminal, str]:
    """A `racko serve`, and its address."""
    terminal = room.open(home / "server", "serve", "--host", "127.0.0.1", "--port", "0",
                         "--no-discovery")  # fmt: skip
    room.see(terminal, "Ctrl+C stops")
    found = re.search(r"racko join (\S+)", terminal.text)
    assert found is not None
    return terminal, found[1]


def started(room: Room, home: Path, address: str) -> tuple[Terminal, Terminal, str]:
    """Ana and Bo at a table where a game has begun, and the table's code."""
    for name in ("Ana", "Bo"):
        settle(home, name, 1)
    ana = room.open(home / "Ana", "join", address)
    room.see(ana, "New table")
    ana.press("n")
    room.see(ana, "Seat 4")
    ana.press(ENTER)
    room.see(ana, "Others type", "Robby")
    found = re.search(r"--table (\w+)", ana.text)
    assert found is not None
    bo = room.open(home / "Bo", "join", address, "--table", found[1])
    room.see(bo, "not ready yet")
    ana.press("f")
    room.gone(ana, "free ")
    ana.press("s")
    for each in (ana, bo):
        room.see(each, "round 1")
    return ana, bo, found[1]


def rack(terminal: Terminal) -> list[str]:
    """The player's own cards, the front one last; none before all of them are painted."""
    rows = [re.findall(r"\d+", line[:40]) for line in terminal.screen.display[2:12]]
    labels = [row[0] for row in rows if len(row) == 2]
    whole = labels == [str(label) for label in range(50, 0, -5)]
    return [row[1] for row in rows] if whole else []


def test_a_dropped_line_leaves_no_process_and_the_seat_is_taken_back(
    room: Room, home: Path, server: tuple[Terminal, str]
) -> None:
    ana, bo, _code = started(room, home, server[1])
    room.until(lambda: bool(rack(bo)), "Bo's rack")
    cards = rack(bo)
    bo.drop()
    room.terminals.remove(bo)
    room.see(ana, "Bo is away")
    room.until(lambda: not bo.child.isalive(), "the end of the program")

    again = room.open(home / "Bo", "join", server[1])
    room.see(again, "your seat")
    again.press(ENTER)
    room.see(again, "round 1")
    room.gone(ana, "Bo is away;")
    room.until(lambda: rack(again) == cards, "the same cards")
    bo.close()


def test_of_two_terminals_with_one_seat_the_newer_has_it_and_the_older_is_told(
    room: Room, home: Path, server: tuple[Terminal, str]
) -> None:
    _ana, bo, code = started(room, home, server[1])
    room.until(lambda: bool(rack(bo)), "Bo's rack")
    cards = rack(bo)
    newer = room.open(home / "Bo", "join", server[1], "--table", code)
    room.see(newer, "round 1")
    room.until(lambda: rack(newer) == cards, "the same cards")
    room.see(bo, "taken over from elsewhere")
    bo.press(ENTER)
    room.see(bo, "played elsewhere")


def test_whoever_hosts_can_hand_over_and_keep_the_doors_open_until_the_friends_have_left(
    room: Room, home: Path
) -> None:
    port = free_port()
    for name in ("Ana", "Bo", "Cy"):
        settle(home, name, port)
    ana = room.open(home / "Ana")
    room.see(ana, "Quit")
    ana.press("h")
    room.see(ana, "Host a game", "Seat 4")
    ana.press(ENTER)
    room.see(ana, "Others type", "Robby")
    bo = room.open(home / "Bo", "join", f"127.0.0.1:{port}")
    room.see(bo, "Ana's table")
    bo.press(ENTER)
    room.see(bo, "Others type")
    ana.press("f")
    room.gone(ana, "free ")
    ana.press("s")
    room.see(bo, "round 1")
    room.see(ana, "round 1")

    ana.press("q")
    room.see(ana, "1 friend is here", "Hand over")
    ana.press("h")
    room.see(ana, "Quit")
    room.see(bo, "You run the table now")
    room.see(ana, "1 friend is here")
    cy = room.open(home / "Cy", "join", f"127.0.0.1:{port}")
    room.see(ana, "2 friends are here")
    room.see(cy, "leave the server")
    cy.press("\x03")
    assert room.ends(cy) == 0
    room.see(ana, "1 friend is here")
    ana.press("h")
    room.see(ana, "playing", "leave the server")
    ana.press("\x1b")
    room.see(ana, "Quit")
    ana.press("q")
    room.see(ana, "until they have left")
    bo.press("\x03")
    room.see(bo, "Leave this table?")
    bo.press("y")
    assert room.ends(bo) == 0
    assert room.ends(ana) == 0


def test_a_server_that_is_told_to_stop_tells_its_players_and_they_come_back(
    room: Room, home: Path, server: tuple[Terminal, str]
) -> None:
    serving, address = server
    _ana, bo, _code = started(room, home, address)
    serving.child.kill(1)  # a hang-up changes nothing
    room.see(serving, "hangup-ignored")
    serving.child.kill(15)
    assert room.ends(serving) == 0
    room.see(bo, "not connected", "your seat is kept")
    port = address.rpartition(":")[2]
    room.open(home / "server", "serve", "--host", "127.0.0.1", "--port", port, "--no-discovery")
    room.gone(bo, "not connected")
    room.see(bo, "round 1")
