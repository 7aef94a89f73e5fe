"""What a server says of a table: updates, the tail that somebody missed, and snapshots.

Everything is made from `Table.view` and `Table.seen`, which know what a seat may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from racko_core.events import DealerDrawn
from racko_core.rules import Seat
from racko_core.seating import Notice, TableInfo
from racko_core.table import Table
from racko_net.codec import event_to_plain, notice_to_plain, position_of
from racko_net.protocol import FromServer, Page, Snapshot, Update
from racko_net.sentence import Sentence

PART: Final = 32 * 1024
"""Bytes of notices, or events, in one message: half a frame. The rest of it takes a few thousand:
how the table stands and where the cards lie.
"""


def update(
    table: Table,
    seat: Seat | None,
    notices: Sequence[Notice] = (),
    *,
    info: TableInfo | None,
    played: bool = True,
    trouble: Sentence | None = None,
) -> Update:
    """What happened as `seat` (None: a spectator) may know it; with the position if `played`."""
    view = table.view(seat) if played else None
    begun = any(isinstance(notice.news, DealerDrawn) for notice in notices)
    return Update(
        seq=table.seq,
        seat=seat,
        notices=[notice_to_plain(notice) for notice in table.seen(notices, seat)],
        info=info,
        position=None if view is None else position_of(view),
        rules=table.game.rules if begun and table.game else None,
        trouble=trouble,
    )


def missing(
    table: Table, seat: Seat | None, notices: Sequence[Notice], trouble: Sentence | None
) -> list[FromServer]:
    """The notices that somebody missed, and how things stand after them."""
    plain = [notice_to_plain(notice) for notice in table.seen(notices, seat)]
    *parts, rest = _parts(plain) or [[]]
    last = update(table, seat, info=table.info, trouble=trouble)
    last.notices = rest
    last.rules = table.game.rules if table.game else None
    return [*(Update(part[-1]["seq"], seat, part, more=True) for part in parts), last]


def snapshot(
    table: Table, seat: Seat | None, trouble: Sentence | None, *, helped: bool = False
) -> list[FromServer]:
    """How everything stands. `helped`: whether a bot has played for the seat in this round."""
    first = Snapshot(seq=table.seq, info=table.info, seat=seat, trouble=trouble)
    view = table.view(seat)
    if view is None:
        return [first]
    first.position = position_of(view)
    first.rules = view.rules
    first.opening = event_to_plain(view.opening)
    first.helped = None if seat is None else helped
    sheet = [event_to_plain(event) for event in view.sheet]
    history = [event_to_plain(event) for event in view.history]
    pages = [
        *(Page(sheet=part) for part in _parts(sheet)),
        *(Page(history=part) for part in _parts(history)),
    ]
    first.pages = len(pages)
    return [first, *pages]


def _parts(plain: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The same in order, in parts that fit into frames: what people say may be long, and each
    letter take four bytes.
    """
    parts: list[list[dict[str, Any]]] = []
    room = 0
    for each in plain:
        size = len(msgspec.msgpack.encode(each))
        if size > room:
            parts.append([])
            room = PART
        parts[-1].append(each)
        room -= size
    return parts
