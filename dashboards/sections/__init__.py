"""Sections that several pages share: the filter, cards and rows of games, a player's profile."""
