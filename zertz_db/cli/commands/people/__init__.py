"""Commands about players: lists, profiles, aliases, ratings."""
