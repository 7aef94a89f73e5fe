from __future__ import annotations

import random
import re
from dataclasses import fields
from pathlib import Path

import pytest

import racko_core
from racko_core import record
from racko_core.actions import encode
from racko_core.deck import Deck, reshuffled, seed_from
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase
from tests.core import stranger
from tests.core.chance import chooser, random_rules, seeded_decks

DOCUMENT = (Path(racko_core.__file__).parent / "NOTATION.md").read_text("utf-8")


def block(name: str) -> str:
    found = re.search(rf"```{name}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_is_true_and_what_the_writer_would_write() -> None:
    text = block("racko-record")
    found = record.verify(text)
    assert (found.proofs, found.seeded) == (2, True)
    assert found.game.phase is Phase.OVER
    about, seed = found.record.about, found.record.seed
    assert record.write(found.game, found.record.seats, seed=seed, about=about) == text


def test_the_example_shows_every_kind_of_turn() -> None:
    codes = {encode(action)[0] for action in record.read(block("racko-record")).actions}
    assert codes == set("dtpx!+")


def test_the_vectors_hold_here_and_for_a_stranger() -> None:
    vectors = dict(line.split(" ", 1) for line in block("racko-vectors").splitlines())
    seed, salt = bytes.fromhex(vectors["seed"]), bytes.fromhex(vectors["salt"])
    deck = [int(card) for card in vectors["deck"].split()]
    again = [int(card) for card in vectors["reshuffled"].split()]
    made = Deck.for_round(Rules(), seed, 1)
    assert (list(made.order), made.salt, made.commitment) == (deck, salt, vectors["commitment"])
    assert reshuffled(range(1, 20), deck, salt, 1) == again
    assert stranger.seeded(seed, 1, 40) == (deck, salt)
    assert stranger.commitment(deck, salt) == vectors["commitment"]
    assert stranger.reshuffled(list(range(1, 20)), deck, salt, 1) == again


def test_a_stranger_can_check_the_example() -> None:
    assert stranger.check(block("racko-record")) == 1
    with pytest.raises(AssertionError):
        stranger.check(block("racko-record").replace("rack 0 1 5", "rack 0 5 1"))


@pytest.mark.parametrize("with_seed", [True, False])
def test_a_stranger_can_check_any_record(with_seed: bool) -> None:
    rng = random.Random(5)
    for number in range(40):
        rules = random_rules(rng)
        game = Game(rules, seeded_decks(rules, number))
        choose = chooser(rng, 0.8)
        while game.result is None and len(game.actions) < rng.choice((300, 3000)):
            game.apply(choose(game))
        names = [record.SeatName("Zoë")] * rules.players
        seed = seed_from(number) if with_seed else None
        assert stranger.check(record.write(game, names, seed=seed)) == len(game.sheet)


def test_every_setting_and_the_version_are_described() -> None:
    for setting in fields(Rules):
        assert f"| `{setting.name}` |" in DOCUMENT
    assert f"# The game record, version {record.VERSION}\n" in DOCUMENT
