"""The log of a table: one line for each thing that happened, as one player may know it."""

from __future__ import annotations

from typing import get_args

from racko_core.events import Discarded, Drew, Placed, seen_by
from racko_core.rules import Seat
from racko_core.seating import Failing, News, Remark, Said
from racko_net.session import Seen, Update
from racko_tui.table.narration import Narrator
from racko_tui.table.staging import rules_shown


class Chronicle:
    """Lines of the log, the oldest first."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pinned: list[str] = []
        """Those of them that are not to scroll away before the player has pressed a key."""
        self._last: News | None = None
        self._seq = 0  # of the last notice
        self._relieved = False  # whether a bot plays for the reader

    def follow(self, update: Update, seen: Seen, me: Seat | None, *, shared: bool) -> None:
        """Write down what an update tells of; friends who share a keyboard read what everybody may
        know.
        """
        view, info, notices = seen.view, update.info, seen.notices
        news = [notice.news for notice in notices]
        narrator = Narrator(
            [chair.name for chair in info.chairs],
            rules_shown(view, info),
            None if shared else me,
            update.failure,
            relieved=self._relieved,
        )
        complete = bool(notices) and notices[0].seq == self._seq + 1
        if view is not None and (not self.lines or (update.caught_up and not complete)):
            opening: list[News] = [view.opening] if not view.round else []
            news = [*opening, *view.history, *(item for item in news if isinstance(item, Said))]
            self.begin_again()
            if update.caught_up and update.helped:  # who knows whether it was the player
                narrator.me = None
        for item in news:
            known = item if isinstance(item, Remark | Said) or not shared else seen_by(item, None)
            self.add(known, narrator)
        self._seq = notices[-1].seq if notices else self._seq
        self._relieved = me is not None and info.chairs[me].relieved

    def add(self, news: News, narrator: Narrator) -> None:
        """Write down what happened. The end of a turn takes the place of its beginning."""
        text = narrator.tell(news)
        if text is None:
            return
        before, self._last = self._last, news
        if (
            isinstance(before, Drew)
            and isinstance(news, Placed | Discarded)
            and news.seat == before.seat
        ):
            self.lines.pop()
        self.lines.append(text)
        if isinstance(news, Remark) and news.matter in get_args(Failing):
            self.pinned.append(text)

    def pin(self, text: str) -> None:
        """Write down what is to be read now, among what happened."""
        self._last = None
        self.lines.append(text)
        self.pinned.append(text)

    def begin_again(self) -> None:
        """Forget everything that may have been read: what comes next is told from its start."""
        self.lines[:] = self.pinned
        self._last = None
