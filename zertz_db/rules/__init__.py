"""Implement the rules of the game: boards, rule sets, the kernel, positions."""
