"""Read and write the SGF of the game server."""
