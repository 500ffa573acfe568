"""Games written to files."""
