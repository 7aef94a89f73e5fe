"""A table on a server while it is being planned, and the plan that comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from racko_core.bots import check_level
from racko_core.errors import N_
from racko_core.rules import Rules, Seat
from racko_core.seating import Kind, Options, Sit, TableInfo
from racko_net.outside_bot.permission import LONGEST_NAME, OutsideError, level_of
from racko_net.serverside.authority import USUAL
from racko_tui.config import NAME_LENGTH
from racko_tui.local.drafts import (
    FRIEND,
    PROGRAM,
    YOU,
    Draft,
    Place,
    friendly_name,
    refuse_commands,
)
from racko_tui.local.games import GamesError
from racko_tui.words import program_name


@dataclass(frozen=True, slots=True)
class Plan:
    """A table that can be made."""

    rules: Rules
    options: Options
    seat: Seat
    """One's own."""
    bots: tuple[Sit, ...]
    name: str = ""
    """Of the table; empty for the usual one."""
    password: str = ""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Commands of bots that are programs of the host, by their levels."""


@dataclass(slots=True)
class TableDraft(Draft):
    """What stands in the new-table screen: a draft of a game, and how the table is run."""

    options: Options = USUAL
    name: str = ""
    password: str = ""

    @classmethod
    def beginning(
        cls, remembered: dict[str, object], bot_pause: float, usual: Options | None = None
    ) -> TableDraft:
        """What the form begins with: the rules of the last game, you, and open chairs.

        Bots stay where friends played beside them. `usual`: how the server runs its tables.
        """
        draft = cls.from_plain(remembered) if remembered else cls.fresh()
        assert isinstance(draft, TableDraft)
        draft.options = replace(usual or draft.options, bot_pause=bot_pause)
        mixed = any(place.kind == FRIEND for place in draft.places[: draft.players])
        first, *others = draft.places
        if first.kind != YOU:
            first.kind, first.name = YOU, ""
        for place in others:
            if place.kind in (YOU, FRIEND) or not mixed:
                place.kind, place.name = FRIEND, ""
        return draft

    @classmethod
    def of(cls, info: TableInfo) -> TableDraft:
        """A table that exists already, to change its rules."""
        rules = info.rules.to_dict()
        players = rules.pop("players")
        draft = cls([Place(FRIEND) for _ in range(4)], players, rules)
        draft.options = info.options
        return draft

    def plan(self, offered: Mapping[str, str] | None = None) -> Plan:
        """The table that this is. Raises `RackoError` where it makes no sense.

        `offered`: programs that the host of the server has offered before, level to command.
        """
        rules = self.make_rules()
        places = self.places[: self.players]
        refuse_commands(places)
        own = [seat for seat, place in enumerate(places) if place.kind == YOU]
        if len(own) != 1:
            raise GamesError(N_("Sit on one chair yourself; friends take the others."))
        taken = {place.name.strip() for place in places}
        bots = []
        programs = dict(offered or {})
        for seat, place in enumerate(places):
            if place.kind in (YOU, FRIEND):
                continue
            level = place.kind
            if place.kind == PROGRAM:
                level = _offer(place.program(seat), programs)
            check_level(level)
            name = place.name.strip() or place.spare
            if not name or (not place.name.strip() and name in taken):
                name = friendly_name(taken)
            taken.add(name)
            bots.append(Sit(seat, name[:NAME_LENGTH], Kind.BOT, level))
        return Plan(
            rules, self.options, own[0], tuple(bots), self.name.strip(), self.password, programs
        )


def _offer(command: str, programs: dict[str, str]) -> str:
    """The level by which a program is offered: after its file, and like no other."""
    for level, other in programs.items():
        if other == command:
            return level
    stem = program_name(command).partition(".")[0].lower()
    name = re.sub("[^a-z0-9]+", "-", stem).strip("-") or "program"
    if name[0].isdigit():  # a name begins with a letter
        name = f"bot-{name}"
    for number in count(1):
        ending = "" if number == 1 else f"-{number}"
        try:
            chosen = level_of(name[: LONGEST_NAME - len(ending)].rstrip("-") + ending)
        except OutsideError:  # one of our bots is called so
            continue
        if chosen not in programs:
            programs[chosen] = command
            return chosen
    raise AssertionError
