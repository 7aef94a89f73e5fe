"""Whether what the coach says is true: every number is counted again, the slow way."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations, pairwise, product

import pytest

from racko_core import actions as act
from racko_core.actions import Action, Place, Take
from racko_core.bots.appraisal import Appraisal
from racko_core.bots.calling import with_racko
from racko_core.coach import Decision, Reason, Why, advise, coach, named
from racko_core.coach.explanation import because
from racko_core.coach.room import may_come
from racko_core.events import Dealt, Discarded, Drew, Placed, Renewed
from racko_core.game import Game
from racko_core.order import strays
from racko_core.rack import Rack, is_racko, longest_run
from racko_core.rules import Card, Rules, label
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


def runs_of(rack: Rack, shortest: int = 3) -> list[list[Card]]:
    """So many or more in a row."""
    runs: list[list[Card]] = [[rack[0]]]
    for card in rack[1:]:
        if card == runs[-1][-1] + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return [run for run in runs if len(run) >= shortest]


def makes_longer_run(rack: Rack, card: Card, rules: Rules) -> bool:
    for slot in range(1, 11):
        after = with_card(rack, slot, card)
        for run in runs_of(after, min(3, rules.min_run or 3)):
            slots = {after.index(one) + 1 for one in run}
            if len(run) > longest_run(rack)[1] and not slots & strays(after, rules.cards):
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


def scoring(rack: Rack, rules: Rules) -> int:
    """How many cards count if somebody else goes out."""
    rising = [b > a for a, b in pairwise((0, *rack))]
    return (*rising, False).index(False) if rules.scoring == "prefix" else sum(rising)


def helps_somewhere(rack: Rack, card: Card, highest: Card) -> bool:
    """The same as `helps_anywhere`, by the marks of the rack: quick enough for many cards."""
    out = len(strays(rack, highest))
    return any(len(strays(with_card(rack, slot, card), highest)) < out for slot in range(1, 11))


def makes_racko(rack: Rack, card: Card, rules: Rules) -> bool:
    return any(is_racko(with_card(rack, slot, card), rules) for slot in range(1, 11))


def left_or_dropped(view: View, player: int) -> set[Card]:
    """The cards that a player left lying, or gave away."""
    found, top = set(), 0
    for event in view.history:
        match event:
            case Dealt() | Renewed():
                top = event.discard
            case Drew(seat, _) if seat == player:
                found.add(top)
            case Placed() | Discarded():
                top = event.discarded if isinstance(event, Placed) else event.card
                found |= {top} if event.seat == player else set()
            case _:
                pass
    return found


def endings(view: View, rack: Rack) -> set[str]:
    """What the game may come to if the seat goes out with this rack: all that others may have."""
    rules = view.rules
    mine = rules.side_of(view.seat)
    found = set()
    others = [seat for seat in range(rules.players) if seat != view.seat]
    for racks in product((5, 30, 50), repeat=len(others)):
        totals = [*view.totals]
        totals[mine] += 75 + (bonus_of(rack) if rules.bonus else 0)
        for seat, points in zip(others, racks, strict=True):
            totals[rules.side_of(seat)] += points
        best = max(total for side, total in enumerate(totals) if side != mine)
        over = max(totals) >= rules.target or view.round == rules.max_rounds
        if not over:
            found.add("on")
        else:
            found.add("won" if totals[mine] > best else "lost" if totals[mine] < best else "level")
    return found


def check_ending(text: str, found: set[str]) -> None:
    """Whether what is said of the game's end is so; `found` as `endings` tells."""
    assert ("wins the game" in text) == (found == {"won"})
    assert ("the game ends then with somebody else" in text) == (found == {"lost"})
    if "lost" in found:
        assert "somebody else ahead" in text
    if "may end then" in text:
        assert found & {"lost", "level"}


