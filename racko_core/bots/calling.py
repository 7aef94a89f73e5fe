"""What to do with a rack that is RACK-O where players call for themselves."""

from __future__ import annotations

from typing import Final

from racko_core import actions as act
from racko_core.actions import Action
from racko_core.bots.outlook import outlook
from racko_core.bots.pace import chance_of_going_out
from racko_core.bots.standing import chance_to_win
from racko_core.rack import (
    Rack,
    is_racko,
    longest_run,
    points_for_going_out,
    points_without_going_out,
    run_bonus,
    with_card,
)
from racko_core.rules import RUN_BONUS, SLOTS, Card, Rules, Seat, Slot
from racko_core.view import Known, Phase, View

OTHERS: Final = 25
"""Points of a player who did not go out, on average."""


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
    """Whether to let the others have another turn for the sake of a longer run: whether one's side
    is then likelier to win the game.
    """
    if not view.rules.bonus or view.turnovers > 1:
        return False
    assert view.seat is not None
    now = run_bonus(longest_run(view.rack)[1])
    return _chance_playing_on(view, now) > _chance_if_out(view, view.seat, now)


def danger(view: View) -> float:
    """The chance that an opponent goes out before the seat's next turn."""
    assert view.seat is not None
    rules = view.rules
    stay = 1.0
    for seat in range(rules.players):
        if rules.side_of(seat) != rules.side_of(view.seat):
            stay *= 1 - chance_of_going_out(rules, view.turns[seat])
    return 1 - stay


def expected_gain(view: View) -> float:
    """The bonus points that the next card drawn adds on average."""
    now = run_bonus(longest_run(view.rack)[1])
    return sum(chance * (bonus - now) for bonus, chance in _longer_runs(view).items())


def _chance_playing_on(view: View, now: int) -> float:
    """The chance to win the game if one plays on with a run worth so much: whoever comes before
    one's next turn may go out, a partner too; then a card comes, and one goes out.
    """
    assert view.seat is not None
    rules = view.rules
    nobody, chance = 1.0, 0.0
    for step in range(1, rules.players):
        seat = (view.seat + step) % rules.players
        goes = nobody * chance_of_going_out(rules, view.turns[seat])
        chance += goes * _chance_if_out(view, seat, now)
        nobody -= goes
    longer = _longer_runs(view)
    same = 1 - sum(longer.values())
    for bonus, likely in (*longer.items(), (now, same)):
        chance += nobody * likely * _chance_if_out(view, view.seat, bonus)
    return chance


def _chance_if_out(view: View, out: Seat, mine: int) -> float:
    """The chance to win the game if `out` goes out, when one's own run is worth so much."""
    assert view.seat is not None
    rules = view.rules
    totals = [*view.totals]
    for seat, known in enumerate(view.known):
        points = points_without_going_out(view.rack, rules) if seat == view.seat else OTHERS
        side = rules.side_of(seat)
        totals[side] += points_for_going_out() if seat == out else points
        if side == rules.side_of(out):
            totals[side] += mine if seat == view.seat else run_bonus(_known_run(known))
    return chance_to_win(rules, view.round, totals, rules.side_of(view.seat))


def _known_run(known: Known) -> int:
    """The longest run that everybody has seen."""
    cards = [-SLOTS * slot if card is None else card for slot, card in enumerate(known, 1)]
    return longest_run(cards)[1]


def _longer_runs(view: View) -> dict[int, float]:
    """What runs longer than now are worth, and how likely the next card drawn makes them."""
    rack, rules = view.rack, view.rules
    longer: dict[int, float] = {}
    if not rules.bonus or longest_run(rack)[1] >= max(RUN_BONUS):
        return longer
    below = outlook(view).below
    for card in range(1, rules.cards + 1):
        chance = below[card + 1] - below[card]
        slot = _longer(rack, card, rules) if chance else None
        if slot:
            bonus = run_bonus(longest_run(with_card(rack, slot, card))[1])
            longer[bonus] = longer.get(bonus, 0.0) + chance / below[-1]
    return longer


def _longer(rack: Rack, card: Card, rules: Rules) -> Slot | None:
    """The slot where `card` leaves RACK-O with the highest bonus, if that is higher than now."""
    best, where = run_bonus(longest_run(rack)[1]) if rules.bonus else max(RUN_BONUS.values()), None
    for slot in range(1, SLOTS + 1):
        after = with_card(rack, slot, card)
        bonus = run_bonus(longest_run(after)[1])
        if bonus > best and is_racko(after, rules):
            best, where = bonus, slot
    return where
