"""How the expert learnt: self-play, compiled; see README.md beside this."""
