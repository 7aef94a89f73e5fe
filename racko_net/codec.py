"""Table values as plain ones (dicts, lists, numbers, text) and back, for the wire and the disk.

Reading checks every type; anything that does not fit raises `ValueError`.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from racko_core import actions, events, seating
from racko_core.errors import N_, RackoError
from racko_core.seating import Do, Input, Notice, Remark, Said, Setup
from racko_core.view import View
from racko_net.protocol import Position
from racko_net.reasons import Unfit, unfit
from racko_net.text import MAX_CHAT, MAX_NAME, harmless

_INPUTS: Final[dict[str, type[Any]]] = {
    "sit": seating.Sit,
    "stand": seating.Stand,
    "move": seating.Move,
    "ready": seating.Ready,
    "start": seating.Start,
    "do": seating.Do,
    "lose": seating.Lose,
    "return": seating.Return,
    "relieve": seating.Relieve,
    "expire": seating.Expire,
    "hint": seating.Hint,
    "forfeit": seating.Forfeit,
    "say": seating.Say,
    "pause": seating.Pause,
    "hand-over": seating.HandOver,
    "configure": seating.Configure,
    "rematch": seating.Rematch,
}
_INPUT_NAMES: Final = {kind: name for name, kind in _INPUTS.items()}
_EVENTS: Final[dict[str, type[Any]]] = {
    "dealer": events.DealerDrawn,
    "round": events.RoundStarted,
    "dealt": events.Dealt,
    "turn": events.TurnStarted,
    "drew": events.Drew,
    "placed": events.Placed,
    "discarded": events.Discarded,
    "renewed": events.Renewed,
    "ended": events.RoundEnded,
    "over": events.GameEnded,
}
_EVENT_NAMES: Final = {kind: name for name, kind in _EVENTS.items()}


def convert(plain: object, kind: type[Any]) -> Any:
    """`plain` as a value of `kind`, every type checked. Raises `Unfit`, a ValueError, if it does
    not fit.
    """
    try:
        return msgspec.convert(plain, type=kind)
    except (msgspec.ValidationError, RackoError, TypeError) as error:
        raise unfit(error) from error


def input_to_plain(given: Input) -> dict[str, Any]:
    """An input: its name under `input`, then its fields; an action is its code."""
    name = _INPUT_NAMES[type(given)]
    if isinstance(given, Do):
        return {"input": name, "seat": given.seat, "action": actions.encode(given.action)}
    return {"input": name, **msgspec.to_builtins(given)}


def input_from_plain(plain: object) -> Input:
    """The inverse of `input_to_plain`."""
    if not isinstance(plain, dict):
        raise Unfit(N_("an input is a map"))
    values = dict(plain)
    kind = _INPUTS.get(str(values.pop("input", "")))
    if kind is None:
        raise Unfit(N_("an input has a known name"))
    if kind is not Do:
        given: Input = convert(values, kind)
        return given
    seat, code = values.get("seat"), values.get("action")
    if not isinstance(seat, int) or not isinstance(code, str):
        raise Unfit(N_("a seat is a number and an action a code"))
    try:
        return Do(seat, actions.decode(code))
    except RackoError as error:
        raise unfit(error) from error


def setup_to_plain(setup: Setup) -> dict[str, Any]:
    """A setup; its seed in hex."""
    plain: dict[str, Any] = msgspec.to_builtins(setup)
    return {**plain, "seed": setup.seed.hex()}


def setup_from_plain(plain: object) -> Setup:
    """The inverse of `setup_to_plain`."""
    if not isinstance(plain, dict) or not isinstance(plain.get("seed"), str):
        raise ValueError("a setup is a map with a seed")
    setup: Setup = convert({**plain, "seed": b""}, Setup)
    return Setup(setup.rules, bytes.fromhex(plain["seed"]), setup.options, setup.name)


def event_to_plain(event: events.Event) -> dict[str, Any]:
    """An event: its name under `event`, then its fields."""
    return {"event": _EVENT_NAMES[type(event)], **msgspec.to_builtins(event)}


def event_from_plain(plain: object) -> events.Event:
    """The inverse of `event_to_plain`."""
    if not isinstance(plain, dict):
        raise Unfit(N_("an event is a map"))
    kind = _EVENTS.get(str(plain.get("event", "")))
    if kind is None:
        raise Unfit(N_("an event has a known name"))
    event: events.Event = convert(plain, kind)
    return event


def notice_to_plain(notice: Notice) -> dict[str, Any]:
    """A notice: its number under `seq`; then an event, or `remark` or `said` with their fields."""
    news = notice.news
    if isinstance(news, Remark):
        return {"seq": notice.seq, "remark": news.matter, "seat": news.seat, "name": news.name}
    if isinstance(news, Said):
        return {"seq": notice.seq, "said": news.text, "seat": news.seat, "name": news.name}
    return {"seq": notice.seq, **event_to_plain(news)}


def notice_from_plain(plain: object) -> Notice:
    """The inverse of `notice_to_plain`; text in it is made harmless."""
    if not isinstance(plain, dict) or not isinstance(plain.get("seq"), int):
        raise Unfit(N_("a notice is a map with a number"))
    seq = plain["seq"]
    if "event" in plain:
        return Notice(seq, event_from_plain(plain))
    values = {**plain, "name": harmless(str(plain.get("name", "")))[:MAX_NAME]}
    if "said" in plain:
        said: Said = convert({**values, "text": harmless(str(plain["said"]))[:MAX_CHAT]}, Said)
        return Notice(seq, said)
    remark: Remark = convert({**values, "matter": plain.get("remark")}, Remark)
    return Notice(seq, remark)


def position_of(view: View) -> Position:
    """What of a view goes over the wire with every change."""
    return Position(
        round=view.round,
        dealer=view.dealer,
        turn=view.turn,
        phase=view.phase,
        racks=view.racks,
        discards=view.discards,
        draw_count=view.draw_count,
        known=view.known,
        last_slot=view.last_slot,
        turns=view.turns,
        totals=view.totals,
        legal=tuple([actions.encode(action) for action in view.legal]),
        hand=view.hand,
        turnovers=view.turnovers,
        commitment=view.commitment,
    )
