"""Players: lists, profiles, ratings, names that may be one player's."""
