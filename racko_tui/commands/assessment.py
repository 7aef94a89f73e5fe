"""An analysis as lines of text: what `racko analyse` prints."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from racko_core.coach import Analysis, Decision, Label, Report, RoundAnalysis
from racko_core.rules import Seat
from racko_net.text import width
from racko_tui.coaching import label_name, move_in_words, reason_in_words, signed
from racko_tui.i18n import _, ngettext
from racko_tui.words import players_in_words

SIGNS: Final = {Label.INACCURACY: "?!", Label.MISTAKE: "?", Label.BLUNDER: "??"}
"""How a label is written where there is no room for the word."""
_MISTAKES: Final = 3
"""Of each player, that are told."""

Row = Sequence[str]


def told(analysis: Analysis, names: Sequence[str], columns: int) -> list[str]:
    """The whole report, in so many columns where that can be. `names` are those of the seats."""
    lines = [_headline(analysis, names), "", *players(analysis, names), ""]
    lines += _wrapped(legend(), columns)
    if any(part.ended for part in analysis.rounds):
        lines += ["", *result(analysis, names)]
    for seat, name in enumerate(names):
        lines += _mistakes(analysis, seat, name, columns)
    return lines


def _headline(analysis: Analysis, names: Sequence[str]) -> str:
    count = len(analysis.rounds)
    rounds = ngettext("{count} round", "{count} rounds", count).format(count=count)
    return _("{players}: {rounds}, judged by what each player could see.").format(
        players=players_in_words(list(names)), rounds=rounds
    )


def players(analysis: Analysis, names: Sequence[str], *, outs: bool = True) -> list[str]:
    """How everybody played, round by round and in all. `outs`: whether to say who went out."""
    heads = [_("round"), _("player"), *report_heads(), _("points")]
    rows: list[Row] = [heads]
    for part in analysis.rounds:
        rows.append([])
        for seat, report in enumerate(part.reports):
            first = str(part.number) if seat == 0 else ""
            rows.append([first, names[seat], *report_cells(report), *_score(part, seat, outs)])
    if len(analysis.rounds) > 1:
        rows.append([])
        for seat, report in enumerate(analysis.reports):
            rows.append([_("all") if seat == 0 else "", names[seat], *report_cells(report)])
    return table(rows, left=(1, 8))


def report_heads() -> list[str]:
    """What stands above `report_cells`."""
    return [_("accuracy"), *SIGNS.values(), _("luck")]


def report_cells(report: Report) -> list[str]:
    """The accuracy, how many decisions were called what, and the luck."""
    accuracy = "–" if report.accuracy is None else f"{report.accuracy:.0f} %"
    labels = [str(report.labels[label] or "·") for label in SIGNS]
    return [accuracy, *labels, signed(100 * report.luck.win)]


def _score(part: RoundAnalysis, seat: Seat, outs: bool) -> list[str]:
    if part.ended is None:
        return []
    score = part.ended.scores[seat]
    return [str(score.points), "RACK-O" if outs and score.went_out else ""]


def legend() -> list[str]:
    """What the figures mean."""
    words = [f"{sign} {label_name(label)}" for label, sign in SIGNS.items()]
    return [
        _("{names}: 2, 5, 10 points of the chance to win given away.").format(
            names=", ".join(words)
        ),
        _("accuracy: 100 % gives nothing away, 37 % gives away 4 points in every turn."),
        _("luck: what the cards drawn were worth more than the mean of those that could come."),
    ]


def result(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """What came of it, and what would have come of it without luck."""
    without = _("without luck")
    heads = ["", _("rounds won"), without, _("points"), without]
    # Two words one below the other: the columns are narrow then.
    rows: list[Row] = list(zip(*(head.rpartition(" ")[::2] for head in heads), strict=True))
    for side, outcome in zip(analysis.rules.sides, analysis.outcomes, strict=True):
        rows.append(
            [
                players_in_words([names[seat] for seat in side]),
                f"{outcome.rounds:.0f}",
                f"{round(outcome.rounds_without_luck, 1) + 0:.1f}".replace("-", "−"),
                f"{outcome.points:.0f}",
                f"{round(outcome.points_without_luck)}".replace("-", "−"),
            ]
        )
    return table(rows, left=(0,))


def _mistakes(analysis: Analysis, seat: Seat, name: str, columns: int) -> list[str]:
    worst = analysis.worst(seat, _MISTAKES)
    if not worst:
        return []
    title = ngettext("The biggest mistake of {name}", "The biggest mistakes of {name}", len(worst))
    lines = ["", title.format(name=name)]
    for number, decision in worst:
        lines += ["", *_wrapped(_mistake(number, decision), columns, "  ")]
    return lines


def _wrapped(sentences: Sequence[str], columns: int, indent: str = "") -> list[str]:
    return [
        line
        for text in sentences
        for line in textwrap.wrap(
            text, columns, initial_indent=indent, subsequent_indent=2 * indent
        )
    ]


def _mistake(number: int, decision: Decision) -> list[str]:
    view, best, chosen = decision.view, decision.best, decision.chosen
    rack = " ".join(map(str, view.rack))
    seen = (
        _("Rack {rack}; {card} on the discard pile.").format(rack=rack, card=view.discard)
        if view.hand is None
        else _("Rack {rack}; {card} drawn.").format(rack=rack, card=view.hand)
    )
    return [
        _(
            "Round {round}, turn {turn}: {label}. Chance to win {before} % → {after} %, points"
            " {points} → {left}."
        ).format(
            round=number,
            turn=view.turns[decision.seat] + (view.phase != "call"),
            label=label_name(decision.label),
            before=round(100 * best.win),
            after=round(100 * chosen.win),
            points=signed(best.points),
            left=signed(chosen.points),
        ),
        seen,
        _("Done: {done}. Better: {better}.").format(
            done=move_in_words(view, chosen.action), better=move_in_words(view, best.action)
        ),
        reason_in_words(decision.why()),
    ]


def table(rows: Sequence[Row], left: Sequence[int]) -> list[str]:
    """The rows in columns: those in `left` start at the left, the others end at the right."""
    count = max(map(len, rows))
    most = [max(width(row[column]) for row in rows if column < len(row)) for column in range(count)]
    lines = []
    for row in rows:
        cells = []
        for column, cell in enumerate(row):
            space = " " * (most[column] - width(cell))
            cells.append(cell + space if column in left else space + cell)
        lines.append("  ".join(cells).rstrip())
    return lines
