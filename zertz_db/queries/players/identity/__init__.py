"""Identity of players: names that may be one person's, with evidence and a score that is measured on planted cases."""
