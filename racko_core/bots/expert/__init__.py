"""The expert: a player that learnt from games against itself."""

from racko_core.bots.expert.player import Expert

__all__ = ["Expert"]
