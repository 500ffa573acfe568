"""Decisions of an archivist: games that may be one, names that may be one person's, the kind of a player."""
