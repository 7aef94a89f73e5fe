"""PROTOCOL.md: its session is held again with a server, and its tables name what there is."""

from __future__ import annotations

import asyncio
import json
import re

import msgpack
import msgspec
import pytest

from racko_core import events, seating
from racko_core.actions import DEAL, DISCARD, DRAW, GO_OUT, PLAY_ON, encode
from racko_core.rules import Rules
from racko_net import codec, protocol
from racko_net.framing import MAX_FRAME
from racko_net.sentence import Sentence
from racko_net.serverside.limits import Limits
from racko_net.text import MAX_CHAT, MAX_NAME
from tests.net.raw import PATIENCE
from tests.net.session import DOCUMENT, blocks, fixed_server

TEXT = DOCUMENT.read_text("utf-8")


def section(number: int) -> str:
    return TEXT[TEXT.index(f"\n## {number}. ") : TEXT.index(f"\n## {number + 1}. ")]


async def test_the_session_in_the_document_is_what_a_server_says() -> None:
    frames = blocks()
    assert sum(mark == ">" for mark, _, _ in frames) > 10
    async with fixed_server() as server, asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for mark, data, meaning in frames:
            if mark == "new":
                writer.transport.abort()
                (room,) = server.lobby.rooms.values()
                while not room.table.chairs[0].away:  # noqa: ASYNC110
                    await asyncio.sleep(0)
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            elif mark == ">":
                writer.write(data)
            else:
                assert await reader.readexactly(len(data)) == data, meaning
        assert await reader.read() == b""  # nothing that the document does not tell


def test_the_json_beside_the_bytes_is_what_they_mean() -> None:
    for mark, data, meaning in blocks():
        if mark != "new":
            assert int.from_bytes(data[:4], "big") == len(data) - 4
            assert msgpack.unpackb(data[4:]) == meaning


def test_the_first_frame_is_explained_byte_by_byte() -> None:
    told = TEXT[TEXT.index("The first frame in detail") : TEXT.index("<!-- session -->")]
    rows = re.findall(r"^\| ((?:`[0-9a-f ]+` ?)+)\|", told, re.MULTILINE)
    assert bytes.fromhex("".join(rows).replace("`", "")) == blocks()[0][1]


def fields(message: type[msgspec.Struct]) -> dict[str, bool]:
    """Names of the fields, and whether they are required."""
    return {field.name: field.required for field in msgspec.structs.fields(message)}


SIDES = [
    *((0, message) for message in protocol.FromClient.__args__),
    *((1, message) for message in protocol.FromServer.__args__),
]


@pytest.mark.parametrize(("side", "message"), SIDES)
def test_every_message_stands_in_the_document_with_every_field(
    side: int, message: type[msgspec.Struct]
) -> None:
    name = message.__struct_config__.tag
    rows = section(11).split("From the server:")[side]
    (row,) = re.findall(rf"^\| `{name}` \|(.*)\|$", rows, re.MULTILINE)
    row = row.split("; each has")[0] + row.split("; each has")[-1].partition("),")[2]
    row = re.sub(r"\([^()]*\)", "", row)
    told = {field: bool(required) for field, required in re.findall(r"`([a-z_]+)`(!?)", row)}
    wanted = fields(message)
    if (side, message) == (0, protocol.Pong):
        del wanted["time"]  # only a server's clock is of use
    assert told == wanted


def test_every_other_name_stands_in_the_document() -> None:
    for name in codec._INPUTS:
        assert f"`{name}`" in section(8)
    for action in (DRAW, DISCARD, GO_OUT, PLAY_ON, DEAL):
        assert f"| `{encode(action)}` |" in section(8)
    for name, event in codec._EVENTS.items():
        (row,) = re.findall(rf"^\| `{name}` \| (.*?) \|", section(9), re.MULTILINE)
        assert re.findall(r"`([a-z_]+)`", row) == list(event.__dataclass_fields__)
    for matter in seating.Matter.__args__:  # type: ignore[attr-defined]
        assert f"`{matter}`" in section(9)
    for kind in (seating.TableInfo, seating.Chair, seating.Options, Rules):
        for field in kind.__dataclass_fields__:
            assert f"`{field}`" in section(10)
    for field in fields(protocol.Position):
        assert f"| `{field}` |" in section(10)
    for field in events.RackScore.__dataclass_fields__:
        assert f"`{field}`" in section(9)
    for code in protocol.ByeCode.__args__:  # type: ignore[attr-defined]
        assert f"| `{code}` |" in section(12)


def test_a_sentence_stands_in_the_document_with_every_field() -> None:
    told = section(12).split(". A client")[0].split("a map with ")[1]
    told = re.sub(r"\([^()]*\)", "", told)
    wanted = {}
    for field in msgspec.structs.fields(Sentence):
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        wanted[field.name] = "" if field.required else json.dumps(default)
    assert dict(re.findall(r"`([a-z]+)`(?: = `([^`]*)`)?", told)) == wanted


def test_the_limits_in_the_document_are_those_of_the_server() -> None:
    limits = Limits()
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", section(13), re.MULTILINE)
    assert dict(rows) == {
        "limit": "usual value",
        "frame": f"{MAX_FRAME} bytes",
        "hello": f"within {limits.hello:g} s",
        "silence": "15 s",
        "connections in total, from one address": f"{limits.connections}, {limits.per_address}",
        "messages of a client": f"`rate` a second in the long run ({limits.rate:g}),"
        f" `burst` at once ({limits.burst})",
        "bytes waiting for a client that does not read": f"{limits.queue // 1024} KiB",
        "wrong passwords of the server from one address": f"{limits.guesses},"
        f" one more every {limits.guess_every:g} s",
        "wrong passwords of tables from one address": f"{limits.guesses},"
        f" one more every {limits.guess_every:g} s",
        "names, of persons and tables": f"1 to {MAX_NAME} characters and columns",
        "chat": f"1 to {MAX_CHAT} characters; {limits.words_burst} sayings at once,"
        f" one more a second; for all spectators of a table together {limits.crowd_burst},"
        f" two more a second; {limits.sayings:,} at a table in all",
        "other wishes of one person at a table, moves excepted": f"{limits.wishes_burst} at once,"
        " one more a second",
        "persons who sit down at a table": f"{limits.arrivals_burst} at once,"
        f" one more every {1 / limits.arrivals:g} s",
        "tables, those made from one address, spectators of one table": f"{limits.tables},"
        f" {limits.tables_per_address}, {limits.watchers}",
        "times that people begin to watch, from one address": f"{limits.visits_burst} at once,"
        " one more a second",
        "times that people begin to watch, at one table": f"{limits.audience_burst} at once,"
        " five more a second",
        "records kept of tables made from one address, and in all": f"{limits.records_burst}"
        f" at once, {3600 * limits.records:g} more an hour; {limits.records_kept:,}",
        "inputs of one table, sayings excepted": f"{limits.inputs:,}",
    }
    assert (limits.words, limits.crowd, limits.wishes) == (1.0, 2.0, 1.0)
    assert (limits.visits, limits.audience) == (1.0, 5.0)
    assert f"The server pings every {limits.ping:g} seconds." in TEXT
    assert f"(the server gives up after {limits.silence:g})" in TEXT
    assert limits.silence + 1.0 < 15.0 - 0.4
    assert protocol.PORT == 7225
    assert f"version {protocol.VERSION}" in TEXT
