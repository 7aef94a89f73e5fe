"""What a client remembers of a table, so that small updates make whole views.

Sans-I/O: snapshots, pages and updates go in; notices and a `View` come out.
"""

from __future__ import annotations

from typing import Final

from racko_core import actions
from racko_core.errors import N_, RackoError
from racko_core.events import DealerDrawn, Event, GameEnded, RoundEnded, RoundStarted
from racko_core.rules import Rules, Seat
from racko_core.seating import Notice, Remark, Said, TableInfo
from racko_core.view import View
from racko_net.clientside import sense
from racko_net.codec import event_from_plain, notice_from_plain
from racko_net.protocol import Page, Position, Snapshot, Update
from racko_net.reasons import Unfit
from racko_net.sentence import Sentence

_SEAT: Final = N_("there is no such seat")
_MOST_PAGES: Final = 2000
_MOST_NOTICES: Final = 2000
"""Notices in updates that belong together: far more than a server keeps for who comes back."""


class Memory:
    """One table as its client knows it."""

    def __init__(self) -> None:
        self.seq = 0
        """Number of the last notice."""
        self.seat: Seat | None = None
        self.info: TableInfo | None = None
        """How the table stands; None before the first snapshot."""
        self.trouble: RackoError | None = None
        """What keeps the game from being saved."""
        self.helped: bool | None = None
        """Whether a bot may have done anything of what the seat does in the history; None if nobody
        knows.
        """
        self._pages = 0
        self._notices: list[Notice] = []
        self._position: Position | None = None
        self._rules: Rules | None = None
        self._opening: DealerDrawn | None = None
        self._sheet: list[RoundEnded] = []
        self._history: list[Event] = []
        self._result: GameEnded | None = None

    def take(self, message: Snapshot | Page | Update) -> tuple[Notice, ...] | None:
        """Take what the server says of the table; the notices in it, None if more will follow.

        Raises `ProtocolError` for what makes no sense.
        """
        try:
            if isinstance(message, Snapshot):
                return self._snapshot(message)
            if isinstance(message, Page):
                return self._page(message)
            return self._update(message)
        except (ValueError, RackoError) as error:
            raise sense.unreadable(error) from error

    def view(self) -> View | None:
        """How the game stands; None before the first one."""
        position, rules, opening = self._position, self._rules, self._opening
        if position is None or rules is None or opening is None:
            return None
        return View(
            rules=rules,
            seat=self.seat,
            round=position.round,
            dealer=position.dealer,
            turn=position.turn,
            phase=position.phase,
            hand=position.hand,
            racks=position.racks,
            discards=position.discards,
            draw_count=position.draw_count,
            turnovers=position.turnovers,
            known=position.known,
            last_slot=position.last_slot,
            turns=position.turns,
            totals=position.totals,
            legal=tuple([actions.decode(code) for code in position.legal]),
            commitment=position.commitment,
            history=tuple(self._history),
            sheet=tuple(self._sheet),
            opening=opening,
            result=self._result,
        )

    def _snapshot(self, message: Snapshot) -> tuple[Notice, ...] | None:
        info, rules = sense.table(message.info), message.rules
        opening = None
        if message.position is not None:
            opening = event_from_plain(message.opening)
            if rules is None or not isinstance(opening, DealerDrawn):
                raise Unfit(N_("a game without rules, or without a beginning"))
            sense.position(message.position, rules, message.seat)
            sense.event(opening, rules)
        if message.pages > _MOST_PAGES:
            raise Unfit(N_("a snapshot of too many pages"))
        if self.info is not None and (message.seat is None) != (self.seat is None):
            raise Unfit(_SEAT)
        sense.stands(info, message.seat, rules, message.position)
        self.seq = message.seq
        self.seat = message.seat
        self.info = info
        self.trouble = _error(message.trouble)
        self._notices = []
        self._position = message.position
        self._rules = rules
        self._sheet, self._history, self._result, self._opening = [], [], None, None
        if opening is not None:
            self._remember(opening)
        self.helped = message.helped
        self._pages = message.pages
        return None if self._pages else ()

    def _page(self, message: Page) -> tuple[Notice, ...] | None:
        if self._pages <= 0 or self._rules is None:
            raise Unfit(N_("a page without a snapshot"))
        for plain in message.sheet:
            event = event_from_plain(plain)
            if not isinstance(event, RoundEnded):
                raise Unfit(N_("a scorecard holds rounds that have ended"))
            sense.event(event, self._rules)
            self._sheet.append(event)
        for plain in message.history:
            event = event_from_plain(plain)
            sense.event(event, self._rules)
            self._history.append(event)
            if isinstance(event, GameEnded):
                self._result = event
        self._pages -= 1
        return None if self._pages else ()

    def _update(self, message: Update) -> tuple[Notice, ...] | None:
        if self.info is None:
            raise Unfit(N_("an update before the first snapshot"))
        self._notices += [notice_from_plain(plain) for plain in message.notices]
        if message.more:
            self.seq = message.seq
            if len(self._notices) > _MOST_NOTICES:
                raise Unfit(N_("an update without an end"))
            return None
        notices, self._notices = self._notices, []
        info = self.info if message.info is None else sense.table(message.info)
        rules = self._rules if message.rules is None else message.rules
        sense.notices(notices, rules)
        position = message.position or self._position
        if message.seat != self.seat and (
            None in (message.seat, self.seat) or position is not message.position
        ):
            raise Unfit(_SEAT)  # nobody begins or ceases to play, nor sees the rack of another
        if rules != self._rules and (
            message.position is None
            or not any(isinstance(notice.news, DealerDrawn) for notice in notices)
        ):
            raise Unfit(N_("a game without rules, or without a beginning"))
        sense.stands(info, message.seat, rules, position)
        if message.position is not None and rules is not None:
            sense.position(message.position, rules, message.seat)
        self._position = position
        self._look_who_plays(notices)
        self.seq = message.seq
        self.seat = message.seat
        self.info, self._rules = info, rules
        self.trouble = _error(message.trouble)
        for notice in notices:
            if not isinstance(notice.news, Remark | Said):
                self._remember(notice.news)
        return tuple(notices)

    def _look_who_plays(self, notices: list[Notice]) -> None:
        if self.seat is None or self.info is None:
            return
        relieved = self.info.chairs[self.seat].relieved
        for notice in notices:
            match notice.news:
                case Remark("relieved" | "back" as matter, self.seat):
                    relieved = matter == "relieved"
                    self.helped = relieved or self.helped
                case RoundStarted():
                    self.helped = relieved

    def _remember(self, event: Event) -> None:
        if isinstance(event, DealerDrawn):
            self._opening = event
            self._sheet, self._history, self._result = [], [], None
            return
        if isinstance(event, RoundStarted):
            self._history = []
        self._history.append(event)
        if isinstance(event, RoundEnded):
            self._sheet.append(event)
        elif isinstance(event, GameEnded):
            self._result = event


def _error(sentence: Sentence | None) -> RackoError | None:
    return None if sentence is None else sentence.error()
