"""Write games to files."""
