"""The words a table uses: who sits where, what can be asked of it, and what it tells.

All of them are plain values. `Input`s go into `Table.apply`, `Notice`s come out of it, and
`TableInfo` is what everybody may know of the table around the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from racko_core.actions import Action
from racko_core.events import Event
from racko_core.rules import Rules, Seat


class Kind(StrEnum):
    """Who sits on a chair."""

    OPEN = "open"
    """Nobody yet."""
    HUMAN = "human"
    BOT = "bot"


class Stage(StrEnum):
    """How far a table has come."""

    GATHERING = "gathering"
    """People take seats; the owner sets the rules and starts."""
    PLAYING = "playing"
    FINISHED = "finished"
    """A game has ended; when every person at the table is ready, a rematch follows."""


USUAL = "casual"
"""Level of a bot where nobody chose one: somebody new to the game beats it now and then."""
STAND_IN = "solid"
"""Level of the bot that plays for a person who is away."""
UNDERSTUDY = "novice"
"""Level of the bot that takes over from a program that failed."""
Failing = Literal["bot-late", "bot-wrong", "bot-ended", "bot-missing"]
"""How a bot in another program fails: it takes too long; it answers what is no answer, or not
allowed; it stops working; it cannot be started."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at one seat, and how they are doing."""

    kind: Kind = Kind.OPEN
    name: str = ""
    level: str = STAND_IN
    """A bot's level; for a person, that of the bot that would play for them."""
    ready: bool = False
    """To start, for the next round, or for a rematch. Bots always are."""
    away_since: float | None = None
    """Seconds; None for whoever is here."""
    relieved: bool = False
    """A bot plays for this person until they come back."""
    missed: int = 0
    """Turns in a row that ended because the clock ran out."""
    hints: int = 0
    """Decisions of this game that the person had help with: see `Hint`."""

    @property
    def away(self) -> bool:
        """Whether a person's chair is empty for the moment."""
        return self.away_since is not None

    @property
    def plays_itself(self) -> bool:
        """Whether a bot decides at this seat now."""
        return self.kind is Kind.BOT or self.relieved


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is run. Times are in seconds."""

    bot_pause: float = 0.9
    """Time a bot takes for each step of its turn, about: a strong one takes longer, see
    `bots.thinking`. 0 for none."""
    turn_limit: float | None = None
    """Time for a turn; None for as long as it takes."""
    grace: float | None = 60.0
    """Time after which a bot plays for someone who is away; None to wait for them."""
    deal_after: float | None = None
    """Time after a round at which the next is dealt, ready or not; None to wait for everyone."""
    spectators: bool = True
    """Whether others may watch."""
    open_racks: bool = False
    """Whether spectators see every rack. Everybody at the table is told."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table begins with; with its journal of inputs, it is the whole table."""

    rules: Rules
    seed: bytes
    """The seed of every game played here; secret."""
    options: Options = Options()
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What everybody may know of a table, apart from the game itself."""

    name: str
    stage: Stage
    rules: Rules
    options: Options
    chairs: tuple[Chair, ...]
    owner: Seat | None
    """The person who runs the table."""
    paused: bool
    game: int
    """Which game of this table it is, 1 up; 0 before the first."""
    turn_ends: float | None
    """When the turn's clock runs out, in seconds on the table's clock; None without a clock."""
    commitment: str = ""
    """The one that the next game's `DealerDrawn` will reveal the deck to; empty during a game."""

    def may_pause(self, seat: Seat | None) -> bool:
        """Whether the person at `seat` may pause the table and let it go on: its owner, and while
        they are away anyone who plays. None is a spectator.
        """
        if seat is None:
            return False
        return self.owner in (None, seat) or self.chairs[self.owner].away


# Inputs


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes an open chair, or the owner puts a bot on it."""

    seat: Seat
    name: str
    kind: Kind = Kind.HUMAN
    level: str = STAND_IN


@dataclass(frozen=True, slots=True)
class Stand:
    """Somebody leaves their chair for good; once games are played, a bot goes on in their place."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Move:
    """A person takes another chair that is open, before the game."""

    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class Ready:
    """A person is ready for what comes next, or not any more."""

    seat: Seat
    ready: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    """The owner starts the first game."""


@dataclass(frozen=True, slots=True)
class Do:
    """A seat does what the game allows it to."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Lose:
    """The connection of a person's seat is gone."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Return:
    """A person is back at their seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Relieve:
    """The grace time is over: a bot plays for this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Expire:
    """The turn's clock ran out: the rest of draw, discard, and go out where the rack is RACK-O."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The bot at this seat, another program, has failed: one of ours plays on."""

    seat: Seat
    why: Failing


@dataclass(frozen=True, slots=True)
class Hint:
    """A person asks a coach what to do now. The table counts it as help, once a decision."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody at the table (or a spectator, None) says something."""

    seat: Seat | None
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Pause:
    """The owner stops all clocks and bots, or lets them begin anew."""

    paused: bool


@dataclass(frozen=True, slots=True)
class HandOver:
    """The owner makes another person the owner."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Configure:
    """The owner changes the rules (before a game) or how the table is run."""

    rules: Rules | None = None
    options: Options | None = None


@dataclass(frozen=True, slots=True)
class Rematch:
    """Everybody is ready: the next game begins."""


Input = (
    Sit
    | Stand
    | Move
    | Ready
    | Start
    | Do
    | Lose
    | Return
    | Relieve
    | Expire
    | Forfeit
    | Hint
    | Say
    | Pause
    | HandOver
    | Configure
    | Rematch
)

# Notices

Matter = Literal[
    "joined",
    "left",
    "moved",
    "away",
    "back",
    "relieved",
    "expired",
    "bot-late",
    "bot-wrong",
    "bot-ended",
    "bot-missing",
    "owner",
    "paused",
    "resumed",
    "rules",
    "options",
    "started",
    "rematch",
]


@dataclass(frozen=True, slots=True)
class Remark:
    """Something changed around the game; `TableInfo` says how things stand now."""

    matter: Matter
    seat: Seat | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Words from a person. `seat` is None for a spectator."""

    seat: Seat | None
    name: str
    text: str


News = Event | Remark | Said


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that a table tells, numbered without gaps from 1."""

    seq: int
    news: News
