"""Before the game: chairs and who takes them, who is ready, the rules in words, and some talk."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.types import CSSPathType
from textual.widgets import Static

from racko_core.errors import N_, RackoError
from racko_core.rules import Seat
from racko_core.seating import (
    USUAL,
    Chair,
    Configure,
    HandOver,
    Input,
    Kind,
    Move,
    News,
    Ready,
    Remark,
    Say,
    Sit,
    Stage,
    Stand,
    Start,
)
from racko_net.session import Update
from racko_tui.i18n import _, sentence
from racko_tui.local.drafts import friendly_name
from racko_tui.phrases import table_name
from racko_tui.screens.base import RackoScreen
from racko_tui.screens.lobby import LobbyScreen, rules_in_short
from racko_tui.table.company import Company
from racko_tui.table.decision import Held
from racko_tui.table.narration import Narrator
from racko_tui.table.presence import holding, options_in_words, state_of
from racko_tui.table.talk import unsent
from racko_tui.widgets.hints import Hint, Hints
from racko_tui.widgets.listing import Entry, Listing
from racko_tui.widgets.speech import Told
from racko_tui.widgets.talk import TalkLine
from racko_tui.words import level_in_words, rules_in_words

_log = logging.getLogger(__name__)

_WIDE: Final = 110
"""Columns from which all rules stand beside the chairs."""
_MARGIN: Final = 2
"""Cells at the left and at the right of what is said."""
_START: Final = "s"
"""The key that starts the game."""
_TALK: Final = "c"
"""The key that opens the line for talk."""
_KEPT: Final = 60
"""Lines of what happened and was said."""


def _acts(name: str, key: str, word: str, tooltip: str) -> Binding:
    return Binding(key, name, word, show=False, tooltip=tooltip, id=f"gathering.{name}")


class GatheringScreen(RackoScreen[None]):
    """Shows a table until its game begins, or until it is left."""

    CSS_PATH: ClassVar[CSSPathType] = ["gathering.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        _acts("sit", "enter", N_("sit here"), N_("Sit down on the free chair that is marked.")),
        _acts("ready", "r", N_("ready"), N_("Say that you are ready, or not yet.")),
        _acts("start", _START, N_("start"), N_("Start the game; whoever runs the table can.")),
        _acts("bot", "b", N_("bot"), N_("Put a bot on the free chair, or a stronger one.")),
        _acts("fill", "f", N_("fill"), N_("Put bots on all free chairs.")),
        _acts("remove", "x", N_("remove"), N_("Remove the bot, or ask the person to leave.")),
        _acts("hand_over", "o", N_("hand over"), N_("Let this person run the table.")),
        _acts("rules", "e", N_("rules"), N_("Change the rules, and how the table is run.")),
        _acts("talk", _TALK, N_("chat"), N_("Say something to the others.")),
        _acts("help", "question_mark", N_("help"), N_("Keys and rules.")),
        _acts("leave", "q,escape", N_("leave"), N_("Leave the table; you are asked first.")),
    ]

    def __init__(self, company: Company) -> None:
        super().__init__()
        self.company = company
        self._told = [company.note] if company.note else []
        self._word = ""
        self._linked = True
        self._chairs = company.info.chairs  # as they were when the last news came

    def compose(self) -> ComposeResult:  # noqa: D102
        yield Static(id="heading", classes="title", markup=False)
        yield Static(id="invitation", classes="quiet", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Listing(id="chairs")
                yield Static(id="short", classes="quiet", markup=False)
                yield Told(id="told")
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="rules", markup=False)
        yield TalkLine(_TALK)
        yield Static(id="said", markup=False)
        yield Hints([], id="hints")

    def on_mount(self) -> None:
        """Begin to listen."""
        self.query_one(Listing).focus()
        self.set_interval(1.0, self._paint)
        self._follow()

    def on_resize(self, event: events.Resize) -> None:
        """The rules in words stand beside the chairs where there is room."""
        wide = event.size.width >= _WIDE
        self.query_one("#beside").display = wide
        self.query_one("#short").display = not wide
        self.call_after_refresh(self._paint)

    # Listening

    @work(exit_on_error=False, group="follow")
    async def _follow(self) -> None:
        try:
            while True:
                update = await self.company.update()
                if self._over(update):
                    self.end()
                    return
                if self._linked and not update.link.up:
                    self._word = ""  # no earlier word hides why
                self._linked = update.link.up
                self._hear(update)
                self._paint()
        except Exception:
            if self.is_attached:  # else parts of the screen are gone, or never came
                _log.exception("the table cannot be followed any more")
                self._say(_("Something went wrong at this table; leave it and join again."))

    def _over(self, update: Update) -> bool:
        return update.link.closed or update.info.stage is not Stage.GATHERING

    def _hear(self, update: Update) -> None:
        info = update.info
        narrator = Narrator([chair.name for chair in info.chairs], info.rules, self.company.me)
        for seen in update.seen.values():
            for notice in seen.notices:
                text = self._in_words(notice.news, narrator, info.chairs)
                if text:
                    self._told = [*self._told, text][-_KEPT:]
        self._chairs = info.chairs

    def _in_words(self, news: News, narrator: Narrator, chairs: Sequence[Chair]) -> str | None:
        """What is said of news; `chairs` as they are now. Which bots sit where, the chairs show."""
        if isinstance(news, Remark) and news.seat is not None:
            if news.matter == "left" and _is_bot(self._chairs, news.seat):
                return None
            if news.matter == "joined" and _is_bot(chairs, news.seat):
                return None
            if news.matter == "left":  # no bot takes the chair, as during a game
                return _("{name} gets up.").format(name=news.name)
        return narrator.tell(news)

    # Showing

    def _paint(self) -> None:
        if not self.is_attached:
            return
        company, info = self.company, self.company.info
        self.query_one("#heading", Static).update(f"{table_name(info)}  ·  {company.code}")
        invitation = self._invitation()
        self.query_one("#invitation", Static).update(invitation)
        self.query_one("#invitation").display = bool(invitation)
        self.query_one(Listing).show([self._chair(seat) for seat in range(len(info.chairs))])
        options = options_in_words(info.options)
        short = [line[:1].upper() + line[1:] for line in rules_in_short(info)]
        self.query_one("#short", Static).update(" ".join([*short, *options]))
        rules = "\n\n".join([*short, *rules_in_words(info.rules), *options])
        self.query_one("#rules", Static).update(rules)
        self.query_one("#told", Told).show(self._told, ())
        trouble = self._trouble()
        said = self._word or trouble or self._situation() + self._about()
        self.query_one("#said", Static).update(said)
        self.query_one("#said").set_class(bool(trouble or self._word), "warning")
        self.query_one("#hints", Hints).show(self._hints())

    def _trouble(self) -> str:
        """What is wrong with the connection to the table, or with its keeping."""
        link = self.company.link
        words = [sentence(link.trouble)] if link.trouble else []
        if not link.up:
            words.append(holding(Held.LOST, self.company.info, self.company.me))
        return " ".join(words)

    def _invitation(self) -> str:
        """What the others type to sit down, or else to watch; in a line of its own where it would
        be torn apart. Empty where nobody else can come.
        """
        info, command = self.company.info, self._command()
        if any(chair.kind is Kind.OPEN for chair in info.chairs):
            words = _("Others type: {command}")
        elif info.options.spectators:
            words = _("Others type to watch: {command}")
            command += "" if self.company.ssh else " --watch"
        else:
            return ""
        text = words.format(command=command)
        beside = cell_len(text) <= self.size.width - 2 * _MARGIN
        return text if beside else words.format(command=f"\n{command}")

    def _command(self) -> str:
        company, hosting = self.company, self.racko.online.hosting
        if company.ssh:
            return f"ssh -t {company.ssh} {company.code}"
        if hosting is not None:
            return f"racko join {hosting.public_address} --table {company.code}"
        return f"racko join {company.address} --table {company.code}{self._trust()}"

    def _trust(self) -> str:
        """How others trust an encrypted server: as whoever plays here was told to."""
        lobbies = (each for each in self.app.screen_stack if isinstance(each, LobbyScreen))
        way = next((lobby.wish for lobby in lobbies), None)
        if way is None or not way.tls:
            return ""
        return f" --tls-ca {shlex.quote(way.tls_ca.name)}" if way.tls_ca else " --tls"

    def _chair(self, seat: Seat) -> Entry:
        info = self.company.info
        chair = info.chairs[seat]
        if chair.kind is Kind.OPEN:
            return Entry(str(seat), (str(seat + 1), _("free"), "", ""), "$quiet")
        state = state_of(chair, info, self.company.clock())
        if chair.kind is Kind.HUMAN and not chair.away:
            state = _("ready") if chair.ready else _("not ready yet")
        marks = []
        if seat == self.company.me:
            marks.append(_("you"))
        if seat == info.owner:
            marks.append(_("runs the table"))
        if info.rules.teams:
            marks.append(_("team {number}").format(number=seat % 2 + 1))
        return Entry(str(seat), (str(seat + 1), chair.name, state, ", ".join(marks)))

    def _situation(self) -> str:
        """What everyone waits for."""
        info, company = self.company.info, self.company
        free = any(chair.kind is Kind.OPEN for chair in info.chairs)
        unready = any(
            chair.kind is Kind.HUMAN and not chair.ready and seat != company.me
            for seat, chair in enumerate(info.chairs)
        )
        if company.owner and free:
            return _("There are free chairs: wait for friends, or fill them with bots.")
        if company.owner:
            key = _START
            if unready:
                return _("Not everyone is ready; {key} starts all the same.").format(key=key)
            if company.me is None or info.chairs[company.me].ready:
                return _("Everyone is ready: {key} starts the game.").format(key=key)
            return _("The others are ready: {key} starts the game.").format(key=key)
        if info.owner is None:
            return _("Nobody runs this table.")
        return _("{name} starts the game.").format(name=info.chairs[info.owner].name)

    def _about(self) -> str:
        """What there is to know about the bot on the marked chair."""
        chair = self.company.info.chairs[self._marked]
        return " " + level_in_words(chair.level) if chair.kind is Kind.BOT else ""

    def _hints(self) -> list[Hint]:
        company, marked = self.company, self._marked
        kind = company.info.chairs[marked].kind
        hints: list[Hint] = []
        if not company.link.up:
            return [("?", _("help")), ("q", _("leave"))]
        free = any(chair.kind is Kind.OPEN for chair in company.info.chairs)
        if company.me is not None:
            ready = company.info.chairs[company.me].ready
            hints.append(("r", _("not ready") if ready else _("ready")))
            if kind is Kind.OPEN:
                hints.append(("⏎", _("sit here")))
        if company.owner:
            if free:
                hints.append(("f", _("fill with bots")))
            hints.append(("↑↓", _("chair")))
            if kind is Kind.OPEN:
                hints.append(("b", _("bot here")))
            elif kind is Kind.BOT:
                hints += [("b", _("other bot")), ("x", _("remove"))]
            elif marked != company.me:
                hints += [("x", _("ask to leave")), ("o", _("hand over"))]
            hints.append(("e", _("rules")))
            if not free:
                hints.append((_START, _("start")))
        return [*hints, (_TALK, _("chat")), ("?", _("help")), ("q", _("leave"))]

    @property
    def _marked(self) -> Seat:
        entry = self.query_one(Listing).entry
        seat = int(entry.id) if entry is not None else 0
        return min(seat, len(self.company.info.chairs) - 1)

    def on_listing_marked(self) -> None:
        """Other keys do something now."""
        self._word = ""
        self.call_after_refresh(self._paint)

    def _say(self, text: str) -> None:
        self._word = text
        self._paint()

    # Doing

    @work(exit_on_error=False, group="ask")
    async def _ask(self, *inputs: Input) -> None:
        self._word = ""
        try:
            for given in inputs:
                await self.company.ask(given)
        except RackoError as refused:
            self._say(sentence(refused))

    def on_listing_chosen(self) -> None:
        """Enter goes to the list of chairs first."""
        self.action_sit()

    def action_sit(self) -> None:
        """Move to the free chair; on any other, Enter says that one is ready."""
        company = self.company
        if company.me is None:
            return
        if company.info.chairs[self._marked].kind is Kind.OPEN:
            self._ask(Move(company.me, self._marked))
        elif self._marked == company.me:
            self.action_ready()

    def action_ready(self) -> None:
        """Ready, or not any more."""
        me = self.company.me
        if me is not None:
            self._ask(Ready(me, not self.company.info.chairs[me].ready))

    def action_start(self) -> None:
        """Start the game."""
        self._ask(Start())

    def action_bot(self) -> None:
        """A bot on the free chair; on a bot's chair, the next level."""
        seat = self._marked
        chair = self.company.info.chairs[seat]
        if chair.kind is Kind.OPEN:
            self._ask(self._bot(seat, USUAL))
        elif chair.kind is Kind.BOT:
            levels = self.company.levels
            at = levels.index(chair.level) if chair.level in levels else -1
            level = levels[(at + 1) % len(levels)]
            self._ask(Stand(seat), Sit(seat, chair.name, Kind.BOT, level))

    def action_fill(self) -> None:
        """Bots on all free chairs."""
        inputs: list[Input] = []
        names = [chair.name for chair in self.company.info.chairs]
        for seat, chair in enumerate(self.company.info.chairs):
            if chair.kind is Kind.OPEN:
                names.append(friendly_name(names))
                inputs.append(Sit(seat, names[-1], Kind.BOT, USUAL))
        self._ask(*inputs)

    def _bot(self, seat: Seat, level: str) -> Sit:
        names = [chair.name for chair in self.company.info.chairs]
        return Sit(seat, friendly_name(names), Kind.BOT, level)

    def action_remove(self) -> None:
        """The bot goes; a person is asked to."""
        seat = self._marked
        if self.company.info.chairs[seat].kind is not Kind.OPEN and seat != self.company.me:
            self._ask(Stand(seat))

    def action_hand_over(self) -> None:
        """Somebody else runs the table."""
        if self.company.info.chairs[self._marked].kind is Kind.HUMAN:
            self._ask(HandOver(self._marked))

    def action_rules(self) -> None:
        """Change the rules."""
        from racko_tui.screens.new_table import ChangeTableScreen

        if self.company.owner:
            self.racko.push_screen(ChangeTableScreen(self.company.info, self._change))
        else:
            self._say(_("Only whoever runs the table can change its rules."))

    async def _change(self, change: Configure) -> None:
        await self.company.ask(change)

    def action_help(self) -> None:
        """Keys and rules."""
        from racko_tui.screens.help import HelpScreen

        self.racko.push_screen(HelpScreen(self, self.company.info.rules))

    @work(exit_on_error=False, group="leave", exclusive=True)
    async def action_leave(self) -> None:
        """Leave, if that was meant."""
        await self.racko.online.leave()

    # Talk

    def on_key(self, event: events.Key) -> None:
        """What is typed for the others means nothing to the table."""
        self.query_one(TalkLine).catch(event)

    def action_talk(self) -> None:
        """Open the line."""
        self.query_one(TalkLine).open()

    def on_talk_line_say(self, said: TalkLine.Say) -> None:
        """Say it."""
        self.on_talk_line_shut()
        self._tell(said.text)

    @work(exit_on_error=False, group="ask")
    async def _tell(self, text: str) -> None:
        self._word = ""
        try:
            await self.company.ask(Say(self.company.me, "", text))
        except RackoError as refused:
            self.query_one(TalkLine).keep(text)
            self._say(unsent(refused, _TALK))

    def on_talk_line_shut(self) -> None:
        """Back to the chairs."""
        self.query_one(TalkLine).shut()
        self.query_one(Listing).focus()


def _is_bot(chairs: Sequence[Chair], seat: Seat) -> bool:
    return seat < len(chairs) and chairs[seat].kind is Kind.BOT
