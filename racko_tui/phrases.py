"""Short phrases about games, tables and times, in the language spoken."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from racko_core.rules import Rules
from racko_core.seating import TableInfo
from racko_tui.i18n import _, ngettext
from racko_tui.words import players_in_words


def side_names(names: Sequence[str], rules: Rules) -> list[str]:
    """Who scores together, by side: the players, or `Ana & Cy` for a team."""
    return [" & ".join(names[seat] for seat in side) for side in rules.sides]


def table_name(info: TableInfo) -> str:
    """What a table is called: as its maker chose, else after whoever runs it."""
    if info.name or info.owner is None:
        return info.name or _("A table")
    return _("{name}'s table").format(name=info.chairs[info.owner].name)


def score_line(names: Sequence[str], totals: Sequence[int], rules: Rules) -> str:
    """`Ana 120, Bo 95`."""
    sides = side_names(names, rules)
    return ", ".join(f"{name} {total}" for name, total in zip(sides, totals, strict=True))


def when(then: float, now: float) -> str:
    """How long ago something was, as one says it; times in seconds since 1970."""
    seconds = max(0.0, now - then)
    minutes = int(seconds // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("{count} minute ago", "{count} minutes ago", minutes).format(count=minutes)
    hours = minutes // 60
    if hours < 24:
        return ngettext("{count} hour ago", "{count} hours ago", hours).format(count=hours)
    days = hours // 24
    if days < 30:
        return ngettext("{count} day ago", "{count} days ago", days).format(count=days)
    return datetime.fromtimestamp(then).strftime("%Y-%m-%d")


def trying() -> str:
    """What is said while programs are tried."""
    return _("Trying whether the program answers…")


def round_line(number: int) -> str:
    """How far a game is; rounds count from 1."""
    return _("round {number}").format(number=number) if number else _("before the first deal")


def saved_line(
    names: Sequence[str], number: int, totals: Sequence[int], rules: Rules, ago: str
) -> str:
    """What would be continued, in one line."""
    where = round_line(number)
    if any(totals):
        return f"{score_line(names, totals, rules)} · {where} · {ago}"
    return f"{players_in_words(list(names))} · {where} · {ago}"
