"""From the text of a record to its parts.

Every line is matched by a pattern that takes time in proportion to its length. Whatever does not
match is refused with the number of its line, and no other error leaves this module.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.deck import Deck
from racko_core.errors import N_, RecordError, RulesError
from racko_core.record.model import CutOffError, Record, RoundRecord, SeatName
from racko_core.record.writer import FIRST_LINE, KEY, LAST_LINE, MAX_TEXT, SETTINGS, VERSION
from racko_core.rules import Rules, Seat

MAX_LINE: Final = 4000
"""Characters in a line; a longer one is refused."""

_NUMBER: Final = "(?:0|[1-9][0-9]{0,9})"
_STRING: Final = r'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\.)*"'
_CODE: Final = r"(?:[dx!+]|[tp](?:10|[1-9]))"
_TURN: Final = f"{_CODE}(?: {_CODE})*"
_HEAD: Final = re.compile("racko record ([1-9][0-9]{0,8})")
_ABOUT: Final = re.compile(f"about ({KEY}) ({_STRING})")
_VALUE: Final = f"([a-z]{{1,10}}|{_NUMBER})"
_RULES: Final = re.compile(" ".join(["rules", *(f"{name}={_VALUE}" for name in SETTINGS)]))
_SEAT: Final = re.compile(f"seat ([0-3]) ({KEY}) ({_STRING})")
_SEED: Final = re.compile("seed ([0-9a-f]{64})")
_BLANK: Final = re.compile("")
_OPENING: Final = re.compile("opening dealer [0-3]")
_ROUND: Final = re.compile(f"round ({_NUMBER}) dealer [0-3]")
_COMMITMENT: Final = re.compile("commitment ([0-9a-f]{64})")
_DECK: Final = re.compile(f"deck((?: {_NUMBER})+)")
_SALT: Final = re.compile("salt ([0-9a-f]{32})")
_TURNS: Final = re.compile(rf"({_NUMBER})\. ({_TURN}(?: \| {_TURN})*)")
_OUT: Final = re.compile("out (?:[0-3]|nobody) (?:auto|hand|dealt|stalemate)")
_RACK: Final = re.compile(f"rack [0-3](?: {_NUMBER}){{10}}")
_POINTS: Final = re.compile(f"points(?: {_NUMBER})+")
_TOTALS: Final = re.compile(f"totals(?: {_NUMBER})+")
_WON: Final = re.compile("won(?: [0-3])+")
_END: Final = re.compile(LAST_LINE)


def read(data: str | bytes, *, partial: bool = False) -> Record:
    """Take a record apart. Raises RecordError where it is not one, CutOffError where its end is
    missing.

    With `partial`, whatever can be read before the first damage is returned, as long as that
    reaches to the first deal: what a power cut has left of a file.
    """
    lines = _Lines(text_of(data))
    _version(lines)
    about: dict[str, str] = {}
    while lines.peek().startswith("about "):
        key, value = lines.take("about … “…”", _ABOUT).groups()
        if key in about:
            raise lines.damaged("rules …")
        about[key] = lines.unquoted(value)
    rules = _rules(lines)
    seats = tuple([_seat(lines, seat) for seat in range(rules.players)])
    seed = None
    if lines.peek().startswith("seed"):
        seed = bytes.fromhex(lines.take("seed …", _SEED)[1])
    lines.take("", _BLANK)
    lines.take("opening dealer …", _OPENING)
    line = lines.number
    _, deck = _deck(lines, rules)
    if deck is None:
        raise lines.damaged("deck …")
    rounds: list[RoundRecord] = []
    try:
        _rounds(lines, rules, rounds)
    except RecordError:
        if not partial:
            raise
    return Record(rules, seats, about, seed, deck, line, tuple(rounds))


class _Lines:
    """The lines of a record, one after the other."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._last = self._lines.pop()  # a line without an end, so most likely a part of one
        if self._last == LAST_LINE:
            self._lines.append(self._last)
            self._last = ""
        self.number = 0
        """Number of the line taken last, 1 up; 0 before the first."""

    def peek(self) -> str:
        """The next line, which stays the next."""
        if self.number == len(self._lines):
            raise CutOffError(
                N_("The record is cut off after line {line}; the rest is missing."),
                line=self.number,
            )
        line = self._lines[self.number]
        if len(line) > MAX_LINE:
            raise self._too_long(self.number + 1)
        return line

    def take(self, shape: str, pattern: re.Pattern[str]) -> re.Match[str]:
        """The next line, which has to match; `shape` tells a person what it should look like."""
        match = pattern.fullmatch(self.peek())
        if match is None:
            raise self.damaged(shape, self.number + 1)
        self.number += 1
        return match

    def damaged(self, shape: str, line: int | None = None) -> RecordError:
        """The complaint about the line taken last, or another."""
        line = self.number if line is None else line
        if not shape:
            return RecordError(
                N_("Line {line} of the record is damaged; it should be empty."), line=line
            )
        return RecordError(
            N_("Line {line} of the record is damaged; it should read “{shape}”."),
            line=line,
            shape=shape,
        )

    def unquoted(self, text: str) -> str:
        """The text that a JSON string in the line taken last stands for."""
        try:
            plain = str(json.loads(text))
        except ValueError:
            raise self.damaged("“…”") from None
        if len(plain) > MAX_TEXT:
            raise self._too_long(self.number)
        return plain

    def _too_long(self, line: int) -> RecordError:
        return RecordError(
            N_("Line {line} of the record is too long; the file is damaged."), line=line
        )

    def finish(self) -> None:
        """There must be nothing more."""
        if self.number < len(self._lines) or self._last:
            raise RecordError(
                N_("The record goes on after its end, in line {line}."), line=self.number + 1
            )


