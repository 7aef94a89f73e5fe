"""Table values as plain ones (dicts, lists, numbers, text) and back, for the wire and the disk.

Reading checks every type; anything that does not fit raises `ValueError`.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from racko_core import actions, seating
from racko_core.errors import RackoError
from racko_core.seating import Do, Input, Setup

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
    "say": seating.Say,
    "pause": seating.Pause,
    "hand-over": seating.HandOver,
    "configure": seating.Configure,
    "rematch": seating.Rematch,
}
_INPUT_NAMES: Final = {kind: name for name, kind in _INPUTS.items()}


def convert(plain: object, kind: type[Any]) -> Any:
    """`plain` as a value of `kind`, every type checked. Raises ValueError if it does not fit."""
    try:
        return msgspec.convert(plain, type=kind)
    except (msgspec.ValidationError, RackoError, TypeError) as error:
        raise ValueError(str(error)) from error


def input_to_plain(given: Input) -> dict[str, Any]:
    """An input: its name under `input`, then its fields; an action is its code."""
    name = _INPUT_NAMES[type(given)]
    if isinstance(given, Do):
        return {"input": name, "seat": given.seat, "action": actions.encode(given.action)}
    return {"input": name, **msgspec.to_builtins(given)}


def input_from_plain(plain: object) -> Input:
    """The inverse of `input_to_plain`."""
    if not isinstance(plain, dict):
        raise ValueError("an input is a map")
    values = dict(plain)
    kind = _INPUTS.get(str(values.pop("input", "")))
    if kind is None:
        raise ValueError("an input has a known name")
    if kind is not Do:
        given: Input = convert(values, kind)
        return given
    seat, code = values.get("seat"), values.get("action")
    if not isinstance(seat, int) or not isinstance(code, str):
        raise ValueError("a seat is a number and an action a code")
    try:
        return Do(seat, actions.decode(code))
    except RackoError as error:
        raise ValueError(str(error)) from error


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
