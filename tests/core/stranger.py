"""A reader of records written from NOTATION.md alone; it imports nothing of the game.

It checks the proofs, and plays the cards of each round to the racks that its result states.
"""

from __future__ import annotations

import hashlib
import hmac
import re

Cards = list[int]


def shuffled(cards: Cards, key: bytes) -> Cards:
    a, used = list(cards), 0
    for i in range(len(a) - 1, 0, -1):
        while True:
            block = hashlib.sha256(key + (used // 32).to_bytes(4, "big")).digest()
            byte, used = block[used % 32], used + 1
            if byte < 256 - 256 % (i + 1):
                break
        j = byte % (i + 1)
        a[i], a[j] = a[j], a[i]
    return a


def commitment(deck: Cards, salt: bytes) -> str:
    return hashlib.sha256(bytes(deck) + salt).hexdigest()


def seeded(seed: bytes, number: int, cards: int) -> tuple[Cards, bytes]:
    """Deck and salt of a round."""
    name = number.to_bytes(4, "big")
    key = hmac.new(seed, b"racko deck " + name, hashlib.sha256).digest()
    salt = hmac.new(seed, b"racko salt " + name, hashlib.sha256).digest()[:16]
    return shuffled(list(range(1, cards + 1)), key), salt


def reshuffled(cards: Cards, deck: Cards, salt: bytes, turnover: int) -> Cards:
    key = b"racko reshuffle " + bytes(deck) + salt + turnover.to_bytes(4, "big")
    return shuffled(cards, hashlib.sha256(key).digest())


def play(
    deck: Cards, salt: bytes, players: int, dealer: int, turns: list[str], shuffle: bool
) -> list[Cards]:
    """The racks after these turns."""
    racks = [[0] * 10 for _ in range(players)]
    for index, card in enumerate(deck[: 10 * players]):
        racks[(dealer + 1 + index % players) % players][9 - index // players] = card
    discards, pile = [deck[10 * players]], deck[10 * players + 1 :]
    renewed = 0
    for index, turn in enumerate(turns):
        rack = racks[(dealer + 1 + index) % players]
        if not pile:
            renewed += 1
            if shuffle:
                pile, discards = reshuffled(discards[:-1], deck, salt, renewed), discards[-1:]
            else:
                pile, discards = discards[1:], discards[:1]
        if turn[0] == "d":
            card = pile.pop(0)
            moved = turn.split()[1:2]
        elif turn[0] == "t":
            card, moved = discards.pop(), [turn.split()[0]]
        else:
            continue
        if moved and moved[0] != "x":
            slot = int(moved[0][1:]) - 1
            rack[slot], card = card, rack[slot]
        discards.append(card)
    return racks


def check(text: str) -> int:
    """The number of rounds whose proof and racks are right; an AssertionError for any other."""
    head, opening, *blocks = re.sub("\n+end\n$", "", text).split("\n\n")
    settings = dict(pair.split("=") for pair in re.findall(r"\w+=\w+", _line(head, "rules")))
    players = int(settings["players"])
    size = {2: 40, 3: 50, 4: 60}[players]
    seed = bytes.fromhex(_line(head, "seed"))
    checked = 0
    for number, block in enumerate([opening, *blocks]):
        deck = [int(card) for card in _line(block, "deck").split()]
        if not deck:
            continue
        salt = bytes.fromhex(_line(block, "salt"))
        assert sorted(deck) == list(range(1, size + 1))
        assert _line(block, "commitment") == commitment(deck, salt)
        if seed:
            assert (deck, salt) == seeded(seed, number, size)
        if number and "\nout " in block:
            dealer = int(block.split("\n")[0].split()[3])
            lines = re.findall(r"^[0-9]+\. (.*)$", block, re.M)
            turns = [turn for line in lines for turn in line.split(" | ")]
            racks = play(deck, salt, players, dealer, turns, settings["exhausted"] == "shuffle")
            for seat, rack in enumerate(racks):
                assert _line(block, f"rack {seat}") == " ".join(map(str, rack))
            checked += 1
    return checked


def _line(block: str, word: str) -> str:
    found = re.search(f"^{word} (.*)$", block, re.M)
    return found[1] if found else ""
