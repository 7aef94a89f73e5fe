"""The rules of a game: every option, its default, and the presets.

Sources: the printed rules of 1956, 1987 and the 2000s. Where they differ there is an option here;
the default is the reading that most editions share.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Self, get_args

from racko_core.errors import N_, RulesError

Card = int
"""A card's number, 1 up to `Rules.cards`."""
Slot = int
"""A place in a rack: 1 is the front, 10 the back."""
Seat = int
"""A place at the table, 0 up, clockwise."""

SLOTS: Final = 10
"""Slots of a rack, and so cards dealt to a player."""
POINTS_PER_CARD: Final = 5
POINTS_FOR_GOING_OUT: Final = 25
RUN_BONUS: Final = {3: 50, 4: 100, 5: 200, 6: 400}
"""Points for the longest run of a rack by its length; longer runs pay as six."""
MIN_RUNS: Final = (0, 2, 3, 4, 5, 6)
"""Lengths of run that going out may ask for; 0 asks for none."""
MOST: Final = 1_000_000_000
"""The largest target or limit, so that whatever stores or sends rules can hold it."""
GUARD: Final = 5
"""Renewals of the draw pile that bots get where the rules set no limit: naive ones may wait for
each other's cards for ever."""

FirstDealer = Literal["high", "low"]
Exhausted = Literal["flip", "shuffle"]
Call = Literal["auto", "manual"]
Scoring = Literal["prefix", "ascents"]

_CARDS: Final = {2: 40, 3: 50, 4: 60}


def label(slot: Slot) -> int:
    """The number printed on a slot of the real rack: 5 at the front, 50 at the back."""
    return 5 * slot


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of one game. Making one checks it: what makes no sense raises `RulesError`."""

    players: int = 2
    """Seats at the table: 2, 3 or 4."""
    target: int = 500
    """Points that end the game: any positive multiple of 5."""
    first_dealer: FirstDealer = "high"
    """Who deals first: the player who drew the highest card, or the lowest (1956)."""
    exhausted: Exhausted = "flip"
    """An empty draw pile: the discard pile is turned over as it lies, or shuffled below its top."""
    call: Call | None = None
    """Who ends a round: the rack by itself, or its player. None takes the usual one: `manual`
    where runs score, else `auto`. After construction it is never None."""
    min_run: int = 0
    """Cards in a run that a rack must hold to go out, 0 for none."""
    scoring: Scoring = "prefix"
    """Who did not go out scores up to the first break, or for every card that rises."""
    bonus: bool = False
    """Whoever goes out also scores the longest run of the rack."""
    teams: bool = False
    """Seats 0 and 2 play against seats 1 and 3."""
    max_rounds: int | None = None
    """Rounds after which the game ends in any case."""
    stalemate_turnovers: int | None = None
    """Renewals of the draw pile after which a round ends with nobody going out."""

    def __post_init__(self) -> None:
        if self.call is None:
            object.__setattr__(self, "call", "manual" if self.bonus else "auto")
        _check(self)

    @property
    def cards(self) -> int:
        """Number of cards in the deck: 40, 50 or 60."""
        return _CARDS[self.players]

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """Who scores together: one tuple of seats for each player, or for each team."""
        if self.teams:
            return ((0, 2), (1, 3))
        return tuple((seat,) for seat in range(self.players))

    def side_of(self, seat: Seat) -> int:
        """Index into `sides` of the player's or team's total that `seat` plays for."""
        return seat % 2 if self.teams else seat

    @classmethod
    def preset(cls, name: str, players: int | None = None, **changes: Any) -> Self:
        """The rules of a named preset, for so many players, with further settings changed.

        Without `players`: four for `partners`, else two.
        """
        if name not in PRESETS:
            raise RulesError(
                N_("There is no preset “{name}”; choose one of {allowed}."),
                name=name,
                allowed=", ".join(PRESETS),
            )
        if players is None:
            players = 4 if name == "partners" else 2
        settings: dict[str, Any] = {"players": players, **PRESETS[name]}
        if name == "duel" and players != 2:
            raise RulesError(
                N_("The preset “duel” is for two players, not {players}; choose another preset."),
                players=players,
            )
        if name == "vintage" and players == 2:
            settings["min_run"] = 3
        return cls(**{**settings, **changes})

    def with_changes(self, **changes: Any) -> Self:
        """These rules with some settings changed, checked again."""
        return replace(self, **changes)

    def guarded(self) -> Self:
        """These rules, with a stalemate guard if they have none."""
        return self if self.stalemate_turnovers else self.with_changes(stalemate_turnovers=GUARD)

    def to_dict(self) -> dict[str, Any]:
        """Every setting by its name, in plain values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Self:
        """The inverse of `to_dict`; settings left out take their defaults."""
        known = {field.name for field in fields(cls)}
        for name in settings:
            if name not in known:
                raise RulesError(N_("There is no rule called “{name}”."), name=name)
        return cls(**settings)


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "classic": {},
    "duel": {"min_run": 3},
    "bonus": {"bonus": True, "call": "manual"},
    "partners": {"teams": True, "bonus": True, "call": "manual"},
    "vintage": {"first_dealer": "low", "bonus": True, "call": "manual"},
}
"""What each preset changes from the defaults; for two, `vintage` also asks for a run of three."""


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_int(value) and value > 0


