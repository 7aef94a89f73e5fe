"""What can be done at each moment, and what is said where it cannot."""

from __future__ import annotations

from typing import get_args

import pytest

from racko_core import actions as act
from racko_core.game import Game
from racko_core.rules import Rules, Seat
from racko_core.view import Phase, View
from racko_tui.table.decision import Decision, Held, NotNow, Step, Verb

SEED = b"a decision"
VERBS: tuple[Verb, ...] = get_args(Verb)


def decision_at(view: View | None) -> Decision:
    decision = Decision()
    decision.show(view)
    return decision


def game_in_turn() -> tuple[Game, Seat]:
    game = Game.new(Rules(), SEED)
    game.apply(act.DEAL)
    assert game.turn is not None
    return game, game.turn


def in_step(step: Step) -> Decision:
    """A decision in that step."""
    game, seat = game_in_turn()
    match step:
        case Step.WAIT:
            return decision_at(game.view(1 - seat))
        case Step.TAKE:
            decision = decision_at(game.view(seat))
            decision.do("take")
            return decision
        case Step.DRAWN:
            game.apply(act.DRAW)
        case Step.HELD:
            decision = decision_at(game.view(seat))
            decision.held = Held.PAUSED
            return decision
        case Step.CALL | Step.BETWEEN | Step.OVER:
            view = game.view(seat)
            view.phase = {
                Step.CALL: Phase.CALL,
                Step.BETWEEN: Phase.DEAL,
                Step.OVER: Phase.OVER,
            }[step]
            view.sheet = (None,)  # type: ignore[assignment]
            view.legal = (act.GO_OUT, act.PLAY_ON) if step is Step.CALL else ()
            return decision_at(view)
    return decision_at(game.view(seat))


ACTS = {
    (Step.TURN, "draw"): act.DRAW,
    (Step.DRAWN, "discard"): act.DISCARD,
    (Step.CALL, "go_out"): act.GO_OUT,
    (Step.CALL, "play_on"): act.PLAY_ON,
}
SILENT = {
    (Step.TURN, "take"),
    (Step.TAKE, "put_back"),
    *((step, "put_back") for step in Step if step not in (Step.DRAWN, Step.TAKE)),
}


@pytest.mark.parametrize("step", Step)
@pytest.mark.parametrize("verb", VERBS)
def test_every_key_acts_or_says_why_not(step: Step, verb: Verb) -> None:
    decision = in_step(step)
    assert decision.step is step
    if (step, verb) in ACTS:
        assert decision.do(verb) == ACTS[step, verb]
    elif (step, verb) in SILENT:
        assert decision.do(verb) is None
    else:
        with pytest.raises(NotNow) as refusal:
            decision.do(verb)
        sentence = str(refusal.value)
        assert sentence.endswith(".")
        assert "{" not in sentence
        assert "None" not in sentence


def test_enter_places_only_into_a_slot_that_was_chosen_for_this_card() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(seat))
    decision.choose(4)
    game.apply(act.DRAW)
    decision.show(game.view(seat))
    assert decision.slot is None
    with pytest.raises(NotNow):
        decision.do("place")
    decision.choose(4)
    assert decision.do("place") == act.PLACES[3]


def test_a_slot_chosen_for_the_discard_stays_when_it_is_taken() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(seat))
    decision.choose(4)
    decision.do("take")
    assert decision.do("place") == act.TAKES[3]


def test_what_was_chosen_is_there_when_the_game_goes_on() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(seat))
    decision.choose(4)
    decision.do("take")
    decision.held = Held.LOST
    assert decision.card is None, "nothing can be put anywhere"
    with pytest.raises(NotNow, match="until the connection is back"):
        decision.do("place")
    decision.show(game.view(seat))
    decision.held = None
    assert decision.do("place") == act.TAKES[3]


def test_taking_is_forgotten_when_the_turn_has_passed() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(seat))
    decision.do("take")
    game.apply(act.DRAW)
    game.apply(act.DISCARD)  # the clock ran out
    decision.show(game.view(seat))
    assert not decision.taking
    assert decision.slot is None


def test_looking_around_survives_what_others_do() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(1 - seat))
    decision.choose(7)
    game.apply(act.DRAW)
    decision.show(game.view(1 - seat))
    assert decision.slot == 7


def test_the_cursor_begins_near_where_the_card_belongs_and_stays_in_the_rack() -> None:
    game, seat = game_in_turn()
    view = game.view(seat)
    for card, slot in ((1, 1), (4, 1), (5, 2), (40, 10)):
        view.discards = (card,)
        decision = decision_at(view)
        decision.move(1)
        assert decision.slot == slot
    decision.move(99)
    assert decision.slot == 10
    decision.move(-99)
    assert decision.slot == 1


def test_the_preview_is_the_rack_as_it_would_be() -> None:
    game, seat = game_in_turn()
    decision = decision_at(game.view(seat))
    decision.choose(2)
    rack = game.view(seat).rack
    assert decision.leaving == rack[1]
    assert decision.after == (rack[0], game.view(seat).discard, *rack[2:])


def test_going_out_says_what_it_needs() -> None:
    wanted = {
        Rules(): "by itself",
        Rules(call="manual"): "all ten cards in order.",
        Rules(call="manual", min_run=3): "a run of 3",
    }
    for rules, words in wanted.items():
        game = Game.new(rules, SEED)
        game.apply(act.DEAL)
        with pytest.raises(NotNow, match=words):
            decision_at(game.view(game.turn)).do("go_out")


def test_without_a_rack_no_slot_can_be_chosen() -> None:
    game, _seat = game_in_turn()
    for view in (None, game.view(None)):
        with pytest.raises(NotNow):
            decision_at(view).choose(1)
        with pytest.raises(NotNow):
            decision_at(view).do("draw")
