"""The full-screen application: settings, themes, and which screen is shown."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual import events, work
from textual.binding import Binding, BindingType
from textual.filter import ANSIToTruecolor
from textual.screen import Screen

from racko_core.errors import N_, RackoError
from racko_tui import config, i18n, logfile
from racko_tui.begin import Continue, Home, Play
from racko_tui.config import BOT_PAUSES, Settings
from racko_tui.stylesheet import SharedStylesheet
from racko_tui.terminal import console
from racko_tui.terminal.driver import TerminalDriver
from racko_tui.terminal.quiet import QuietApp
from racko_tui.themes import PLAIN, RACKO, THEME_LIST

if TYPE_CHECKING:
    from racko_net.outside_bot.permission import Programs
    from racko_tui.begin import Begin
    from racko_tui.lan.online import Online
    from racko_tui.local.games import Choice, Failures, Games, LocalGame, Saved
    from racko_tui.screens.home import HomeScreen
    from racko_tui.terminal.lifeline import Lifeline
    from racko_tui.tutor import Tutor

_log = logging.getLogger(__name__)

SMALLEST: Final = (60, 20)
"""Columns and rows that every screen fits into."""
_variables: Final[dict[str, dict[str, str]]] = {}
"""Those that style sheets may use, by theme."""
_COLOURLESS: Final = ("vt100", "vt102", "vt220", "vt320", "xterm-mono", "linux-m")


def run(
    settings: Settings,
    begin: Begin,
    lifeline: Lifeline,
    *,
    ascii_only: bool = False,
    unsaved: RackoError | None = None,
) -> int:
    """Show the application until the player leaves it; the exit status. `unsaved`: why the settings
    on disk could not be read, and will not be written.

    Raises `RackoError` if `begin` asks for a game that cannot be continued.
    """
    logfile.start()
    app = RackoApp(settings, begin, ascii_only=ascii_only)
    app.unsaved = unsaved
    if isinstance(begin, Continue):
        app.check_continue(replace_programs=begin.replace_programs)
    app.driver_class = TerminalDriver
    app.lifeline = lifeline
    status = app.run()
    if app.failed:
        console.complain(logfile.complaint())
        return 1
    return status or 0


def _collect_again() -> None:
    """What start-up made stays for good; look for garbage only in what comes after it."""
    gc.freeze()
    gc.enable()


class RackoApp(QuietApp[int]):
    """Rack-O in the terminal. What it returns is the exit status."""

    TITLE = "Rack-O"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        # Home is there from the start. Whole paths, so that a subclass elsewhere finds them too.
        Path(__file__).with_name("app.tcss"),
        Path(__file__).with_name("screens") / "home.tcss",
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave_program", N_("leave"), show=False, priority=True)
    ]

    owns_process: ClassVar[bool] = True
    """Whether nobody else plays in this process, unless as a guest of the player."""
    owns_machine: ClassVar[bool] = True
    """Whether terminal and disk are the player's. Where they are not, no program is started, and
    nothing is written into the folder that one is in."""
    names_itself: ClassVar[bool] = True
    """Whether the player's name is a setting; where one logs in, it is the one of the login."""

    def __init__(
        self, settings: Settings, begin: Begin | None = None, *, ascii_only: bool = False
    ) -> None:
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)  # empty means unset; Textual takes it as set
        super().__init__()
        self.stylesheet = SharedStylesheet(variables=self.get_css_variables())
        self.settings = settings
        self.lifeline: Lifeline | None = None
        """What sees to its end where it has the process to itself."""
        self.failed = False
        """Whether an error of ours ended it."""
        self.unsaved: RackoError | None = None
        """Why the settings could not be saved the last time; None if they could."""
        self.local_game: LocalGame | None = None
        """The game at this keyboard that is being played."""
        self._one_game = asyncio.Lock()  # the next game waits until the one before is put away
        self._next_game: object = None  # what makes the one that was asked for last
        self._failed: Failures = {}  # those of the game that the command line asks for
        self._ascii_asked = ascii_only
        self._begin: Begin = begin or Home()
        if os.environ.get("TERM", "") in _COLOURLESS:
            self.no_color = True
        for theme in (*THEME_LIST, PLAIN):
            self.register_theme(theme)
        self.show_theme(settings.theme)
        self.show_letters()

    # What screens ask. What the first screen can do without is imported when it is asked for.

    @property
    def home(self) -> HomeScreen:
        """The screen below all others."""
        return cast("HomeScreen", self.screen_stack[0])

    @cached_property
    def games(self) -> Games:
        """The local games."""
        from racko_tui.local.games import Games

        return Games(config.data_dir(), programs=self.programs)

    def check_continue(self, *, replace_programs: bool = False) -> None:
        """Raise `RackoError` if there is no game to continue, or a program in it does not answer
        and is not to be replaced; whoever came from the command line reads it there.
        """
        try:
            saved = self.games.saved()
            if saved is None:
                raise self.online.nothing_to_continue()
            self._failed = saved.failures()
        finally:
            self.games.close()
        if self._failed and not replace_programs:
            raise RackoError(
                N_(
                    "{why} The game waits as it was left; “racko continue --replace-programs” lets"
                    " a novice play on in its place."
                ),
                why=" ".join(map(i18n.sentence, self._failed.values())),
            )

    @property
    def programs(self) -> Programs | None:
        """Which programs may play: any that the player names, where the machine is the player's."""
        if not self.owns_machine:
            return None
        from racko_net.outside_bot.permission import Limits, Programs

        begin = self._begin
        seconds = begin.bot_time if isinstance(begin, Play | Continue) else None
        return Programs(at_home=True, limits=Limits.of(seconds))

    @cached_property
    def online(self) -> Online:
        """Whatever concerns servers."""
        from racko_tui.lan.online import Online

        return Online(self)

    @cached_property
    def tutor(self) -> Tutor:
        """Asks the coach."""
        from racko_tui.tutor import Tutor

        return Tutor(shared=lambda: self.shares_process)

    @property
    def shares_process(self) -> bool:
        """Whether others play in this process: over SSH, or as guests of this player."""
        return not self.owns_process or (self.is_online and self.online.hosting is not None)

    @property
    def is_online(self) -> bool:
        """Whether anything has been asked of servers."""
        return "online" in self.__dict__

    @property
    def playing(self) -> bool:
        """Whether a game at this keyboard is being played, or is still being put away."""
        return self.local_game is not None

    @property
    def ascii_only(self) -> bool:
        """Whether to draw with ASCII characters only."""
        return self._ascii_asked or self.settings.ascii

    @property
    def motion_allowed(self) -> bool:
        """Whether cards may travel: as the settings say, and by themselves not over SSH."""
        if self.settings.motion == "auto":
            return not (os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"))
        return self.settings.motion == "on"

    @property
    def bot_pause(self) -> float:
        """Seconds for each step of a bot."""
        return BOT_PAUSES[self.settings.bot_speed]

    def show_theme(self, theme: str) -> None:
        """Show the colours of a theme, as far as the terminal has any."""
        if self.no_color:
            theme = PLAIN.name
        elif theme == RACKO.name and self.console.color_system == "standard":
            theme = "terminal"  # sixteen colours: its owner chose them, and they fit together
        self.theme = theme

    def show_letters(self) -> None:
        """Let through to the terminal what it can show."""
        self._filters = [kept for kept in self._filters if isinstance(kept, ANSIToTruecolor)]
        if self.no_color or self.ascii_only:
            from racko_tui.terminal.filters import AsciiOnly, NoColours

            self._filters += [NoColours()] if self.no_color else []
            self._filters += [AsciiOnly()] if self.ascii_only else []
        if not self.no_color and self.console.color_system == "truecolor":
            from racko_tui.terminal.palette import ByNumber

            self._filters.append(ByNumber())
        i18n.install(i18n.language(), ascii_only=self.ascii_only)

    def save_settings(self) -> RackoError | None:
        """Write the settings down; the reason if that is impossible."""
        try:
            self.keep_settings()
        except RackoError as trouble:
            self.unsaved = trouble
        else:
            self.unsaved = None
        return self.unsaved

    def keep_settings(self) -> None:
        """Keep the settings for the next time. Raises `RackoError`."""
        config.save(self.settings)

    # Games

    def play(self, choice: Choice) -> None:
        """Play a new game at this keyboard, then come back to the screen before."""

        async def new() -> LocalGame:
            return self.games.start(choice, self.bot_pause)

        self._play_next(new)

    def resume(self, *, choose: bool = False) -> None:
        """Play on in the game that was left last; with `choose`, in one that the player names
        where there are several, after its programs were tried.
        """
        self._play_next(lambda: self._left_game(choose))

    @work(group="game")
    async def _play_next(self, make: Callable[[], Awaitable[LocalGame | None]]) -> None:
        """Play a game once the one before is put away, unless another is asked for meanwhile."""
        self._next_game = make
        async with self._one_game:
            if self._next_game is make and (game := await make()) is not None:
                await self._at_table(game)

    async def _left_game(self, choose: bool) -> LocalGame | None:
        number: int | None = None
        failed: Failures | None = self._failed
        try:
            if choose and (unfinished := self.games.unfinished()):
                if self.screen is not self.home:
                    return None  # the player has gone elsewhere meanwhile
                saved = await self._one_of(unfinished)
                if saved is None:
                    return None
                if saved.has_programs:
                    from racko_tui.screens.trial import TrialScreen

                    failed = await self.push_screen_wait(TrialScreen(saved.failures))
                if failed is None or not await self.goes_on_without(failed):
                    return None
                number = saved.id
            return self.games.resume(self.bot_pause, number, failed)
        except RackoError as trouble:
            _log.warning("%s", trouble)
            # Home may not be laid out yet.
            self.home.call_after_refresh(self.home.say_not_continued, trouble)
            return None

    async def _one_of(self, unfinished: list[Saved]) -> Saved | None:
        """The only one, or the one that the player names, if any."""
        if len(unfinished) == 1:
            return unfinished[0]
        from racko_tui.screens.unfinished import UnfinishedScreen

        number = await self.push_screen_wait(UnfinishedScreen(unfinished))
        return next((saved for saved in unfinished if saved.id == number), None)

    async def goes_on_without(self, failed: Failures) -> bool:
        """Whether nothing has failed, or the player wants novices in place of what has."""
        from racko_tui.screens.question import ReplaceScreen

        return not failed or await self.push_screen_wait(ReplaceScreen(failed)) == "replace"

    async def _at_table(self, game: LocalGame) -> None:
        from racko_tui.screens.table import TableScreen

        self.local_game = game
        try:
            await self.push_screen_wait(TableScreen(game.session))
        finally:
            await game.session.close()
            self.games.leave(game)
            self.local_game = None
        self.home.look_for_saved()

    # Life and death

    def get_theme_variable_defaults(self) -> dict[str, str]:  # noqa: D102
        return RACKO.variables

    def get_css_variables(self) -> dict[str, str]:
        """The variables of the theme, worked out once for all who chose it."""
        theme = self.current_theme.name
        if theme not in _variables:
            _variables[theme] = super().get_css_variables()
        self.theme_variables = _variables[theme]
        return self.theme_variables

    def get_default_screen(self) -> Screen[Any]:  # noqa: D102
        from racko_tui.screens.home import HomeScreen

        return HomeScreen()

    def on_load(self) -> None:
        """Obey the system from now on: next comes the terminal's full screen."""
        if self.lifeline is not None:
            loop = asyncio.get_running_loop()
            self.lifeline.ask_first(lambda status: loop.call_soon_threadsafe(self._stop, status))

    def on_mount(self) -> None:
        """Begin where the command line said."""
        if self.settings.keys:
            self._settle_keys()
        if self.lifeline is not None:
            self.call_after_refresh(_collect_again)
        match self._begin:
            case Play(choice=choice):
                self.play(choice)
            case Continue():
                self.resume()
            case Home():
                pass
            case join:
                self.online.join(join)

    async def on_unmount(self) -> None:
        """Close the doors, and let go of the file of games."""
        if "games" in self.__dict__:
            self.games.close()
        if self.is_online:
            await self.online.stop_hosting()

    def _settle_keys(self) -> None:
        from racko_tui import keys
        from racko_tui.screens.table_keys import TABLE_KEYS

        self.settings.keys = keys.settled(self.settings.keys, TABLE_KEYS)
        self.set_keymap(self.settings.keys)

    def _stop(self, status: int) -> None:
        self.exit(status, return_code=status)

    async def action_leave_program(self) -> None:
        """Leave at once; from a game only after asking."""
        from racko_tui.screens.leave import LeaveScreen
        from racko_tui.screens.question import QuestionScreen

        if isinstance(self.screen, LeaveScreen | QuestionScreen):
            self.exit(0)
        elif self.is_online and self.online.engaged:
            self.online.leave_program()
        elif self.local_game is None or self.screen is self.home:
            self.exit(0)
        else:
            kept = self.local_game.session.link.kept
            self.push_screen(LeaveScreen(kept), lambda leave: self.exit(0) if leave else None)

    def fail(self, error: Exception) -> None:
        """Log the error; whoever ran the application tells where."""
        self.failed = True
        _log.critical("an error ended racko", exc_info=error)

    # Too small a terminal

    async def on_event(self, event: events.Event) -> None:  # noqa: D102
        # Textual takes the focus away where the mouse is pressed beyond all that it has drawn.
        if not isinstance(event, events.MouseDown) or self.size.region.contains(event.x, event.y):
            await super().on_event(event)

    def on_resize(self, event: events.Resize) -> None:
        """Cover everything while nothing fits."""
        columns, rows = SMALLEST
        fits = event.size.width >= columns and event.size.height >= rows
        if fits and self._covered:
            self.pop_screen()
        elif not fits and not self._covered:
            self._cover()

    def push_screen(self, screen: Any, *args: Any, **named: Any) -> Any:  # noqa: D102
        if not self._covered:
            return super().push_screen(screen, *args, **named)
        # What opens while the terminal is too small opens below the notice.
        self.pop_screen()
        pushed = super().push_screen(screen, *args, **named)
        self._cover()
        return pushed

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens that can be seen below the one on top."""
        # Textual counts in the one below an opaque screen; once anything changes there, whatever
        # happens there later has the whole terminal drawn anew.
        opaque = bool(self._screen_stack) and self._screen_stack[-1].styles.background.a == 1
        return [] if opaque else super()._background_screens

    @property
    def _covered(self) -> bool:
        """Whether the notice is shown."""
        return bool(self._screen_stack) and self.screen.has_class("-covers")

    def _cover(self) -> None:
        from racko_tui.screens.too_small import TooSmallScreen

        super().push_screen(TooSmallScreen())