def _check(rules: Rules) -> None:
    if not _is_int(rules.players) or rules.players not in _CARDS:
        raise RulesError(
            N_("Rack-O is for 2, 3 or 4 players, not {players}."), players=rules.players
        )
    if not _is_count(rules.target) or rules.target % POINTS_PER_CARD:
        raise RulesError(
            N_("The target must be a positive multiple of 5, not {target}."), target=rules.target
        )
    for name, value, allowed in (
        ("first_dealer", rules.first_dealer, get_args(FirstDealer)),
        ("exhausted", rules.exhausted, get_args(Exhausted)),
        ("call", rules.call, get_args(Call)),
        ("scoring", rules.scoring, get_args(Scoring)),
    ):
        if value not in allowed:
            raise RulesError(
                N_("“{name}” is {allowed}, not “{value}”."),
                name=name,
                allowed=" / ".join(allowed),
                value=value,
            )
    if not _is_int(rules.min_run) or rules.min_run not in MIN_RUNS:
        raise RulesError(
            N_("The run needed to go out is 0 (none) or 2 to 6 cards, not {min_run}."),
            min_run=rules.min_run,
        )
    for name, flag in (("bonus", rules.bonus), ("teams", rules.teams)):
        if not isinstance(flag, bool):
            raise RulesError(
                N_("“{name}” is {allowed}, not “{value}”."),
                name=name,
                allowed="yes / no",
                value=flag,
            )  # as files have it, in every language
    if rules.teams and rules.players != 4:
        raise RulesError(
            N_("Teams need four players, not {players}; seat four or play without teams."),
            players=rules.players,
        )
    if rules.max_rounds is not None and not _is_count(rules.max_rounds):
        raise RulesError(
            N_("The limit of rounds must be 1 or more, not {value}; leave it out for none."),
            value=rules.max_rounds,
        )
    if rules.stalemate_turnovers is not None and not _is_count(rules.stalemate_turnovers):
        raise RulesError(
            N_("The stalemate guard is 1 turn-over or more, not {value}; leave it out for none."),
            value=rules.stalemate_turnovers,
        )
    for name, count in (
        ("target", rules.target),
        ("max_rounds", rules.max_rounds),
        ("stalemate_turnovers", rules.stalemate_turnovers),
    ):
        if count is not None and count > MOST:
            raise RulesError(
                N_("“{name}” is at most {allowed}, not {value}."),
                name=name,
                allowed=MOST,
                value=count,
            )