def check_rival(played: Action, reason: Reason) -> None:
    """Fails if a slot is argued against that nothing was put into."""
    against = reason.words.values.get("other")
    if reason.why in (Why.TOO_TIGHT, Why.FEWER_FIT, Why.NOT_THERE):
        against = reason.words.values["slot"]
    if isinstance(played, Take | Place):
        assert against in (None, label(played.slot)) or reason.why is Why.BETTER_CHANCE, reason


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
    there = with_card(rack, numbers["other"] // 5, card) if "other" in numbers else rack

    def coming_to(one: Rack) -> set[Card]:
        """What may come, of which the card that left for another rack may be one."""
        if view.draw_count or one in (rack, after):
            return coming
        left = [*view.discards, *set(rack) - set(one)]
        return set(left[1:] if rules.exhausted == "flip" else left[:-1])

    match reason.why:
        case Why.GOES_OUT:
            assert is_racko(after, rules)
            assert not is_racko(rack, rules)
            check_ending(text, endings(view, after) if rules.call == "auto" else set())
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
            assert rules.bonus or longest_run(rack)[1] < rules.min_run
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
        case Why.NEARER_RUN:
            now, before = (
                sum(makes_longer_run(one, other, rules) for other in coming)
                for one in (after, rack)
            )
            assert (numbers["count"], numbers["before"]) == (now, before)
            assert now > before
            assert rules.bonus or longest_run(rack)[1] < rules.min_run
        case Why.KEEPS_FROM_OTHERS:
            assert view.hand == card
            assert numbers["old"] == dropped
            assert strays(rack, highest) == strays(after, highest)
            assert ("anyway" in text) == (action.slot in strays(rack, highest))
            assert card not in left_or_dropped(view, (view.seat + 1) % rules.players)
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
            # It suits a slot only where it stands in place, as what stood there did.
            assert strays(rack, highest) == strays(after, highest)
            assert action.slot not in strays(after, highest)
        case Why.SCORES_MORE:
            counts = [scoring(one, rules) for one in (there, after)]
            assert (numbers["before"], numbers["count"]) == tuple(counts)
            assert counts[1] > counts[0]
        case Why.MORE_FIT:
            counts = [
                sum(fills(one, other, highest) for other in coming_to(one))
                for one in (there, after)
            ]
            assert (numbers["before"], numbers["count"]) == tuple(counts)
            assert counts[1] > counts[0]
        case Why.MORE_HELP:
            counts = [
                sum(helps_somewhere(one, other, highest) for other in coming_to(one))
                for one in (there, after)
            ]
            assert (numbers["before"], numbers["count"]) == tuple(counts)
            assert counts[1] > counts[0]
        case Why.MORE_IN_PLACE:
            counts = [most_in_place(one, highest) for one in (there, after)]
            assert (numbers["before"], numbers["count"]) == tuple(counts)
            assert counts[1] > counts[0]
        case Why.NOT_THERE:
            assert action in (act.DRAW, act.DISCARD)
            assert not helps(rack, numbers["slot"] // 5, card, highest)
            assert helps_anywhere(rack, card, highest)
            if action == act.DRAW:
                assert numbers["count"] == sum(fills(rack, other, highest) for other in coming)
        case Why.RACKO_MAY_COME:
            assert list(rack) == sorted(rack)
            assert not makes_racko(rack, card, rules)
            assert numbers["count"] == sum(makes_racko(rack, other, rules) for other in coming)
            assert numbers["total"] == len(coming)
        case Why.GAME_GOES_ON:
            assert action == act.PLAY_ON
            assert endings(view, rack) & {"lost", "level"}
            assert ("may" in text) == (endings(view, rack) != {"lost"})
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
            check_ending(text, endings(view, rack))
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
            played = advice.ranked[rng.randrange(1, len(advice.ranked))]
            why = because(view, advice.ranked, played)
            check(view, advice.best.action, why)
            check_rival(played.action, why)
            assert not set(advice.runners_up) - set(named(view, advice.ranked))
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
    rules: Rules,
    rack: Rack,
    discard: Card,
    action: Action,
    *draws: Card,
    codes: str = "",
    sentence: str = "",
) -> Reason:
    """The reason for an action of the first player, who has this rack: if no card goes into a slot,
    better than the one that the sentence names.
    """
    game = dealt_game(rules, {1: rack}, draws, discard)
    play(game, codes)
    view = game.view(1)
    ranked = first_of(view, action, act.DISCARD if isinstance(action, Place) else act.DRAW)
    named_slot = re.search(r"in slot (\d+)", sentence)
    helped = (slot for slot in (6, 1) if helps(rack, slot, discard, rules.cards))
    slot = int(named_slot[1]) // 5 if named_slot else next(helped, 1)
    against = (act.TAKES if view.hand is None else act.PLACES)[slot - 1]
    if action in (act.DRAW, act.DISCARD):
        reason = because(view, ranked, next(one for one in ranked if one.action == against))
    else:
        reason = because(view, ranked)
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
            Rules(), (2, 4, 3, 1, 5, 14, 21, 22, 29, 37), 10, act.DRAW, Why.NOT_THERE,
            "10 fills no gap in slot 5, but 7 cards that may come fill one.",
        ),
        (
            Rules(), (26, 4, 40, 14, 12, 17, 18, 2, 32, 39), 9, act.TAKES[3], Why.FEWER_STRAYS,
            "With 9 in slot 20 only 3 cards are out of place, against 4 before.",
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
    reason = said(rules, rack, discard, action, sentence=sentence)
    assert (reason.why, str(reason)) == (why, sentence)


def test_what_is_said_of_a_drawn_card() -> None:
    reason = said(Rules(), ROOM, 39, act.DISCARD, 37, codes="d")
    assert str(reason) == "37 fills no gap: in no slot does it put one more card in place."
    reason = said(
        Rules(),
        (8, 2, 13, 9, 12, 1, 15, 29, 31, 38),
        5,
        act.DISCARD,
        3,
        codes="d",
        sentence="in slot 15",
    )  # it would fill a gap
    assert str(reason) == (
        "With 3 in slot 15 only one card that may come would fill another gap; now 4 fill one."
    )
    swap = (4, 13, 1, 17, 18, 20, 22, 24, 26, 40)
    assert str(said(Rules(), swap, 10, act.PLACES[4], 19, codes="d")) == (
        "19 in slot 25 is in place as 18 was, and so 19, which could help the next player, is kept."
    )
    stray = (1, 17, 12, 15, 19, 24, 21, 39, 36, 38)
    assert str(said(Rules(), stray, 23, act.PLACES[1], 37, codes="d")) == (
        "17 in slot 10 is out of place anyway, and so 37, which could help the next player, is"
        " kept."
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


def test_a_reason_compares_with_what_was_played_where_that_is_known() -> None:
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
        "With 39 in slot 20 4 cards count if somebody else goes out, against 1 in slot 5."
    )


def test_advice_ranks_everything_and_tells_the_best_and_the_next() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 18).view(1)
    advice = advise(view, Guess())
    assert {one.action for one in advice.ranked} == set(view.legal)
    assert advice.best.action == act.TAKES[4]
    assert advice.why.why is Why.GOES_OUT
    assert advice.runners_up == advice.ranked[1:3]


