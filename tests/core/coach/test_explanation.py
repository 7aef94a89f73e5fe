"""Whether what the coach says is true: every number is counted again, the slow way."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.coach import Decision, Reason, Why, advise
from racko_core.coach.explanation import because
from racko_core.coach.room import may_come
from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.game import Game
from racko_core.order import strays
from racko_core.rack import Rack, is_racko, longest_run
from racko_core.rules import Card, Rules
from racko_core.view import Phase, View
from tests.core.chance import chooser, kind_decks, random_rules, seeded_decks
from tests.core.coach.guessing import Guess, first_of
from tests.core.stacked import dealt_game, play


def most_in_place(rack: Rack, highest: Card) -> int:
    """As many as can stay, by trying all choices."""
    for count in range(10, 0, -1):
        for slots in combinations(range(1, 11), count):
            ends = [(0, 0), *((slot, rack[slot - 1]) for slot in slots), (11, highest + 1)]
            if all(high - low >= back - front for (front, low), (back, high) in pairwise(ends)):
                return count
    return 0


def with_card(rack: Rack, place: int, card: Card) -> Rack:
    return tuple(card if slot == place else held for slot, held in enumerate(rack, 1))


def fills(rack: Rack, card: Card, highest: Card) -> bool:
    """Whether it lies between cards without a mark that have some with one between them."""
    return any(front < card < back for front, back in room_in(rack, set(), highest))


def helps(rack: Rack, slot: int, card: Card, highest: Card) -> bool:
    return most_in_place(with_card(rack, slot, card), highest) > most_in_place(rack, highest)


def helps_anywhere(rack: Rack, card: Card, highest: Card) -> bool:
    return any(helps(rack, slot, card, highest) for slot in range(1, 11))


def runs_of(rack: Rack) -> list[list[Card]]:
    """Three or more in a row."""
    runs: list[list[Card]] = [[rack[0]]]
    for card in rack[1:]:
        if card == runs[-1][-1] + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return [run for run in runs if len(run) > 2]


def makes_longer_run(rack: Rack, card: Card, highest: Card) -> bool:
    for slot in range(1, 11):
        after = with_card(rack, slot, card)
        for run in runs_of(after):
            slots = {after.index(one) + 1 for one in run}
            if len(run) > longest_run(rack)[1] and not slots & strays(after, highest):
                return True
    return False


def bonus_of(rack: Rack) -> int:
    lengths = [1]
    for before, card in pairwise(rack):
        lengths.append(lengths[-1] + 1 if card == before + 1 else 1)
    return {1: 0, 2: 0, 3: 50, 4: 100, 5: 200}.get(max(lengths), 400)


def unseen(view: View) -> set[Card]:
    """What may come, from the events alone."""
    hidden = set(range(1, view.rules.cards + 1)) - set(view.rack) - {view.hand}
    pile: list[Card] = []
    order: list[Card] = []
    for event in view.history:
        if isinstance(event, Drew) and order:
            hidden.discard(order.pop(0))
        match event:
            case Dealt():
                pile = [event.discard]
            case Placed(source="discard"):
                pile[-1] = event.discarded
            case Placed():
                pile.append(event.discarded)
            case Discarded():
                pile.append(event.card)
            case Renewed(how="flip"):
                order = pile[1:]
                hidden = set(order)
                pile = pile[:1]
            case Renewed():
                hidden = set(pile[:-1])
                pile = pile[-1:]
            case Drew(seat, card) if card is not None and seat == view.seat:
                hidden.discard(card)
            case _:
                pass
    held = {card for known in view.known for card in known}
    return hidden - set(pile) - set(view.rack) - {view.hand} - held


def room_in(rack: Rack, coming: set[Card], highest: Card) -> dict[tuple[Card, Card], float]:
    """Of every gap, by the cards around it: the cards that may come for each of its slots."""
    out = strays(rack, highest)
    row = (0, *rack, highest + 1)
    stay = [slot for slot in range(12) if slot not in out]
    return {
        (row[front], row[back]): sum(row[front] < card < row[back] for card in coming)
        / (back - front - 1)
        for front, back in pairwise(stay)
        if back - front > 1
    }


def where(text: str, highest: Card) -> tuple[Card, Card]:
    if found := re.search(r"between (\d+) and (\d+)", text):
        return int(found[1]), int(found[2])
    if found := re.search(r"in front of (\d+)", text):
        return 0, int(found[1])
    found = re.search(r"behind (\d+)", text)
    assert found
    return int(found[1]), highest + 1


def check(view: View, action: Action, reason: Reason) -> None:
    """Fails if anything is said that is not so."""
    text, values = str(reason), reason.words.values
    rules, rack = view.rules, view.rack
    numbers = {name: value for name, value in values.items() if isinstance(value, int)}
    for name in re.findall(r"{(\w+)}", reason.words.template):
        assert str(values[name]) in text
    if "count" in numbers and "total" in numbers:
        assert f"{numbers['total']} of the {numbers['total']}" not in text
    card = view.hand if view.hand is not None else view.discards[-1]
    after = rack
    dropped = None
    if isinstance(action, Take | Place):
        after = with_card(rack, action.slot, card)
        dropped = rack[action.slot - 1]
        if "slot" in numbers:
            assert numbers["slot"] == 5 * action.slot
        if "card" in numbers:
            assert numbers["card"] == card
    coming = unseen(view)
    if view.draw_count == 0:  # the pile is renewed at the end of the turn
        pile = [*view.discards, *([] if dropped is None else [dropped])]
        coming = set(pile[1:] if rules.exhausted == "flip" else pile[:-1])
    highest = rules.cards
    match reason.why:
        case Why.GOES_OUT:
            assert is_racko(after, rules)
        case Why.COMPLETES_ORDER:
            assert list(after) == sorted(after)
            assert not is_racko(after, rules)
            assert numbers["length"] == rules.min_run
        case Why.MAKES_RUN:
            run = [int(word) for word in str(values["run"]).split()]
            assert run == list(range(run[0], run[0] + len(run)))
            assert card in run
            assert " ".join(map(str, run)) in " ".join(map(str, after))
            assert len(run) > longest_run(rack)[1]
            assert most_in_place(after, highest) >= most_in_place(rack, highest)
        case Why.FILLS_GAP | Why.LAST_CHANCE:
            now = most_in_place(after, highest)
            assert now > most_in_place(rack, highest)
            front, back = where(text, highest)
            assert front < card < back
            # The rack shows it: there is a gap between cards that it has in place.
            assert front == 0 or front in after[: action.slot - 1]
            assert back == highest + 1 or back in after[action.slot :]
            assert (front, back) in room_in(rack, coming, highest)
            if reason.why is Why.FILLS_GAP:
                assert numbers["count"] == now
                assert any(front < other < back for other in coming)
            else:
                assert not any(front < other < back for other in coming)
        case Why.FEWER_STRAYS:
            assert numbers["count"] == len(strays(after, highest)) < numbers["before"]
            assert numbers["before"] == len(strays(rack, highest))
        case Why.ANOTHER_RUN:
            run = [int(word) for word in str(values["run"]).split()]
            assert run in runs_of(after)
            assert card in run
            assert len(runs_of(after)) > 1
            assert most_in_place(after, highest) >= most_in_place(rack, highest)
        case Why.NEARER_RUN:
            now, before = (
                sum(makes_longer_run(one, other, highest) for other in coming)
                for one in (after, rack)
            )
            assert (numbers["count"], numbers["before"]) == (now, before)
            assert now > before
        case Why.KEEPS_FROM_OTHERS:
            assert view.hand == card
            assert numbers["old"] == dropped
            assert strays(rack, highest) == strays(after, highest)
            assert ("anyway" in text) == (action.slot in strays(rack, highest))
            rooms = [list(room_in(one, coming, highest).values()) for one in (rack, after)]
            assert rooms[0] == rooms[1]
        case Why.WIDENS_GAP:
            front, back = where(text, highest)
            assert card in (front, back)
            assert numbers["count"] == sum(front < other < back for other in coming)
            assert numbers["count"] > numbers["before"]
            old = {front, back} - {card} | {rack[action.slot - 1]}
            assert numbers["before"] == sum(min(old) < other < max(old) for other in coming)
            assert most_in_place(after, highest) == most_in_place(rack, highest)
        case Why.EVENS:
            middle = (action.slot - 0.5) * highest / 10
            assert abs(numbers["middle"] - middle) <= 0.5
            assert numbers["old"] == rack[action.slot - 1]
            assert abs(card - numbers["middle"]) < abs(numbers["old"] - numbers["middle"])
        case Why.SCORES_MORE:
            counts = []
            for one in (rack, after):
                rising = [b > a for a, b in pairwise((0, *one))]
                counts.append(
                    (*rising, False).index(False) if rules.scoring == "prefix" else sum(rising)
                )
            assert numbers["count"] == counts[1] > counts[0]
        case Why.FEWER_FIT:
            then = with_card(rack, numbers["slot"] // 5, card)
            assert numbers["count"] == sum(fills(then, other, highest) for other in coming)
            assert numbers["before"] == sum(fills(rack, other, highest) for other in coming)
            assert action in (act.DRAW, act.DISCARD)
            assert helps_anywhere(rack, card, highest)
            assert numbers["count"] < numbers["before"]
        case Why.MAKES_ROOM:
            front, back = where(text, highest)
            if "replaces" in text:
                assert numbers["old"] == dropped in (front, back)
                assert action.slot not in strays(rack, highest)
            else:
                assert dropped != numbers["stray"]
                slot = rack.index(numbers["stray"]) + 1
                assert slot in strays(after, highest) - strays(rack, highest)
                assert action.slot in strays(rack, highest) - strays(after, highest)
            between = re.search(r"the (\d+) slots", text)
            row = [0, *rack, highest + 1]
            assert int(between[1] if between else 1) == row.index(back) - row.index(front) - 1
            old, new = room_in(rack, coming, highest), room_in(after, coming, highest)
            assert numbers["count"] == sum(front < other < back for other in coming)
            assert old[front, back] == min(old.values()) <= 2
            assert all(room > old[front, back] for room in new.values())
        case Why.TOO_TIGHT:
            assert action in (act.DRAW, act.DISCARD)
            front, back = where(text, highest)
            assert card in (front, back)
            assert helps_anywhere(rack, card, highest)
            (other,) = {front, back} - {card}
            in_place = [
                one for slot, one in enumerate(rack, 1) if slot not in strays(rack, highest)
            ]
            assert other in (0, *in_place, highest + 1)
            assert numbers["count"] == sum(front < other < back for other in coming)
            taken = with_card(rack, numbers["slot"] // 5, card)
            assert room_in(taken, coming, highest)[front, back] <= 2
        case Why.DRAW_MANY:
            assert action == act.DRAW
            if "slot" in numbers:
                assert helps(rack, numbers["slot"] // 5, card, highest)
            else:
                assert fills(rack, card, highest)
            assert numbers["count"] == sum(fills(rack, other, highest) for other in coming)
            assert numbers["total"] == len(coming)
            assert 2 * numbers["count"] > numbers["total"]
        case Why.DRAW_KNOWN:
            assert action == act.DRAW
            assert numbers["next"] in coming
            assert numbers["card"] == card
        case Why.DRAW_FITS:
            assert action == act.DRAW
            assert numbers["card"] == card
            assert not fills(rack, card, highest)
            assert numbers["total"] == len(coming)
            assert (numbers["count"] == len(coming)) == ("all" in text or "the one" in text)
            assert numbers["count"] == sum(fills(rack, other, highest) for other in coming)
        case Why.RUN_MAY_COME:
            assert action in (act.DRAW, act.PLAY_ON)
            assert is_racko(rack, rules)
            gains = [
                max(
                    (
                        bonus_of(one) - bonus_of(rack)
                        for one in (with_card(rack, slot, other) for slot in range(1, 11))
                        if is_racko(one, rules)
                    ),
                    default=0,
                )
                for other in coming
            ]
            assert numbers["count"] == sum(gain > 0 for gain in gains)
            assert numbers["points"] == max(gains)
            assert numbers["total"] == len(coming)
        case Why.FILLS_NO_GAP:
            assert action == act.DISCARD
            assert numbers["card"] == card
            assert not fills(rack, card, highest)
            assert not helps_anywhere(rack, card, highest)
        case Why.NO_LONGER_RUN:
            racks = [with_card(rack, slot, card) for slot in range(1, 11)]
            assert not any(is_racko(one, rules) and bonus_of(one) > bonus_of(rack) for one in racks)
        case Why.GOING_OUT:
            assert numbers["points"] == 75 + (bonus_of(rack) if rules.bonus else 0)
        case Why.BETTER_CHANCE | Why.MORE_POINTS | Why.AS_GOOD:
            pass
        case _:
            raise AssertionError(reason.why)


@pytest.mark.parametrize("seed", range(16))
def test_what_is_said_is_true(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    decks = kind_decks(rules, seed) if seed % 2 else seeded_decks(rules, seed)
    game, choose = Game(rules, decks), chooser(rng, 0.9)
    for _ in range(80):
        if game.result is not None:
            break
        view = game.view(game.turn)
        if game.phase is not Phase.DEAL and rng.random() < 0.4:
            best = rng.choice(view.legal)
            check(view, best, because(view, first_of(view, best)))
            advice = advise(view, Guess())
            check(view, advice.best.action, advice.why)
        game.apply(choose(game))


@pytest.mark.parametrize("seed", range(6))
def test_the_cards_that_may_come_are_those_of_the_draw_pile_and_what_looks_like_them(
    seed: int,
) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng).with_changes(stalemate_turnovers=3)
    game, choose = Game(rules, seeded_decks(rules, seed)), chooser(rng, 0.6)
    for _ in range(300):
        if game.result is not None:
            break
        view = game.view(game.turn)
        if game.phase in (Phase.TURN, Phase.DRAWN) and game._draw:
            coming = may_come(view)
            assert coming == unseen(view)
            assert coming >= set(game._draw)
            if view.turnovers and rules.exhausted == "flip":
                assert coming == set(game._draw)
        game.apply(choose(game))


DUEL = Rules(min_run=3)
BONUS = Rules(bonus=True)
ROOM = (4, 8, 12, 16, 33, 24, 28, 32, 36, 40)
"""One gap, between 16 and 24, where 33 stands."""
RACKO = (1, 2, 12, 16, 20, 24, 28, 32, 36, 40)


def said(
    rules: Rules, rack: Rack, discard: Card, action: Action, *draws: Card, codes: str = ""
) -> Reason:
    """The reason for an action of the first player, who has this rack."""
    game = dealt_game(rules, {1: rack}, draws, discard)
    play(game, codes)
    view = game.view(1)
    reason = because(view, first_of(view, action))
    check(view, action, reason)
    return reason


@pytest.mark.parametrize(
    ("rules", "rack", "discard", "action", "why", "sentence"),
    [
        (Rules(), ROOM, 18, act.TAKES[4], Why.GOES_OUT, "18 in slot 25 makes RACK-O."),
        (
            DUEL, ROOM, 18, act.TAKES[4], Why.COMPLETES_ORDER,
            "18 in slot 25 puts all ten cards in order; then only a run of 3 is missing.",
        ),
        (
            BONUS, (1, 2, 12, 16, 33, 24, 28, 32, 36, 40), 3, act.TAKES[2], Why.MAKES_RUN,
            "3 in slot 15 makes a run: 1 2 3.",
        ),
        (
            Rules(), (4, 8, 12, 16, 33, 24, 28, 32, 36, 2), 18, act.TAKES[4], Why.FILLS_GAP,
            "18 fits between 16 and 24; then 9 cards are in place.",
        ),
        (
            Rules(), (4, 8, 12, 16, 33, 18, 28, 32, 36, 2), 17, act.TAKES[4], Why.LAST_CHANCE,
            "17 fits between 16 and 18, and no other card that may come does.",
        ),
        (
            Rules(), (4, 8, 12, 16, 33, 19, 28, 32, 36, 40), 26, act.TAKES[5], Why.WIDENS_GAP,
            "26 in slot 30 leaves 8 cards that fit between 16 and 26, against 2 before.",
        ),
        (
            Rules(), (4, 8, 12, 16, 33, 19, 28, 32, 36, 40), 27, act.TAKES[6], Why.EVENS,
            "27 suits slot 35 better than 28; cards around 26 stand best there.",
        ),
        (
            Rules(), (9, 8, 12, 16, 33, 19, 28, 32, 36, 40), 39, act.DRAW, Why.DRAW_FITS,
            "39 fills no gap, but 9 of the 29 cards that may come do.",
        ),
        (
            Rules(), (2, 5, 6, 14, 16, 20, 28, 38, 39, 37), 32, act.TAKES[8], Why.MAKES_ROOM,
            "Only one card to come fits behind 39; 32 replaces 39 in slot 45.",
        ),
        (
            Rules(), (31, 13, 12, 22, 9, 24, 27, 29, 23, 36), 19, act.TAKES[4], Why.MAKES_ROOM,
            "No card to come fits between 22 and 24; 19 puts 22 out of place"
            " instead.",
        ),
        (
            Rules(), (8, 9, 28, 6, 24, 23, 39, 20, 27, 16), 29, act.TAKES[6], Why.MAKES_ROOM,
            "Only 2 cards to come fit into the 2 slots between 23 and 27; 29"
            " puts 27 out of place instead.",
        ),
        (
            Rules(), (29, 8, 9, 17, 25, 26, 32, 31, 5, 37), 7, act.DRAW, Why.FEWER_FIT,
            "With 7 in slot 5 only 7 cards that may come would fill another gap; now 12 fill one.",
        ),
        (
            Rules(), (2, 4, 3, 1, 5, 14, 21, 22, 29, 37), 10, act.DRAW, Why.FEWER_FIT,
            "With 10 in slot 5 no card that may come would fill another gap; now 7 fill one.",
        ),
        (
            Rules(), (26, 4, 40, 14, 12, 17, 18, 2, 32, 39), 9, act.TAKES[3], Why.FEWER_STRAYS,
            "With 9 in slot 20 only 3 cards are out of place, against 4 before.",
        ),
        (
            BONUS, (11, 13, 14, 15, 12, 26, 27, 31, 37, 39), 28, act.TAKES[7], Why.ANOTHER_RUN,
            "28 in slot 40 makes another run: 26 27 28.",
        ),
        (
            Rules(), (30, 29, 28, 27, 26, 25, 24, 23, 22, 21), 31, act.DRAW, Why.DRAW_MANY,
            "31 fills a gap, but so do all 29 cards that may come; one may stand better.",
        ),
        (
            Rules(), (30, 29, 9, 12, 16, 20, 24, 28, 32, 36), 7, act.DRAW, Why.TOO_TIGHT,
            "With 7 in slot 5, only one card that may come would fit between 7 and 9.",
        ),
        (
            Rules(), (30, 29, 28, 12, 16, 20, 2, 3, 32, 36), 5, act.DRAW, Why.DRAW_MANY,
            "5 fills a gap, but so do 16 of the 29 cards that may come; one may stand better.",
        ),
        (
            BONUS, RACKO, 39, act.GO_OUT, Why.GOING_OUT,
            "Going out scores 75 points now, before anybody else can go out.",
        ),
        (
            BONUS, RACKO, 39, act.DRAW, Why.RUN_MAY_COME,
            "One of the 29 cards that may come makes a run that scores 50 points more.",
        ),
    ],
)  # fmt: skip
def test_a_reason_of_every_kind(
    rules: Rules, rack: Rack, discard: Card, action: Action, why: Why, sentence: str
) -> None:
    reason = said(rules, rack, discard, action)
    assert (reason.why, str(reason)) == (why, sentence)


def test_what_is_said_of_a_drawn_card() -> None:
    reason = said(Rules(), ROOM, 39, act.DISCARD, 37, codes="d")
    assert str(reason) == "37 fills no gap: in no slot does it put one more card in place."
    reason = said(
        Rules(), (8, 2, 13, 9, 12, 1, 15, 29, 31, 38), 5, act.DISCARD, 3, codes="d"
    )  # it would fill a gap
    assert str(reason) == (
        "With 3 in slot 5, only 3 cards that may come would fit between 3 and 9."
    )
    swap = (4, 13, 1, 17, 18, 20, 22, 24, 26, 40)
    assert str(said(Rules(), swap, 10, act.PLACES[4], 19, codes="d")) == (
        "In slot 25, 19 is in place just as 18 was; the next player may then take 18, but not 19."
    )
    stray = (1, 17, 12, 15, 19, 24, 21, 39, 36, 38)
    assert str(said(Rules(), stray, 23, act.PLACES[1], 37, codes="d")) == (
        "17 is out of place in slot 10 anyway, and the next player may then take 17, but not 37."
    )
    reason = said(BONUS, RACKO, 39, act.DISCARD, 37, codes="d")
    assert reason.why is Why.NO_LONGER_RUN
    reason = said(BONUS, RACKO, 39, act.PLAY_ON, 37, codes="d x")
    assert reason.why is Why.RUN_MAY_COME


def test_what_is_said_when_the_next_card_is_known() -> None:
    game = Game(Rules(), seeded_decks(Rules(), 4))
    game.apply(act.DEAL)
    while not game.view(0).turnovers:
        game.apply(act.DRAW)
        game.apply(act.DISCARD)
    assert game.turn is not None
    view = game.view(game.turn)
    reason = because(view, first_of(view, act.DRAW))
    assert reason.why is Why.DRAW_KNOWN
    assert reason.words.values["next"] == game._draw[-1]


def test_where_nothing_simple_is_true_the_numbers_speak() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 39).view(1)

    def ranked(*worths: tuple[float, float]) -> tuple[Appraisal, ...]:
        actions = [act.TAKES[3], act.DRAW]
        return tuple(
            Appraisal(action, win, points, 0.0)
            for action, (win, points) in zip(actions, worths, strict=True)
        )

    assert str(because(view, ranked((0.54, 4), (0.51, 1)))) == (
        "In the long run it wins about 54 of 100 rounds, the next best move 51."
    )
    assert str(because(view, ranked((0.54, 4), (0.56, 1)))) == (
        "It brings about 3 points more than the next best move."
    )
    assert because(view, ranked((0.54, 4), (0.539, 4))).why is Why.AS_GOOD


def test_the_numbers_compare_with_what_was_played_where_that_is_known() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 39).view(1)
    ranked = [
        Appraisal(action, win, points, 0.0)
        for action, win, points in (
            (act.TAKES[3], 0.85, 5.0), (act.DRAW, 0.849, 5.0), (act.TAKES[0], 0.79, 2.0)
        )
    ]  # fmt: skip
    assert because(view, ranked).why is Why.AS_GOOD
    decision = Decision(1, 1, view, act.TAKES[0], tuple(ranked), None)
    assert str(decision.why()) == (
        "In the long run it wins about 85 of 100 rounds, what was played 79."
    )


def test_advice_ranks_everything_and_tells_the_best_and_the_next() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 18).view(1)
    advice = advise(view, Guess())
    assert {one.action for one in advice.ranked} == set(view.legal)
    assert advice.best.action == act.TAKES[4]
    assert advice.why.why is Why.GOES_OUT
    assert advice.runners_up == advice.ranked[1:3]


def test_every_kind_of_reason_comes_up_in_play() -> None:
    """Else a kind would be there for nothing."""
    kinds: Counter[Why] = Counter()
    for seed, rules in enumerate((Rules(), DUEL, BONUS, Rules(players=4, bonus=True, teams=True))):
        rng = random.Random(seed)
        for number in range(10):
            game, choose = Game(rules, kind_decks(rules, number)), chooser(rng, 0.8)
            game.apply(act.DEAL)
            while game.phase is not Phase.DEAL and len(game.actions) < 100:
                view = game.view(game.turn)
                for one in {*view.legal[-1:], rng.choice(view.legal), *view.legal[:1]}:
                    kinds[because(view, first_of(view, one)).why] += 1
                game.apply(choose(game))
    assert set(Why) - set(kinds) - {Why.MORE_POINTS, Why.AS_GOOD, Why.ANOTHER_RUN} == set()
