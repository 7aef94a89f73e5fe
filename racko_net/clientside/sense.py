"""Whether what a server says makes sense: it may be anybody's, and screens trust what they get.

Types were checked before. Here are the rest: text that does no harm, times that are numbers, and
seats, cards and slots that the rules know. What makes no sense raises `Unfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as replaced

from racko_core import actions
from racko_core.errors import N_
from racko_core.events import DealerDrawn, Event, RackScore
from racko_core.rules import SLOTS, Rules, Seat
from racko_core.seating import Notice, Options, Remark, Said, Stage, TableInfo
from racko_core.view import Phase
from racko_net.protocol import (
    FromServer,
    Position,
    ProtocolError,
    Status,
    Tables,
    Welcome,
)
from racko_net.reasons import CANNOT_HOLD, Unfit, unfit
from racko_net.serverside.limits import MOST_TABLES
from racko_net.text import MAX_NAME, harmless

_MAX_LABEL: Final = 60
"""Characters of what a server is called, as `Server` itself has them."""
_MOST_BOTS: Final = 100
_MANY: Final = 10**9
"""More than anything that is counted in a game."""

_LONGEST_HEX: Final = 64
_MOST_CHAIRS: Final = 4

_Check = Callable[[Any, Rules], bool]


def unreadable(error: Exception) -> ProtocolError:
    """What is told of something that makes no sense."""
    return ProtocolError(
        N_("The server sent something that cannot be read ({reason})."), reason=unfit(error)
    )


def sound(message: FromServer) -> FromServer:
    """What a server says of itself and its tables, with harmless text and usable numbers."""
    match message:
        case Welcome():
            if message.rate <= 0.0 or message.burst < 1:
                raise Unfit(N_("a welcome says how fast one may ask"))
            if message.options is not None:
                _times(message.options)
            return replaced(
                message,
                server=_label(message.server),
                name=_label(message.name),
                player=harmless(message.player)[:MAX_NAME],
                bots=[harmless(level)[:MAX_NAME] for level in message.bots[:_MOST_BOTS]],
            )
        case Status():
            return replaced(message, server=_label(message.server), name=_label(message.name))
        case Tables():
            if not 0 <= message.total <= MOST_TABLES:
                raise Unfit(N_("a list without an end"))
            for each in message.tables:
                each.info = table(each.info)
    return message


def _label(text: str) -> str:
    return harmless(text)[:_MAX_LABEL]


def table(info: TableInfo) -> TableInfo:
    """The same with harmless text."""
    chairs = info.chairs
    _times(info.options, info.turn_ends, *(chair.away_since for chair in chairs))
    if len(chairs) != info.rules.players or info.owner not in (None, *range(len(chairs))):
        raise Unfit(N_("every player has a chair"))
    _look(info, ("game", "commitment"), info.rules, {})
    for chair in chairs:
        _look(chair, ("missed", "hints"), info.rules, {})
    return replace(
        info,
        name=harmless(info.name)[: 2 * _MAX_LABEL],
        chairs=tuple(
            replace(
                chair,
                name=harmless(chair.name)[:MAX_NAME],
                level=harmless(chair.level)[:MAX_NAME],
            )
            for chair in chairs
        ),
    )


def _times(options: Options, *more: float | None) -> None:
    times = (options.bot_pause, options.turn_limit, options.grace, options.deal_after, *more)
    if any(time is not None and not 0.0 <= time < _MANY**2 for time in times):
        raise Unfit(N_("a time is a number"))


def stands(info: TableInfo, seat: Seat | None, rules: Rules | None, where: Position | None) -> None:
    """Whether a table can stand so before `seat`, with this game in play or none."""
    if seat is not None and not 0 <= seat < len(info.chairs):
        raise Unfit(N_("there is no such seat"))
    if (where is None) != (info.stage is Stage.GATHERING):
        raise Unfit(N_("there is a game once it has been started"))
    if where is None:
        return
    if rules is None:
        raise Unfit(N_("a game without rules"))
    if rules.players != len(info.chairs):
        raise Unfit(N_("every player has a chair"))


def position(where: Position, rules: Rules, seat: Seat | None) -> None:
    """Whether a game of these rules can stand so before `seat`."""
    if not _seat(seat, rules):
        raise Unfit(N_("there is no such seat"))
    if (where.turn is None) != (where.phase is Phase.OVER):
        raise Unfit(N_("a game waits for somebody until it is over"))
    begun = where.round > 0
    if begun != bool(where.racks) or (where.phase is Phase.TURN and not where.discards):
        raise Unfit(N_("in a round there are cards"))
    if begun and seat is not None and where.racks[seat] is None:
        raise Unfit(N_("everyone sees their own rack"))
    _look(where, where.__struct_fields__, rules, {} if begun else {"racks": _none})
    for code in where.legal:
        actions.decode(code)


def event(news: Event, rules: Rules) -> None:
    """Whether this can happen in a game of these rules."""
    special = {"cards": _by_seat(_card)} if isinstance(news, DealerDrawn) else {}
    _look(news, news.__dataclass_fields__, rules, special)


def notices(told: Sequence[Notice], rules: Rules | None) -> None:
    """Whether all this can have happened at a table where a game of these rules is in play.

    Before a game that began meanwhile, another may have been played with other teams.
    """
    begun = sum(isinstance(notice.news, DealerDrawn) for notice in told)
    for notice in told:
        news = notice.news
        if not 0 < notice.seq < _MANY:
            raise Unfit(CANNOT_HOLD, field="seq")
        if isinstance(news, Remark | Said):
            if not _chair(news.seat):
                raise Unfit(N_("there is no such seat"))
            continue
        if rules is None:
            raise Unfit(N_("a game without rules"))
        begun -= isinstance(news, DealerDrawn)
        if begun > 0:
            _look(news, news.__dataclass_fields__, rules, _ANY_SIDES)
        else:
            event(news, rules)


def _look(thing: object, fields: Any, rules: Rules, special: dict[str, _Check]) -> None:
    for name in fields:
        check = special.get(name) or _CHECKS.get(name)
        if check is not None and not check(getattr(thing, name), rules):
            raise Unfit(CANNOT_HOLD, field=name)


def _chair(seat: Seat | None) -> bool:
    """Whether any table has such a chair; this one may have had more of them before."""
    return seat is None or 0 <= seat < _MOST_CHAIRS


def _seat(value: Any, rules: Rules) -> bool:
    return value is None or 0 <= value < rules.players


def _card(value: Any, rules: Rules) -> bool:
    return value is None or 1 <= value <= rules.cards


def _slot(value: Any, rules: Rules) -> bool:
    return value is None or 1 <= value <= SLOTS


def _none(value: Any, rules: Rules) -> bool:
    return len(value) == 0


def _count(value: Any, rules: Rules) -> bool:
    return bool(0 <= value < _MANY)


def _hex(value: Any, rules: Rules) -> bool:
    return len(value) <= _LONGEST_HEX and set(value) <= set("0123456789abcdef")


def _cards(value: Any, rules: Rules) -> bool:
    return len(value) <= rules.cards and all(_card(card, rules) for card in value)


def _rack(value: Any, rules: Rules) -> bool:
    return value is None or (len(value) == SLOTS and _cards(value, rules))


def _score(value: RackScore, rules: Rules) -> bool:
    return all(_count(part, rules) for part in (value.cards, value.run, value.bonus, value.points))


def _by_seat(check: _Check) -> _Check:
    def holds(value: Any, rules: Rules) -> bool:
        return len(value) == rules.players and all(check(each, rules) for each in value)

    return holds


def _by_side(value: Any, rules: Rules) -> bool:
    return len(value) == len(rules.sides) and all(_count(each, rules) for each in value)


def _by_any_side(value: Any, rules: Rules) -> bool:
    return 0 < len(value) <= rules.players and all(_count(each, rules) for each in value)


def _sides(value: Any, rules: Rules) -> bool:
    return bool(value) and all(0 <= side < len(rules.sides) for side in value)


_CHECKS: Final[dict[str, _Check]] = {
    "seat": _seat,
    "dealer": _seat,
    "turn": _seat,
    "went_out": _seat,
    "card": _card,
    "hand": _card,
    "discard": _card,
    "discarded": _card,
    "slot": _slot,
    "cards": _cards,
    "deck": _cards,
    "discards": _cards,
    "racks": _by_seat(_rack),
    "known": _by_seat(_rack),
    "last_slot": _by_seat(_slot),
    "turns": _by_seat(_count),
    "scores": _by_seat(_score),
    "totals": _by_side,
    "winners": _sides,
    "round": _count,
    "rounds": _count,
    "turnover": _count,
    "turnovers": _count,
    "draw_count": _count,
    "game": _count,
    "missed": _count,
    "hints": _count,
    "commitment": _hex,
    "salt": _hex,
}
"""By the name of the field, which means the same everywhere."""
_ANY_SIDES: Final[dict[str, _Check]] = {"totals": _by_any_side, "winners": _by_any_side}
