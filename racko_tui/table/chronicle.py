"""The log of a table: one line for each thing that happened, as one player may know it."""

from __future__ import annotations

from racko_core.events import Discarded, Drew, Placed
from racko_core.seating import News
from racko_tui.table.narration import Narrator


class Chronicle:
    """Lines of the log, the oldest first."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._last: News | None = None

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

    def begin_again(self) -> None:
        """Forget everything: what comes next is told from its start."""
        self.lines.clear()
        self._last = None
