"""Insights: a metric of games or moves, divided by a dimension, of all players or one; and two filters compared."""
