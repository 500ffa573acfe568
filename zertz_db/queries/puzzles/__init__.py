"""Puzzles of the analysed games: lists, single ones, a choice of the next one, and ratings by attempts."""
