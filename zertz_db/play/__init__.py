"""Players that make up games: random ones and greedy ones."""
