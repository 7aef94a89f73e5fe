"""`racko score`: what ten cards in a rack are worth, for a table of real cards too."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import click

from racko_core import rack as racks
from racko_core.rack import Rack
from racko_core.rules import POINTS_FOR_GOING_OUT, POINTS_PER_CARD, SLOTS, Rules, label
from racko_tui.commands.options import (
    Argument,
    Option,
    preset_option,
    rules_from,
    rules_options,
    seats_option,
)
from racko_tui.glyphs import UNICODE
from racko_tui.i18n import _, ngettext

_HIGHEST: Final = 60
_COUNTING: Final = ("min_run", "scoring", "bonus", "call")
"""The rules that say what a single rack is worth."""


def command() -> click.Command:
    """The command, in the language spoken."""
    return click.Command(
        "score",
        callback=show_score,
        params=[
            Argument(["cards"], nargs=-1, required=True, metavar=_("CARD...")),
            preset_option(),
            seats_option(),
            *(option for option in rules_options() if option.name in _COUNTING),
            Option(["--json", "as_json"], is_flag=True, help=_("Print one JSON object.")),
        ],
        help=_(
            "Say what a rack is worth. Give its ten cards from the front (slot 5) to the back"
            " (slot 50)."
        ),
        short_help=_("Say what a rack is worth."),
    )


def show_score(
    cards: tuple[str, ...], preset: str | None, seats: int | None, as_json: bool, **settings: Any
) -> None:
    """Print what the rack is worth, drawn and in words, or as JSON."""
    rules = rules_from(preset, seats, settings)
    rack = _rack(cards, _HIGHEST if seats is None else rules.cards)
    if as_json:
        print(json.dumps(worth(rack, rules)))
    else:
        print("\n".join([*_drawn(rack, rules), "", *_told(rack, rules)]))


def worth(rack: Rack, rules: Rules) -> dict[str, Any]:
    """What `--json` prints. `points` is under `rules`: as a player who goes out where that is
    allowed, else as one who does not. Everything else but `goes_out` holds under any rules.
    """
    bonus = racks.run_bonus(racks.longest_run(rack)[1])
    goes_out = racks.is_racko(rack, rules)
    if goes_out:
        points = racks.points_for_going_out() + (bonus if rules.bonus else 0)
    else:
        points = racks.points_without_going_out(rack, rules)
    return {
        "rack": list(rack),
        "in_order": racks.is_in_order(rack),
        "prefix_points": POINTS_PER_CARD * racks.prefix(rack),
        "ascents_points": POINTS_PER_CARD * racks.ascents(rack),
        "longest_run": racks.longest_run(rack)[1],
        "run_bonus": bonus,
        "goes_out": goes_out,
        "points": points,
    }


def _rack(words: tuple[str, ...], highest: int) -> Rack:
    """The cards. Raises `UsageError` for what is no rack of `highest` cards."""
    cards: list[int] = []
    for word in words:
        if not (re.fullmatch("[0-9]{1,2}", word) and 1 <= int(word) <= highest):
            raise click.UsageError(
                _("“{word}” is not a card; cards are the numbers 1 to {highest}.").format(
                    word=word, highest=highest
                ),
                click.get_current_context(),
            )
        if int(word) in cards:
            raise click.UsageError(
                _("The card {card} is given twice; there is one of each.").format(card=int(word)),
                click.get_current_context(),
            )
        cards.append(int(word))
    if len(cards) != SLOTS:
        raise click.UsageError(
            ngettext(
                "A rack holds ten cards, and {count} is given.",
                "A rack holds ten cards, and {count} are given.",
                len(cards),
            ).format(count=len(cards)),
            click.get_current_context(),
        )
    return tuple(cards)


def _drawn(rack: Rack, rules: Rules) -> list[str]:
    """The rack, its back on top: every number stands as far to the right as it is high."""
    broken, scoring = racks.breaks(rack), racks.scoring_slots(rack, rules)
    lines = []
    for slot, card in reversed(list(enumerate(rack, 1))):
        cross = UNICODE.breaks if slot in broken else " "
        bar = UNICODE.scores if slot in scoring else ""
        lines.append(f"{label(slot):4} │{card:{card + 1}}{'':{_HIGHEST - card}} {cross}{bar}")
    return [line.rstrip() for line in lines]


def _told(rack: Rack, rules: Rules) -> list[str]:
    """What the rack is worth, and why, in sentences."""
    lines = []
    for slot in racks.breaks(rack):
        lines.append(
            _("Slot {slot} breaks the order: {card} is lower than {front} in front of it.").format(
                slot=label(slot), card=rack[slot - 1], front=rack[slot - 2]
            )
        )
    start, length = racks.longest_run(rack)
    run = " ".join(str(card) for card in rack[start - 1 : start - 1 + length])
    if length > 1:
        lines.append(_("The longest run is {run}.").format(run=run))
    result = worth(rack, rules)
    if not result["goes_out"]:
        if result["in_order"]:
            lines.append(
                ngettext(
                    "It is in order, but cannot go out without a run of {count} card.",
                    "It is in order, but cannot go out without a run of {count} cards.",
                    rules.min_run,
                ).format(count=rules.min_run)
            )
        return [*lines, _points_without_going_out(rack, rules)]
    lines.append(
        _("RACK-O: 5 points for each card and {extra} for going out make {points}.").format(
            extra=POINTS_FOR_GOING_OUT, points=racks.points_for_going_out()
        )
    )
    if rules.bonus and result["run_bonus"]:
        lines.append(
            _("The run brings {bonus} more: {points} points.").format(
                bonus=result["run_bonus"], points=result["points"]
            )
        )
    if rules.call == "manual":
        lines.append(_("Without going out:") + " " + _points_without_going_out(rack, rules))
    return lines


def _points_without_going_out(rack: Rack, rules: Rules) -> str:
    if racks.is_in_order(rack):
        points = racks.points_without_going_out(rack, rules)
        return _("All ten cards count: {points} points.").format(points=points)
    if rules.scoring == "prefix":
        return ngettext(
            "{count} card counts, from the front up to the first break: {points} points.",
            "{count} cards count, from the front up to the first break: {points} points.",
            racks.prefix(rack),
        ).format(count=racks.prefix(rack), points=racks.points_without_going_out(rack, rules))
    return ngettext(
        "{count} card counts, the front one and every one that rises: {points} points.",
        "{count} cards count, the front one and every one that rises: {points} points.",
        racks.ascents(rack),
    ).format(count=racks.ascents(rack), points=racks.points_without_going_out(rack, rules))
