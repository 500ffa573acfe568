"""Read plain games without objects: most records of the game server, and of a writer of official notation."""
