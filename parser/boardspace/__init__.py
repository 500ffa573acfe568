"""The game server's SGF."""
