"""Preparation for an opponent: replies, losses, known lines and missed wins of one player."""
