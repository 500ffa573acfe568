"""Ratings of players before each game."""
