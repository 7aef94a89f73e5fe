"""A bot that believes nothing: it plays every history again, by BOT_PROTOCOL.md alone, and ends
where a question does not agree with itself, with the hello, or with the document.

Only the standard library is used, as somebody else's program would.
"""

from __future__ import annotations

import json
import sys
from itertools import chain, pairwise
from typing import Any

SLOTS = range(1, 11)
CARDS = {2: 40, 3: 50, 4: 60}
BONUS = {3: 50, 4: 100, 5: 200, 6: 400}
BEGUN = ("round", "dealer", "commitment")
TAKES = [f"t{slot}" for slot in SLOTS]
PLACES = [f"p{slot}" for slot in SLOTS]

Plain = dict[str, Any]


def agree(told: object, wanted: object, what: str) -> None:
    if told != wanted:
        raise SystemExit(f"{what} should be {wanted}, not {told}")


def longest_run(rack: list[int]) -> int:
    best = length = 1
    for before, card in pairwise(rack):
        length = length + 1 if card == before + 1 else 1
        best = max(best, length)
    return best


class Strict:
    """One run of the program, for games by the rules of its hello."""

    def __init__(self, hello: Plain) -> None:
        self.rules = rules = hello["rules"]
        self.players = rules["players"]
        self.sides = [[0, 2], [1, 3]] if rules["teams"] else [[s] for s in range(self.players)]
        self.deck = list(range(1, CARDS[self.players] + 1))
        self.last_id = 0
        agree(hello["version"], 1, "version")
        agree(hello["cards"], CARDS[self.players], "cards")
        agree(hello["sides"], self.sides, "sides")
        agree(hello["seconds"] > 0 and hello["hello_seconds"] > 0, True, "times above 0")

    def racko(self, rack: list[int]) -> bool:
        return rack == sorted(rack) and longest_run(rack) >= self.rules["min_run"]

    def decide(self, asked: Plain) -> str:
        """The first legal action, if the whole question agrees with itself."""
        agree(asked["id"] > self.last_id, True, "ids rise")
        self.last_id = asked["id"]
        self.sheet(asked)
        self.replay(asked)
        self.counts(asked)
        agree(asked["legal"], self.legal(asked), "legal")
        return str(asked["legal"][0])

    # The rounds before

    def sheet(self, asked: Plain) -> None:
        rules, totals = self.rules, [0] * len(self.sides)
        agree([ended["round"] for ended in asked["sheet"]], [*range(1, asked["round"])], "rounds")
        for ended in asked["sheet"]:
            best = max(totals)
            agree(best >= rules["target"] and totals.count(best) == 1, False, "a game that is over")
            self.ended(ended, asked)
            for side, seats in enumerate(self.sides):
                totals[side] += sum(ended["scores"][seat]["points"] for seat in seats)
            agree(ended["totals"], totals, f"totals of round {ended['round']}")
        agree(asked["totals"], totals, "totals")
        best = max(totals)
        agree(best >= rules["target"] and totals.count(best) == 1, False, "a game that is over")
        agree(asked["round"] > (rules["max_rounds"] or asked["round"]), False, "beyond max_rounds")

    def ended(self, ended: Plain, asked: Plain) -> None:
        rules, out = self.rules, ended["went_out"]
        agree(ended["event"], "ended", "an event of the sheet")
        dealer = (asked["dealer"] + ended["round"] - asked["round"]) % self.players
        agree(ended["dealer"], dealer, f"dealer of round {ended['round']}")
        agree(sorted(ended["deck"]), self.deck, "deck")
        cards = [card for rack in ended["racks"] for card in rack]
        agree(len(cards) == len(set(cards)) == 10 * self.players, True, "cards in racks")
        agree(len(ended["salt"]), 32, "salt")
        guard = rules["stalemate_turnovers"]
        agree(ended["turnovers"] == guard, ended["how"] == "stalemate", "turnovers at the end")
        agree(out is None, ended["how"] == "stalemate", "who goes out")
        if ended["how"] == "dealt":
            agree(ended["turns"], [0] * self.players, "turns")
        elif out is not None:
            agree(ended["how"], "auto" if rules["call"] == "auto" else "hand", "how")
        for seat, (rack, told) in enumerate(zip(ended["racks"], ended["scores"], strict=True)):
            agree(told, self.score(rack, seat, out), f"score in round {ended['round']}")
            if seat == out:
                agree(self.racko(rack), True, "RACK-O")

    def score(self, rack: list[int], seat: int, out: int | None) -> Plain:
        rises = [after > before for before, after in pairwise(rack)]
        cards = 1 + (sum(rises) if self.rules["scoring"] == "ascents" else [*rises, 0].index(0))
        shares = any({seat, out} <= set(seats) for seats in self.sides)
        run = longest_run(rack) if self.rules["bonus"] and shares else 0
        bonus = BONUS[min(run, 6)] if run > 2 else 0
        return {
            "cards": 10 if seat == out else cards,
            "went_out": seat == out,
            "run": run if bonus else 0,
            "bonus": bonus,
            "points": bonus + (75 if seat == out else 5 * cards),
        }

    # This round

    def replay(self, asked: Plain) -> None:
        """Play the history again, and compare where it leads with what the question says."""
        me, history = asked["seat"], asked["history"]
        begun, dealt, *rest = history
        agree(begun, {"event": "round", **{name: asked[name] for name in BEGUN}}, "the beginning")
        agree(dealt["event"], "dealt", "the second event")
        agree([rack is None for rack in dealt["racks"]],
              [seat != me for seat in range(self.players)], "racks that are not told")  # fmt: skip
        agree(dealt["draw_count"], len(self.deck) - 10 * self.players - 1, "draw pile as dealt")
        rack, discards, draws = [*dealt["racks"][me]], [dealt["discard"]], dealt["draw_count"]
        known = [[None] * 10 for _ in range(self.players)]
        last_slot, turns = [None] * self.players, [0] * self.players
        pile: list[int] | None = None  # where its order is known
        turn, turnovers, hand = asked["dealer"], 0, None
        for event in rest:
            what = event["event"]
            if what == "turn":
                turn = (turn + 1) % self.players
                agree(draws > 0, True, "cards to draw")
            elif what == "drew":
                draws, hand = draws - 1, event["card"]
                agree(hand is None, turn != me, "a hidden card")
                top = pile.pop(0) if pile is not None else hand
                agree(hand, top if turn == me else None, "the card drawn")
                hand = top
            elif what == "renewed":
                agree(draws, 0, "cards left when the pile is renewed")
                if self.rules["exhausted"] == "flip":
                    discards, pile, draws = discards[:1], discards[1:], len(discards) - 1
                else:
                    discards, pile, draws = discards[-1:], None, len(discards) - 1
                turnovers += 1
                agree(event, {"event": what, "how": self.rules["exhausted"], "turnover": turnovers,
                              "discard": discards[0], "draw_count": draws}, "renewed")  # fmt: skip
                continue
            elif what == "discarded":
                agree(event["card"], hand or event["card"], "the card discarded")
                discards.append(event["card"])
            else:
                agree(what, "placed", "an event of a round")
                at, out = event["slot"] - 1, event["discarded"]
                seen = event["source"] == "discard"
                if seen:
                    hand = discards.pop()
                agree(event["card"], hand if seen or turn == me else None, "the card placed")
                agree(out, (rack[at] if turn == me else known[turn][at]) or out, "what it replaces")
                if turn == me:
                    rack[at] = event["card"]
                known[turn][at], last_slot[turn] = event["card"] if seen else None, at + 1
                discards.append(out)
            agree(event["seat"], turn, "whose event it is")
            if what in ("placed", "discarded"):
                turns[turn], hand = turns[turn] + 1, None
        phase = {"turn": "turn", "drew": "drawn"}.get(history[-1]["event"], "call")
        for name, value in (
            ("turn", turn), ("turn", me), ("phase", phase), ("rack", rack), ("hand", hand),
            ("discards", discards), ("draw_count", draws), ("next_cards", pile or []),
            ("turnovers", turnovers), ("known", known), ("last_slot", last_slot), ("turns", turns),
        ):  # fmt: skip
            agree(asked[name], value, name)

    def counts(self, asked: Plain) -> None:
        """Every card is in one place."""
        others = [known for seat, known in enumerate(asked["known"]) if seat != asked["seat"]]
        seen = [*asked["rack"], asked["hand"], *asked["discards"], *asked["next_cards"]]
        cards = [card for card in chain(seen, *others) if card is not None]
        agree(
            set(cards) <= set(self.deck) and len(cards) == len(set(cards)), True, "each card once"
        )
        count = 10 * self.players + (asked["hand"] is not None) + len(asked["discards"])
        agree(count + asked["draw_count"], len(self.deck), "all cards")

    def legal(self, asked: Plain) -> list[str]:
        racko, by_hand = self.racko(asked["rack"]), self.rules["call"] == "manual"
        agree(racko and not by_hand, False, "RACK-O that did not go out by itself")
        if asked["phase"] == "call":
            agree(racko, True, "RACK-O")
            return ["!", "+"]
        if asked["phase"] == "drawn":
            return ["x", *PLACES]
        return ["d", *TAKES, *(["!"] if racko else [])]


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            strict = Strict(message)
            answer = {"type": "ready", "version": 1, "name": "Strict"}
        elif message["type"] == "decide":
            answer = {"type": "action", "id": message["id"], "action": strict.decide(message)}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
