"""Forced wins of games: what players found, missed and allowed."""
