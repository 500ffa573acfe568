"""Replay of the plies of records."""
