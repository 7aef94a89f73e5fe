"""The rules in force, and other matters of the game, in plain words in the language spoken."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import Final

from racko_core.errors import RulesError
from racko_core.rack import (
    ascents,
    points_for_going_out,
    points_without_going_out,
    prefix,
    run_bonus,
)
from racko_core.rules import PRESETS, RUN_BONUS, Rules
from racko_net.text import beginning
from racko_tui.i18n import _, ngettext

EXAMPLE: Final = (5, 9, 13, 24, 25, 32, 4, 35, 37, 39)
"""The rack that explains the scoring; every deck has its cards."""
_MOST_NAME: Final = 24


def rules_in_words(rules: Rules) -> list[str]:
    """The rules of one game as paragraphs, in the order in which one needs them."""
    return [
        *_aim(rules),
        *_turn(rules),
        *_going_out(rules),
        *_scoring(rules),
        *_ending(rules),
    ]


def _aim(rules: Rules) -> list[str]:
    if rules.min_run:
        aim = _(
            "Everyone has a rack with ten slots, the front one labelled 5, the back one 50. Get"
            " your ten cards in order first: the lowest in front, each one behind it higher, and"
            " {count} of them a run of numbers that follow each other."
        ).format(count=rules.min_run)
    else:
        aim = _(
            "Everyone has a rack with ten slots, the front one labelled 5, the back one 50. Get"
            " your ten cards in order first: the lowest in front, each one behind it higher."
        )
    return [
        aim,
        _(
            "{players} players use the cards 1 to {cards} (two up to 40, three up to 50, four up to"
            " 60); ten are dealt to each."
        ).format(players=rules.players, cards=rules.cards)
        + " "
        + (
            _("Whoever draws the highest card deals first; then the deal passes to the left.")
            if rules.first_dealer == "high"
            else _("Whoever draws the lowest card deals first; then the deal passes to the left.")
        ),
    ]


def _turn(rules: Rules) -> list[str]:
    return [
        _(
            "In your turn, take the top card of the discard pile and put it into one of your slots;"
            " or draw a card, look at it, and put it into a slot or discard it. The card that"
            " leaves your rack goes face up on the discard pile. Cards are never moved within a"
            " rack."
        ),
        _(
            "When the draw pile is empty, the discard pile is turned over, without shuffling, to"
            " become the new draw pile."
        )
        if rules.exhausted == "flip"
        else _(
            "When the draw pile is empty, the discards below the top one are shuffled to become"
            " the new draw pile."
        ),
    ]


def _going_out(rules: Rules) -> list[str]:
    if rules.min_run:
        need = ngettext(
            "All ten cards in order, with at least {count} consecutive number among them (such as"
            " 7 8 9), are RACK-O.",
            "All ten cards in order, with at least {count} consecutive numbers among them (such as"
            " 7 8 9), are RACK-O.",
            rules.min_run,
        ).format(count=rules.min_run)
    else:
        need = _("All ten cards in order are RACK-O.")
    if rules.call == "auto":
        call = _("The round ends the moment a turn ends with RACK-O in the rack.")
    else:
        call = _(
            "Whoever has RACK-O at the end of a turn goes out and ends the round, or plays on and"
            " may go out at the start of any later turn."
        )
    return [f"{need} {call}"]


def _scoring(rules: Rules) -> list[str]:
    lines = [
        _("Whoever goes out scores {points}: 5 for each card and 25 for going out.").format(
            points=points_for_going_out()
        ),
        _(
            "Everyone else scores 5 for each card from the front up to the first one that is lower"
            " than the card before it."
        )
        if rules.scoring == "prefix"
        else _(
            "Everyone else scores 5 for the front card and 5 for each card that is higher than the"
            " one directly in front of it."
        ),
        scoring_example(rules),
    ]
    if rules.bonus:
        lines.append(_bonus(rules))
    if rules.teams:
        lines.append(
            _(
                "Partners sit opposite each other: the first and the third seat play against the"
                " second and the fourth, and the points of both partners are added."
            )
        )
    return lines


def scoring_example(rules: Rules) -> str:
    """One rack, and what it scores and why."""
    rack = " ".join(str(card) for card in EXAMPLE)
    points = points_without_going_out(EXAMPLE, rules)
    if rules.scoring == "prefix":
        return _(
            "For example {rack}: the first {count} cards rise, then comes {break_card}. That is"
            " {points} points."
        ).format(
            rack=rack, count=prefix(EXAMPLE), break_card=EXAMPLE[prefix(EXAMPLE)], points=points
        )
    return _(
        "For example {rack}: every card but {break_card} counts, which makes {count}. That is"
        " {points} points."
    ).format(rack=rack, break_card=EXAMPLE[prefix(EXAMPLE)], count=ascents(EXAMPLE), points=points)


def _bonus(rules: Rules) -> str:
    scale = ", ".join(
        (
            _("{length} or more cards {points}")
            if length == max(RUN_BONUS)
            else _("{length} cards {points}")
        ).format(length=length, points=run_bonus(length))
        for length in RUN_BONUS
    )
    if rules.teams:
        return _(
            "When somebody goes out, both partners of that team also score for the longest run in"
            " their own rack: {scale}."
        ).format(scale=scale)
    return _("Whoever goes out also scores for the longest run in the rack: {scale}.").format(
        scale=scale
    )


def _ending(rules: Rules) -> list[str]:
    lines = [
        _(
            "The game ends after a round in which a team has reached {target} points; the highest"
            " total wins. A tie at the top is played off."
        )
        if rules.teams
        else _(
            "The game ends after a round in which somebody has reached {target} points; the highest"
            " total wins. A tie at the top is played off."
        )
    ]
    lines = [line.format(target=rules.target) for line in lines]
    if rules.max_rounds is not None:
        lines.append(
            ngettext(
                "It ends after {count} round in any case; who is level then shares the win.",
                "It ends after {count} rounds in any case; who is level then shares the win.",
                rules.max_rounds,
            ).format(count=rules.max_rounds)
        )
    if rules.stalemate_turnovers is not None:
        lines.append(
            ngettext(
                "A round in which the draw pile was renewed {count} time ends with nobody going"
                " out.",
                "A round in which the draw pile was renewed {count} times ends with nobody going"
                " out.",
                rules.stalemate_turnovers,
            ).format(count=rules.stalemate_turnovers)
        )
    return lines


def preset_name(preset: str) -> str:
    """What a person reads for a preset."""
    return {
        "classic": _("Classic"),
        "duel": _("Duel"),
        "bonus": _("Bonus"),
        "partners": _("Partners"),
        "vintage": _("Vintage"),
    }[preset]


def preset_in_words(preset: str) -> str:
    """What a preset is about, in one line."""
    return {
        "classic": _("the usual rules"),
        "duel": _("for two: going out needs a run of three"),
        "bonus": _("runs score, you choose when to go out"),
        "partners": _("two against two, and runs score"),
        "vintage": _("as in 1956: the lowest card deals, runs score"),
    }[preset]


def preset_of(rules: Rules) -> str | None:
    """The preset that these rules are, whatever the target; None for a choice of one's own."""
    for name in PRESETS:
        with suppress(RulesError):  # it is not for so many
            if Rules.preset(name, rules.players, target=rules.target) == rules:
                return name
    return None


