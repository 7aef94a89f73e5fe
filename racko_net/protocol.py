"""The messages between a client and a server: typed, tagged, and every field documented.

A message is a msgpack map. `type` says which; a field that has its default may be left out, and
unknown fields are passed over. PROTOCOL.md tells the same to people without Python.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from racko_core.errors import N_, RackoError
from racko_core.rules import Card, Rules, Seat, Slot
from racko_core.seating import Options, TableInfo
from racko_core.view import Known, Phase
from racko_net.framing import frame
from racko_net.reasons import unfit
from racko_net.sentence import Sentence

VERSION: Final = 2
"""The protocol's version; a hello and its welcome agree on one."""
PORT: Final = 7225
"""Where a server listens unless it is told otherwise."""

RequestId = Annotated[str, Meta(min_length=1, max_length=40)]
"""Chosen by the client, and never used twice for different requests."""
ShortText = Annotated[str, Meta(max_length=400)]
Code = Annotated[str, Meta(max_length=12)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[float, Meta(ge=0, lt=10**18)]
TableCode = Annotated[str, Meta(max_length=12, pattern=r"\A[A-Za-z0-9]+\Z")]
ServerId = Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9]*\Z")]
Hex = Annotated[str, Meta(max_length=100, pattern=r"\A[0-9a-f]*\Z")]
AnySeat = Annotated[Seat, Meta(ge=0, lt=4)]
"""One that some table has; whether this one does is seen when it is known how it stands."""


class ProtocolError(RackoError):
    """A message that the other side may not send."""


class Message(Struct, omit_defaults=True, tag_field="type"):
    """Any message."""


# From the client


class Hello(Message, tag="hello"):
    """The first message of a connection, within ten seconds."""

    versions: Annotated[list[int], Meta(max_length=32)]
    """Versions of the protocol that the client speaks."""
    name: ShortText
    """What the person is called: 1 to 24 characters."""
    password: ShortText | None = None
    """The server's password, where it has one."""
    client: ShortText = ""
    """Which program this is."""


class List(Message, tag="list"):
    """Which tables are there? Answered by `Tables`."""

    id: RequestId
    offset: Count = 0
    """How many to pass over; an answer holds some 40."""
    below: Count | None = None
    """That of the answer before, to go on behind it; None to begin with the newest."""


class AskStatus(Message, tag="ask-status"):
    """How is the server? Answered by `Status`."""

    id: RequestId


class Create(Message, tag="create"):
    """Make a table, sit down at it and run it. Answered by `Seated`."""

    id: RequestId
    rules: dict[str, Any]
    """Rules by name; those left out have their defaults."""
    options: dict[str, Any] = {}
    """Options by name; those left out have the server's defaults."""
    name: ShortText = ""
    """What the table is called; empty for "{person}'s table"."""
    password: ShortText | None = None
    """Asked of everyone who joins or watches."""
    seat: Seat = 0


class Join(Message, tag="join"):
    """Take an open chair. Answered by `Seated`."""

    id: RequestId
    table: Code
    seat: Seat | None = None
    """Which; None for the first that is open."""
    password: ShortText | None = None


class Watch(Message, tag="watch"):
    """Watch a table. Answered by `Seated`."""

    id: RequestId
    table: Code
    password: ShortText | None = None


class Resume(Message, tag="resume"):
    """Take one's own seat back. Answered by `Seated`."""

    id: RequestId
    table: Code
    proof: Annotated[str, Meta(max_length=100)] = ""
    """What shows that one knows the secret that came with the seat; see `keys.proof`."""
    seq: Count = 0
    """Number of the last notice that the client has; 0 asks for a snapshot."""
    nonce: Annotated[str, Meta(max_length=100)] = ""
    """The client's number, for the server to prove that it knows the seat."""


class Leave(Message, tag="leave"):
    """Let go of the table, which keeps the seat. Answered by `Reply`, then `Removed`."""

    id: RequestId


