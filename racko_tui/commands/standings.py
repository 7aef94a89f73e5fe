"""The standing of an arena as text: a column for each bot, and whom it beats."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from racko_core.arena import Estimate, Row, Standing
from racko_core.bots import is_outside
from racko_tui.i18n import _, ngettext, pgettext, sentence

_LONGEST_NAME: Final = 20
_GAP: Final = "  "
_MANY: Final = 2
"""Bots from which on it is worth saying who beats whom."""


def told(standing: Standing, width: int) -> list[str]:
    """The lines that say how things stand, for a terminal of that width."""
    contest = standing.contest
    lines = _wrapped(_head(standing), width)
    if not standing.decks:
        return lines
    lines += ["", *_table(standing, width), ""]
    if len(contest.bots) > _MANY:
        question = _("How often the bot at the left had more points than the one above, in %:")
        lines += [*_wrapped([question], width), *_matrix(standing), ""]
    return lines + _wrapped(_notes(standing), width)


def _wrapped(sentences: Iterable[str], width: int) -> list[str]:
    return [line for text in sentences for line in textwrap.wrap(text, width)]


def _head(standing: Standing) -> Iterator[str]:
    contest = standing.contest
    if not standing.complete:
        yield _("Stopped after {done} of {count} decks.").format(
            done=standing.decks, count=contest.decks
        )
    if not standing.decks:
        return
    if len(contest.matches) > 1:
        yield ngettext(
            "A round robin of {count} match.",
            "A round robin of {count} matches.",
            len(contest.matches),
        ).format(count=len(contest.matches))
    rounds = ngettext("{count} round", "{count} rounds", standing.rounds)
    played = rounds.format(count=standing.rounds)
    if contest.unit == "games":
        games = ngettext("{count} game", "{count} games", standing.tables)
        played = _("{games} of {rounds} in all").format(
            games=games.format(count=standing.tables), rounds=played
        )
    decks = ngettext("{count} deck", "{count} decks", standing.decks)
    yield _("{played}, {decks} from every seat, seed {seed}.").format(
        played=played, decks=decks.format(count=standing.decks), seed=contest.seed
    )


def _table(standing: Standing, width: int) -> Iterator[str]:
    """A line for each figure, in blocks of so many bots as fit."""
    labels, columns = _figures(standing)
    left = max(map(len, labels))
    sizes = [max(map(len, column)) for column in columns]
    start = 0
    while start < len(columns):
        end, used = start, left
        while end < len(columns) and (end == start or used + len(_GAP) + sizes[end] <= width):
            used += len(_GAP) + sizes[end]
            end += 1
        if start:
            yield ""
        for line, label in enumerate(labels):
            cells = [f"{columns[at][line]:>{sizes[at]}}" for at in range(start, end)]
            yield _GAP.join([f"{label:{left}}", *cells])
        start = end


def _figures(standing: Standing) -> tuple[list[str], list[list[str]]]:
    """Labels, and for each bot its figures."""
    share: Callable[[Estimate], str] = lambda estimate: _figure(estimate, 100)  # noqa: E731
    figures: list[tuple[str, Callable[[Row], str]]] = [
        ("", lambda row: short(row.name)),
        (_("rounds won, %"), lambda row: share(row.share_of_rounds)),
        (_("games won, %"), lambda row: share(row.share_of_games)),
        (_("points a round"), lambda row: _figure(row.points)),
        (_("margin a round"), lambda row: _figure(row.margin, sign="+")),
        (_("turns when winning"), lambda row: _figure(row.turns_when_winning)),
        (_("stalemates, %"), lambda row: share(row.stalemates)),
        (_("ms a decision"), lambda row: _milliseconds(row)),
        ("Elo", lambda row: _figure(row.elo, places=0, sign="+")),
    ]
    if standing.contest.unit == "rounds":
        del figures[2]
    if len(standing.rows) == 1:
        figures.pop()
    return [label for label, _row in figures], [
        [figure(row) for _label, figure in figures] for row in standing.rows
    ]


def _matrix(standing: Standing) -> Iterator[str]:
    """Whom each bot beats, the strongest first."""
    names = [row.name for row in sorted(standing.rows, key=lambda row: -(row.elo.value or 0))]
    scores = {pair.bots: pair.score.value for pair in standing.pairs}
    scores |= {
        (other, bot): None if score is None else 1 - score for (bot, other), score in scores.items()
    }
    labels = [f"{place}. {short(name)}" for place, name in enumerate(names, 1)]
    left = max(map(len, labels))
    yield " " * left + "".join(f"{place:>7}" for place in range(1, len(names) + 1))
    for label, bot in zip(labels, names, strict=True):
        cells = []
        for other in names:
            score = scores.get((bot, other))
            cells.append("" if score is None else decimal(f"{100 * score:.1f}"))
        yield f"{label:{left}}{''.join(f'{cell:>7}' for cell in cells)}".rstrip()


def _notes(standing: Standing) -> Iterator[str]:
    share = decimal(f"{100 / len(standing.contest.rules.sides):.1f}").removesuffix(decimal(".0"))
    yield _("± is one standard error; a difference of less than two of them may be chance.")
    yield _("Equal bots win {share} % each.").format(share=share)
    for row in standing.rows:
        if row.effort.trouble is not None:
            count = row.effort.failures
            if is_outside(row.name):
                text = ngettext(
                    "“{bot}” failed, and a novice took its seat for the rest of {count} round:"
                    " {trouble}",
                    "“{bot}” failed, and a novice took its seat {count} times, each for the rest of"
                    " a round; first: {trouble}",
                    count,
                )
            else:
                text = ngettext(
                    "“{bot}” failed in {count} decision: {trouble}",
                    "“{bot}” failed in {count} decisions, first: {trouble}",
                    count,
                )
            yield text.format(
                bot=short(row.name),
                count=count,
                trouble=sentence(row.effort.trouble),
            )


def short(name: str) -> str:
    """A bot's name, cut where it is long; a command begins with what matters least."""
    if len(name) <= _LONGEST_NAME:
        return name
    return "…" + name[1 - _LONGEST_NAME :]


def decimal(figure: str) -> str:
    """A figure with the decimal mark of the language spoken."""
    return figure.replace(".", pgettext("decimal mark", "."))


def _figure(estimate: Estimate, scale: int = 1, *, places: int = 1, sign: str = "") -> str:
    if estimate.value is None:
        return "-"
    value = decimal(f"{scale * estimate.value:{sign}.{places}f}")
    if estimate.error is None:
        return value
    error = decimal(f"{scale * estimate.error:.{places}f}")
    return _("{value} ±{error}").format(value=value, error=error)


def _milliseconds(row: Row) -> str:
    value = row.effort.milliseconds
    return "-" if value is None else decimal(f"{value:.{1 if value >= 10 else 3}f}")
