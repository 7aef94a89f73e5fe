"""The session in PROTOCOL.md: how it is made, and a server on which nothing is left to chance.

    python -m tests.net.session

writes it into the document anew. The test of the document reads it and holds it again: with the
same chances every byte is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgpack

from racko_net.server import Server, ServerConfig
from tests.net.raw import RawClient, eventually

DOCUMENT = Path(__file__).parent.parent.parent / "racko_net" / "PROTOCOL.md"
START = "<!-- session -->\n"
END = "<!-- end of the session -->"
NEW_CONNECTION = "*A new connection:*"
TOKEN = "000102030405060708090a0b0c0d0e0f"
MINE = "00102030405060708090a0b0c0d0e0f0"
NONCE = "f0e0d0c0b0a090807060504030201000"
SEED = bytes(range(32))
WIDTH = 32
"""Bytes in a line."""


@contextlib.asynccontextmanager
async def fixed_server() -> AsyncIterator[Server]:
    """A server on which everything that is left to chance, and the time, is fixed."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("racko_net.serverside.lobby.new_token", lambda: TOKEN),
        patch("racko_net.serverside.connection.new_nonce", lambda: NONCE),
        patch("racko_net.serverside.lobby.fresh_seed", lambda: SEED),
        patch("racko_net.server.secrets.token_hex", lambda count: "5e" * count),
        patch("racko_net.server.SOFTWARE", "racko 1"),
    ):
        server = Server(
            ServerConfig(
                Path(folder), host="127.0.0.1", port=0, name="Living room", discovery=False
            ),
            wall=lambda: 1_800_000_000.0,
            ticks=lambda: 0.0,
            rng=random.Random(4),
        )
        await server.start()
        try:
            yield server
        finally:
            await server.stop()


class Stenographer:
    """Holds a session and writes it down."""

    def __init__(self, server: Server) -> None:
        self.written: list[str] = []
        self._server = server
        self._requests = 0
        self._shown = 0
        self.client: RawClient

    async def connect(self) -> None:
        self.client = await RawClient.dial(self._server.port)
        self._shown = 0

    def say(self, words: str) -> None:
        self._show()
        self.written.append(words + "\n")

    def send(self, **message: Any) -> None:
        self._write(">", msgpack.packb(message))
        self.client.send(**message)

    async def ask(self, number: int, seq: int | None = None, **given: Any) -> None:
        known = self.client.seq if seq is None else seq
        self.send(type="ask", id=f"a-{number}", input=given, seq=known)
        await self.client.until("reply", id=f"a-{number}")

    async def my_turn(self) -> None:
        await self.client.wait_for(
            lambda client: (client.position or {}).get("legal", ["deal"]) != ["deal"]
        )

    def _show(self) -> None:
        if hasattr(self, "client"):
            for payload in self.client.payloads[self._shown :]:
                self._write("<", payload)
            self._shown = len(self.client.payloads)

    def _write(self, mark: str, payload: bytes) -> None:
        data = len(payload).to_bytes(4, "big") + payload
        lines = [data[at : at + WIDTH].hex() for at in range(0, len(data), WIDTH)]
        message = msgpack.unpackb(payload)
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self.written.append(f"```\n{mark} " + "\n  ".join(lines) + f"\n```\n```json\n{text}\n```\n")


async def hold(server: Server) -> str:
    """The session as it stands in the document."""
    at = Stenographer(server)
    await at.connect()
    at.say("**Ana says hello.**")
    at.send(type="hello", versions=[2], name="Ana")
    await at.client.until("welcome")
    at.say("**She makes a table for two.** She gets seat 0 and its token, and is shown the table.")
    at.send(type="create", id="a-1", rules={"players": 2}, options={"bot_pause": 0})
    seated = await at.client.until("seated")
    await at.client.until("snapshot")
    at.say("**She puts a bot on the other chair.** First the update, then the reply.")
    await at.ask(2, input="sit", seat=1, name="Robby", kind="bot", level="novice")
    at.say(
        "**She starts the game.** A remark, and the draw for the first deal, all of it face up. "
        "After the reply the server deals; it is Ana's turn."
    )
    await at.ask(3, input="start")
    await at.my_turn()
    at.say("**She draws.** The card is in her hand, and the position says what she can do with it.")
    before = at.client.seq
    await at.ask(4, input="do", seat=0, action="d")
    at.say("**She sends the same again.** Nothing happens twice; the reply is the first one.")
    await at.ask(4, seq=before, input="do", seat=0, action="d")
    at.say("**She places the card, but on an old view.** That is stale, and the view is corrected.")
    await at.ask(5, seq=before, input="do", seat=0, action="p3")
    await at.client.until("update")
    at.say(
        "**She looks again and puts the card into slot 3.** Then the bot plays, of which she is "
        "told without the cards that she may not see, and it is her turn again."
    )
    await at.ask(6, input="do", seat=0, action="p3")
    await at.my_turn()
    at.say("**Her connection is lost, and she comes back.** She is told what she missed.")
    last = at.client.seq - 2
    at.client.vanish()
    (room,) = server.lobby.rooms.values()
    await eventually(lambda: room.table.chairs[0].away)
    await at.connect()
    at.written.append(NEW_CONNECTION + "\n")
    at.send(type="hello", versions=[2], name="Ana")
    await at.client.until("welcome")
    at.say("")
    proof = at.client.proof(seated["token"], MINE)
    at.send(type="resume", id="a-7", table=seated["table"], proof=proof, nonce=MINE, seq=last)
    await at.client.until("update")
    at.say("**She says goodbye.**")
    at.send(type="goodbye")
    return "\n".join(at.written).replace("\n\n\n", "\n\n")


def blocks() -> list[tuple[str, bytes, Any]]:
    """The frames in the document: who sends it, its bytes, and what they are said to mean."""
    text = DOCUMENT.read_text("utf-8")
    session = text[text.index(START) : text.index(END)]
    found = re.findall(
        r"^```\n([<>]) ([0-9a-f\s]+)```\n```json\n(.*)\n```$|^(\*A new connection:\*)$",
        session,
        re.MULTILINE,
    )
    return [
        ("new", b"", None) if new else (mark, bytes.fromhex(digits), json.loads(meaning))
        for mark, digits, meaning, new in found
    ]


async def main() -> None:
    async with fixed_server() as server:
        session = await hold(server)
    text = DOCUMENT.read_text("utf-8")
    before, after = text.split(START)[0], text.split(END)[1]
    DOCUMENT.write_text(before + START + "\n" + session + "\n" + END + after, "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
