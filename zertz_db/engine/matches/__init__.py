"""Matches between players: games, scores, engines of others."""
