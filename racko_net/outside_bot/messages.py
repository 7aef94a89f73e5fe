"""The lines between racko and a bot in another program: typed, tagged, every field documented.

A line is one JSON object. `type` says which message it is; unknown fields are passed over.
BOT_PROTOCOL.md tells the same to people without Python.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from racko_core import __version__, actions
from racko_core.bots.outlook import draw_pile
from racko_core.errors import N_, RackoError
from racko_core.events import DealerDrawn, RoundEnded
from racko_core.rules import Card, Rules, Seat, Slot
from racko_core.view import Known, Phase, View
from racko_net.codec import convert, event_from_plain, event_to_plain
from racko_net.reasons import NOT_UTF8, Unfit, unfit
from racko_net.text import MAX_NAME, quoted

VERSION: Final = 1
"""The version of the protocol."""


class Line(Struct, tag_field="type"):
    """Any message."""


# From racko


class Hello(Line, tag="hello"):
    """The first line. The program answers with `Ready`."""

    version: int
    """The version of the protocol."""
    racko: str
    """The version of racko."""
    rules: dict[str, Any]
    """Every rule by its name; they stay the same for as long as the program runs."""
    cards: int
    """Number of cards in the deck."""
    sides: tuple[tuple[Seat, ...], ...]
    """Who scores together."""
    hello_seconds: float
    """How long the program may take for its answer to this line."""
    seconds: float
    """How long it may take for a decision."""


class Question(Line, tag="decide"):
    """A decision is wanted. The program answers with `Choice`.

    It holds all that the seat may know, whatever was asked before: lists are by seat unless they
    say otherwise, and what they hold is as in `View`.
    """

    id: int
    """Comes back with the answer."""
    seat: Seat
    """Whose decision it is: the program plays this seat."""
    phase: Phase
    """`turn`, `drawn` or `call`."""
    legal: tuple[str, ...]
    """The actions to choose from, by their codes."""
    rack: tuple[Card, ...]
    """One's own rack, slot 1 first."""
    hand: Card | None
    """The drawn card."""
    discards: tuple[Card, ...]
    """The discard pile, bottom first."""
    draw_count: int
    next_cards: tuple[Card, ...]
    """The draw pile, top first, where it was turned over and so its order is known."""
    turnovers: int
    known: tuple[Known, ...]
    last_slot: tuple[Slot | None, ...]
    turns: tuple[int, ...]
    totals: tuple[int, ...]
    """By side."""
    round: int
    dealer: Seat
    turn: Seat
    """Whose turn it is."""
    commitment: str
    """The same for all questions of a round."""
    history: list[dict[str, Any]]
    """This round's events."""
    sheet: list[dict[str, Any]]
    """The events of the rounds that have ended."""


# From the program


class Ready(Line, tag="ready"):
    """The answer to `Hello`."""

    version: int
    """The version of the protocol that it speaks."""
    name: str = ""
    """What it calls itself."""


class Choice(Line, tag="action"):
    """The answer to a `Question`."""

    id: int
    """That of the question."""
    action: str
    """One of the question's `legal`."""


Answer = TypeVar("Answer", Ready, Choice)

_ASKED: Final[dict[type[Line], type[Line]]] = {Ready: Hello, Choice: Question}
"""What each answer answers."""

_encoder: Final = msgspec.json.Encoder()
_from_racko: Final = msgspec.json.Decoder(Hello | Question)
_anything: Final = msgspec.json.Decoder()
_from_program: Final = {kind: msgspec.json.Decoder(kind) for kind in _ASKED}


def type_of(kind: type[Line]) -> str:
    """What stands in the field `type`."""
    return str(kind.__struct_config__.tag)


def encode(message: Line) -> bytes:
    """The message as a line, with its line feed."""
    return _encoder.encode(message) + b"\n"


def from_racko(line: bytes) -> Hello | Question | None:
    """What racko says; None for a message of a later version. Raises `Unfit`, a ValueError, for
    no message.
    """
    try:
        message: Hello | Question = _decoded(_from_racko, line)
    except ValueError:
        plain = _plain(line)
        kind = plain.get("type") if isinstance(plain, dict) else None
        if isinstance(kind, str) and kind not in map(type_of, _ASKED.values()):
            return None
        raise
    return message


def _plain(line: bytes, otherwise: str = N_("that is not JSON")) -> Any:
    """Whatever the JSON of a line holds. Raises `Unfit` where it is none."""
    try:
        return _anything.decode(line)
    except msgspec.DecodeError:
        raise _no_json(line, otherwise) from None
    except RecursionError as error:
        raise unfit(error) from None


def from_program(line: bytes, kind: type[Answer]) -> Answer:
    """The program's answer, which should be of this kind. Raises ValueError for anything else."""
    message: Answer = _decoded(_from_program[kind], line)
    return message


