"""Draw positions."""
