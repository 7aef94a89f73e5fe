"""What to do with a rack that is RACK-O where players call for themselves."""

from __future__ import annotations

from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.outlook import outlook
from racko_core.rack import Rack, is_racko, longest_run, run_bonus
from racko_core.rules import (
    POINTS_FOR_GOING_OUT,
    RUN_BONUS,
    SLOTS,
    Card,
    Rules,
    Slot,
)
from racko_core.view import Phase, View

_RISE_OF_DANGER: Final = 0.02
_MOST_DANGER: Final = 0.3
"""The chance that a player goes out in a turn grows from turn to turn, up to a limit."""
_SWING: Final = POINTS_FOR_GOING_OUT + 40
"""Points, without the bonus, between going out and an opponent going out instead."""


def with_racko(view: View) -> Action:
    """What to do when `view.rack` is RACK-O: end the round, or look for a longer run."""
    if view.phase is Phase.CALL:
        return act.PLAY_ON if is_worth_playing_on(view) else act.GO_OUT
    if view.phase is Phase.DRAWN:
        assert view.hand is not None
        slot = _longer(view.rack, view.hand, view.rules)
        return act.PLACES[slot - 1] if slot else act.DISCARD
    # One more card is free: whoever has RACK-O at the end of the turn may still go out.
    slot = _longer(view.rack, view.discards[-1], view.rules)
    if slot:
        return act.TAKES[slot - 1]
    if act.DRAW in view.legal and expected_gain(view) > 0:
        return act.DRAW
    return act.GO_OUT if act.GO_OUT in view.legal else act.DRAW


def is_worth_playing_on(view: View) -> bool:
    """Whether a longer run is likely enough to let the others have another turn."""
    assert view.seat is not None
    rules = view.rules
    if not rules.bonus or view.turnovers > 1:
        return False
    mine = rules.side_of(view.seat)
    opponents = [seat for seat in range(rules.players) if rules.side_of(seat) != mine]
    bonus = run_bonus(longest_run(view.rack)[1])
    out = SLOTS * 5 + POINTS_FOR_GOING_OUT
    if view.totals[mine] + out + bonus >= rules.target:
        return False
    if any(view.totals[rules.side_of(seat)] + out >= rules.target for seat in opponents):
        return False
    risk = danger(view)
    return expected_gain(view) * (1 - risk) > risk * (_SWING + bonus)


def danger(view: View) -> float:
    """The chance that an opponent goes out before the seat's next turn."""
    assert view.seat is not None
    rules = view.rules
    stay = 1.0
    for seat in range(rules.players):
        if rules.side_of(seat) != rules.side_of(view.seat):
            stay *= 1 - min(_MOST_DANGER, _RISE_OF_DANGER * (view.turns[seat] + 1))
    return 1 - stay


def expected_gain(view: View) -> float:
    """The bonus points that the next card drawn adds on average."""
    rack, rules = view.rack, view.rules
    if not rules.bonus or longest_run(rack)[1] >= max(RUN_BONUS):
        return 0.0
    below = outlook(view).below
    bonus = run_bonus(longest_run(rack)[1])
    gain = 0
    for card in range(1, rules.cards + 1):
        chance = below[card + 1] - below[card]
        slot = _longer(rack, card, rules) if chance else None
        if slot:
            gain += chance * (run_bonus(longest_run(_put(rack, slot, card))[1]) - bonus)
    return gain / below[-1] if gain else 0.0


def _longer(rack: Rack, card: Card, rules: Rules) -> Slot | None:
    """The slot where `card` leaves RACK-O with the highest bonus, if that is higher than now."""
    best, where = run_bonus(longest_run(rack)[1]) if rules.bonus else max(RUN_BONUS.values()), None
    for slot in range(1, SLOTS + 1):
        after = _put(rack, slot, card)
        bonus = run_bonus(longest_run(after)[1])
        if bonus > best and is_racko(after, rules):
            best, where = bonus, slot
    return where


def _put(rack: Rack, slot: Slot, card: Card) -> Rack:
    return (*rack[: slot - 1], card, *rack[slot:])
