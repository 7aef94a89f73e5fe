"""A client that knows nothing of racko's own code: frames of msgpack over a socket."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import socket
import ssl
from collections.abc import Callable
from typing import Any, ClassVar, Self

import msgpack

PATIENCE = 20.0
"""Seconds to wait for what must come; never waited in full where things work."""

Map = dict[str, Any]


class Closed(Exception):
    """The server hung up."""


class RawClient:
    """One connection. Everything received is kept in `heard`."""

    tls: ClassVar[ssl.SSLContext | None] = None
    """What encrypts it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[Map] = []
        self.payloads: list[bytes] = []
        """The same as bytes."""
        self._ids = 0

    @classmethod
    async def dial(cls, port: int, *, receive_buffer: int = 0) -> Self:
        sock = socket.socket()
        sock.setblocking(False)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        host = "127.0.0.1" if cls.tls else None
        return cls(*await asyncio.open_connection(sock=sock, ssl=cls.tls, server_hostname=host))

    @classmethod
    async def welcomed(
        cls, port: int, name: str = "Ana", *, receive_buffer: int = 0, **hello: Any
    ) -> Self:
        client = await cls.dial(port, receive_buffer=receive_buffer)
        client.send(type="hello", versions=[2], name=name, **hello)
        await client.until("welcome")
        return client

    def send(self, **message: Any) -> None:
        """Send a message; a `token` in it is not told, but proved."""
        if "token" in message:
            message["proof"] = self.proof(message.pop("token"))
        self.send_bytes(msgpack.packb(message))

    def send_bytes(self, payload: bytes) -> None:
        self.writer.write(len(payload).to_bytes(4, "big") + payload)

    async def receive(self) -> Map:
        try:
            async with asyncio.timeout(PATIENCE):
                length = int.from_bytes(await self.reader.readexactly(4), "big")
                assert 0 < length <= 65536
                payload = await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Closed from None
        message: Map = msgpack.unpackb(payload)
        self.payloads.append(payload)
        self.heard.append(message)
        return message

    async def until(self, *kinds: str, **fields: Any) -> Map:
        """The next message of such a type with such fields; others are kept and passed over."""
        while True:
            message = await self.receive()
            if message["type"] in kinds and fields.items() <= message.items():
                return message
            if message["type"] == "bye" and "bye" not in kinds:
                raise AssertionError(f"the server said goodbye: {message}")

    async def request(self, **message: Any) -> Map:
        """Send a request and wait for its answer."""
        self._ids += 1
        message = {"id": f"r{self._ids}", **message}
        self.send(**message)
        return await self.until("reply", "seated", "tables", "status", id=message["id"])

    def proof(self, token: str, mine: str = "") -> str:
        """What shows on this connection that one knows the token."""
        tls = self.writer.get_extra_info("ssl_object")
        shown = hashlib.sha256(tls.getpeercert(True)).hexdigest() if tls is not None else ""
        welcome = next(each for each in self.heard if each["type"] == "welcome")
        text = f"client {welcome['nonce']} {mine} {shown}"
        key = hashlib.sha256(token.encode()).digest()
        return hmac.new(key, text.encode(), "sha256").hexdigest()

    async def ask(self, seq: int | None = None, **given: Any) -> Map:
        """Ask the table something, with the last number heard unless `seq` says another."""
        known = self.seq if seq is None else seq
        return await self.request(type="ask", input=given, seq=known)

    @property
    def seq(self) -> int:
        told = [each["seq"] for each in self.heard if each["type"] in ("snapshot", "update")]
        return max(told, default=0)

    @property
    def position(self) -> Map | None:
        told = [each["position"] for each in self.heard if each.get("position")]
        return told[-1] if told else None

    @property
    def info(self) -> Map:
        told: list[Map] = [each["info"] for each in self.heard if each.get("info")]
        return told[-1]

    async def wait_for(self, true: Callable[[Self], object]) -> None:
        """Listen until something is true."""
        while not true(self):
            await self.receive()

    async def goodbye(self) -> Map:
        """Listen until the server says goodbye and has closed."""
        bye = await self.until("bye")
        try:
            while True:
                await self.receive()
        except Closed:
            return bye

    def vanish(self) -> None:
        """Be gone without a word."""
        self.writer.transport.abort()


async def eventually(true: Callable[[], object]) -> None:
    """Wait until something that nobody announces is true."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.005)