def level_name(level: str) -> str:
    """What a person reads for a bot's level."""
    from racko_core.bots import EXEC, OFFERED, OUTSIDE

    if level.startswith(EXEC):
        return program_name(level.removeprefix(EXEC))
    names = {
        "novice": _("novice"),
        "casual": _("casual"),
        "solid": _("solid"),
        "sharp": _("sharp"),
        "expert": _("expert"),
        OUTSIDE: _("another program"),
    }
    return names.get(level, level.removeprefix(OFFERED))


def level_in_words(level: str) -> str:
    """How a bot of that level plays, in one sentence; empty for another program."""
    return {
        "novice": _("A novice has one slot in mind for every card, by its number alone."),
        "casual": _("A casual player keeps the longest rising row and looks at nothing else."),
        "solid": _("A solid player counts the cards and goes the shortest way to RACK-O."),
        "sharp": _("A sharp player weighs what can be done before anybody else goes out."),
        "expert": _("An expert has learnt from games against itself what every move is worth."),
    }.get(level, "")


def program_name(command: str) -> str:
    """What to call a program by the command that starts it: its file, as far as one can tell."""
    try:
        words = shlex.split(command)
    except ValueError:  # half a quote
        words = command.split()
    files = [word for word in words[1:] if re.fullmatch(r"[^-].*\.[A-Za-z]{1,4}", word)]
    name = (files or words[:1] or [""])[0]
    return beginning(name.replace("\\", "/").rpartition("/")[2], _MOST_NAME)


def players_in_words(names: list[str]) -> str:
    """`Ana`, `Ana and Bo`, `Ana, Bo and Cy`."""
    if len(names) < 2:
        return "".join(names)
    return _("{several} and {last}").format(several=", ".join(names[:-1]), last=names[-1])
