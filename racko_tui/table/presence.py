"""Who is here, who is away and since when, and whom the table waits for, in words."""

from __future__ import annotations

from racko_core.rules import Seat
from racko_core.seating import Chair, Kind, Options, Stage, TableInfo
from racko_core.view import Phase, View
from racko_tui.i18n import _, ngettext
from racko_tui.table.decision import Held
from racko_tui.widgets.picture import Span
from racko_tui.words import level_name, players_in_words


def clock(seconds: float) -> str:
    """`1:05`."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def state_of(chair: Chair, info: TableInfo, now: float) -> str:
    """How somebody at the table is doing, in a few words; `now` on the table's clock."""
    if chair.kind is Kind.OPEN:
        return _("open")
    if chair.kind is Kind.BOT:
        return _("bot, {level}").format(level=level_name(chair.level))
    if chair.relieved:
        return _("away, a bot plays")
    if chair.away_since is not None:
        left = _until_relief(chair, info, now)
        return _("away, a bot in {time}").format(time=clock(left)) if left else _("away")
    return _("here")


def presence(info: TableInfo, view: View | None, me: Seat | None, now: float) -> list[Span]:
    """What there is to know about the others now; nothing while everyone is here and plays."""
    spans: list[Span] = []
    if me is not None and info.chairs[me].relieved:
        spans.append((_("A bot plays for you; press any key to play on yourself."), "warning"))
    elif me is not None and info.chairs[me].away:
        spans.append((_("You count as away; press any key to be back."), "warning"))
    for seat, chair in enumerate(info.chairs):
        if chair.kind is not Kind.HUMAN or not chair.away or seat == me:
            continue
        spans.append((_absent(chair, info, now), "warning"))
    between = view is not None and view.phase in (Phase.DEAL, Phase.OVER)
    waits = between and (me is None or info.chairs[me].ready or info.chairs[me].away)
    if waits and info.stage is not Stage.GATHERING:
        names = [
            chair.name
            for seat, chair in enumerate(info.chairs)
            if chair.kind is Kind.HUMAN and seat != me and not (chair.ready or chair.away)
        ]
        if names:
            spans.append((_("Waiting for {names}.").format(names=players_in_words(names)), "quiet"))
    return spans


def holding(held: Held, info: TableInfo, me: Seat | None) -> str:
    """What holds the game up, and what ends that, as the person at `me` reads it."""
    if held is Held.LOST and me is None:
        return _("Trying to come back, again and again.")
    if held is Held.LOST:
        return _("Trying to come back, again and again; your seat is kept.")
    if me is not None and me == info.owner:
        return _("The table is paused; you let it go on under “people”.")
    if info.may_pause(me):
        return _(
            "The table is paused, and whoever runs it is away; you may let it go on under “people”."
        )
    if info.owner is not None and info.chairs[info.owner].away:
        return _(
            "The table is paused, and whoever runs it is away; whoever plays may let it go on."
        )
    return _("The table is paused; whoever runs it lets it go on.")


def _until_relief(chair: Chair, info: TableInfo, now: float) -> float | None:
    """Seconds until a bot plays for who is away; None where nothing brings that about: the table
    waits for them, or rests, paused or with nobody here.
    """
    if info.paused or info.options.grace is None or chair.away_since is None:
        return None
    left = chair.away_since + info.options.grace - now
    return left if left > 0 else None


def _absent(chair: Chair, info: TableInfo, now: float) -> str:
    if chair.relieved:
        return _("A bot plays for {name} until they come back.").format(name=chair.name)
    if info.options.grace is None:
        return _("{name} is away; the table waits.").format(name=chair.name)
    left = _until_relief(chair, info, now)
    if left is None:
        return _("{name} is away.").format(name=chair.name)
    return _("{name} is away; a bot takes over in {time}.").format(
        name=chair.name, time=clock(left)
    )


def options_in_words(options: Options) -> list[str]:
    """How a table is run, one sentence for each thing."""
    lines = []
    if options.turn_limit is not None:
        seconds = int(options.turn_limit)
        lines.append(
            ngettext(
                "A turn takes {count} second at most; then a card is drawn and discarded.",
                "A turn takes {count} seconds at most; then a card is drawn and discarded.",
                seconds,
            ).format(count=seconds)
        )
    if options.grace is None:
        lines.append(_("Whoever goes away is waited for."))
    else:
        seconds = int(options.grace)
        lines.append(
            ngettext(
                "A bot plays for whoever has been away for {count} second.",
                "A bot plays for whoever has been away for {count} seconds.",
                seconds,
            ).format(count=seconds)
        )
    if not options.spectators:
        lines.append(_("Nobody may watch."))
    elif options.open_racks:
        lines.append(_("Others may watch, and see every rack."))
    else:
        lines.append(_("Others may watch."))
    return lines
