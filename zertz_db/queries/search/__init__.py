"""Search for positions and patterns."""
