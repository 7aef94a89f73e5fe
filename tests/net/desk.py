"""A lobby without sockets, and peers that keep what they are told."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from racko_core import seating as s
from racko_core.actions import Action
from racko_core.actions import encode as encode_action
from racko_core.bots import bot, decide_safely
from racko_core.rules import Rules
from racko_core.seating import Do, Input, Options
from racko_core.view import View
from racko_net import protocol as p
from racko_net.clientside.memory import Memory
from racko_net.codec import input_to_plain
from racko_net.framing import FrameReader
from racko_net.keys import Meeting, digest, new_nonce, proof
from racko_net.serverside.limits import Bucket, Keep, Limits
from racko_net.serverside.lobby import Lobby, Request
from racko_net.serverside.peers import Place
from racko_net.serverside.room import Room
from racko_net.store import Store


class FakePeer:
    """A connection that keeps what it is told."""

    def __init__(self, name: str = "Ana", address: str = "") -> None:
        self.name = name
        self.address = address
        self.nonce, self.certificate = new_nonce(), ""
        self.guesses = Bucket(1.0 / Limits().guess_every, Limits().guesses, lambda: 0.0)
        self.asked = False
        self.place: Place | None = None
        self.heard: list[p.FromServer] = []
        self.bye: p.Bye | None = None
        self.memory = Memory()

    def send(self, frames: bytes) -> None:
        for payload in FrameReader().feed(frames):
            message = p.from_server(payload)
            self.heard.append(message)
            if isinstance(message, p.Snapshot | p.Page | p.Update):
                self.memory.take(message)

    def end(self, bye: p.Bye) -> None:
        self.bye = bye

    def proof(self, token: str) -> str:
        """What shows on this connection that one knows the token."""
        return proof("client", digest(token), Meeting(self.nonce, "", ""))

    def last(self, *kinds: type[Any]) -> Any:
        """The last message of a kind."""
        return next(message for message in reversed(self.heard) if isinstance(message, kinds))

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(message, kind) for message in self.heard)

    @property
    def view(self) -> View:
        view = self.memory.view()
        assert view is not None
        return view


class Hall:
    """A lobby on a store of its own, with a clock that a test moves."""

    def __init__(self, folder: Path, limits: Limits | None = None, **options: Any) -> None:
        self.path = folder / "server.sqlite3"
        self.limits = limits or Limits()
        self.options = Options(**{"bot_pause": 0.0, **options})
        self.now = 1000.0
        self._ids = 0
        self.open()

    def open(self) -> None:
        """Start, or start again, on what is on disk."""
        self.store = Store(self.path, durable=False)
        self.lobby = Lobby(
            self.store,
            limits=self.limits,
            keep=Keep(),
            options=self.options,
            rng=random.Random(1),
        )
        self.lobby.load(self.now)

    def crash(self) -> None:
        """Lose everything that is not on disk, and start again."""
        self.store.close()
        self.open()

    def handle(self, peer: FakePeer, request: Request) -> None:
        try:
            self.lobby.handle(peer, request, self.now)
        finally:
            self.flush()

    def flush(self) -> None:
        self.lobby.post.flush(self.now)
        for _ in self.lobby.post.shout():
            pass

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and everything be done that it brings about."""
        end = self.now + seconds
        while (due := self.lobby.next_due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.lobby.run(self.now)
            self.flush()
        self.now = end

    def next_id(self) -> str:
        self._ids += 1
        return f"id{self._ids}"

    def create(self, peer: FakePeer, rules: Rules | None = None, **more: Any) -> Room:
        rules = rules or Rules()
        self.handle(peer, p.Create(self.next_id(), rules.to_dict(), **more))
        return self.lobby.rooms[peer.last(p.Seated).table]

    def join(self, peer: FakePeer, room: Room, **more: Any) -> p.Seated | p.Reply:
        self.handle(peer, p.Join(self.next_id(), room.code, **more))
        answer: p.Seated | p.Reply = peer.last(p.Seated, p.Reply)
        return answer

    def watch(self, peer: FakePeer, room: Room, **more: Any) -> p.Seated | p.Reply:
        self.handle(peer, p.Watch(self.next_id(), room.code, **more))
        answer: p.Seated | p.Reply = peer.last(p.Seated, p.Reply)
        return answer

    def ask(self, peer: FakePeer, given: Input, *, seq: int | None = None, id: str = "") -> p.Reply:
        known = peer.memory.seq if seq is None else seq
        self.handle(peer, p.Ask(id or self.next_id(), input_to_plain(given), known))
        reply: p.Reply = peer.last(p.Reply)
        return reply

    def act(self, peer: FakePeer, action: Action, **more: Any) -> p.Reply:
        assert peer.view.seat is not None
        assert encode_action(action)
        return self.ask(peer, Do(peer.view.seat, action), **more)

    def move(self, *peers: FakePeer) -> FakePeer:
        """Whoever of them is in turn does something sensible."""
        peer = next(peer for peer in peers if peer.view.my_turn)
        reply = self.act(peer, decide_safely(bot("novice"), peer.view))
        assert reply.result == "accepted", reply
        return peer

    def leave(self, peer: FakePeer) -> None:
        """The connection is gone."""
        self.lobby.gone(peer, self.now)
        self.flush()


def two(hall: Hall, rules: Rules | None = None, **more: Any) -> tuple[FakePeer, FakePeer]:
    """Ana, who owns the table, and Bo, at the start of a game."""
    ana, bo = FakePeer("Ana"), FakePeer("Bo")
    room = hall.create(ana, rules, **more)
    hall.join(bo, room)
    hall.ask(ana, s.Start())
    hall.pass_time(0.0)
    return ana, bo


def why(reply: p.Reply | p.Seated) -> str:
    assert isinstance(reply, p.Reply)
    assert reply.result == "rejected"
    assert reply.error is not None
    return reply.error.text
