"""The table: racks, piles, what is to be decided, and what has happened."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.types import CSSPathType

from racko_core.actions import Action
from racko_core.errors import RackoError
from racko_core.record import read
from racko_core.rules import Seat, Slot
from racko_core.seating import Do, Notice
from racko_core.view import Phase, View
from racko_net.session import Session, Update
from racko_tui import keys
from racko_tui.i18n import _, sentence
from racko_tui.screens.table_hints import Hinting
from racko_tui.screens.table_keys import TABLE_KEYS
from racko_tui.table import staging
from racko_tui.table.chronicle import Chronicle
from racko_tui.table.decision import CHOOSING, Decision, Held, NotNow, Step, Verb
from racko_tui.table.hint import hints_allowed
from racko_tui.table.motion import Flight, Landing, Motion, Traveller
from racko_tui.widgets.board import Board, Scene
from racko_tui.widgets.key_bar import KeyBar
from racko_tui.widgets.picture import Span
from racko_tui.widgets.piles import Piles
from racko_tui.widgets.rack import Rack

if TYPE_CHECKING:
    from racko_tui.tutor import Played

_log = logging.getLogger(__name__)


class TableScreen(Hinting):
    """One table, as a session shows it."""

    CSS_PATH: ClassVar[CSSPathType] = [
        "table.tcss",
        "../widgets/board.tcss",
        "../widgets/traveller.tcss",
    ]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = TABLE_KEYS
    IDLE = frozenset({"table.chat", "table.people"})  # nobody else has a screen here

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.info = session.info
        self.link = session.link
        self.decision = Decision()
        self.chronicle = Chronicle()
        self.me: Seat | None = None
        """The seat from which the table is seen; None for who only watches, and while friends at
        one keyboard change places."""
        self._names: dict[str, str] = {}  # of keys, by what they do
        self._known_keys: frozenset[str] = frozenset()
        self._asked: Verb | None = None  # what an answer is awaited to, in this moment
        self._since = 0.0  # when the player was asked what to do in it
        self._pressed = 0.0  # when the key was pressed that is being handled
        self._in_flight: frozenset[Landing] = frozenset()
        self._shown_round = (0, 0)  # game, and rounds of it whose end was shown
        self._between = False  # whether it is being shown
        self._rounds: list[View] = []  # of this game, each as it was seen at its end
        self._board = Board(session.info)
        self._travellers = Traveller(), Traveller()
        self._motion = Motion(self._travellers)

    # Laying out

    def compose(self) -> ComposeResult:  # noqa: D102
        yield self._board
        yield from self._travellers

    def on_mount(self) -> None:
        """Begin to listen to the table."""
        self._known_keys = frozenset(self.active_bindings)
        bound = keys.of_screen(type(self), self.racko.settings.keys)
        self._names = keys.short_names(bound, ascii_only=self.racko.ascii_only)
        self.set_interval(1.0, self._tick)
        self._follow()

    def on_resize(self) -> None:
        """Lay everything out anew."""
        self._motion.finish()
        self.call_after_refresh(self.paint)

    # Listening to the table

    @work(exit_on_error=False, group="follow")
    async def _follow(self) -> None:
        try:
            while not self.link.closed:
                update = await self.session.update()
                try:
                    await self.show(update)
                except Exception:
                    self._fault("an update could not be shown")
            self.workers.cancel_group(self, "between")
            self.end()
        except Exception:
            self._fault("the table cannot be followed any more")

    def _fault(self, what: str) -> None:
        if self.is_attached:  # else parts of the table are gone, or never came
            _log.exception(what)
            self.say(_("Something went wrong at this table; leave it and continue."), "warning")

    async def show(self, update: Update) -> None:
        """Show what an update tells."""
        self.info, self.link = update.info, update.link
        paused = Held.PAUSED if self.info.paused else None
        held = paused if self.link.up else Held.LOST
        if held is not self.decision.held:
            self.word = None  # no word hides why, or tells of keys that do something else now
        self.decision.held = held
        seats = self.session.seats
        self.decision.watching = not seats
        friends = len(seats) > 1
        if not friends:
            self.me = seats[0] if seats else None
        elif self.me not in seats:
            self.me = None
        seen = update.seen[self.me if self.me in update.seen else next(iter(update.seen))]
        view = seen.view
        between = view is None or view.phase in (Phase.DEAL, Phase.OVER)
        if friends and between:
            self.me = None
        last = self.chronicle.lines[-1:]
        self.chronicle.follow(update, seen, self.me, shared=friends)
        if self.chronicle.lines[-1:] != last:
            self.outdate()
        turn = None if view is None or between else view.turn
        if friends and turn in seats and turn != self.me:
            if self.me is not None:
                await self._stand(view, seen.notices)
            assert turn is not None
            await self._hand_over(turn, view)
            self.me = turn
            view = update.seen[turn].view
            await self._stand(view, ())
        else:
            await self._stand(view, () if update.caught_up else seen.notices)
        if view is None:
            return
        if between:
            self._after_round(view)
        elif self._between:
            self.workers.cancel_group(self, "between")  # the others did not wait any longer
            self._between = False
            self.uncover()

    async def _stand(self, view: View | None, notices: Sequence[Notice]) -> None:
        """The game stands like this now; the cards get there by the way they took."""
        if view is not None and self.me is None and self.session.seats:
            view = staging.veiled(view)
        mine_before, waited = self._my_turn, self.decision.step is Step.WAIT
        flights: list[tuple[Flight, Landing]] = []
        if self._moves:
            for notice in notices:
                flights += self._board.flights(notice.news, self.me)
        new = self.decision.show(view)
        if new:
            self.hint = None
            # What was said since the key that brought this about, or while one waits, is not over.
            waits = waited and self.decision.step is Step.WAIT
            if self._asked is None and not waits:
                self.word = None
            self._asked = None
            if self._my_turn and not mine_before and self.racko.settings.bell:
                self.app.bell()
        if flights:
            self._in_flight = frozenset(landing for _flight, landing in flights)
            self.paint()
            try:
                await self._motion.play([flight for flight, _landing in flights])
            finally:
                self._in_flight = frozenset()
        if new:
            self._since = monotonic()
        self.paint()

    @property
    def _my_turn(self) -> bool:
        return self.decision.view is not None and self.decision.view.my_turn

    async def _hand_over(self, turn: Seat, view: View | None) -> None:
        from racko_tui.screens.handover import HandOverScreen

        self.me = None
        await self._stand(view, ())
        name = self.info.chairs[turn].name
        await self.app.push_screen_wait(HandOverScreen(name, self.action_leave, self.action_help))

    def _after_round(self, view: View) -> None:
        this_round = (self.info.game, len(view.sheet))
        if view.sheet and self._shown_round != this_round:
            if self._shown_round[0] != self.info.game:
                self._rounds.clear()
            self._rounds.append(view)
            self._shown_round = this_round
            self._between = True
            self._close_round(view)

    @work(exit_on_error=False, exclusive=True, group="between")
    async def _close_round(self, view: View) -> None:
        """Show how the round and perhaps the game ended, then say that we are ready."""
        from racko_tui.screens.round_end import RoundEndScreen

        await self.app.push_screen_wait(RoundEndScreen(view, self.info, self.session.seats))
        if view.phase is Phase.OVER:
            from racko_tui.screens.game_over import GameOverScreen

            record = self.session.record()
            after = GameOverScreen(view, self.info, self._played(record), record)
            if await self.app.push_screen_wait(after) == "home":
                await self.go_home()
                return
        self._between = False
        try:
            await self.session.ready()
        except RackoError as trouble:
            self.say(sentence(trouble), "warning")

    def _played(self, record: str | None) -> Played:
        """What can be judged of the game: all of it, or the rounds that were seen to their end."""
        from racko_tui.tutor import Played

        if record is not None:
            return Played.in_record(read(record))
        seats = self.session.seats
        names = [chair.name for chair in self.info.chairs]
        return Played.seen(self._rounds, names, seats[0] if len(seats) == 1 else None)

    async def go_home(self) -> None:
        """Leave after the game."""
        self.dismiss()

    # Motion

    @property
    def _moves(self) -> bool:
        return self.racko.motion_allowed and self.app.screen is self and self.is_mounted

    def on_key(self, event: events.Key) -> None:
        """Remember when a key was pressed, and let no motion keep it waiting."""
        self._pressed = event.time
        self._motion.finish()
        if self.chronicle.pinned:
            self.chronicle.pinned.clear()
            self.paint()
        if self.focused is None and event.key not in self._known_keys:
            self.say(
                _("{key} does nothing here; {help} shows the keys.").format(
                    key=keys.shown(event.key),
                    help=self._names["help"],
                ),
                "warning",
            )

    # What keys do

    def action_do(self, verb: Verb) -> None:
        """Do what the game allows, or say why it does not."""
        if self._asked == verb and self.decision.held is None:
            return  # the answer to the same key is on its way
        if self.too_early(chooses=verb == "put_back"):
            return
        try:
            action = self.decision.do(verb)
        except NotNow as why:
            self.say(sentence(why), "warning")
            return
        self.word = None
        if verb == "take":
            self.follow_hint()
        if action is not None:
            self._asked = verb
            self._ask(action)
        self.paint()

    def too_early(self, *, chooses: bool = False) -> bool:
        """Whether the key was pressed before one could see what it means now; says so if it was.

        `chooses`: whether it only chooses, which holds until the moment is another.
        """
        if self.decision.held is not None:
            return False  # nothing is about to change, and keys only say why
        early = self._asked is not None
        if not chooses:
            early = early or bool(self._in_flight) or self._pressed < self._since
        if early:
            self.say(_("That key came before its time; look again, then press it."), "warning")
        return early

    @work(exit_on_error=False, group="ask")
    async def _ask(self, action: Action) -> None:
        assert self.me is not None
        try:
            await self.session.ask(Do(self.me, action))
        except RackoError as refused:
            self._asked = None
            self.say(sentence(refused), "warning")

    def action_move(self, by: int) -> None:
        """Choose a slot near the one chosen."""
        self._choose(lambda: self.decision.move(by))

    def action_slot(self, slot: Slot) -> None:
        """Choose a slot; put the card there at once if the player wants it so."""
        self._choose(lambda: self.decision.choose(slot))
        if self.racko.settings.digits_act and self.decision.step in CHOOSING:
            self.action_do("place")

    def _choose(self, choose: Callable[[], None]) -> None:
        if self.too_early(chooses=True):
            return
        try:
            choose()
        except NotNow as why:
            self.say(sentence(why), "warning")
            return
        if self.word and self.word[1] == "warning":
            self.word = None
        self.paint()

    def action_scores(self) -> None:
        """Show the scorecard."""
        from racko_tui.screens.scorecard import ScorecardScreen

        if self.decision.view is not None:
            self.app.push_screen(ScorecardScreen(self.decision.view, self.info))

    def action_log(self) -> None:
        """Show everything that happened."""
        from racko_tui.screens.log import LogScreen

        self.app.push_screen(LogScreen(self.chronicle.lines))

    def action_help(self) -> None:
        """Show keys and rules."""
        from racko_tui.screens.help import HelpScreen

        rules = staging.rules_shown(self.decision.view, self.info)
        self.app.push_screen(HelpScreen(self, rules, self.figures()))

    def action_chat(self) -> None:
        """Talk to nobody: a table of this terminal alone has no line for it."""
        self.say(_("Nobody else reads a screen of their own at this table."), "warning")

    action_people = action_chat

    @work(exit_on_error=False, group="leave", exclusive=True)
    async def action_leave(self) -> None:
        """Leave, if that was meant."""
        await self.leave()

    async def leave(self) -> None:
        """Ask, then leave."""
        from racko_tui.screens.leave import LeaveScreen

        if await self.app.push_screen_wait(LeaveScreen(self.session.link.kept)):
            self.end()

    # The mouse

    def on_rack_picked(self, picked: Rack.Picked) -> None:
        """A click chooses a slot; another click on it is like Enter."""
        self._pressed = monotonic()
        if picked.again and picked.slot == self.decision.slot and self.decision.step in CHOOSING:
            self.action_do("place")
        else:
            self._choose(lambda: self.decision.choose(picked.slot))

    def on_piles_picked(self, picked: Piles.Picked) -> None:
        """A click on a pile draws or takes; it never throws a card away."""
        self._pressed = monotonic()
        match picked.place:
            case "draw":
                self.action_do("draw")
            case "discard" if self.decision.step is Step.DRAWN:
                self.say(
                    _("To discard the card, press {key}.").format(key=self._names["discard"]),
                    "warning",
                )
            case "discard":
                self.action_do("take")

    async def on_key_bar_pressed(self, pressed: KeyBar.Pressed) -> None:
        """A click on a key is like the key."""
        self._pressed = monotonic()
        await self.run_action(pressed.action)

    # Painting

    def _tick(self) -> None:
        if self.info.turn_ends is not None:
            self.paint()

    def paint(self) -> None:
        """Show how things stand."""
        if not self._board.is_mounted:
            return
        link, info = self.link, self.info
        trouble = (sentence(link.trouble), "warning") if link.trouble else None
        left = None if info.turn_ends is None else max(0, info.turn_ends - self.session.clock())
        self._board.show(
            Scene(
                info=info,
                view=self.decision.view,
                decision=self.decision,
                first=next((s for s in (self.me, *self.session.seats) if s is not None), None),
                log=self.chronicle.lines,
                pinned=self.chronicle.pinned,
                word=self.word or trouble,
                key_names=self._names,
                hint=None if self.decision.held else self.hint,
                hints=hints_allowed(info, self.session.seats),
                in_flight=self._in_flight,
                left=left,
                memory_aid=self.racko.settings.memory_aid,
                connected=link.up,
                people=self.people(),
            )
        )

    def people(self) -> Sequence[Span] | None:
        """What there is to know about the others; None where there are none."""
        return None
