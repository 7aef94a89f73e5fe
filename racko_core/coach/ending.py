"""What becomes of the game if a seat goes out now, as far as the totals tell."""

from __future__ import annotations

from enum import Enum, auto

from racko_core.coach.reason import Reason, Why, Words
from racko_core.errors import N_
from racko_core.rack import Rack, longest_run, points_for_going_out, run_bonus
from racko_core.rules import POINTS_PER_CARD, SLOTS, Card, Slot, label
from racko_core.view import View


class Ending(Enum):
    """What going out does to the game."""

    NONE = auto()
    """It goes on, or one's side leads it."""
    WON = auto()
    LOST = auto()
    """It ends, and another side is ahead."""
    OPEN = auto()
    """It ends, or may end, and another side may be ahead."""


def points_if_out(view: View, rack: Rack) -> int:
    """The points of the seat that goes out with this rack."""
    return points_for_going_out() + (run_bonus(longest_run(rack)[1]) if view.rules.bonus else 0)


def ending(view: View, rack: Rack) -> Ending:
    """What becomes of the game if the seat goes out with this rack. What others have in their
    racks nobody knows: 5 points up to 50 each, and a partner's run is not counted.
    """
    assert view.seat is not None
    rules, mine = view.rules, view.rules.side_of(view.seat)
    least, most = [*view.totals], [*view.totals]
    for seat in range(rules.players):
        side, points = rules.side_of(seat), points_if_out(view, rack)
        least[side] += points if seat == view.seat else POINTS_PER_CARD
        most[side] += points if seat == view.seat else POINTS_PER_CARD * SLOTS
    last = rules.max_rounds is not None and view.round >= rules.max_rounds
    if not last and max(most) < rules.target:
        return Ending.NONE
    ends = last or max(least) >= rules.target
    others = [side for side in range(len(least)) if side != mine]
    if least[mine] > max(most[side] for side in others):
        return Ending.WON if ends else Ending.NONE
    if ends and most[mine] < max(least[side] for side in others):
        return Ending.LOST
    return Ending.OPEN


def making_racko(view: View, slot: Slot, card: Card, after: Rack) -> Reason:
    """A card makes the rack RACK-O; where nobody is asked then, that ends the round."""
    what = ending(view, after) if view.rules.call == "auto" else Ending.NONE
    text = {
        Ending.NONE: N_("{card} in slot {slot} makes RACK-O."),
        Ending.WON: N_("{card} in slot {slot} makes RACK-O and wins the game."),
        Ending.LOST: N_(
            "{card} in slot {slot} makes RACK-O, but the game ends then with somebody else ahead."
        ),
        Ending.OPEN: N_(
            "{card} in slot {slot} makes RACK-O, but the game may end then with somebody else"
            " ahead."
        ),
    }[what]
    return Reason(Why.GOES_OUT, Words(text, {"card": card, "slot": label(slot)}))


def going_out(view: View) -> Reason:
    """Why to end the round, and what that means for the game."""
    text = {
        Ending.NONE: N_("Going out scores {points} points now, before anybody else can go out."),
        Ending.WON: N_("Going out scores {points} points now and wins the game."),
        Ending.LOST: N_(
            "Going out scores {points} points, but the game ends then with somebody else ahead."
        ),
        Ending.OPEN: N_(
            "Going out scores {points} points, but the game may end then with somebody else ahead."
        ),
    }[ending(view, view.rack)]
    return Reason(Why.GOING_OUT, Words(text, {"points": points_if_out(view, view.rack)}))


def not_going_out(view: View) -> Reason | None:
    """Why not to end the round, if that is for the sake of the game."""
    what = ending(view, view.rack)
    if what is Ending.LOST:
        text = N_("If the round ends now, so does the game, with somebody else ahead.")
    elif what is Ending.OPEN:
        text = N_("If the round ends now, the game may end too, with somebody else ahead.")
    else:
        return None
    return Reason(Why.GAME_GOES_ON, Words(text))
