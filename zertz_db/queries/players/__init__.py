"""Players: lists, profiles, ratings, aliases."""
