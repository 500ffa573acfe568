"""Read plain games of the game server without objects: most records of an archive."""
