"""Reads everything that one client received, and finds cards that its player could not know.

Works on the bytes of the wire alone, from the rules of the game: what a place at a table sees is
its own rack, cards that it drew, and cards that lay face up.
"""

from __future__ import annotations

from typing import Any

Map = dict[str, Any]

PLAIN_LISTS = {
    "turns", "totals", "last_slot", "winners", "chairs", "legal", "notices", "scores", "sheet",
    "history", "tables",
}  # fmt: skip
"""Lists in which no card stands."""


class Leak(AssertionError):
    """A card that its client must not know."""


class Watchman:
    """Follows what one client is told."""

    def __init__(self, *, open_racks: bool = False) -> None:
        self.seat: int | None = None
        self.seen: set[int] = set()
        """Cards of this round that the client has seen, as the rules have it."""
        self.cards = 0
        """Cards looked at; a test that sees none proves nothing."""
        self._open = open_racks
        self._over = True  # between rounds every rack lies open

    def message(self, message: Map) -> None:
        """Look at one message. Raises `Leak`."""
        kind = message["type"]
        if kind in ("snapshot", "update"):
            self.seat = message.get("seat")
        if kind == "snapshot":
            self.seen = set()
            if message.get("opening"):
                self._event(message["opening"])
        for event in message.get("sheet", ()):
            self._event(event)
        for event in message.get("history", ()):
            self._event(event)
        for notice in message.get("notices", ()):
            if "event" in notice:
                self._event(notice)
            else:
                self._only(notice, {"seq", "remark", "said", "seat", "name"})
        position = message.get("position")
        if position:
            self._position(position, snapshot=kind == "snapshot")
        self._only(
            message,
            {"type", "id", "result", "seq", "error", "seat", "notices", "info", "position",
             "rules", "more", "trouble", "opening", "pages", "sheet", "history", "table", "token",
             "reason", "n", "time", "version", "server", "name", "server_id", "player", "rate",
             "burst", "nonce", "proof", "options", "code", "retry"},
        )  # fmt: skip

    def _event(self, event: Map) -> None:
        match event["event"]:
            case "round":
                self.seen = set()
                self._over = False
                self._only(event, {"seq", "event", "round", "dealer", "commitment"})
            case "dealt":
                self._over = False
                for owner, rack in enumerate(event["racks"]):
                    if rack is not None:
                        self._mine(owner, rack)
                self._face_up(event["discard"])
            case "drew":
                if event.get("card") is not None:
                    self._mine(event["seat"], [event["card"]])
            case "placed":
                card = event.get("card")
                if card is not None and event["source"] == "draw":
                    self._mine(event["seat"], [card])
                elif card is not None and card not in self.seen:
                    raise Leak(f"{event}: taken, but never face up")
                self._face_up(event["discarded"])
            case "discarded":
                self._face_up(event["card"])
            case "renewed":
                self._known([event["discard"]])
            case "ended":
                self._over = True
            case "dealer" | "turn" | "over":
                pass
            case other:
                raise Leak(f"an unknown event {other}")

    def _position(self, position: Map, *, snapshot: bool) -> None:
        if position.get("hand") is not None and position["turn"] != self.seat:
            raise Leak(f"the hand of another: {position}")
        if position["phase"] in ("deal", "over"):
            return
        if snapshot:  # what a place sees now, of which the pages will tell the story
            self.seen |= set(position["discards"])
            self.seen |= {card for known in position["known"] for card in known if card}
        for owner, rack in enumerate(position["racks"]):
            if rack is not None and not (self._open and self.seat is None):
                self._mine(owner, rack)
        if position.get("hand") is not None:
            self._mine(self.seat, [position["hand"]])
        self._known(position["discards"])
        self._known([card for known in position["known"] for card in known if card])
        self._only(
            position,
            {"round", "dealer", "turn", "phase", "racks", "discards", "draw_count", "known",
             "last_slot", "turns", "totals", "legal", "hand", "turnovers", "commitment"},
        )  # fmt: skip

    def _mine(self, owner: int | None, cards: list[int]) -> None:
        if owner is None or owner != self.seat:
            raise Leak(f"seat {self.seat} sees cards of seat {owner}: {cards}")
        self.seen |= set(cards)
        self.cards += len(cards)

    def _face_up(self, card: int) -> None:
        self.seen.add(card)
        self.cards += 1

    def _known(self, cards: list[int]) -> None:
        self.cards += len(cards)
        hidden = set(cards) - self.seen
        if hidden:
            raise Leak(f"seat {self.seat} sees {sorted(hidden)}, which never lay face up")

    def _only(self, message: Map, fields: set[str]) -> None:
        if not message.keys() <= fields:
            raise Leak(f"fields that nobody has looked at: {sorted(message.keys() - fields)}")
