"""From a game to the text of its record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.deck import SEED_BYTES, Deck, commitment
from racko_core.game import Game
from racko_core.record.model import SeatName
from racko_core.rules import Card, Rules, Seat

VERSION: Final = 1
"""Of the format; NOTATION.md is about this one."""
MAX_TEXT: Final = 300
"""Characters in a name, or in what is noted under `about`."""
FIRST_LINE: Final = f"racko record {VERSION}"
LAST_LINE: Final = "end"
SETTINGS: Final = tuple(setting.name for setting in fields(Rules))
"""Names of the rules, in the order in which a record tells them."""
KEY: Final = "[a-z][a-z0-9-]{0,29}"
"""Pattern of the kind of a seat, and of what is noted under `about`."""


def write(
    game: Game,
    seats: Sequence[SeatName],
    *,
    seed: bytes | None = None,
    about: Mapping[str, str] | None = None,
) -> str:
    """The record of a game, as text that ends with a newline.

    `seats` by seat. `seed`, where given, is the one that the decks of the game follow from; keep
    it to yourself until the game is over, for it tells every later deck. Without it the record
    stops after the last round that has ended. `about` is noted as it is, under keys of lower-case
    letters, digits and hyphens. Raises ValueError for names, notes or seeds that do not fit.
    """
    promise = game.view(None).commitment if len(game.sheet) < game.round else None
    return "\n".join([*lines_of(game, seats, seed, about or {}, promise), ""])


def lines_of(
    game: Game,
    seats: Sequence[SeatName],
    seed: bytes | None,
    about: Mapping[str, str],
    promise: str | None,
) -> list[str]:
    """The lines of a record; `promise` is the commitment to the deck of a round in play."""
    rules, opening, players = game.rules, game.opening, game.rules.players
    if len(seats) != players or (seed is not None and len(seed) != SEED_BYTES):
        raise ValueError("a name for each seat and a seed of 32 bytes")
    lines = [FIRST_LINE]
    lines += [f"about {_key(key)} {_quoted(value)}" for key, value in about.items()]
    lines.append(
        " ".join(["rules", *(f"{name}={_word(getattr(rules, name))}" for name in SETTINGS)])
    )
    lines += [f"seat {seat} {_key(who.kind)} {_quoted(who.name)}" for seat, who in enumerate(seats)]
    if seed is not None:
        lines.append(f"seed {seed.hex()}")
    lines += ["", f"opening dealer {opening.dealer}"]
    lines += _deck_lines(opening.commitment, opening.deck, opening.salt)
    played = _by_round(game.actions)
    for ended, actions in zip(game.sheet, played, strict=False):
        lines += ["", f"round {ended.round} dealer {ended.dealer}"]
        proof = commitment(ended.deck, bytes.fromhex(ended.salt))
        lines += _deck_lines(proof, ended.deck, ended.salt)
        lines += _turn_lines(actions, ended.dealer, players, ended.went_out)
        lines.append(f"out {'nobody' if ended.went_out is None else ended.went_out} {ended.how}")
        lines += [f"rack {seat}{_numbers(rack)}" for seat, rack in enumerate(ended.racks)]
        lines.append("points" + _numbers([score.points for score in ended.scores]))
        lines.append("totals" + _numbers(ended.totals))
    if game.result is not None:
        lines.append("won" + _numbers(game.result.winners))
    if promise is not None:
        number = len(game.sheet) + 1
        dealer = (opening.dealer + number - 1) % players
        lines += ["", f"round {number} dealer {dealer}"]
        if seed is None:
            lines.append(f"commitment {promise}")
        else:
            deck = Deck.for_round(rules, seed, number)
            lines += _deck_lines(promise, deck.order, deck.salt.hex())
            lines += _turn_lines(played[-1], dealer, players, None)
    lines += ["", LAST_LINE]
    return lines


def _by_round(actions: Iterable[Action]) -> list[list[str]]:
    """The codes of each round's actions, without the deal."""
    rounds: list[list[str]] = []
    for action in actions:
        if action is act.DEAL or action == act.DEAL:
            rounds.append([])
        else:
            rounds[-1].append(act.encode(action))
    return rounds


def _turn_lines(
    codes: Iterable[str], dealer: Seat, players: int, went_out: Seat | None
) -> list[str]:
    """The turns of a round, one trip round the table in a line.

    A call belongs to the turn before it if its player is the one who went out, else it is a turn
    of its own: one that starts with going out.
    """
    turns: list[str] = []
    drawn = False
    for code in codes:
        call = code == "!" and (dealer + len(turns)) % players == went_out
        if drawn or call or code == "+":
            turns[-1] += " " + code
        else:
            turns.append(code)
        drawn = code == "d"
    return [
        f"{start // players + 1}. " + " | ".join(turns[start : start + players])
        for start in range(0, len(turns), players)
    ]


def _deck_lines(proof: str, order: Iterable[Card], salt: str) -> list[str]:
    return [f"commitment {proof}", "deck" + _numbers(order), f"salt {salt}"]


def _numbers(numbers: Iterable[int]) -> str:
    return "".join([f" {number}" for number in numbers])


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _key(key: str) -> str:
    if not re.fullmatch(KEY, key):
        raise ValueError(f"not a key for a record: {key!r}")
    return key


def _quoted(text: str) -> str:
    """The text as a JSON string; one that could spoil a line or a screen is escaped throughout."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"longer than {MAX_TEXT} characters: {text[:20]!r}...")
    return json.dumps(text, ensure_ascii=not text.isprintable())