MOMENTS = {
    (1, 1): {19},
    (1, 2): {1},
    (1, 3): {2},
    (2, 3): {2},
    (3, 1): {1, 19, 45, 50},
    (5, 1): {2, 22, 28, 40, 84},
}
"""Where in the rounds of `kinds_in_play` all kinds were found, by the number of actions before."""


def test_every_kind_of_reason_comes_up_in_play() -> None:
    """Else a kind would be there for nothing. What is new or elsewhere by now is looked for."""
    missing = set(Why) - {Why.MORE_POINTS, Why.AS_GOOD, Why.GAME_GOES_ON}
    kinds = chain(kinds_in_play(MOMENTS), kinds_in_play())
    while missing:
        found = next(kinds, None)
        assert found is not None, f"never: {missing}"
        missing.discard(found)


def kinds_in_play(moments: Mapping[tuple[int, int], set[int]] | None = None) -> Iterator[Why]:
    """Of reasons for moves that were chosen badly or well, over rounds by many rules: at all
    moments, or at those.
    """
    every = (Rules(), DUEL, BONUS, Rules(players=4, bonus=True, teams=True))
    for number, (seed, rules) in product(range(10), enumerate(every)):
        if moments is not None and (number, seed) not in moments:
            continue
        rng = random.Random(10 * seed + number)
        game, choose = Game(rules, kind_decks(rules, number)), chooser(rng, 0.8)
        game.apply(act.DEAL)
        while game.phase is not Phase.DEAL and len(game.actions) < 100:
            view = game.view(game.turn)
            ones = {*view.legal[-1:], rng.choice(view.legal), *view.legal[:1]}
            if moments is None or len(game.actions) in moments[number, seed]:
                for one in ones:
                    ranked = first_of(view, one)
                    yield because(view, ranked).why
                    yield because(view, ranked, ranked[-1]).why
            game.apply(choose(game))