class Ask(Message, tag="ask"):
    """Ask the table to do something. Answered by `Reply`."""

    id: RequestId
    input: dict[str, Any]
    """An input: its name under `input`, and its fields."""
    seq: Count = 0
    """Number of the last notice that the client has; says whether a move is stale."""


class Ping(Message, tag="ping"):
    """Are you there? Answered by `Pong`. Both sides send it."""

    n: Count = 0


class Pong(Message, tag="pong"):
    """I am here. Both sides send it."""

    n: Count = 0
    """That of the ping."""
    time: Seconds = 0.0
    """The server's clock, in seconds; 0 from a client."""


class Goodbye(Message, tag="goodbye"):
    """The client is about to close the connection."""


FromClient = (
    Hello | List | AskStatus | Create | Join | Watch | Resume | Leave | Ask | Ping | Pong | Goodbye
)

# From the server


class Welcome(Message, tag="welcome"):
    """The answer to a hello: from here on the client may ask."""

    version: Count
    """The version of the protocol that both speak now."""
    server: str
    """Which program this is, with its version."""
    name: str
    """What the server is called."""
    server_id: ServerId
    """The same for as long as the server keeps its tables; tokens belong to it."""
    player: str
    """The person's name as others will see it."""
    time: Seconds
    """The server's clock, in seconds; as in `TableInfo.turn_ends`."""
    rate: Seconds
    """Messages a second that the client may send in the long run."""
    burst: Count
    """Messages that it may send at once."""
    nonce: Hex
    """What the client proves with on this connection that a seat is its own."""
    options: Options | None = None
    """How a table is run unless its maker says otherwise."""
    bots: list[str] = []
    """Levels of bots that can be seated here besides the usual ones."""


class Listed(Struct, omit_defaults=True):
    """A table in a list."""

    table: TableCode
    """Its code."""
    info: TableInfo
    locked: bool = False
    """Whether it has a password."""
    watchers: Count = 0


class Tables(Message, tag="tables"):
    """Tables of the server, the newest first."""

    id: RequestId
    tables: list[Listed]
    total: int
    """How many there are in all."""
    below: Count | None = None
    """What to ask with for those that come next; 0 if there are none. A server that does not know
    it leaves it out.
    """


class Status(Message, tag="status"):
    """How the server is."""

    id: RequestId
    server: str
    name: str
    uptime: Seconds
    """Seconds since it started."""
    tables: Count
    playing: Count
    """Tables with a game in play."""
    players: Count
    """Persons at tables who are here."""
    away: Count
    """Persons at tables who are not."""
    watchers: Count
    connections: Count
    received: Count
    """Messages since the start."""
    sent: Count
    memory: Count
    """Bytes in main memory."""
    trouble: Sentence | None = None
    """What keeps games from being saved."""


class Seated(Message, tag="seated"):
    """The client is at a table now. A snapshot or the missing updates follow."""

    id: RequestId
    table: TableCode
    """Its code."""
    seat: AnySeat | None = None
    """None for who only watches."""
    proof: Hex = ""
    """What shows that the server knows the secret; with `Resume`."""
    token: Hex = ""
    """The secret that gives the seat back; with `Create` and `Join`."""

    def answers(self, request: FromClient) -> bool:
        """Whether it is what was asked for: that table, and a seat unless one is only to watch."""
        asked = getattr(request, "table", self.table)
        watching = isinstance(request, Watch)
        return asked.strip().upper() == self.table and watching == (self.seat is None)


class Reply(Message, tag="reply"):
    """What became of a request."""

    id: RequestId
    result: Literal["accepted", "rejected", "stale"] = "accepted"
    seq: Count = 0
    """Number of the table's last notice."""
    error: Sentence | None = None
    """Why not."""