def text_of(data: str | bytes) -> str:
    """Bytes that are not UTF-8 become characters that no line may hold."""
    text = data.decode(errors="surrogateescape") if isinstance(data, bytes) else data
    return text.replace("\r\n", "\n")


def _version(lines: _Lines) -> None:
    try:
        found = _HEAD.fullmatch(lines.peek())
    except RecordError:
        found = None
    if found is None:
        raise RecordError(
            N_("This is not a Rack-O record; line {line} should read “{shape}”."),
            line=1,
            shape=FIRST_LINE,
        )
    if int(found[1]) != VERSION:
        raise RecordError(
            N_(
                "Line {line}: the record has version {version}, this program reads {known}; "
                "get a newer racko."
            ),
            line=1,
            version=int(found[1]),
            known=VERSION,
        )
    lines.number += 1


def _rules(lines: _Lines) -> Rules:
    shape = " ".join(["rules", *(f"{name}=…" for name in SETTINGS)])
    words = lines.take(shape, _RULES).groups()
    try:
        return Rules(**{name: _value(word) for name, word in zip(SETTINGS, words, strict=True)})
    except RulesError as reason:
        raise RecordError(
            N_("Line {line} of the record is damaged: {reason}"), line=lines.number, reason=reason
        ) from None


def _value(word: str) -> Any:
    if word.isdecimal():
        return int(word)
    return {"yes": True, "no": False, "none": None}.get(word, word)


def _seat(lines: _Lines, seat: Seat) -> SeatName:
    shape = f"seat {seat} … “…”"
    number, kind, name = lines.take(shape, _SEAT).groups()
    if int(number) != seat:
        raise lines.damaged(shape)
    return SeatName(lines.unquoted(name), kind)


def _deck(lines: _Lines, rules: Rules) -> tuple[str, Deck | None]:
    """A commitment, and the deck where it is revealed."""
    proof = lines.take("commitment …", _COMMITMENT)[1]
    if not lines.peek().startswith("deck"):
        return proof, None
    order = tuple([int(card) for card in lines.take("deck …", _DECK)[1].split()])
    if sorted(order) != list(range(1, rules.cards + 1)):
        raise RecordError(
            N_("Line {line} of the record is damaged: a deck holds each card up to {cards} once."),
            line=lines.number,
            cards=rules.cards,
        )
    return proof, Deck(order, bytes.fromhex(lines.take("salt …", _SALT)[1]), proof)


def _rounds(lines: _Lines, rules: Rules, rounds: list[RoundRecord]) -> None:
    """Everything after the opening; what could be read stands in `rounds` also after an error."""
    more = True
    while True:
        lines.take("", _BLANK)
        if lines.peek() == LAST_LINE or not more:
            lines.take(LAST_LINE, _END)
            lines.finish()
            return
        shape = f"round {len(rounds) + 1} dealer …"
        if int(lines.take(shape, _ROUND)[1]) != len(rounds) + 1:
            raise lines.damaged(shape)
        line = lines.number
        proof, deck = _deck(lines, rules)
        turns: list[tuple[Action, ...]] = []
        rounds.append(RoundRecord(len(rounds) + 1, line, proof, deck, turns))
        more = deck is not None and _turns_and_result(lines, rules, turns)


def _turns_and_result(lines: _Lines, rules: Rules, turns: list[tuple[Action, ...]]) -> bool:
    """Whether the round has ended and the game has not.

    What a result states is checked by `verify`; here it only has to look like one.
    """
    while lines.peek() and not lines.peek().startswith("out"):
        shape = f"{len(turns) + 1}. d p7 | t2"
        number, codes = lines.take(shape, _TURNS).groups()
        if int(number) != len(turns) + 1:
            raise lines.damaged(shape)
        turns.append(tuple([act.decode(code) for code in codes.split() if code != "|"]))
    if not lines.peek():
        return False
    lines.take("out … …", _OUT)
    for seat in range(rules.players):
        lines.take(f"rack {seat} …", _RACK)
    lines.take("points …", _POINTS)
    lines.take("totals …", _TOTALS)
    if not lines.peek():
        return True
    lines.take("won …", _WON)
    return False
