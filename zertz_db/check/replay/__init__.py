"""Replay the plies of records."""
