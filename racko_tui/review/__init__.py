"""Looking back on a round or a game with the coach."""
