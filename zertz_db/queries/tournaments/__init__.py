"""Tournaments: the list, standings with tie-breaks, crosstables, rounds."""