def complaint(line: bytes, kind: type[Ready | Choice]) -> RackoError:
    """What is wrong with a line that `from_program` refuses, for whoever mends the program."""
    try:
        plain = _plain(line, N_("that is not JSON: only answers belong on the standard output"))
    except Unfit as refused:
        return refused
    if not isinstance(plain, dict):
        return RackoError(N_("an answer is a JSON object, in braces"))
    if "type" not in plain:
        return RackoError(N_("the field “{field}” is missing"), field="type")
    wanted, given = type_of(kind), plain["type"]
    if given != wanted:
        return RackoError(
            N_("a “{asked}” is answered by the type “{wanted}”, not “{given}”"),
            asked=type_of(_ASKED[kind]),
            wanted=wanted,
            given=quoted(_in_short(given), MAX_NAME),
        )
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in plain:
            return RackoError(N_("the field “{field}” is missing"), field=field.name)
        given = plain.get(field.name, field.default)
        if field.type is int and type(given) is not int:
            return RackoError(N_("the field “{field}” should be a whole number"), field=field.name)
        if field.type is str and not isinstance(given, str):
            return RackoError(N_("the field “{field}” should be a text"), field=field.name)
    return RackoError(N_("that is no answer of the bot protocol"))


def _in_short(given: object) -> str:
    if isinstance(given, list | dict):
        return "…"
    return given if isinstance(given, str) else json.dumps(given)


def _no_json(line: bytes, otherwise: str) -> Unfit:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return Unfit(NOT_UTF8)
    if text.startswith("\ufeff"):
        return Unfit(N_("a byte order mark stands before it, which is no part of JSON"))
    try:
        plain = json.loads(text)
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = json.dumps(error.object[error.start]).strip('"')
        return Unfit(N_("“{half}” is only half of a character (a lone surrogate)"), half=half)
    except json.JSONDecodeError:
        pass
    except ValueError:  # Python reads no number without end
        return Unfit(N_("a number in it has too many digits"))
    except RecursionError as error:
        return unfit(error)
    return Unfit(otherwise)


def _decoded(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise unfit(error) from None


def hello(rules: Rules, hello_seconds: float, seconds: float) -> Hello:
    """The first line to a program that is to play by these rules."""
    return Hello(
        version=VERSION,
        racko=__version__,
        rules=rules.to_dict(),
        cards=rules.cards,
        sides=rules.sides,
        hello_seconds=hello_seconds,
        seconds=seconds,
    )


def question(view: View, number: int) -> Question:
    """The question that a view puts to its seat, which has to decide."""
    assert view.seat is not None
    assert view.turn is not None
    turned_over = view.turnovers and view.rules.exhausted == "flip"
    return Question(
        id=number,
        seat=view.seat,
        phase=view.phase,
        legal=tuple([actions.encode(action) for action in view.legal]),
        rack=view.rack,
        hand=view.hand,
        discards=view.discards,
        draw_count=view.draw_count,
        next_cards=tuple(draw_pile(view)) if turned_over else (),
        turnovers=view.turnovers,
        known=view.known,
        last_slot=view.last_slot,
        turns=view.turns,
        totals=view.totals,
        round=view.round,
        dealer=view.dealer,
        turn=view.turn,
        commitment=view.commitment,
        history=[event_to_plain(event) for event in view.history],
        sheet=[event_to_plain(event) for event in view.sheet],
    )


def rules_of(first: Hello) -> Rules:
    """The rules that a hello tells. Raises ValueError where they make no sense."""
    rules: Rules = convert(first.rules, Rules)
    return rules


def view_of(asked: Question, rules: Rules) -> View:
    """The view that a question was made from. Raises ValueError where it cannot be one.

    Of the draw for the first deal, which no decision hangs on, only the dealer is known.
    """
    players = rules.players
    try:
        legal = tuple([actions.decode(code) for code in asked.legal])
    except RackoError as error:
        raise unfit(error) from None
    if asked.seat not in range(players) or not legal:
        raise Unfit(N_("nothing can be decided at that seat"))
    sheet = [event_from_plain(plain) for plain in asked.sheet]
    return View(
        rules=rules,
        seat=asked.seat,
        round=asked.round,
        dealer=asked.dealer,
        turn=asked.turn,
        phase=asked.phase,
        hand=asked.hand,
        racks=tuple([asked.rack if seat == asked.seat else None for seat in range(players)]),
        discards=asked.discards,
        draw_count=asked.draw_count,
        turnovers=asked.turnovers,
        known=asked.known,
        last_slot=asked.last_slot,
        turns=asked.turns,
        totals=asked.totals,
        legal=legal,
        commitment=asked.commitment,
        history=tuple([event_from_plain(plain) for plain in asked.history]),
        sheet=tuple([event for event in sheet if isinstance(event, RoundEnded)]),
        opening=DealerDrawn((), (asked.dealer - asked.round + 1) % players, (), "", ""),
        result=None,
    )
