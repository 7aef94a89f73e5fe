"""A new game while it is being chosen, and how it is remembered for the next time."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from racko_core.bots import EXEC, LEVELS
from racko_core.errors import N_, RackoError, RulesError
from racko_core.record import HUMAN, SeatName
from racko_core.rules import Rules
from racko_core.seating import USUAL
from racko_net.text import clean_name
from racko_tui.config import COMMAND_LENGTH, MOST_PROGRAMS, NAME_LENGTH, Settings
from racko_tui.local.games import Choice, GamesError
from racko_tui.local.seats import own_name
from racko_tui.words import preset_of

YOU: Final = "you"
FRIEND: Final = "friend"
KINDS: Final = (YOU, FRIEND, *LEVELS)
"""Who can sit on any seat."""
PROGRAM: Final = "exec"
"""One more, where the machine is the player's: another program, by its command."""
BOT_NAMES: Final = (
    "Wren", "Otto", "Juno", "Pip", "Mabel", "Fitz", "Tove", "Remy", "Ida", "Hugo", "Nell", "Bram",
    "Saga", "Milo", "Opal", "Gus",
)  # fmt: skip


def friendly_name(taken: Collection[str]) -> str:
    """A name for a bot that nobody at the table has."""
    return random.choice([name for name in BOT_NAMES if name not in taken])


@dataclass(slots=True)
class Place:
    """One seat of a draft."""

    kind: str
    """One of `KINDS`, or `PROGRAM`."""
    name: str = ""
    """What was typed; empty for one's own name, or for the spare one."""
    spare: str = ""
    """The name of a bot that was given none."""
    command: str = ""
    """What starts the program, be it chosen or not."""

    def program(self, seat: int) -> str:
        """The command. Raises `RackoError` where there is none, or nothing that it could start."""
        if not self.command.strip():
            raise GamesError(
                N_("Seat {seat} is for a program; type the command that starts it."), seat=seat + 1
            )
        from racko_net.outside_bot.program import check

        check(self.command)
        return self.command.strip()


def refuse_commands(places: Sequence[Place]) -> None:
    """Raise `RackoError` where a command was typed for a name: it would sit there as a person."""
    for seat, place in enumerate(places, 1):
        name = place.name.strip()
        if "/" in name or name.startswith(EXEC):
            raise GamesError(
                N_(
                    "Seat {seat}: “{name}” looks like a command, not like a name; for a program,"
                    " choose “another program” there."
                ),
                seat=seat,
                name=name,
            )


@dataclass(slots=True)
class Draft:
    """What stands in the new-game screen. It may not make sense yet; `choice` checks it."""

    places: list[Place] = field(default_factory=list)
    """Four, of which the first `players` count."""
    players: int = 2
    rules: dict[str, Any] = field(default_factory=dict)
    """Settings of `Rules` by name, without `players`."""
    seed: str = ""

    @classmethod
    def fresh(cls) -> Draft:
        """What a new player finds: the classic game against one bot."""
        kinds = (YOU, USUAL, "solid", "novice")
        rules = Rules().to_dict()
        del rules["players"]
        names = random.sample(BOT_NAMES, len(kinds))
        return cls(
            [Place(kind, "", name) for kind, name in zip(kinds, names, strict=True)], 2, rules
        )

    def set_preset(self, name: str) -> None:
        """Take over a preset, with as many players as it is for; the target stays."""
        if name == "duel":
            self.players = 2
        elif name == "partners":
            self.players = 4
        settings = Rules.preset(name, self.players, target=500).to_dict()
        del settings["players"]
        self.rules = {**settings, "target": self.rules.get("target", 500)}

    def preset(self) -> str | None:
        """The preset that this is, whatever the target; None for a choice of one's own."""
        try:
            return preset_of(Rules(players=self.players, **{**self.rules, "target": 500}))
        except RulesError:
            return None

    def make_rules(self) -> Rules:
        """The rules. Raises `RulesError` where they make no sense."""
        return Rules(players=self.players, **self.rules)

    def choice(self, settings: Settings) -> Choice:
        """The game that this is. Raises `RackoError` where it makes no sense."""
        rules = self.make_rules()
        places = self.places[: self.players]
        refuse_commands(places)
        names = [clean_name(place.name) if place.name.strip() else "" for place in places]
        taken = set(names)
        seats = []
        for number, (place, name) in enumerate(zip(places, names, strict=True)):
            if not name and place.kind == YOU:
                name = own_name(settings)
            elif not name and place.kind == FRIEND:
                raise GamesError(N_("Every friend needs a name; type it beside the seat."))
            elif not name:
                name = place.spare if place.spare not in taken else friendly_name(taken)
            taken.add(name)
            kind = HUMAN if place.kind in (YOU, FRIEND) else place.kind
            if place.kind == PROGRAM:
                kind = EXEC + place.program(number)
            seats.append(SeatName(name, kind))
        names = [seat.name for seat in seats]
        for name in names:
            if names.count(name) > 1:
                raise GamesError(
                    N_("Two seats are called “{name}”; change one of them."), name=name
                )
        return Choice(rules, tuple(seats), self.seed.strip())

    # For the settings

    def remember_programs(self, settings: Settings) -> None:
        """Keep the commands of the programs that play, to be chosen the next time."""
        places = self.places[: self.players]
        played = [place.command.strip() for place in places if place.kind == PROGRAM]
        settings.programs = list(dict.fromkeys([*played, *settings.programs]))[:MOST_PROGRAMS]

    def to_plain(self) -> dict[str, Any]:
        """As the settings remember it; the seed is for one game only."""
        return {
            "players": self.players,
            "places": [_to_plain(place) for place in self.places],
            "rules": {name: value for name, value in self.rules.items() if value is not None},
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Draft:
        """The inverse of `to_plain`; whatever cannot be used is as for a new player."""
        draft = cls.fresh()
        places = plain.get("places")
        if isinstance(places, list) and len(places) == len(draft.places):
            for place, known in zip(draft.places, places, strict=True):
                if isinstance(known, dict) and known.get("kind") in (*KINDS, PROGRAM):
                    place.kind = known["kind"]
                    place.name = _text(known.get("name"), NAME_LENGTH)
                    place.command = _text(known.get("command"), COMMAND_LENGTH)
        rules = plain.get("rules")
        players = plain.get("players")
        if isinstance(rules, dict):
            try:
                settings = Rules.from_dict({**rules, "players": players}).to_dict()
            except (RackoError, TypeError):
                return draft
            draft.players = settings.pop("players")
            draft.rules = settings
        return draft


def _to_plain(place: Place) -> dict[str, str]:
    plain = {"kind": place.kind, "name": place.name}
    return {**plain, "command": place.command} if place.command else plain


def _text(value: object, length: int) -> str:
    return value[:length] if isinstance(value, str) and value.isprintable() else ""
