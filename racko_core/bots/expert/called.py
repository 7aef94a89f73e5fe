"""What actions are worth to a seat that holds RACK-O where players call for themselves.

The network never met such a position in training, where whoever could go out did. But there is
little to learn: whoever holds RACK-O has its points for the asking, and risks them by waiting.
"""

from __future__ import annotations

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots.calling import OTHERS, danger, expected_gain
from racko_core.rack import Rack, is_racko, longest_run, points_for_going_out, run_bonus, with_card
from racko_core.view import View

Worth = tuple[float, float]
"""Chance to win, and margin in points."""


def holds_racko(view: View) -> bool:
    """Whether the seat may go out now, or once this turn is over."""
    return view.rules.call == "manual" and is_racko(view.rack, view.rules)


def going_out(view: View, rack: Rack) -> Worth:
    """What going out with this rack is worth."""
    bonus = run_bonus(longest_run(rack)[1]) if view.rules.bonus else 0
    return 1.0, float(points_for_going_out() + bonus - OTHERS)


def playing_on(view: View) -> Worth:
    """What it is worth to wait for a longer run until the next turn."""
    risk = danger(view)
    _, now = going_out(view, view.rack)
    lost = 2 * OTHERS - points_for_going_out()
    return 1 - risk, (1 - risk) * (now + expected_gain(view)) + risk * lost


def after(view: View, action: Action) -> Worth | None:
    """What an action that keeps RACK-O is worth; None if it gives it up, or if that is open."""
    if action == act.GO_OUT:
        return going_out(view, view.rack)
    if action == act.PLAY_ON:
        return playing_on(view)
    if action == act.DISCARD:
        return going_out(view, view.rack)
    if isinstance(action, Take | Place):
        card = view.discards[-1] if isinstance(action, Take) else view.hand
        assert card is not None
        rack = with_card(view.rack, action.slot, card)
        return going_out(view, rack) if is_racko(rack, view.rules) else None
    return None
