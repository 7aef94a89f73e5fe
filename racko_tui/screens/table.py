"""The table: racks, piles, what is to be decided, and what has happened."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from racko_core.actions import Action, Place, Take
from racko_core.bots import bot, decide_safely
from racko_core.errors import N_, RackoError
from racko_core.events import Discarded, Drew, Placed, seen_by
from racko_core.rules import SLOTS, Seat, Slot
from racko_core.seating import Do, News, Notice, Remark, Said
from racko_core.view import Phase, View
from racko_net.session import Session, Update
from racko_tui import staging
from racko_tui.chronicle import Chronicle
from racko_tui.decision import CHOOSING, Decision, NotNow, Step, Verb
from racko_tui.i18n import _, sentence
from racko_tui.motion import Flight, Landing, Motion, Traveller
from racko_tui.narration import Narrator, advice
from racko_tui.screens.base import RackoScreen
from racko_tui.widgets.heading import Heading
from racko_tui.widgets.key_bar import KeyBar
from racko_tui.widgets.picture import Span
from racko_tui.widgets.piles import Piles
from racko_tui.widgets.rack import Rack
from racko_tui.widgets.sheet import Sheet, SheetState
from racko_tui.widgets.speech import Told, Words

_log = logging.getLogger(__name__)


def _acts(name: str, key: str, action: str, word: str, tooltip: str) -> Binding:
    return Binding(key, action, word, show=False, tooltip=tooltip, id=f"table.{name}")


class TableScreen(RackoScreen[None]):
    """One table, as a session shows it."""

    CSS_PATH: ClassVar[list[str]] = [
        "table.tcss",
        "../widgets/picture.tcss",
        "../widgets/traveller.tcss",
    ]
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [
        (0, "-narrow"),
        (80, "-normal"),
        (120, "-wide"),
    ]
    VERTICAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [
        (0, "-low"),
        (40, "-tall"),
        (52, "-high"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        _acts("draw", "d", "do('draw')", N_("draw"), N_("Draw the top card of the draw pile.")),
        _acts("take", "t", "do('take')", N_("take"), N_("Take the top card of the discard pile.")),
        _acts("place", "enter", "do('place')", N_("place"), N_("Put the card into the slot.")),
        _acts("back", "escape", "do('put_back')", N_("put back"), N_("Put the discard back.")),
        _acts("discard", "x", "do('discard')", N_("discard"), N_("Discard the drawn card.")),
        _acts("out", "g", "do('go_out')", N_("go out"), N_("End the round with RACK-O.")),
        _acts("on", "p", "do('play_on')", N_("play on"), N_("Keep RACK-O and play on.")),
        _acts("up", "up,k", "move(1)", N_("further back"), N_("Choose the slot behind.")),
        _acts("down", "down,j", "move(-1)", N_("further front"), N_("Choose the slot in front.")),
        *(
            _acts(
                f"slot-{slot}",
                str(slot % SLOTS),
                f"slot({slot})",
                N_("slot"),
                N_("Choose the slot with this number, counted from the front."),
            )
            for slot in range(1, SLOTS + 1)
        ),
        _acts("hint", "h", "hint", N_("hint"), N_("Ask what a good player would do.")),
        _acts("scores", "s", "scores", N_("scores"), N_("Look at the scorecard.")),
        _acts("log", "l", "log", N_("log"), N_("Read everything that happened.")),
        _acts("help", "question_mark", "help", N_("help"), N_("Keys and rules.")),
        _acts("leave", "q", "leave", N_("leave"), N_("Leave the table; you are asked first.")),
    ]

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
        self._word: Span | None = None
        self._hint: Slot | None = None
        self._names: dict[str, str] = {}  # of keys, by what they do
        self._known_keys: frozenset[str] = frozenset()
        self._asked: object = None  # the moment for which an answer is awaited
        self._since = 0.0  # when this moment was shown
        self._pressed = 0.0  # when the key was pressed that is being handled
        self._hurried = False  # whether that key ended a motion
        self._in_flight: frozenset[Landing] = frozenset()
        self._shown_round = (0, 0)  # game, and rounds of it whose end was shown
        travellers = Traveller(), Traveller()
        self._travellers = travellers
        self._motion = Motion(travellers)

    # Laying out

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Heading(id="heading")
        with Horizontal(id="room"):
            with Vertical(id="main"):
                with Horizontal(id="racks"):
                    for place in range(len(self.info.chairs)):
                        yield Rack(id=f"rack-{place}", classes="other" if place else "mine")
                with Horizontal(id="middle"):
                    yield Piles(id="piles")
                    yield Words(id="decision")
                yield Told(id="told")
            with Vertical(id="side"):
                yield Sheet(id="card")
        yield KeyBar(id="keys")
        yield from self._travellers

    def on_mount(self) -> None:
        """Begin to listen to the table."""
        self.add_class(f"-players-{len(self.info.chairs)}")
        self._known_keys = frozenset(self.active_bindings)
        self._names = self._key_names()
        self.set_interval(1.0, self._tick)
        self._follow()

    def _key_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for active in self.active_bindings.values():
            name = (active.binding.id or "").removeprefix("table.")
            names.setdefault(name, self.app.get_key_display(active.binding))
        return names

    # Listening to the table

    @work(exit_on_error=False, group="follow")
    async def _follow(self) -> None:
        try:
            while True:
                await self._show(await self.session.update())
        except Exception:
            _log.exception("the table cannot be followed any more")
            self._say(_("Something went wrong at this table; leave it and continue."), "warning")

    async def _show(self, update: Update) -> None:
        self.info, self.link = update.info, update.link
        seats = self.session.seats
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
        self._write_down([notice.news for notice in seen.notices], view, update.caught_up)
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
        if view is not None and between:
            await self._after_round(view)

    def _write_down(self, news: Sequence[News], view: View | None, afresh: bool) -> None:
        """Put it into the log; friends who share a keyboard read what everybody may know."""
        shared = len(self.session.seats) > 1
        names = [chair.name for chair in self.info.chairs]
        narrator = Narrator(names, self.info.rules, None if shared else self.me)
        if view is not None and (afresh or not self.chronicle.lines):
            opening: list[News] = [view.opening] if not view.round else []
            news = [*opening, *view.history]
            self.chronicle.lines.clear()
        for item in news:
            if shared and not isinstance(item, Remark | Said):
                item = seen_by(item, None)
            self.chronicle.add(item, narrator)

    async def _stand(self, view: View | None, notices: Sequence[Notice]) -> None:
        """The game stands like this now; the cards get there by the way they took."""
        if view is not None and self.me is None:
            view = staging.veiled(view)
        mine_before = self._my_turn
        flights: list[tuple[Flight, Landing]] = []
        if self._moves:
            for notice in notices:
                flights += self._flights(notice.news)
        if self.decision.show(view):
            self._since = monotonic()
            self._hint = None
            self._word = None
            if self._my_turn and not mine_before and self.racko.settings.bell:
                self.app.bell()
        if self._asked != self.decision.moment:
            self._asked = None
        if flights:
            self._in_flight = frozenset(landing for _flight, landing in flights)
            self._paint()
            await self._motion.play([flight for flight, _landing in flights])
            self._in_flight = frozenset()
        self._paint()

    @property
    def _my_turn(self) -> bool:
        return self.decision.view is not None and self.decision.view.my_turn

    async def _hand_over(self, turn: Seat, view: View | None) -> None:
        from racko_tui.screens.handover import HandOverScreen

        self.me = None
        await self._stand(view, ())
        await self.app.push_screen_wait(HandOverScreen(self.info.chairs[turn].name))

    async def _after_round(self, view: View) -> None:
        """Show how the round and perhaps the game ended, then say that we are ready."""
        this_round = (self.info.game, len(view.sheet))
        if not view.sheet or self._shown_round == this_round:
            return
        self._shown_round = this_round
        from racko_tui.screens.round_end import RoundEndScreen

        await self.app.push_screen_wait(RoundEndScreen(view, self.info, self.session.seats))
        if view.phase is Phase.OVER:
            from racko_tui.screens.game_over import GameOverScreen

            if await self.app.push_screen_wait(GameOverScreen(view, self.info)) == "home":
                self.dismiss()
                return
        try:
            await self.session.ready()
        except RackoError as trouble:
            self._say(sentence(trouble), "warning")

    # Motion

    @property
    def _moves(self) -> bool:
        return self.racko.motion_allowed and self.app.screen is self and self.is_mounted

    def _flights(self, news: News) -> list[tuple[Flight, Landing]]:
        piles = self.query_one(Piles)
        hand, discard = piles.where("hand"), piles.where("discard")
        match news:
            case Drew(seat, card):
                shown = card if seat == self.me else None
                return [(Flight(piles.where("draw"), hand, shown), ("hand", None))]
            case Discarded(_, card):
                return [(Flight(hand, discard, card), ("discard", None))]
            case Placed(seat, slot, card, source, out):
                rack = self._rack_of(seat)
                start = discard if source == "discard" and seat != self.me else hand
                shown = card if source == "discard" or seat == self.me else None
                return [
                    (Flight(start, rack.where(slot, shown), shown), (seat, slot)),
                    (Flight(rack.where(slot, out), discard, out), ("discard", None)),
                ]
        return []

    def on_key(self, event: events.Key) -> None:
        """Remember when a key was pressed, and let no motion keep it waiting."""
        self._pressed = event.time
        self._hurried = self._motion.running
        self._motion.finish()
        if event.key not in self._known_keys:
            self._say(
                _("{key} does nothing here; {help} shows the keys.").format(
                    key=event.character if event.is_printable else event.key,
                    help=self._names["help"],
                ),
                "warning",
            )

    # What keys do

    def action_do(self, verb: Verb) -> None:
        """Do what the game allows, or say why it does not."""
        decision = self.decision
        if self._asked is not None and self._asked == decision.moment:
            return  # the answer to the key before is on its way
        if verb != "put_back" and (self._hurried or self._pressed < self._since):
            self._hurried = False
            return  # pressed before this moment was on the screen: it meant another one
        try:
            action = decision.do(verb)
        except NotNow as why:
            self._say(sentence(why), "warning")
            return
        self._word = None
        if action is not None:
            self._ask(action)
        self._paint()

    @work(exit_on_error=False, group="ask")
    async def _ask(self, action: Action) -> None:
        assert self.me is not None
        self._asked = self.decision.moment
        try:
            await self.session.ask(Do(self.me, action))
        except RackoError as refused:
            self._asked = None
            self._say(sentence(refused), "warning")

    def action_move(self, by: int) -> None:
        """Choose a slot near the one chosen."""
        self._choose(lambda: self.decision.move(by))

    def action_slot(self, slot: Slot) -> None:
        """Choose a slot; put the card there at once if the player wants it so."""
        self._choose(lambda: self.decision.choose(slot))
        if self.racko.settings.digits_act and self.decision.step in CHOOSING:
            self.action_do("place")

    def _choose(self, choose: Callable[[], None]) -> None:
        try:
            choose()
        except NotNow as why:
            self._say(sentence(why), "warning")
            return
        if self._word and self._word[1] == "warning":
            self._word = None
        self._paint()

    def action_hint(self) -> None:
        """Ask what a good player would do."""
        view = self.decision.view
        if view is None or not view.my_turn or self.decision.step is Step.BETWEEN:
            self._say(_("A hint comes when it is your turn."), "warning")
            return
        action = decide_safely(bot("solid"), view)
        self._hint = action.slot if isinstance(action, Take | Place) else None
        self._say(advice(view, action), "accent")

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

        self.app.push_screen(HelpScreen(self, self.info.rules))

    @work(exit_on_error=False, group="leave")
    async def action_leave(self) -> None:
        """Leave, if that was meant."""
        from racko_tui.screens.leave import LeaveScreen

        if await self.app.push_screen_wait(LeaveScreen()):
            self.dismiss()

    # The mouse

    def on_rack_picked(self, picked: Rack.Picked) -> None:
        """A click chooses a slot; another click on it is like Enter."""
        self._pressed, self._hurried = monotonic(), False
        if picked.again and picked.slot == self.decision.slot and self.decision.step in CHOOSING:
            self.action_do("place")
        else:
            self._choose(lambda: self.decision.choose(picked.slot))

    def on_piles_picked(self, picked: Piles.Picked) -> None:
        """A click on a pile draws or takes; it never throws a card away."""
        self._pressed, self._hurried = monotonic(), False
        match picked.place:
            case "draw":
                self.action_do("draw")
            case "discard" if self.decision.step is Step.DRAWN:
                self._say(
                    _("To discard the card, press {key}.").format(key=self._names["discard"]),
                    "warning",
                )
            case "discard":
                self.action_do("take")

    async def on_key_bar_pressed(self, pressed: KeyBar.Pressed) -> None:
        """A click on a key is like the key."""
        self._pressed, self._hurried = monotonic(), False
        await self.run_action(pressed.action)

    # Painting

    def _say(self, text: str, style: str) -> None:
        self._word = (text, style)
        self._paint()

    def _tick(self) -> None:
        if self.info.turn_ends is not None:
            self._paint()

    def _rack_of(self, seat: Seat) -> Rack:
        anchor = self._anchor
        place = (seat - anchor) % len(self.info.chairs)
        return self.query_one(f"#rack-{place}", Rack)

    @property
    def _anchor(self) -> Seat:
        """The seat whose rack stands first."""
        if self.me is not None:
            return self.me
        return self.session.seats[0] if self.session.seats else 0

    def _paint(self) -> None:
        """Bring every part up to date; each repaints only what has changed."""
        if not self.is_mounted:
            return
        view, decision, info = self.decision.view, self.decision, self.info
        if view is None:
            return
        glyphs = self.query_one(KeyBar).glyphs
        for seat in range(len(info.chairs)):
            state = staging.rack_state(
                view,
                info,
                seat,
                decision,
                glyphs,
                hint=self._hint,
                memory_aid=self.racko.settings.memory_aid,
            )
            self._rack_of(seat).show(state)
        self.query_one(Piles).show(staging.piles_state(view, decision, self._in_flight))
        narrator = Narrator([chair.name for chair in info.chairs], info.rules, self.me)
        whose = narrator.turn_of(view.turn) if view.turn is not None else ""
        words = staging.decision_words(view, decision, whose, self._names)
        self.query_one(Words).show(words)
        trouble = (sentence(self.link.trouble), "warning") if self.link.trouble else None
        self.query_one(Told).show(self.chronicle.lines[-40:], self._word or trouble)
        self.query_one(Heading).show("RACK-O", *staging.heading(view, info, whose, self._left))
        self.query_one(KeyBar).show(staging.keys(view, decision, self._names))
        if self.query_one("#side").display:
            sides = [
                " & ".join(info.chairs[seat].name for seat in side) for side in view.rules.sides
            ]
            self.query_one(Sheet).show(SheetState(view.rules, sides, view.sheet, view.totals))

    @property
    def _left(self) -> float | None:
        """Seconds left for this turn, where a clock runs."""
        ends = self.info.turn_ends
        return None if ends is None else max(0.0, ends - self.session.clock())
