"""The part of the table screen that asks the coach."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events, work

from racko_core.errors import RackoError
from racko_core.seating import Hint, TableInfo
from racko_net.session import Session
from racko_tui.coaching import figures_in_words
from racko_tui.i18n import _, sentence
from racko_tui.screens.table_words import Speaking
from racko_tui.table.decision import CHOOSING, WHILE_HELD, Decision, Step
from racko_tui.table.hint import Hinted, hinted, hints_allowed

_log = logging.getLogger(__name__)

_PATIENCE: Final = 0.3
"""Seconds after which a player who waits for a hint is told that it comes."""


class Hinting(Speaking):
    """Shows hints until the game goes on."""

    if TYPE_CHECKING:  # what the table screen has besides
        info: TableInfo
        session: Session
        decision: Decision
        too_early: Callable[[], bool]
        _since: float

    hint: Hinted | None = None
    """The hint for this moment, if one was asked for."""

    def figures(self) -> list[str]:
        """What the figures of a hint are, where there are hints."""
        return [figures_in_words()] if hints_allowed(self.info, self.session.seats) else []

    def action_hint(self) -> None:
        """Ask what the best player would do."""
        view = self.decision.view
        if not hints_allowed(self.info, self.session.seats):
            self.say(_("No hints here: people play against each other at this table."), "warning")
        elif self.decision.held is not None:
            self.say(_(WHILE_HELD[self.decision.held]), "warning")
        elif self.too_early():
            pass
        elif view is None or not view.my_turn or self.decision.step is Step.BETWEEN:
            self.say(_("A hint comes when it is your turn."), "warning")
        elif self.hint is None:
            self._ask_coach()
        else:  # a word to the player stands before it
            self.word = None
            self.follow_hint()
            self.paint()

    def on_key(self, event: events.Key) -> None:
        """Let the key for placing take the discard only while that is the next thing done."""
        if self.decision.offer is not None:
            bound = self.active_bindings.get(event.key)
            if bound is None or bound.binding.id != "table.place":
                self.decision.offer = None
                self.paint()

    def follow_hint(self) -> None:
        """Let the key for placing do what the hint says of a card and a slot, unless the player
        has chosen one.
        """
        decision, hint = self.decision, self.hint
        if hint is None or not hint.slot or decision.slot is not None:
            return
        if decision.step in CHOOSING:
            decision.choose(hint.slot)
        elif decision.step is Step.TURN:
            decision.offer = hint.slot

    @work(exit_on_error=False, exclusive=True, group="hint")
    async def _ask_coach(self) -> None:
        """Show what the coach says, and have it counted, unless the game has gone on meanwhile."""
        view, moment = self.decision.view, self.decision.moment
        assert view is not None
        slow = self.set_timer(_PATIENCE, lambda: self.say(_("The coach looks at it…"), "quiet"))
        try:
            advice = await self.racko.tutor.advise(view)
            if self.decision.moment == moment and view.seat is not None:
                await self.session.ask(Hint(view.seat))
            if self.decision.moment == moment:
                self.hint, self.word = hinted(view, advice), None
                self.follow_hint()
                self._since = monotonic()  # no key pressed before it was shown does what it says
        except RackoError as refused:
            self.say(sentence(refused), "warning")
        except Exception:
            _log.exception("the coach has failed")
            self.say(_("The coach has no answer here; play on without it."), "warning")
        finally:
            slow.stop()
        self.paint()
