"""What a person at a server's table may ask of it: of their own seat, and as its owner."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from racko_core import seating as s
from racko_core.actions import Deal
from racko_core.bots import EXEC, OFFERED
from racko_core.errors import N_, RackoError
from racko_core.rules import Rules, Seat
from racko_core.seating import Input, Kind, Options, Stage
from racko_core.table import Refused, Table
from racko_net.codec import convert
from racko_net.text import MAX_NAME, clean_chat, clean_name

MOST_POINTS: Final = 10_000
"""The largest target on a server, so that a scorecard stays a message."""
MOST_ROUNDS: Final = 500
USUAL: Final = Options(deal_after=60.0)
"""How a table on a server is run unless its maker says otherwise."""
_TIMES: Final = {
    "bot_pause": (0.0, 10.0, N_("The pause of a bot is {least} to {most} seconds.")),
    "turn_limit": (5.0, 3600.0, N_("The time for a turn is {least} to {most} seconds.")),
    "grace": (0.0, 86400.0, N_("The time until a bot steps in is {least} to {most} seconds.")),
    "deal_after": (0.0, 3600.0, N_("The time until the next deal is {least} to {most} seconds.")),
}
"""Options in seconds, what they may be, and the sentence that says so."""


def allowed(given: Input, seat: Seat, table: Table) -> Input:
    """The input as the person at `seat` may give it, its text cleaned.

    Raises `RackoError` for what is not theirs to ask.
    """
    match given:
        case s.Say(text=text):
            return s.Say(seat, table.chairs[seat].name, clean_chat(text))
        case s.Do(by, action):
            if isinstance(action, Deal):
                raise Refused(N_("Say that you are ready; the deal follows when everyone is."))
            _own(by, seat)
        case s.Ready(by) | s.Move(by) | s.Return(by) | s.Hint(by):
            _own(by, seat)
        case s.Stand(by):
            if by != seat:
                _owner(seat, table)
            bot = by in range(len(table.chairs)) and table.chairs[by].kind is Kind.BOT
            if bot and table.stage is not Stage.GATHERING:
                raise Refused(N_("A bot stays at the table once the first game has begun."))
        case s.Sit(chair, name, kind, level):
            _owner(seat, table)
            if kind is not Kind.BOT:
                raise Refused(N_("People sit down themselves; only bots are seated by others."))
            if level.startswith(EXEC):
                raise Refused(N_("Only the host can bring a program; choose a bot by its name."))
            names = [other.name for other in table.chairs]
            called = clean_name(name or level.removeprefix(OFFERED))
            return s.Sit(chair, unlike(called, names), kind, level)
        case s.Pause():
            if not table.info.may_pause(seat):
                _owner(seat, table)
        case s.Start() | s.HandOver():
            _owner(seat, table)
        case s.Configure(rules, options):
            _owner(seat, table)
            if rules is not None:
                within(rules)
            if options is not None:
                check(options)
        case _:
            raise Refused(N_("That happens by itself; nobody can ask for it."))
    return given


def goes_on(given: Input) -> bool:
    """Whether a game in play may need it to go on, or its person to leave; anything else can wait.

    None of it can be done again and again without something else in between.
    """
    match given:
        case s.Do() | s.Stand() | s.Return() | s.Ready(ready=True) | s.Pause(paused=False):
            return True
    return False


def rules_from(plain: dict[str, Any]) -> Rules:
    """Rules that somebody asked for. Raises `RackoError`."""
    return within(_read(plain, Rules, N_("These rules cannot be read ({reason}).")))


def options_from(plain: dict[str, Any], defaults: Options) -> Options:
    """Options that somebody asked for. Raises `RackoError`."""
    told = N_("These options cannot be read ({reason}).")
    return check(_read({**_plain(defaults), **plain}, Options, told))


def _read(plain: dict[str, Any], kind: type[Any], told: str) -> Any:
    try:
        return convert(plain, kind)
    except ValueError as error:
        if isinstance(error.__cause__, RackoError):  # of the rules themselves: a sentence already
            raise error.__cause__ from None
        raise Refused(told, reason=error) from None


def within(rules: Rules) -> Rules:
    """The rules, if a server can hold their games. Raises `Refused`."""
    if rules.target > MOST_POINTS:
        raise Refused(N_("On a server the target is at most {allowed}."), allowed=MOST_POINTS)
    if rules.max_rounds is not None and rules.max_rounds > MOST_ROUNDS:
        raise Refused(N_("On a server the limit of rounds is {allowed}."), allowed=MOST_ROUNDS)
    return rules


def check(options: Options) -> Options:
    """The options, if their times make sense. Raises `Refused`."""
    for name, (least, most, sentence) in _TIMES.items():
        value = getattr(options, name)
        if value is not None and (not math.isfinite(value) or not least <= value <= most):
            raise Refused(sentence, least=int(least), most=int(most))
    return options


def unlike(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it if somebody has it already."""
    folded = {other.casefold() for other in taken}
    chosen, number = name, 1
    while chosen.casefold() in folded:
        number += 1
        ending = f" {number}"
        chosen = name[: MAX_NAME - len(ending)].rstrip() + ending
    return chosen


def _plain(options: Options) -> dict[str, Any]:
    return {name: getattr(options, name) for name in Options.__dataclass_fields__}


def _own(by: Seat, seat: Seat) -> None:
    if by != seat:
        raise Refused(N_("That is not your seat."))


def _owner(seat: Seat, table: Table) -> None:
    if seat != table.owner:
        raise Refused(N_("Only the owner of the table may do that."))