def test_a_second_run_is_no_reason_where_one_is_needed() -> None:
    rack = (1, 11, 12, 13, 20, 32, 33, 28, 39, 2)
    reason = said(DUEL, rack, 34, act.TAKES[7])
    assert reason.why not in (Why.MAKES_RUN, Why.NEARER_RUN)
    assert said(DUEL, (1, 11, 12, 16, 20, 32, 33, 28, 39, 2), 34, act.TAKES[7]).why is Why.MAKES_RUN


def _near_the_end(rules: Rules, rack: Rack, totals: tuple[int, ...], *, turn: bool = True) -> View:
    """The view of the first player, who holds RACK-O at the end of a turn."""
    game = dealt_game(rules, {1: rack}, (), 39)
    view = replace(game.view(1), totals=totals)
    return view if turn else replace(view, phase=Phase.CALL, legal=(act.GO_OUT, act.PLAY_ON))


@pytest.mark.parametrize(
    ("totals", "end"),
    [
        ((0, 0), "Going out scores 75 points now, before anybody else can go out."),
        ((0, 90), "Going out scores 75 points now and wins the game."),
        (
            (98, 0),
            "Going out scores 75 points, but the game ends then with somebody else ahead.",
        ),
        (
            (75, 20),
            "Going out scores 75 points, but the game may end then with somebody else ahead.",
        ),
    ],
)
def test_who_goes_out_is_told_when_the_game_ends(totals: tuple[int, int], end: str) -> None:
    view = _near_the_end(BONUS.with_changes(target=100), RACKO, totals, turn=False)
    reason = because(view, first_of(view, act.GO_OUT))
    check(view, act.GO_OUT, reason)
    assert str(reason) == end


def test_the_coach_plays_racko_by_the_standing_of_the_game() -> None:
    rules = BONUS.with_changes(target=100)
    views = {
        totals: _near_the_end(rules, RACKO, totals, turn=False) for totals in ((0, 0), (90, 0))
    }
    for view in views.values():
        assert coach().appraise(view)[0].action == with_racko(view)
    view = replace(views[90, 0], turns=(9, 9))
    advice = advise(view, coach())
    assert advice.best.action == act.PLAY_ON
    check(view, act.PLAY_ON, advice.why)
    assert str(advice.why) == (
        "If the round ends now, the game may end too, with somebody else ahead."
    )


def test_a_card_makes_racko_and_ends_the_game() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 18).view(1)
    for totals, end in {
        (0, 0): "makes RACK-O.",
        (0, 490): "makes RACK-O and wins the game.",
        (498, 0): "makes RACK-O, but the game ends then with somebody else ahead.",
        (460, 400): "makes RACK-O, but the game may end then with somebody else ahead.",
    }.items():
        late = replace(view, totals=totals)
        reason = because(late, first_of(late, act.TAKES[4]))
        check(late, act.TAKES[4], reason)
        assert str(reason) == f"18 in slot 25 {end}"


def test_a_place_for_a_card_that_fits_nowhere_is_not_among_the_next_best() -> None:
    view = dealt_game(Rules(), {1: ROOM}, (), 18).view(1)
    ranked = first_of(view, act.TAKES[4])
    found = [one.action for one in named(view, ranked)]
    assert found == [act.DRAW, act.TAKES[3], act.TAKES[5]]  # each puts a neighbour out of place
