"""Lists of games, and single games."""
