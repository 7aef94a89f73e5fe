"""Rounds between bots, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence

from racko_core import actions as act
from racko_core.bots import Bot
from racko_core.deck import seed_from
from racko_core.events import RoundEnded
from racko_core.game import Game
from racko_core.rules import Rules
from racko_core.view import Phase


def play_round(rules: Rules, seed: str, players: Sequence[Bot], most_turns: int) -> RoundEnded:
    """One round, every decision checked; fails when a player takes more than so many turns."""
    game = Game.new(rules, seed_from(seed))
    game.apply(act.DEAL)
    while not game.sheet:
        seat = game.turn
        assert seat is not None
        view = game.view(seat)
        assert view.turns[seat] < most_turns, f"{seed}: no end after {most_turns} turns"
        action = players[seat].decide(view)
        assert action in view.legal
        game.apply(action)
    assert game.phase in (Phase.DEAL, Phase.OVER)
    return game.sheet[0]


def share_won(rules: Rules, bot: Bot, others: Bot, decks: int) -> float:
    """The share of rounds that `bot` wins when every deck is played once from each seat."""
    wins = 0
    for deck in range(decks):
        for seat in range(rules.players):
            players = [others] * rules.players
            players[seat] = bot
            wins += play_round(rules, f"deck {deck}", players, 400).went_out == seat
    return wins / (decks * rules.players)
