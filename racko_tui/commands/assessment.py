"""An analysis as lines of text: what `racko analyse` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Final

from racko_core.coach import Analysis, Decision, Label, Report, RoundAnalysis
from racko_core.rules import Seat
from racko_net.text import cut, width, wrapped
from racko_tui.coaching import label_name, move_in_words, reason_in_words, signed
from racko_tui.i18n import _, decimal, ngettext
from racko_tui.phrases import side_names
from racko_tui.words import players_in_words

SIGNS: Final = {Label.INACCURACY: "?!", Label.MISTAKE: "?", Label.BLUNDER: "??"}
"""How a label is written where there is no room for the word."""
_SLIPS: Final = 3
"""Of each player, that are told."""

_SHORT_NAME: Final = 8
"""Cells that a name keeps before a table is laid out in another way."""
_SHORTEST_NAME: Final = 4
_HANGING: Final = "  "
_HEADS: Final = 2
"""Lines of the heads above a result: the columns are narrow then."""
_HIGH_HEADS: Final = 3
"""The same where there is little room."""

Row = Sequence[str]


def told(analysis: Analysis, names: Sequence[str], columns: int) -> list[str]:
    """The whole report, in so many columns where that can be. `names` are those of the seats."""
    lines = wrapped(_headline(analysis, names), columns)
    lines += ["", *players(analysis, names, columns), "", *explained(columns)]
    if any(part.ended for part in analysis.rounds):
        lines += ["", *result(analysis, names, columns)]
    for seat, name in enumerate(names):
        lines += _slips(analysis, seat, name, columns)
    return lines


def _headline(analysis: Analysis, names: Sequence[str]) -> str:
    count = len(analysis.rounds)
    rounds = ngettext("{count} round", "{count} rounds", count).format(count=count)
    return _("{players}: {rounds}, judged by what each player could see.").format(
        players=players_in_words(list(names)), rounds=rounds
    )


def players(analysis: Analysis, names: Sequence[str], columns: int) -> list[str]:
    """How everybody played, round by round and in all; where there is little room, without who
    went out, in shorter names, at last with the rounds in lines of their own.
    """

    def layouts() -> Iterator[list[str]]:
        yield _players(analysis, names, outs=True)
        for short in _shorter(names, _SHORT_NAME):
            yield _players(analysis, short, outs=False)
        for short in _shorter(names, _SHORTEST_NAME):
            yield _narrow_players(analysis, short)

    return _fitting(layouts(), columns)


def _fitting(layouts: Iterable[list[str]], columns: int) -> list[str]:
    """The first layout that is narrow enough, or else the last."""
    lines: list[str] = []
    for lines in layouts:
        if max(map(width, lines)) <= columns:
            break
    return lines


def _shorter(names: Sequence[str], least: int) -> Iterator[list[str]]:
    """The names as they are, then shorter and shorter."""
    longest = max(map(width, names))
    for most in range(longest, min(longest, least) - 1, -1):
        yield [cut(name, most) for name in names]


def _players(analysis: Analysis, names: Sequence[str], *, outs: bool) -> list[str]:
    rows: list[Row] = [[_("round"), _("player"), *report_heads(), _("points")]]
    for number, block in _blocks(analysis, names, outs=outs):
        firsts = chain([_("all") if number is None else str(number)], repeat(""))
        rows += [[], *([first, *row] for first, row in zip(firsts, block, strict=False))]
    return table(rows, left=(1, 8))


def _narrow_players(analysis: Analysis, names: Sequence[str]) -> list[str]:
    _accuracy, *heads = report_heads()
    blocks = list(_blocks(analysis, names, outs=False))
    rows: list[Row] = [["", _("acc."), *heads, _("points")]]
    rows += [row for _number, block in blocks for row in block]
    head, *lines = table(rows, left=(0,))
    told = [head]
    for number, block in blocks:
        told += ["", _("all") if number is None else _("round {number}").format(number=number)]
        told += lines[: len(block)]
        del lines[: len(block)]
    return told


def _blocks(
    analysis: Analysis, names: Sequence[str], *, outs: bool
) -> Iterator[tuple[int | None, list[Row]]]:
    """The number of a round, and a row for each player in it; at last the same in all, for None."""
    for part in analysis.rounds:
        yield (
            part.number,
            [
                [name, *report_cells(report), *_score(part, seat, outs)]
                for seat, (name, report) in enumerate(zip(names, part.reports, strict=True))
            ],
        )
    if len(analysis.rounds) > 1:
        together = zip(names, analysis.reports, strict=True)
        yield None, [[name, *report_cells(report)] for name, report in together]


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


def legend(marks: Sequence[str] = ()) -> list[str]:
    """What the figures mean. `marks` are those of a graph, in the order of `SIGNS`."""
    signs = list(SIGNS.values())
    if marks:
        signs = [f"{sign} {mark}" for sign, mark in zip(signs, marks, strict=True)]
    words = [f"{sign} {label_name(label)}" for sign, label in zip(signs, SIGNS, strict=True)]
    return [
        _("slips that cost 2, 5, 10 points: {names}").format(names=", ".join(words)),
        _("accuracy: 100 % gives nothing away, 50 % gives away 2.8 points a turn."),
        _("luck: chance to win a round that drawn cards brought beyond average."),
        _("by luck: what one's own luck has brought, and the bad luck of the others."),
        _("Not counted as luck: the deal, and what others discard."),
    ]


def explained(columns: int, marks: Sequence[str] = ()) -> list[str]:
    """The legend in lines."""
    return _wrapped(legend(marks), columns)


def result(analysis: Analysis, names: Sequence[str], columns: int) -> list[str]:
    """What came of it, and how much of that came by luck; where there is little room, in shorter
    names and narrower columns, at last with the names in lines of their own.
    """

    def layouts() -> Iterator[list[str]]:
        for heads, least in ((_HEADS, _SHORT_NAME), (_HIGH_HEADS, _SHORTEST_NAME)):
            for short in _shorter(names, least):
                yield _result(analysis, short, heads)
        lines = table(outcomes(analysis, _HIGH_HEADS), ())
        below = zip(side_names(names, analysis.rules), lines[_HIGH_HEADS:], strict=True)
        stacked = [line for side, figures in below for line in (cut(side, columns), figures)]
        yield [*lines[:_HIGH_HEADS], *stacked]

    return _fitting(layouts(), columns)


def _result(analysis: Analysis, names: Sequence[str], heads: int) -> list[str]:
    firsts = [*[""] * heads, *side_names(names, analysis.rules)]
    rows = zip(firsts, outcomes(analysis, heads), strict=True)
    return table([[first, *row] for first, row in rows], left=(0,))


def outcomes(analysis: Analysis, lines: int = _HEADS) -> list[Row]:
    """The rows of the result without names: the heads in so many lines, then those of the sides.

    Luck is shown, not what would be left without it: that may be less than no round, or more than
    were played, which nobody understands.
    """
    heads = [_("rounds won"), _("rounds by luck"), _("points"), _("points by luck")]
    words = [(head.split(" ", lines - 1) + [""] * lines)[:lines] for head in heads]
    rows: list[Row] = list(zip(*words, strict=True))
    for outcome in analysis.outcomes:
        rows.append(
            [
                f"{outcome.rounds:.0f}",
                _signed_tenths(outcome.rounds - outcome.rounds_without_luck),
                f"{outcome.points:.0f}",
                signed(outcome.points - outcome.points_without_luck),
            ]
        )
    return rows


def _signed_tenths(number: float) -> str:
    tenths = round(number, 1)
    return decimal(f"{tenths:+.1f}".replace("-", "−") if tenths else "0.0")


def _slips(analysis: Analysis, seat: Seat, name: str, columns: int) -> list[str]:
    worst = analysis.worst(seat, _SLIPS)
    if not worst:
        return []
    title = ngettext("The biggest slip of {name}", "The biggest slips of {name}", len(worst))
    lines = ["", *wrapped(title.format(name=name), columns)]
    for number, decision in worst:
        lines += ["", *_wrapped(_slip(number, decision), columns, "  ")]
    return lines


def _wrapped(sentences: Sequence[str], columns: int, indent: str = "") -> list[str]:
    """The sentences one below the other, what does not fit into a line two cells further in."""
    return [
        line
        for text in sentences
        for line in wrapped(text, columns, first=indent, indent=indent + _HANGING)
    ]


def _slip(number: int, decision: Decision) -> list[str]:
    view, best, chosen = decision.view, decision.best, decision.chosen
    rack = " ".join(map(str, view.rack))
    seen = (
        _("Rack {rack}; {card} on the discard pile.").format(rack=rack, card=view.discard)
        if view.hand is None
        else _("Rack {rack}; {card} drawn.").format(rack=rack, card=view.hand)
    )
    return [
        _(
            "Round {round}, turn {turn}: {label}. Chance to win the round {before} % → {after} %,"
            " points on the others {points} → {left}."
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
