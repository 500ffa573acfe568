"""Generate games of computer players, random and greedy."""
