"""Bots in programs of their own, most of which fail: `python strange.py KIND [ARGUMENT]`.

Each kind plays well (it does the first thing that is allowed) until it does what its name says.
Only the standard library is used, as somebody else's program would.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

KIND = sys.argv[1]
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""
FOREVER = 600


def say(message: Any) -> None:
    print(json.dumps(message), flush=True)


def answer(asked: dict[str, Any]) -> None:
    say({"type": "action", "id": asked["id"], "action": asked["legal"][0]})


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def child() -> None:
    """Something that this program started and forgot."""
    held = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})"])
    Path(ARGUMENT).write_text(str(held.pid))


def deaf() -> None:
    """Nothing but SIGKILL ends it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(ARGUMENT).write_text(str(os.getpid()))


def hello() -> None:
    if KIND == "dumb":
        time.sleep(FOREVER)
    if KIND == "stillborn":
        sys.exit(3)
    if KIND == "foreign":
        say({"type": "ready", "version": 7})
    elif KIND == "rude":
        say({"type": "action", "id": 0, "action": "d"})
    elif KIND == "chatty":
        write("I am ready!\n")
    else:
        say({"type": "ready", "version": 1, "name": KIND})


def decide(asked: dict[str, Any]) -> None:
    match KIND:
        case "mortal":
            raise RuntimeError("it was too much")
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "heir":
            child()
            sys.exit(4)
        case "silent":
            time.sleep(FOREVER)
        case "stopped":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "garbage":
            write("\x1b[2J\xff [[[[ \n")
        case "deep":
            write("[" * 20_000 + "\n")
        case "cheat":
            say({"type": "action", "id": asked["id"], "action": "!"})
        case "forgetful":
            say({"type": "action", "id": asked["id"] - 1, "action": asked["legal"][0]})
        case "talkative":
            answer(asked)
            write("that was good\n")
        case "unended":
            write(json.dumps({"type": "action", "id": asked["id"], "action": "d"}))
        case "unended-and-gone":
            write("{")
            sys.exit(0)
        case "shy":
            os.close(1)
            time.sleep(FOREVER)
        case "half":
            write('{"type": "action", "id": 1, "action": "\\ud83d"}\n')
        case "latin":
            sys.stdout.buffer.write('{"type": "action", "name": "é"}\n'.encode("latin-1"))
            sys.stdout.flush()
        case "long":
            write("x" * 70_000 + "\n")
        case "flood":
            while True:
                write("x" * 65536)
        case "rain":
            while True:
                write("\n" * 65536)
        case "moaning":
            while True:
                sys.stderr.write("oh dear\n" * 8192)
        case "sighing":
            sys.stderr.write("well\x1b[31m, well\n" + "w" * 5000 + "\nno newline at the end")
            sys.stderr.flush()
            answer(asked)
        case "deafening":
            sys.stderr.write("so much to say\n" * 100_000)
            answer(asked)
        case "classicist":
            action = "d" if asked["phase"] == "call" else asked["legal"][0]
            say({"type": "action", "id": asked["id"], "action": action})
        case "slow-to-think":
            time.sleep(0.2)
            answer(asked)
        case "forgetful-after-restart":
            if len(asked["history"]) > 3 + len(seen):
                sys.exit("I have not seen how it came to this")
            seen.extend(asked["history"][len(seen) :])
            answer(asked)
        case _:
            answer(asked)


seen: list[Any] = []


def main() -> None:
    if KIND == "parent":
        child()
    if KIND in ("deaf", "deaf-and-silent"):
        deaf()
    if KIND == "noted":
        with Path(ARGUMENT).open("a") as file:
            file.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            hello()
        elif KIND == "deaf-and-silent":
            time.sleep(FOREVER)
        elif KIND == "narrow" and len(line) > 20_000:
            sys.exit("my buffer is full")
        elif message["type"] == "decide":
            decide(message)
        elif KIND == "unasked":
            say(None)
    if KIND in ("shy-at-the-end", "tidy"):
        os.close(1)
    if KIND == "tidy":
        Path(ARGUMENT).write_text("done")
        os._exit(5)
    if KIND in ("deaf", "immortal", "shy-at-the-end"):
        time.sleep(FOREVER)


main()