class Position(Struct, omit_defaults=True):
    """How the game stands, as one seat or a spectator may know it; as in `View`.

    What a client can gather from the events is left out: the round's history, the scorecard,
    the draw for the first deal, and the rules of the game.
    """

    round: int
    dealer: Seat
    turn: Seat | None
    phase: Phase
    racks: tuple[tuple[Card, ...] | None, ...]
    discards: tuple[Card, ...]
    draw_count: int
    known: tuple[Known, ...]
    last_slot: tuple[Slot | None, ...]
    turns: tuple[int, ...]
    totals: tuple[int, ...]
    legal: tuple[str, ...] = ()
    """Codes of actions."""
    hand: Card | None = None
    turnovers: int = 0
    commitment: Hex = ""


class Update(Message, tag="update"):
    """What changed at a table, all at once."""

    seq: Count
    """Number of the table's last notice after it."""
    seat: AnySeat | None = None
    """The seat that this is told to; None for a spectator."""
    notices: list[dict[str, Any]] = []
    """What happened, in order: each has its number `seq`, and is an event, remark or saying."""
    info: TableInfo | None = None
    """Where it changed."""
    position: Position | None = None
    """Where it changed."""
    rules: Rules | None = None
    """Those of a game that began in this update."""
    more: bool = False
    """Whether the next update belongs to this one."""
    trouble: Sentence | None = None
    """What keeps the game from being saved, while it does."""


class Snapshot(Message, tag="snapshot"):
    """How everything stands, in place of whatever the client knew."""

    seq: Count
    info: TableInfo
    seat: AnySeat | None = None
    position: Position | None = None
    """None before the first game, and so are the next two."""
    rules: Rules | None = None
    """Those of the game."""
    opening: dict[str, Any] | None = None
    """The event of the draw for the first deal."""
    pages: Count = 0
    """How many pages follow."""
    helped: bool | None = None
    """Whether a bot did anything of what this seat did in the round; None where nobody says."""
    trouble: Sentence | None = None


class Page(Message, tag="page"):
    """More of a snapshot, to be put behind the page before."""

    sheet: list[dict[str, Any]] = []
    """Events of rounds that have ended."""
    history: list[dict[str, Any]] = []
    """Events of the round in play, or of the last one."""


class Removed(Message, tag="removed"):
    """The client is at no table any more."""

    reason: Sentence | None = None
    """Why, if it was not the client's own wish."""


ByeCode = Literal[
    "version",
    "name",
    "password",
    "limit",
    "protocol",
    "slow",
    "silence",
    "replaced",
    "stopping",
    "fault",
]


class Bye(Message, tag="bye"):
    """The last message before the server closes the connection."""

    code: ByeCode
    reason: Sentence
    retry: bool = False
    """Whether it is worth coming back by oneself."""


FromServer = (
    Welcome
    | Tables
    | Status
    | Seated
    | Reply
    | Update
    | Snapshot
    | Page
    | Removed
    | Ping
    | Pong
    | Bye
)

_encoder: Final = msgspec.msgpack.Encoder()
_from_client: Final = msgspec.msgpack.Decoder(FromClient)
_from_server: Final = msgspec.msgpack.Decoder(FromServer)


def encode(message: FromClient | FromServer) -> bytes:
    """The message as a frame."""
    return frame(_encoder.encode(message))


def from_client(payload: bytes) -> FromClient:
    """What a client sent. Raises `ProtocolError` for anything else."""
    try:
        return _from_client.decode(payload)
    except (msgspec.MsgspecError, RackoError, ValueError, RecursionError) as error:
        raise _unreadable(error) from None


def from_server(payload: bytes) -> FromServer:
    """What a server sent. Raises `ProtocolError` for anything else."""
    try:
        return _from_server.decode(payload)
    except (msgspec.MsgspecError, RackoError, ValueError, RecursionError) as error:
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> ProtocolError:
    return ProtocolError(
        N_("The other side sent something that cannot be read ({reason})."),
        reason=unfit(error),
    )
