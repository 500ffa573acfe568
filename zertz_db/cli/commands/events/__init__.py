"""Tournaments and pairings."""
