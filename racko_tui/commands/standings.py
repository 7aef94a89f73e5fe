"""The standing of an arena as text: a column for each bot, and whom it beats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from racko_core.arena import Estimate, Row, Standing
from racko_core.bots import is_outside
from racko_net.text import beginning, ending, filled, harmless, wrapped
from racko_net.text import width as _width
from racko_tui import logfile
from racko_tui.i18n import _, decimal, ngettext, sentence, spelt

_LONGEST_NAME: Final = 20
"""Cells of a name, where there is room for it."""
_SHORTEST_NAME: Final = 10
"""Cells that it takes in any case: a figure beside it has as many."""
_GAP: Final = "  "
_MANY: Final = 2
"""Bots from which on it is worth saying who beats whom."""
_FAILED: Final = "*"
"""Marks a bot whose figures are not all its own."""


def told(standing: Standing, width: int) -> list[str]:
    """The lines that say how things stand, for a terminal of that width."""
    lines = _wrapped(_head(standing), width)
    if not standing.decks:
        return lines
    labels, columns = _figures(standing)
    room = width - max(map(_width, labels)) - len(_GAP) - len(_FAILED)
    names = shortened(
        [row.name for row in standing.rows], max(_SHORTEST_NAME, min(_LONGEST_NAME, room))
    )
    for notice in _failures(standing, names):
        lines += ["", *_wrapped([notice], width)]
    for row in standing.rows:
        if row.effort.failures:
            names[row.name] += _FAILED
    named = [[names[row.name], *column] for row, column in zip(standing.rows, columns, strict=True)]
    lines += ["", *_table(["", *labels], named, width), ""]
    if len(standing.contest.bots) > _MANY:
        question = _("How often the bot at the left had more points than the one above, in %:")
        matrix = _table(*_matrix(standing, names), width)
        lines += [*_wrapped([question], width), *matrix, ""]
    return lines + _wrapped(_notes(standing), width)


def _wrapped(sentences: Iterable[str], width: int) -> list[str]:
    return [line for text in sentences for line in wrapped(text, width)]


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


def _table(labels: list[str], columns: list[list[str]], width: int) -> Iterator[str]:
    """A line for each label, in blocks of so many columns as fit."""
    left = max(map(_width, labels))
    sizes = [max(map(_width, column)) for column in columns]
    start = 0
    while start < len(columns):
        end, used = start, left
        while end < len(columns) and (end == start or used + len(_GAP) + sizes[end] <= width):
            used += len(_GAP) + sizes[end]
            end += 1
        if start:
            yield ""
        for line, label in enumerate(labels):
            row = filled(label, left)
            for at in range(start, end):
                cell = columns[at][line]
                row += _GAP + " " * (sizes[at] - _width(cell)) + cell
            yield row.rstrip()
        start = end


def _figures(standing: Standing) -> tuple[list[str], list[list[str]]]:
    """Labels, and for each bot its figures."""
    share: Callable[[Estimate], str] = lambda estimate: _figure(estimate, 100)  # noqa: E731
    figures: list[tuple[str, Callable[[Row], str]]] = [
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
        del figures[1]
    if len(standing.rows) == 1:
        figures.pop()
    return [label for label, _row in figures], [
        [figure(row) for _label, figure in figures] for row in standing.rows
    ]


def _matrix(standing: Standing, names: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Whom each bot beats, the strongest first: labels, and a column for each."""
    bots = [row.name for row in sorted(standing.rows, key=lambda row: -(row.elo.value or 0))]
    scores = {pair.bots: pair.score.value for pair in standing.pairs}
    scores |= {
        (other, bot): None if score is None else 1 - score for (bot, other), score in scores.items()
    }

    def cell(bot: str, other: str) -> str:
        score = scores.get((bot, other))
        return "" if score is None else decimal(f"{100 * score:.1f}")

    labels = ["", *(f"{place}. {names[bot]}" for place, bot in enumerate(bots, 1))]
    return labels, [
        [str(place), *(cell(bot, other) for bot in bots)] for place, other in enumerate(bots, 1)
    ]


def _failures(standing: Standing, names: Mapping[str, str]) -> Iterator[str]:
    """Which bots failed, how often, and how first; and of programs what tells more."""
    for row in standing.rows:
        effort = row.effort
        if effort.trouble is None:
            continue
        if is_outside(row.name):
            text = ngettext(
                "* “{bot}” failed, and a novice took its seat for the rest of {count} round:"
                " {trouble}",
                "* “{bot}” failed, and a novice took its seat {count} times, each for the rest of"
                " a round; first: {trouble}",
                effort.failures,
            )
        else:
            text = ngettext(
                "* “{bot}” failed in {count} decision: {trouble}",
                "* “{bot}” failed in {count} decisions, first: {trouble}",
                effort.failures,
            )
        yield text.format(
            bot=names[row.name], count=effort.failures, trouble=sentence(effort.trouble)
        )
    if any(row.effort.failures for row in standing.rows if is_outside(row.name)):
        yield _(
            "“racko bot check” with the program's command tells more, and so does the log where it"
            " ran, “{path}”."
        ).format(path=logfile.path())


def _notes(standing: Standing) -> Iterator[str]:
    share = decimal(f"{100 / len(standing.contest.rules.sides):.1f}").removesuffix(decimal(".0"))
    yield _("± is one standard error; a difference of less than two of them may be chance.")
    yield _("Equal bots win {share} % each.").format(share=share)


def shortened(names: Iterable[str], most: int = _LONGEST_NAME) -> dict[str, str]:
    """By the name of a bot, what it is called in a table, in so many cells: no two of them alike.

    Long ones are commands. They begin with what matters least, so their end is shown, unless that
    is the same for two of them: then the last part that is not.
    """
    whole = {name: spelt(harmless(name)) for name in names}
    cut = spelt("…")
    room = most - len(cut)

    def short(name: str, behind: int) -> str:
        """The name without so many letters at its end."""
        if _width(name) <= most:
            return name
        if not behind:
            return cut + ending(name, room)
        before = name[:-behind]
        part = ending(before, room - len(cut))
        if part == before:  # that is where the name begins
            part = beginning(name, room - len(cut))
        return cut + part + cut

    for behind in range(max(map(len, whole.values()))):
        found = {name: short(text, behind) for name, text in whole.items()}
        if len(set(found.values())) == len(found):
            return found
    # They differ in many places, or only in what cannot be shown: those alike get a number.
    found = {name: short(text, 0) for name, text in whole.items()}
    often = Counter(found.values())
    return {
        name: text if often[text] == 1 else _numbered(place, text, most)
        for place, (name, text) in enumerate(found.items(), 1)
    }


def _numbered(place: int, text: str, most: int) -> str:
    number = f"{place}: "
    return number + ending(text, most - len(number))


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
